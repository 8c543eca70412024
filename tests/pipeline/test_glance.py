"""The short way and the long way give the same answer; the short way takes only what nobody has to look at again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.model import ToolCall, ValidCall
from argwright.pipeline import glance, reading, scene_of
from argwright.pipeline.order import _settled
from argwright.policy import Limits, Policy
from argwright.rules import BUILTIN, STANDARD, Proposal, Rule, RuleSet
from argwright.tool import Tool

LIMITS = Limits()
SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "list": {"type": "array", "items": {"type": "integer"}},
        "either": {"type": ["string", "array"]},
    },
}
TOOL = Tool.from_schema("tool", SCHEMA)


def is_quick(text, tool=TOOL, rules=STANDARD):
    value = glance.strictly(text, LIMITS)
    return value is not glance.NOT_STRICT and glance.is_plain(tool, text, value, rules)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"text": "上海 🚚", "n": 5, "x": 2.0, "list": [1, 2]}',
        ' {"text": "a/b.c, d; (e) [f] {g}"}\n',
        '{"either": "text"}',
        '{"either": ["a"]}',
    ],
)
def test_the_short_way(text):
    assert is_quick(text)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '{"n": "5"}',
        '{"n": 5.0}',
        '{"list": [1, 2.0]}',
        '{"undeclared": 1}',
        '{"text": "a <b>"}',
        '{"text": "a &amp; b"}',
        '{"text": "a\\tb"}',
        '{"text": "null"}',
        '{"either": "[1]"}',
        '{"text": "a", "text": "b"}',
        '{"n": 1,}',
        "",
    ],
)
def test_the_long_way(text):
    assert not is_quick(text)


def test_aliases_and_rules_that_see_valid_calls_take_the_long_way():
    text = '{"text": "a"}'
    assert not is_quick(text, Tool.from_schema("tool", SCHEMA, aliases={"old": "text"}))
    assert not is_quick(text, Tool.from_schema("tool", SCHEMA, value_aliases={"text": {"b": "c"}}))
    rule = Rule(name="mine", layer="inspect", certainty=STANDARD.builtin[0].certainty, propose=lambda _: Proposal())
    assert not is_quick(text, rules=RuleSet(BUILTIN, (rule,)))


def test_a_field_that_nothing_declares_is_seen_however_deep():
    inner = {"type": "object", "properties": {"dry_run": {"type": "boolean"}}}
    tool = Tool.from_schema(
        "tool", {"type": "object", "properties": {"opts": inner, "rows": {"type": "array", "items": inner}}}
    )
    assert is_quick('{"opts": {"dry_run": true}, "rows": [{"dry_run": false}, {}]}', tool)
    assert not is_quick('{"opts": {"dryRun": true}}', tool)
    assert not is_quick('{"rows": [{}, {"dryRun": true}]}', tool)


def test_a_schema_without_end_takes_the_long_way_only_for_floats():
    node = {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}
    tool = Tool.from_schema("tool", {"$ref": "#/$defs/node", "$defs": {"node": node}})
    assert is_quick('{"value": 1, "next": {"value": 2}}', tool)
    assert not is_quick('{"value": 1, "next": {"value": 2.0}}', tool)


def test_a_value_made_the_short_way_equals_one_made_by_its_class():
    call = ToolCall("1", "tool", "{}")
    made = glance.valid(call, TOOL, {"n": 1}, None)
    assert made == ValidCall(call=call, tool=TOOL, arguments={"n": 1})
    assert made.to_dict() == ValidCall(call=call, tool=TOOL, arguments={"n": 1}).to_dict()


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "text": st.text() | st.sampled_from(["null", "<x>", "&amp;", "C:\\a"]),
            "n": st.integers() | st.floats(-5, 5),
            "x": st.floats(-5, 5),
            "list": st.lists(st.integers() | st.just(2.0), max_size=3),
            "either": st.text() | st.lists(st.text(), max_size=2) | st.just("[1]"),
            "more": st.integers(),
        },
    )
)
def test_both_ways_give_the_same_answer(arguments):
    text = json.dumps(arguments)
    if is_quick(text):
        call = ToolCall("1", "tool", text)
        scene = scene_of(TOOL, call, Policy.STANDARD, (LIMITS, STANDARD))
        assert _settled(TOOL, scene, reading.Read(value=json.loads(text))) == glance.valid(call, TOOL, arguments, None)
