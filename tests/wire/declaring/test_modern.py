from __future__ import annotations

import pytest

from argwright.wire.declaring.modern import modern, size_and_depth

MODERN = [
    {"type": "object", "properties": {"城市": {"type": "string", "minimum": 3}}, "required": ["城市"]},
    {"exclusiveMinimum": 0, "minimum": 1, "items": {"type": "string"}, "prefixItems": [{}, True]},
    {"const": {"definitions": {"a": 1}, "exclusiveMinimum": True}},
    {"enum": [{"items": [1, 2]}], "default": {"dependencies": {}}, "examples": [{"type": ["a"]}]},
    {"$ref": "#/$defs/definitions", "$defs": {"definitions": {}}},
]


@pytest.mark.parametrize("schema", MODERN)
def test_modern_schemas_stay(schema):
    assert modern(schema) == schema


OLD = [
    ({"exclusiveMinimum": True, "minimum": 3}, {"exclusiveMinimum": 3}),
    ({"exclusiveMinimum": False, "minimum": 3}, {"minimum": 3}),
    ({"maximum": 3, "exclusiveMaximum": True}, {"exclusiveMaximum": 3}),
    ({"items": [{"type": "string"}, {"type": "integer"}]}, {"prefixItems": [{"type": "string"}, {"type": "integer"}]}),
    ({"items": [{}], "additionalItems": False}, {"prefixItems": [{}], "items": False}),
    ({"type": ["string"]}, {"type": "string"}),
    (
        {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
    ),
    (
        {"definitions": {"é": {"type": "string"}}, "properties": {"x": {"$ref": "#/definitions/é"}}},
        {"$defs": {"é": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/é"}}},
    ),
    (
        {"anyOf": [{"properties": {"a": {"items": [{}]}}}]},
        {"anyOf": [{"properties": {"a": {"prefixItems": [{}]}}}]},
    ),
]


@pytest.mark.parametrize(("old", "new"), OLD)
def test_old_spellings_become_new_ones(old, new):
    assert modern(old) == new
    assert modern(new) == new


def test_two_lists_of_definitions_with_one_name_stay_apart():
    schema = {"definitions": {"A": {"type": "string"}}, "$defs": {"A": {"type": "integer"}}}
    assert modern(schema) == schema


def test_a_huge_schema_is_counted_only_as_far_as_it_matters():
    deep = {"type": "string"}
    for _ in range(3000):
        deep = {"items": deep}
    assert size_and_depth(deep, most=100) == (101, 101)
    assert size_and_depth({"properties": {"a": {}, "b": {"items": {}}}}, most=100) == (4, 3)
