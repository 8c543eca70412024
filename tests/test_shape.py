from __future__ import annotations

import pytest

from argwright.shape import ANY, Shape, json_type


@pytest.mark.parametrize(
    "schema", [None, True, 3, {}, {"$ref": "https://example.com/x"}, {"$ref": "#/nowhere"}, {"not": {}}]
)
def test_where_the_schema_is_silent_everything_is_possible(schema):
    shape = Shape(schema)
    assert (shape.types, dict(shape.properties), shape.required, shape.closed, shape.enum) == (
        frozenset(),
        {},
        frozenset(),
        False,
        (),
    )
    assert shape.allows("string")
    assert not shape.only("string")
    assert shape.member("x").allows("array")


def test_types_come_from_type_enum_const_and_unions():
    assert Shape({"type": ["string", "null"]}).types == {"string", "null"}
    assert Shape({"enum": ["a", 1, None]}).types == {"string", "integer", "null"}
    assert Shape({"const": 1.5}).types == {"number"}
    assert Shape({"anyOf": [{"type": "string"}, {"type": "array"}]}).types == {"string", "array"}
    assert Shape({"anyOf": [{"type": "string"}, {}]}).types == frozenset()
    assert Shape({"properties": {}}).types == {"object"}
    assert Shape(
        {"allOf": [{"type": "object"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"required": ["x"]}}}
    ).required == {"x"}


def test_members_and_items_follow_references():
    schema = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}, "名": {"type": "string"}},
        "required": ["node"],
        "additionalProperties": False,
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "next": {"$ref": "#/$defs/node"},
                    "tags": {"type": "array", "items": {"type": "integer"}},
                },
            }
        },
    }
    shape = Shape(schema)
    assert shape.closed
    assert shape.required == {"node"}
    deep = shape.member("node").member("next").member("next").member("tags")
    assert deep.only("array")
    assert deep.item.only("integer")
    assert shape.member("名") is shape.member("名")
    assert shape.member("undeclared").types == frozenset()


def test_a_map_has_the_shape_of_its_values():
    assert Shape({"type": "object", "additionalProperties": {"type": "number"}}).member("any").only("number")


def test_required_of_a_union_is_what_all_branches_require():
    branches = [{"type": "object", "required": ["a", "b"]}, {"type": "object", "required": ["a"]}]
    assert Shape({"oneOf": branches}).required == {"a"}
    assert Shape({"oneOf": branches}).closed is False


def test_cycles_end():
    assert Shape({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}).types == frozenset()
    assert Shape({"$ref": "#"}).types == frozenset()
    assert Shape({"allOf": [{"$ref": "#"}]}).types == frozenset()


def test_any_knows_nothing():
    assert ANY.item.types == frozenset()
    assert ANY.member("a").types == frozenset()


@pytest.mark.parametrize(
    ("value", "name"),
    [(None, "null"), (True, "boolean"), (1, "integer"), (1.0, "number"), ("", "string"), ([], "array"), ({}, "object")],
)
def test_json_type(value, name):
    assert json_type(value) == name
