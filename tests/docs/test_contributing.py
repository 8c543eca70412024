"""What CONTRIBUTING tells is enough: its rule is put into a copy of the package as it says, and is in force there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import argwright
from argwright.dialects import DIALECTS
from argwright.dialects.openers import LITERALS, TAGS
from argwright.wire.declaring.subset import MODES

PACKAGE = Path(argwright.__file__).parent
ASK = """
import argwright as aw
from argwright.rules import BUILTIN
from argwright.rules.percent_sign import RULE
from argwright.testing import check_rule

print(check_rule(RULE), BUILTIN.index(RULE) > 0)
box = aw.Toolbox([aw.Tool.from_schema("discount", RULE.examples[0].schema)])
for percent in ("12%", "²%", "上海%"):
    outcome = box.resolve(aw.ToolCall("c1", "discount", {"percent": percent}))
    print(outcome.arguments if isinstance(outcome, aw.ValidCall) else outcome.reason)
"""


@pytest.fixture(scope="module")
def text(repository):
    return (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_rule_is_added_as_it_says(text, tmp_path):
    copy = tmp_path / "argwright"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (code,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (copy / "rules" / "percent_sign.py").write_text(code, encoding="utf-8")
    table = copy / "rules" / "__init__.py"
    before = table.read_text(encoding="utf-8")
    after = before.replace("    null_text,\n", "    null_text,\n    percent_sign,\n")
    after = after.replace("    enum_spelling.RULE,\n", "    enum_spelling.RULE,\n    percent_sign.RULE,\n")
    assert after.count("percent_sign") == 2
    table.write_text(after, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", ASK],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "SYSTEMROOT": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["() True", "{'percent': 12}", "type", "type"]


def test_every_file_and_folder_that_it_names_is_there(text, repository):
    named = set(re.findall(r"`((?:src|tests|docs|changes)/[\w/.]+|\w+\.py)`", text)) - {"NAME.py"}
    assert len(named) > 10
    places = {
        name
        for name in named
        if "NAME" not in name
        and not (repository / name).exists()
        and not any(found for root in ("src", "tests") for found in (repository / root).rglob(name))
    }
    assert places == set()


def test_every_table_that_it_names_is_there(text):
    named = set(re.findall(r"`(_?[A-Z]{4,})`", text))
    tables = {
        "BUILTIN",
        "FORMATS",
        "MODES",
        "FORMS",
        "TAGS",
        "LITERALS",
        "DIALECTS",
        "_COMMANDS",
        "UNTOUCHED",
        "MENDED",
    }
    assert named == tables
    assert all((DIALECTS, TAGS, LITERALS, MODES))
