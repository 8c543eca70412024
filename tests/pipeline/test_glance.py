"""All ways give the same answer; the short way takes only what nobody has to look at again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.model import ToolCall, ValidCall
from argwright.pipeline import glance, reading, resolve_with, scene_of
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
        "path": {"type": "string"},
    },
}
TOOL = Tool.from_schema("tool", SCHEMA)


def look(text, tool=TOOL, rules=STANDARD):
    return glance.look(tool, text, glance.strictly(text, LIMITS)[0], rules)


def is_quick(text, tool=TOOL, rules=STANDARD):
    return look(text, tool, rules) is glance.Look.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"text": "上海 🚚", "n": 5, "x": 2.0, "list": [1, 2]}',
        ' {"text": "a/b.c, d; (e) [f] {g}"}\n',
        '{"either": "text"}',
        '{"either": ["a"]}',
        # escapes that are JSON's own
        r'{"text": "a\nb\tc \"d\" \\ \/ \u4e0a\u6d77"}',
        r'{"text": "def f(x):\n    return x < 3 & 1\n", "path": "src/a.py"}',
        r'{"path": "C:\\dir\\file.txt"}',
        # tags and entities
        '{"text": "a <b> and <p>c</p>"}',
        '{"text": "<p>a &amp; b</p>"}',
        '{"text": "a && b, R&D"}',
        '{"text": "null and void"}',
    ],
)
def test_the_short_way(text):
    assert is_quick(text)


@pytest.mark.parametrize(
    "text", ['{"text": "a", "undeclared": 1}', '{"n": 5.0}', '{"list": [1, 2.0]}', '{"either": "[1]"}']
)
def test_the_way_through_every_rule_that_inspects(text):
    assert look(text) is glance.Look.STRANGE


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '{"n": "5"}',
        '{"n": 5.0}',
        '{"list": [1, 2.0]}',
        '{"undeclared": 1}',
        '{"either": "[1]"}',
        '{"text": "a", "text": "b"}',
        '{"n": 1,}',
        "",
    ],
)
def test_the_long_way(text):
    assert not is_quick(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "a </text>"}',
        '{"text": "a <parameter name=\\"n\\">5"}',
        '{"text": "a </x:parameter>"}',
        '{"text": "a &amp; b"}',
        '{"text": "a &lt;b>", "path": "&quot;"}',
        r'{"path": "C:\bin\temp"}',
        r'{"text": "C:\new"}',
        r'{"path": "a\tb"}',
        '{"text": "null"}',
        r'{"text": "a \u003cb"}',
    ],
)
def test_the_middle_way(text):
    assert look(text) is glance.Look.DOUBTED


def test_old_names_and_rules_that_see_valid_calls_take_the_long_way():
    text = '{"text": "a"}'
    aliased = Tool.from_schema("tool", SCHEMA, aliases={"old": "text"}, value_aliases={"text": {"b": "c"}})
    assert is_quick(text, aliased)
    assert look('{"old": "a"}', aliased) is glance.Look.ODD
    assert look('{"text": "b"}', aliased) is glance.Look.ODD
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


PIECES = [
    "null", "<x>", "</text>", "</path>", "<n>", "&amp;", "&", "<", "C:\\a", "C:", "\\", "\b", "\n", "\t", " ", '"', "'", "é",
    "<parameter name=", "<n", "n", ">", "</parameter>", "<arg_key>", "</x:param>", "a", "\x07", "/", ":", "上海",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.text() | st.just("null")


INNER = {"type": "object", "properties": {"text": {"type": "string"}, "dir": {"type": "string"}}}
TOOLS = {
    "open": Tool.from_schema("tool", SCHEMA | {"properties": SCHEMA["properties"] | {"inner": INNER}}),
    "closed": Tool.from_schema(
        "tool", SCHEMA | {"properties": SCHEMA["properties"] | {"inner": INNER | {"additionalProperties": False}}}
    ),
    "a map": Tool.from_schema("tool", SCHEMA | {"properties": SCHEMA["properties"] | {"inner": {"type": "object"}}}),
    "a list": Tool.from_schema(
        "tool",
        SCHEMA | {"properties": SCHEMA["properties"] | {"inner": {"type": "array", "items": {"type": "string"}}}},
    ),
    "aliases": Tool.from_schema(
        "tool",
        SCHEMA | {"properties": SCHEMA["properties"] | {"inner": INNER}},
        aliases={"more": "n", "/inner/file": "text"},
        value_aliases={"text": {"null": "none"}},
    ),
}


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "text": TEXT,
            "path": TEXT,
            "n": st.integers() | st.floats(-5, 5),
            "x": st.floats(-5, 5),
            "list": st.lists(st.integers() | st.just(2.0), max_size=3),
            "either": st.text() | st.lists(st.text(), max_size=2) | st.just("[1]"),
            "more": st.integers(),
            "inner": st.dictionaries(st.sampled_from(["text", "dir", "file"]), TEXT) | st.lists(TEXT, max_size=2),
        },
    ),
    st.sampled_from(list(TOOLS)),
    st.booleans(),
)
def test_all_ways_give_the_same_answer(arguments, schema, ascii_only):
    tool, text = TOOLS[schema], json.dumps(arguments, ensure_ascii=ascii_only)
    if look(text, tool) is not glance.Look.ODD:
        call = ToolCall("1", "tool", text)
        scene = scene_of(tool, call, Policy.STANDARD, (LIMITS, STANDARD))
        assert _settled(tool, scene, reading.Read(value=json.loads(text))) == resolve_with(tool, call)
