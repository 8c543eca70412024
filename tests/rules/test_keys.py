from __future__ import annotations

import pytest

from argwright.rules.keys import admits, fold, is_declared, same_word
from argwright.shape import Shape
from argwright.tool import Tool


@pytest.mark.parametrize(
    "spelling",
    ["maxResults", "max_results", "max-results", "MaxResults", "MAX_RESULTS", "max results", " Max_Results "],
)
def test_the_same_word(spelling):
    assert fold(spelling) == "maxresults"
    assert same_word(spelling, ["query", "max_results"]) == "max_results"


@pytest.mark.parametrize("name", ["max_result", "max.results", "maxresults2", "", "-", "結果"])
def test_another_word(name):
    assert same_word(name, ["query", "max_results"]) is None


def test_two_declared_spellings_are_two_readings():
    assert same_word("Id", ["ID", "id"]) is None


def test_declared_by_name_or_as_a_member_of_a_map():
    string = {"type": "string"}
    assert is_declared("a", Shape({"properties": {"a": {}}}))
    assert is_declared("b", Shape({"properties": {"a": {}}, "additionalProperties": string}))
    assert not is_declared("b", Shape({"properties": {"a": {}}}))
    assert not is_declared("b", Shape({"properties": {"a": {}}, "additionalProperties": True}))


def test_patterns_and_old_names_are_admitted():
    schema = {
        "type": "object",
        "properties": {"a": {}, "deep": {"type": "object", "properties": {"x": {}}}},
        "patternProperties": {"^x-": {}},
    }
    tool = Tool.from_schema("t", schema, aliases={"old": "a", "/deep/y": "x"})
    assert {name: admits(tool, name) for name in ("a", "old", "x-1", "y", "b")} == {
        "a": True, "old": True, "x-1": True, "y": False, "b": False,
    }  # fmt: skip


def test_a_pattern_that_python_cannot_read_admits_everything():
    tool = Tool.from_schema("t", {"type": "object", "patternProperties": {"^\\p{L}+$": {}}})
    assert admits(tool, "anything")
