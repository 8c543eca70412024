"""What the documentation claims to be complete is: every reason, every slug, every public name."""

from __future__ import annotations

import re
import tomllib
from types import ModuleType
from typing import get_args

import pytest

import argwright as aw
from argwright.reasons import SCHEMA_REASONS, JsonReason, SchemaReason
from argwright.session.verdict import Stop
from argwright.wire import FORMATS
from argwright.wire.services import SERVICES

BESIDE = {"rules.Context", *(f"dialects.{name}" for name in (
    "TextSafe", "ReasoningText", "CallFound", "TextWasReasoning", "add_up", "Reading"))}  # fmt: skip
"""What a public name hands over or takes, without being one itself."""
MODULES = [value for name in aw.__all__ if isinstance(value := getattr(aw, name), ModuleType)]


@pytest.fixture(scope="module")
def errors(repository):
    return (repository / "docs" / "errors.md").read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    return re.split(r"^## ", page.partition(f"\n## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def source(repository, *places: str) -> str:
    root = repository / "src" / "argwright"
    return "\n".join(
        path.read_text(encoding="utf-8") for place in places for path in sorted((root / place).rglob("*.py"))
    )


@pytest.mark.parametrize(
    ("kind", "reasons"),
    [
        (aw.ErrorKind.UNKNOWN_TOOL, ("unknown",)),
        (aw.ErrorKind.JSON_ERROR, get_args(JsonReason)),
        (aw.ErrorKind.SCHEMA_ERROR, get_args(SchemaReason)),
    ],
)
def test_every_reason_has_its_meaning_cause_and_cure_in_order(errors, kind, reasons):
    text = section(errors, kind.value)
    assert tuple(re.findall(r"^### (\w+)$", text, re.MULTILINE)) == reasons
    for words in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        assert re.findall(r"^- \*([\w ]+):\*", words, re.MULTILINE) == ["Meaning", "Usual cause", "What to do"], words


def test_the_order_of_reasons_is_the_code_s():
    assert get_args(SchemaReason) == SCHEMA_REASONS


def test_every_reason_has_a_call_that_shows_it(errors):
    shown = re.findall(r"^(\w+)/(\w+): ", section(errors, "One call for each"), re.MULTILINE)
    known = {("unknown_tool", "unknown")}
    known |= {("json_error", reason) for reason in get_args(JsonReason)}
    known |= {("schema_error", reason) for reason in SCHEMA_REASONS}
    assert (set(shown), len(shown)) == (known, len(known))


def test_every_word_of_a_stream_is_explained(errors, repository):
    text = section(errors, "Words of a stream")
    code = source(repository, "stream", "wire")
    violations = set(re.findall(r'(?:Violation(?:Delta)?|_once)\(\s*"(\w+)"', code))
    violations |= set(re.findall(r'"(\w+)" if isinstance\(chunk, \(str, bytes\)\) else "(\w+)"', code)[0])
    dooms = set(re.findall(r'_report\([^"\n]*"(\w+)"', code)) | {"unknown"}
    assert len(violations) > 10
    assert {slug for slug in violations | dooms if f"`{slug}`" not in text} == set()


def test_every_word_of_a_result_is_explained(errors, repository):
    text = section(errors, "Words of results")
    code = source(repository, "execution", "session") + (repository / "src/argwright/final.py").read_text()
    kinds = set(re.findall(r'"kind": "(\w+)"', code))
    assert len(kinds) > 4
    assert {kind for kind in kinds if f"| `{kind}` |" not in text} == set()


def test_every_word_of_a_history_is_explained(errors, repository):
    text = section(errors, "Words of a history")
    code = source(repository, "history")
    slugs = set(re.findall(r'(?:_problem|\bchange|Change)\(\s*(?:rule=)?"(\w+)"', code))
    slugs |= set(re.findall(r'"(\w+)" if \w+ else "(\w+)"', code)[0])
    assert len(slugs) > 10
    assert {slug for slug in slugs if f"`{slug}`" not in text} == set()


def test_every_end_of_a_run_is_explained(repository):
    page = (repository / "docs" / "agents.md").read_text(encoding="utf-8")
    assert {stop for stop in get_args(Stop) if f"| `{stop}` |" not in page} == set()


def test_every_public_name_is_in_the_reference_once(repository):
    pages = [path.read_text(encoding="utf-8") for path in (repository / "docs" / "reference").glob("*.md")]
    shown = sorted(
        name for page in pages for name in re.findall(r"^\.\. auto\w+:: argwright\.(.+)$", page, re.MULTILINE)
    )
    public = {*aw.__all__, *BESIDE}
    public |= {f"{module.__name__.removeprefix('argwright.')}.{name}" for module in MODULES for name in module.__all__}
    assert shown == sorted(public)


def test_every_format_and_service_is_in_the_reference(repository):
    page = (repository / "docs" / "reference" / "wire.md").read_text(encoding="utf-8")
    assert {name for name in (*FORMATS, *SERVICES) if f"`{name}`" not in page} == set()


def test_every_layer_is_in_the_architecture(repository):
    page = (repository / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| layer | what it is |")[2].partition("\n\n")[0]
    shown = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in table.splitlines()[2:]]
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in project["tool"]["importlinter"]["contracts"] if one["id"] == "layers")
    layers = [name for line in contract["layers"] for name in re.findall(r"\w+", line)]
    assert [name for row in shown for name in row if name not in layers] == []
    assert [name for name in layers if name not in [one for row in shown for one in row]] == []
    order = {name: number for number, line in enumerate(contract["layers"]) for name in re.findall(r"\w+", line)}
    assert [order[name] for row in shown for name in row] == sorted(order[name] for row in shown for name in row)
