"""The pages that are made from the code say what the code says today, and what they show is so."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys

import pytest

import argwright as aw
from argwright.decode.notation import NOTATION
from argwright.rules import BUILTIN


@pytest.fixture(scope="module")
def generate(repository):
    spec = importlib.util.spec_from_file_location("generate", repository / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_in_step(generate, repository):
    stale = [
        name
        for name, page in generate.PAGES.items()
        if (repository / "docs" / name).read_text(encoding="utf-8") != page()
    ]
    assert stale == [], "python docs/generate.py writes them"


@pytest.mark.parametrize("name", [name for name in NOTATION if name not in ("text-dialect", "invalid-utf8")])
def test_what_the_table_of_notation_shows_is_so(name):
    shown = NOTATION[name]
    after = json.loads(shown.after)
    numbers = {key: {"type": "number"} if type(value) is int else {} for key, value in after.items()}
    schema = {"type": "object", "properties": numbers, "required": list(after)}
    policy = aw.Policy(certainty=shown.certainty)
    match aw.parse_arguments(shown.before, schema, policy=policy, name="f"):
        case aw.ValidCall(arguments) as outcome:
            assert (arguments, name in [repair.rule for repair in outcome.repairs]) == (after, True)
        case refused:
            pytest.fail(f"{refused.reason}: {refused.summary}")


def test_every_name_that_a_repair_may_carry_is_on_the_page(repository):
    page = (repository / "docs" / "rules.md").read_text(encoding="utf-8")
    written = {
        name
        for layer in ("decode", "pipeline", "rules")
        for path in (repository / "src" / "argwright" / layer).rglob("*.py")
        for name in re.findall(r'\brule="([a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    names = {*NOTATION, *(rule.name for rule in BUILTIN), *written}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_other_libraries_do_what_the_comparison_shows(repository):
    done = subprocess.run(
        [sys.executable, "-X", "utf8", repository / "docs" / "compare.py"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    page = (repository / "docs" / "comparison.md").read_text(encoding="utf-8")
    shown = columns(page.partition("<!-- table -->")[2].partition("<!-- end -->")[0])
    made = columns(done.stdout)
    assert {"arguments", "argwright"} <= made.keys()
    assert made == {title: shown[title] for title in made}, "what is not installed has no column"


def columns(text):
    """The columns of a table by their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    heads = [cell.strip() for cell in lines[0].strip("|").split("|")]
    return dict(zip(heads, zip(*rows(text), strict=True), strict=True))


READERS = {"json-repair with schema": "json-repair, schema", "jiter, partial mode": "jiter, partial"}


def test_the_figures_of_the_readme_are_those_of_the_last_run(repository):
    results = (repository / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    accuracy = results.partition("## Accuracy")[2].partition("By operator")[0]
    measured = {cells[0]: cells for cells in rows(accuracy)}
    readme = (repository / "README.md").read_text(encoding="utf-8")
    shown = rows(readme.partition("## Measured")[2].partition("## Where")[0])
    assert len(shown) > 3
    for reader, valid, exact, wrong in shown:
        found = measured[READERS.get(reader, reader)]
        assert [valid, exact, wrong] == [
            found[1].replace(".0%", "%") if valid == "100%" else found[1],
            found[2],
            found[6],
        ]


def rows(text):
    """The rows of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
