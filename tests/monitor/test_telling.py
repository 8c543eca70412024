from __future__ import annotations

import pytest

import argwright as aw
from argwright.monitor.telling import content, line, name_of, places
from tests.monitor.samples import (
    CUT,
    MISSING,
    NO_JSON,
    SCHEMA,
    SECRET,
    TYPE,
    UNKNOWN,
    VALID,
    resolved,
)

LINES = [
    (TYPE, "forecast: schema_error/type at /city"),
    (MISSING, "forecast: schema_error/missing at /city"),
    (NO_JSON, "forecast: json_error/not_json at character 0"),
    (UNKNOWN, "forecst: unknown_tool/unknown"),
    (resolved("[1]"), "forecast: schema_error/not_an_object at (root)"),
]


@pytest.mark.parametrize(("outcome", "said"), LINES, ids=[row[1] for row in LINES])
def test_lines(outcome, said):
    assert line(outcome) == said


def test_a_cut_call_says_where():
    assert line(CUT).startswith("forecast: json_error/truncated at character ")


PLACES = [
    ({"city": "a", "labels": {SECRET: 3}}, ("/labels/*",)),
    ({"city": "a", "labels": {"13800138000": 3}}, ("/labels/*",)),
    ({"city": "a", SECRET: 1}, ("/*",)),
    ({"city": "a", "stops": [{"km": 1}, {"km": "far"}]}, ("/stops/1/km",)),
    ({"city": 1, "days": "two", "labels": 3}, ("/city", "/days", "/labels")),
    ({"city": "a", "labels": {"a": 1, "b": 2, "c": 3}}, ("/labels/*",)),
    ({"city": "a", "stops": [{"km": "x"}] * 9}, tuple(f"/stops/{number}/km" for number in range(5))),
]


@pytest.mark.parametrize(("arguments", "said"), PLACES, ids=[*map(str, range(len(PLACES)))])
def test_places_are_said_as_far_as_they_are_declared(arguments, said):
    assert places(resolved(arguments)) == said


NAMES = [
    ("forecst", "forecst"),
    ("天气.查询", "天气.查询"),
    ("mcp__weather-1:get/now", "mcp__weather-1:get/now"),
    (f"forecst\nINFO root {SECRET}", "(unreadable name)"),
    (f'get{{"city": "{SECRET}"}}', "(unreadable name)"),
    ("x" * 65, "(unreadable name)"),
    ("", "(unreadable name)"),
    (None, "(unreadable name)"),
]


@pytest.mark.parametrize(("written", "said"), NAMES, ids=[*map(str, range(len(NAMES)))])
def test_unknown_names_are_said_if_they_look_like_names(written, said):
    assert name_of(resolved("{}", written)) == said


def test_a_known_tool_is_said_by_its_declared_name():
    assert name_of(resolved(name="weather")) == name_of(VALID) == "forecast"


def test_content_for_who_asked_masks_what_is_sensitive():
    box = aw.Toolbox([aw.Tool.from_schema("forecast", SCHEMA, sensitive=["city"])])

    def said(arguments, name="forecast"):
        return content(box.resolve(aw.ToolCall("1", name, arguments)))

    assert said('{"city": "Ærø", "days": 2}') == '{"city":"***","days":2}'
    assert said({"city": "Ærø", "days": "two"}) == '{"city":"***","days":"two"}'
    assert said('{"city": "Ærø", days: }') == ""
    assert said('{"city": "Ærø"}', "nope") == '{"city": "Ærø"}'
    assert content(NO_JSON) == "city=Ærø"
    assert content(resolved("city=Ærø".encode())) == "city=Ærø"
    assert content(resolved(None)) == ""
    assert len(content(resolved({"city": "x" * 9_999}))) == 4_000
