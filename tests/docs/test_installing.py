"""A page says what to install for its examples, and what it says exists."""

from __future__ import annotations

import re
import sys
import tomllib

import pytest

from tests.docs.showing import code, page
from tests.docs.test_documents import DOCUMENTS, blocks, name

PROJECT = tomllib.loads(page("pyproject.toml"))["project"]


def extras(text: str) -> set[str]:
    """The extras that a document says to install."""
    return {
        extra for found in re.findall(r"pip install '(?:argwright|\.)\[([\w,]+)\]'", text) for extra in found.split(",")
    }


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_extra_exists(path):
    assert extras(path.read_text(encoding="utf-8")) <= PROJECT["optional-dependencies"].keys()


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if blocks(path, "python")], ids=name)
def test_every_page_says_what_to_install(path):
    text = path.read_text(encoding="utf-8")
    words = [word for line in re.findall(r"pip install ([^`\n]+)", text) for word in re.findall(r"[\w.\[\]-]+", line)]
    named = {re.split(r"[\[=<>]", word)[0] for word in words}
    needed = [
        *PROJECT["dependencies"],
        *(need for extra in extras(text) for need in PROJECT["optional-dependencies"][extra]),
    ]
    brought = named | {re.split(r"[\[=<>]", need)[0] for need in needed}
    brought |= {
        word.split("[")[1].rstrip("]") for word in words if "[" in word and not word.startswith((".", "argwright"))
    }
    imported = {
        found.replace("_", "-")
        for found in re.findall(r"^(?:import|from) (\w+)", code(name(path)), re.MULTILINE)
        if found not in {*sys.stdlib_module_names, "argwright"}
    }
    langchain = {"langchain-core"} if "langchain" in brought else set()  # always with it
    slim = {"pydantic-ai"} if "pydantic-ai-slim" in brought else set()
    assert imported - brought - langchain - slim == set()
