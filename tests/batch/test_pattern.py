"""What a pattern matches is valid, strict, and written as we would write it."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import compute

import argwright as aw
from argwright.batch.pattern import COMPACT, LOOSE, pattern
from argwright.model import compact

TREE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "of": {"$ref": "#/$defs/tree"}},
    "required": ["name"],
}


def matches(schema, text, style=COMPACT, seen=()):
    expression = pattern(schema, style, seen)
    return expression is not None and compute.match_substring_regex(pa.array([text]), pattern=expression)[0].as_py()


def of(place, *, required=True, **more):
    return {"type": "object", "properties": {"a": place}, "required": ["a"] * required, **more}


@pytest.mark.parametrize(
    ("place", "fits", "unfit"),
    [
        ({"type": "string"}, ['""', '"上海 🙂"', r'"a\n\"\\b"', '"مرحبا"', '"a\u2028b"'], [r'"\u0041"', r'"\/"', '"a\nb"', "1", r'"\ud83d"']),
        ({"type": "string", "minLength": 2}, ['"ab"', r'"\n\n"'], ['"a"', r'"\n"']),
        ({"type": "string", "maxLength": 2}, ['""', '"上海"'], ['"abc"']),
        ({"type": "string", "maxLength": 500}, [], ['"a"']),
        ({"type": "string", "pattern": "^a"}, [], ['"a"']),
        ({"type": "string", "format": "date"}, ['"today"'], []),
        ({"type": "integer"}, ["0", "-7", "123456789012345678"], ["-0", "01", "1.0", "1e2", "1234567890123456789", '"1"', "true"]),
        ({"type": "integer", "minimum": 1, "maximum": 100}, ["1", "99"], ["0", "-1", "101"]),
        ({"type": "integer", "minimum": 1, "maximum": 5}, ["1", "5"], ["0", "6", "10"]),
        ({"type": "integer", "minimum": 10}, [], ["9", "1"]),
        ({"type": "integer", "exclusiveMinimum": 0}, ["1"], ["0"]),
        ({"type": "integer", "multipleOf": 2}, [], ["2"]),
        ({"type": "number"}, ["0", "-1.5", "0.0001", "9999999999.9999"], ["1.0", "0.00001", "1.50", ".5", "1.", "1e5", "12345678901.5", "-0.0"]),
        ({"type": "number", "minimum": 0.5}, ["1.5", "1"], ["0.4", "0", "-1"]),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, ["0.1", "9.9"], ["0", "10", "10.1"]),
        ({"type": "boolean"}, ["true", "false"], ["True", "null", "0"]),
        ({"type": ["string", "null"]}, ["null", '"a"'], ["1"]),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}, ["null", "3"], ['"a"']),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, [], ["3"]),
        ({"enum": ["a.b", "上海", 1, True, None, 2.0]}, ['"a.b"', '"上海"', "1", "true", "null"], ['"aXb"', "2.0", "2", "false"]),
        ({"type": "string", "enum": ["a", 1]}, ['"a"'], ["1"]),
        ({"const": "x"}, ['"x"'], ['"y"']),
        ({"type": "array", "items": {"type": "integer"}}, ["[]", "[1]", "[1,2,3]"], ["[1,]", "[,1]", '["a"]', "[1 ,2]"]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3}, ["[1,2]", "[1,2,3]"], ["[]", "[1]", "[1,2,3,4]"]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 1}, ["[]", "[1]"], ["[1,2]"]),
        ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, [], ["[1]"]),
        ({"type": "array"}, ["[]"], ["[1]"]),
        ({"type": "array", "minItems": 1}, [], ["[]", "[1]"]),
        ({"type": "object"}, ["{}"], ['{"x":1}']),
        ({"type": "object", "additionalProperties": {"type": "string"}}, ["{}"], ['{"x":"y","x":"z"}', '{"x":"y"}']),
        ({"type": "object", "minProperties": 1}, [], ["{}"]),
        ({}, [], ["1", '"a"']),
        (True, [], ["1"]),
    ],
    ids=lambda value: json.dumps(value)[:60] if isinstance(value, (dict, bool)) else "",
)  # fmt: skip
def test_one_place(place, fits, unfit):
    tool = aw.Tool.from_schema("f", of(place))
    for text in fits:
        assert matches(of(place), f'{{"a":{text}}}'), text
        assert tool.compiled.is_valid({"a": json.loads(text)}), text
    for text in unfit:
        assert not matches(of(place), f'{{"a":{text}}}'), text


MANY = {
    "type": "object",
    "properties": {"p": {"type": "integer"}, "q": {"type": "integer"}, "r": {"type": "integer"}, "x": {}},
    "required": ["q"],
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"p":1,"q":2,"r":3}', True),
        ('{"q":2}', True),
        ('{"p":1,"q":2}', True),
        ('{"q":2,"r":3}', True),
        ("{}", False),
        ('{"p":1}', False),
        ('{"p":1,"r":3}', False),
        ('{"q":2,"q":2}', False),
        ('{"q":2,"x":3}', False),
        ('{"q":2,"y":3}', False),
        ('{"q":2,}', False),
        ('{"q":2}"r":3}', False),
        ('{"q":2}\n', False),
        ('{"r":3,"q":2}', False),
    ],
)
def test_members(text, expected):
    assert matches(MANY, text) is expected


def test_another_order_is_matched_once_it_was_seen():
    assert matches(MANY, '{"r":3,"q":2}', seen=[("r", "q")])
    assert matches(MANY, '{"r":3,"q":2,"p":1}', seen=[("r", "q")])
    assert not matches(MANY, '{"r":3,"p":1}', seen=[("r", "q")])
    assert not matches(MANY, '{"r":3,"q":2,"r":1}', seen=[("r", "q")])


def test_all_may_be_missing():
    schema = of({"type": "integer"}, required=False)
    assert matches(schema, "{}")
    assert matches(schema, '{"a":1}')
    assert not matches(schema, '{"a":1,}')


def test_blanks_are_for_the_loose_style():
    for text in ('{"p": 1, "q": 2}', '{"p":1, "q": 2}'):
        assert not matches(MANY, text)
        assert matches(MANY, text, LOOSE)
    for text in ('{"p" : 1, "q": 2}', '{ "q": 2}', '{"p": 1,  "q": 2}', '{"q":\t2}'):
        assert not matches(MANY, text, LOOSE)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({**TREE, "$defs": {"tree": TREE}}, '{"name":"a"}'),
        ({**TREE, "$defs": {"tree": {"type": "object", "properties": {"name": {"type": "string"}}}}}, '{"name":"a","of":{"name":"b"}}'),
        (of({"$ref": "#/definitions/n"}, definitions={"n": {"type": "integer"}}), '{"a":1}'),
    ],
)  # fmt: skip
def test_references_are_followed_but_not_round(schema, text):
    assert matches(schema, text)


@pytest.mark.parametrize(
    "schema",
    [
        of({"$ref": "#/$defs/n%20m"}, **{"$defs": {"n%20m": {"type": "integer"}, "n m": {"type": "string"}}}),
        of({"$ref": "https://example.org/n"}),
        of({"$ref": "#/$defs/none"}),
        of({"$ref": "#/$defs/n", "minimum": 3}, **{"$defs": {"n": {"type": "integer"}}}),
        of({"type": "string", "format": "date"}, **{"$schema": "http://json-schema.org/draft-07/schema#"}),
        of({"type": "string"}, minProperties=1),
        of({"type": "integer", "minimum": 0, "exclusiveMinimum": True}),
        of({"type": "string"}, **{"$id": "https://example.org/x"}),
        of({"type": "string"}, patternProperties={"a": False}),
        {"properties": {"a": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]},
    ],
)
def test_what_is_not_understood_is_not_said(schema):
    assert pattern(schema) is None


def test_the_pattern_of_a_wide_and_deep_schema_stays_short():
    node = {"type": "object", "properties": {name: {"$ref": "#/$defs/n9"} for name in "abcd"}}
    defs = {f"n{level}": {"type": "object", "properties": {name: {"$ref": f"#/$defs/n{level - 1}"} for name in "abcd"}}
            for level in range(1, 10)}  # fmt: skip
    expression = pattern({**node, "$defs": {**defs, "n0": {"type": "integer"}}})
    assert expression is not None
    assert len(expression) < 20_010


NAMES = st.sampled_from(["a", "b", "上", "a.b", "x y", 'q"', "it's"])
NUMBERS = st.sampled_from([-3, 0, 1, 5, 10, 100, 0.5, 2.5])


def _with(**keywords):
    return st.fixed_dictionaries({}, optional=keywords)


SCALARS = st.one_of(
    _with(minLength=st.integers(0, 3), maxLength=st.integers(1, 5)).map(lambda more: {"type": "string", **more}),
    st.tuples(st.sampled_from(["integer", "number"]), _with(minimum=NUMBERS, maximum=NUMBERS, exclusiveMinimum=NUMBERS)).map(
        lambda pair: {"type": pair[0], **pair[1]}
    ),
    st.sampled_from([{"type": "boolean"}, {"type": ["integer", "null"]}, {"const": "c"}, {"enum": ["a", 1, None, "上", 'q"']}]),
)  # fmt: skip


def objects(places):
    return st.tuples(st.dictionaries(NAMES, places, max_size=4), st.booleans(), st.randoms(use_true_random=False)).map(
        lambda made: {
            "type": "object",
            "properties": made[0],
            "required": [name for name in made[0] if made[2].random() < 0.5],
            **({"additionalProperties": False} if made[1] else {}),
        }
    )


PLACES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        objects(inner),
        st.tuples(inner, _with(minItems=st.integers(0, 2), maxItems=st.integers(1, 3))).map(
            lambda pair: {"type": "array", "items": pair[0], **pair[1]}
        ),
        st.lists(inner, min_size=1, max_size=2).map(lambda branches: {"anyOf": branches}),
    ),
    max_leaves=6,
)
LEAVES = st.sampled_from(
    ["0", "1", "-1", "5", "10", "99", "100", "1.5", "0.5", "-0.25", "2.50", "1e3", "-0", "true", "null", '"a"', '"c"', '""', '"上"', r'"q\""', r'"\n"', r'"a\\b"',
     r'"\u00e9"', '"abcdef"', "1234567890123456789"]
)  # fmt: skip


@st.composite
def texts(draw, node, depth=0):
    """Something that may fit the schema, at times just not."""
    if not isinstance(node, dict) or draw(st.integers(0, 19)) == 0 or depth > 4:
        return draw(LEAVES)
    if "anyOf" in node:
        return draw(texts(draw(st.sampled_from(node["anyOf"])), depth + 1))
    comma, colon = draw(st.sampled_from([(",", ":"), (", ", ": "), (",", ": "), (" ,", ":")]))
    if node.get("type") == "array":
        return f"[{comma.join(draw(texts(node['items'], depth + 1)) for _ in range(draw(st.integers(0, 3))))}]"
    if node.get("type") == "object":
        keys = draw(st.permutations(list(node["properties"]))) if draw(st.booleans()) else list(node["properties"])
        kept = [key for key in keys if key in node["required"] or draw(st.booleans())]
        kept += [kept[0]] if kept and draw(st.integers(0, 9)) == 0 else []
        kept = kept[1:] if draw(st.integers(0, 9)) == 0 else kept
        members = [
            f"{json.dumps(key, ensure_ascii=False)}{colon}{draw(texts(node['properties'][key], depth + 1))}"
            for key in kept
        ]
        return "{" + comma.join(members) + "}"
    return draw(LEAVES)


@settings(max_examples=400)
@given(objects(PLACES), st.data())
def test_whatever_matches_is_valid_and_written_as_we_would(schema, data):
    tool = aw.Tool.from_schema("f", schema)
    seen = data.draw(st.lists(st.permutations(list(schema["properties"])).map(tuple), max_size=2))
    found = data.draw(st.lists(texts(schema), min_size=5, max_size=20))
    for style in (COMPACT, LOOSE):
        expression = pattern(schema, style, seen)
        if expression is None:
            continue
        fits = compute.match_substring_regex(pa.array(found), pattern=expression).to_pylist()
        for text, matched in zip(found, fits, strict=True):
            if matched:
                pairs = json.loads(text, object_pairs_hook=lambda pairs: pairs)
                assert len(dict(pairs)) == len(pairs), text
                value = json.loads(text)
                assert tool.compiled.is_valid(value), text
                assert compact(value) == (text if style is COMPACT else compact(value)), text
                assert len(compact(value)) <= len(text)
