"""Lanes are made once for what declares their tools, as long as there is room."""

from __future__ import annotations

import json

import argwright as aw
from argwright.batch import lanes
from argwright.batch.lane import Lane

SCHEMA = json.dumps({"type": "object", "properties": {"城": {"type": "string"}}}, ensure_ascii=False)
LIST = json.dumps([{"type": "function", "function": {"name": "f", "parameters": json.loads(SCHEMA)}}])


def test_a_schema_is_of_one_tool_and_a_list_of_its_own():
    kept = lanes._Kept(10_000)
    first = kept.get(SCHEMA, "f", None)
    assert isinstance(first, Lane)
    assert first is kept.get(SCHEMA, "f", None)
    assert first is not kept.get(SCHEMA, "g", None)
    assert first is not kept.get(SCHEMA, "f", aw.Policy.LENIENT)
    assert kept.get(LIST, None, None).box.names == ("f",)


def test_what_was_used_last_is_kept():
    kept = lanes._Kept(len(SCHEMA) * 2)
    one, two = kept.get(SCHEMA, "one", None), kept.get(SCHEMA, "two", None)
    assert kept.get(SCHEMA, "one", None) is one
    kept.get(SCHEMA, "three", None)
    assert kept.get(SCHEMA, "one", None) is one
    assert kept.get(SCHEMA, "two", None) is not two


def test_one_larger_than_all_the_room_is_kept_alone():
    kept = lanes._Kept(len(SCHEMA))
    kept.get(SCHEMA, "f", None)
    large = kept.get(LIST, None, None)
    assert kept.get(LIST, None, None) is large
    assert len(kept._lanes) == 1


def test_what_is_wrong_with_a_declaration_is_said_once_and_again():
    kept = lanes._Kept(1_000)
    said = kept.get("{", "f", None)
    assert said.startswith("the schema is no JSON")
    assert kept.get("{", "f", None) is said
