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


@pytest.mark.parametrize(
    ("written", "declared"),
    [
        ("5", ["-5", "high"]),
        ("- 5", ["5"]),
        ("-5", ["5", "high"]),
        ("_5", ["-5"]),
        ("12", ["1-2", "3-4"]),
        ("1-2", ["12"]),
        ("1_000", ["1000"]),
        ("2024 01", ["202401"]),
        ("1 -2", ["1-2"]),
        ("temp 5", ["temp -5"]),
        ("UTC 5", ["UTC-5", "UTC+5"]),
        ("UTC+5", ["UTC-5"]),
        ("1. 5", ["1.5"]),
        ("-high", ["high"]),
        ("x٣ ٤", ["x٣٤"]),
    ],
)
def test_what_may_change_a_number_is_another_word(written, declared):
    assert same_word(written, declared) is None


@pytest.mark.parametrize(
    ("written", "declared", "meant"),
    [
        ("UTF8", ["utf-8", "latin-1"], "utf-8"),
        ("ISO_8859_1", ["iso-8859-1", "utf-8"], "iso-8859-1"),
        ("- 5", ["-5", "high"], "-5"),
        ("utc-5", ["UTC-5", "UTC+5"], "UTC-5"),
        ("Top 10", ["top_10", "all"], "top_10"),
        ("हिन्दी भाषा", ["हिन्दी_भाषा"], "हिन्दी_भाषा"),
    ],
)
def test_a_number_that_stays_the_same(written, declared, meant):
    assert same_word(written, declared) == meant


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
