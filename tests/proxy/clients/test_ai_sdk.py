"""The TypeScript example of the repair endpoint, with the real `ai` package in both versions that name its callback."""

from __future__ import annotations

import json

import pytest

from tests.proxy.node import packages
from tests.proxy.serving import serving

BIG = 9007199254740992  # what JavaScript makes of …993
OUTCOMES = [
    ["count_gulls", {"pier": BIG}, None],  # the SDK reads it itself
    ["count_gulls", {"pier": 3, "note": "上\u2028"}, None],
    ["count_gulls", {"pier": 4, "note": 'a "b"'}, None],
    ["count_gulls", '{"pier": 4, "note": "cut', "AI_InvalidToolInputError"],
    ["count_gulls", {"quay": 4}, "AI_InvalidToolInputError"],
    ["count_gull", {"pier": 5}, "AI_NoSuchToolError"],
]
UNREPAIRED = [OUTCOMES[0], *([row[0], row[1], "AI_ToolCallRepairError"] for row in OUTCOMES[1:])]


@pytest.fixture(scope="module")
def example(repository):
    """The example with the version that it asks for (7)."""
    source = repository / "examples" / "typescript"
    folder = packages.installed(source, repository / "build" / "node" / "example")
    packages.compiled(folder, *(source / name for name in ("argwright.ts", "harbour.ts", "tsconfig.json")))
    return folder


@pytest.fixture(scope="module")
def before(repository):
    """The callback with the version before (6), which has only the older name."""
    source = repository / "tests" / "proxy" / "node"
    folder = packages.installed(source, repository / "build" / "node" / "clients")
    packages.compiled(folder, repository / "examples" / "typescript" / "argwright.ts", source / "tsconfig.json")
    return folder


@pytest.fixture(scope="module")
def endpoint():
    with serving() as server:
        yield server


def repaired(folder, repository, *words):
    script = folder / "repairing.mjs"
    script.write_bytes((repository / "tests" / "proxy" / "node" / "repairing.mjs").read_bytes())
    return [json.loads(line) for line in packages.run(folder, script.name, *words).split("\n") if line]


def test_the_example_as_its_readme_says(example, endpoint, repository):
    printed = packages.run(example, "build/harbour.js", endpoint.root)
    told = (repository / "examples" / "typescript" / "README.md").read_text(encoding="utf-8")
    assert printed in told
    assert len(printed.splitlines()) == 4


@pytest.mark.parametrize("name", ["both", "repairToolCall", "experimental_repairToolCall"])
def test_whole_and_streamed(example, endpoint, repository, name):
    assert repaired(example, repository, endpoint.root, name) == OUTCOMES * 2


@pytest.mark.parametrize("name", ["both", "experimental_repairToolCall"])
def test_the_version_before(before, endpoint, repository, name):
    assert repaired(before, repository, endpoint.root, name) == [
        [tool, given, failed] for tool, given, failed in OUTCOMES * 2
    ]


def test_an_endpoint_that_is_not_there_is_told_as_such(example, repository):
    assert [row[2] for row in repaired(example, repository, "http://127.0.0.1:1", "both")] == [
        row[2] for row in UNREPAIRED * 2
    ]


def test_an_endpoint_that_wants_a_token(example, repository):
    with serving(token="geheim") as server:
        assert repaired(example, repository, server.root, "both", "geheim") == OUTCOMES * 2
        failed = [row[2] for row in repaired(example, repository, server.root, "both", "falsch")]
    assert failed == [row[2] for row in UNREPAIRED * 2]
