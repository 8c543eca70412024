"""What can no longer become valid; and, first and longer, what still can."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from argwright.stream.doom import Doom, is_plain
from argwright.stream.progress import Progress

SCHEMA = {
    "type": "object",
    "properties": {
        "berth_name": {"type": "string"},
        "metres": {"type": "integer"},
        "depth": {"type": "number"},
        "side": {"type": "string", "enum": ["port_side", "starboard"]},
        "night": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "crew": {"type": "array", "items": {"type": "object", "properties": {"role": {"type": "string"}}, "required": ["role"], "additionalProperties": False}},
        "mode": {"enum": [1, "auto"]},
        "free": {},
        "maybe": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
    },
    "required": ["berth_name", "metres"],
    "additionalProperties": False,
}  # fmt: skip


@dataclass
class Declared:
    schema: Any = field(default_factory=lambda: SCHEMA)
    aliases: Any = field(default_factory=lambda: {"pier": "berth_name", "/crew/job": "role"})
    value_aliases: Any = field(default_factory=lambda: {"/side": {"links": "port_side"}})


def doomed(text: str, tool: Any = None, **options: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    progress = Progress()
    progress.watch(Doom(tool or Declared(), lambda place, reason, _message: found.append((place, reason)), **options))
    for char in text:
        progress.feed(char)
    return found[:1]


STILL_POSSIBLE = [
    ("valid", '{"berth_name": "七", "metres": 12, "depth": 1.5, "side": "starboard", "night": true, "tags": ["a"], "crew": [{"role": "x"}], "mode": 1, "free": [{}], "maybe": null}'),
    ("a number as text", '{"metres": "12", "depth": " 1.5 ", "night": "True"}'),
    ("a whole number with a point", '{"metres": 12.0}'),
    ("another spelling of a key", '{"berthName": "x", "Metres": 1}'),
    ("another spelling of a listed value", '{"side": "Port Side"}'),
    ("an alias", '{"metres": 1, "pier": "x"}'),
    ("an alias deeper down", '{"metres": 1, "crew": [{"job": "x"}]}'),
    ("an alias of a value", '{"side": "links"}'),
    ("a wrapper", '{"arguments": {"berth_name": "x", "metres": 1}}'),
    ("a wrapper with the tool's name", '{"name": "book", "arguments": {"anything": 1}}'),
    ("one element for its list", '{"tags": "a", "crew": {"role": "x"}}'),
    ("a list for its element", '{"metres": [12]}'),
    ("a list as text", '{"tags": "[1]", "crew": "[{}]"}'),
    ("null for an optional field", '{"depth": null, "side": null}'),
    ("words for nothing, in optional fields", '{"depth": "None", "side": "null", "night": ""}'),
    ("a listed value of several types", '{"mode": "1"}'),
    ("anything where nothing is said", '{"free": "x"}'),
    ("what has not ended", '{"metres": "abc'),
    ("no JSON", '{"metres": abc}'),
]  # fmt: skip


@pytest.mark.parametrize("text", [row[1] for row in STILL_POSSIBLE], ids=[row[0] for row in STILL_POSSIBLE])
def test_still_possible(text):
    assert doomed(text) == []


DOOMED = [
    ("a value that is not listed", '{"side": "aft"', ("/side", "enum")),
    ("a number where only text is", '{"berth_name": 7,', ("/berth_name", "type")),
    ("true where only text is", '{"berth_name": true,', ("/berth_name", "type")),
    ("a fraction where only integers are", '{"metres": 1.5,', ("/metres", "type")),
    ("a word where a number is", '{"metres": "many"', ("/metres", "type")),
    ("null for a required field", '{"metres": null,', ("/metres", "type")),
    ("an object where one value is", '{"metres": {', ("/metres", "type")),
    ("a key that nobody declared, beside one that is", '{"metres": 1, "colour"', ("/colour", "unexpected")),
    ("a key that nobody declared, before one that is", '{"colour": 1, "metres"', ("/colour", "unexpected")),
    ("the same in an item", '{"metres": 1, "crew": [{"role": "x"}, {"age"', ("/crew/1/age", "unexpected")),
    ("a wrong type in a list", '{"tags": ["a", 7,', ("/tags/1", "type")),
]


@pytest.mark.parametrize(("text", "place"), [row[1:] for row in DOOMED], ids=[row[0] for row in DOOMED])
def test_doomed_and_not_a_character_earlier(text, place):
    assert doomed(text) == [place]
    assert doomed(text[:-1]) == []


def test_undeclared_keys_may_be_allowed_by_the_policy():
    assert doomed('{"metres": 1, "colour": 1}', undeclared=True) == []
    open_schema = {**SCHEMA, "additionalProperties": True}
    assert doomed('{"metres": 1, "colour": 1}', Declared(open_schema)) == []


PLAIN = [
    (SCHEMA, True),
    ({}, True),
    ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}, True),
    ({"patternProperties": {"^x-": {}}}, False),
    ({"properties": {"a": {"not": {"type": "string"}}}}, False),
    ({"if": {}, "then": {"properties": {"b": {}}}}, False),
    ({"$ref": "https://example.org/schema.json"}, False),
    ({"anyOf": [{"const": n} for n in range(40)]}, False),
    ({"properties": {str(n): {} for n in range(6000)}}, False),
]


@pytest.mark.parametrize(("schema", "expected"), PLAIN)
def test_a_schema_that_says_more_than_a_shape_is_left_alone(schema, expected):
    assert is_plain(schema) is expected
