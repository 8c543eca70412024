"""Types for bare text: from the schema, never from looks."""

from __future__ import annotations

import pytest

from argwright.dialects.typing import member_shape, object_text, text_parameter, typed
from argwright.shape import Shape

S, Z, N, B = "string", "integer", "number", "boolean"


@pytest.mark.parametrize(
    ("types", "text", "meant"),
    [
        (S, "5", "5"), (S, "null", "null"), (S, " [1] ", " [1] "), (S, "", ""),
        (Z, "5", 5), (Z, " -5\n", -5), (Z, "9007199254740993", 9007199254740993), (Z, "five", "five"), (Z, "5.0", "5.0"), (Z, "007", "007"),
        (Z, "1" * 5000, "1" * 5000), (N, "5", 5), (N, "5.25", 5.25), (N, "1e3", 1000.0), (N, "1e999", "1e999"), (N, "NaN", "NaN"),
        (B, "true", True), (B, "False", False), (B, "1", True), (B, "yes", "yes"),
        ("null", "null", None), ([S, "null"], "null", None), ([S, "null"], "none", "none"), ([S, "null"], "5", "5"), ([S, Z], "5", 5),
        ("array", '["a", 1]', ["a", 1]), ("array", "['a', True]", ["a", True]), ("array", '{"a": 1}', '{"a": 1}'), ("array", "a, b", "a, b"),
        ("object", '{"a": [1]}', {"a": [1]}), ("object", '{"a": 1, "a": 2}', '{"a": 1, "a": 2}'), (["array", S], "[1]", [1]),
        (None, "5", 5), (None, "true", True), (None, "plain words", "plain words"), (None, "007", "007"), (None, "Infinity", "Infinity"),
    ],
)  # fmt: skip
def test_typed(types, text, meant):
    value = typed(text, Shape({} if types is None else {"type": types}))
    assert (value, type(value)) == (meant, type(meant))


def test_by_enum_reference_and_union():
    root = {
        "$defs": {"n": {"type": Z}},
        "properties": {
            "a": {"$ref": "#/$defs/n"},
            "b": {"enum": [1, 2]},
            "c": {"anyOf": [{"type": S}, {"type": "null"}]},
        },
    }
    shape = Shape(root)
    assert [typed("1", shape.member(name)) for name in "abc"] == [1, 1, "1"]


def test_object_text_keeps_what_was_said_twice():
    assert object_text([("a", 1), ("é", "中"), ("a", 2)]) == '{"a":1,"é":"中","a":2}'


def test_member_shape_in_another_spelling():
    shape = Shape({"properties": {"max_results": {"type": Z}, "a-b": {"type": B}, "a_b": {"type": S}}})
    assert member_shape(shape, "maxResults").types == {Z}
    assert member_shape(shape, "AB").types == frozenset()


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({}, None),
        ({"properties": {}}, None),
        ({"properties": {"q": {"type": Z}}}, "q"),
        ({"properties": {"n": {"type": Z}, "q": {"type": S}}, "required": ["q"]}, "q"),
        ({"properties": {"q": {"type": S}, "n": {"type": Z}}}, "q"),
        ({"properties": {"n": {"type": Z}, "q": {"type": S}}}, None),
    ],
)
def test_text_parameter(schema, name):
    assert text_parameter(schema) == name
