from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.recursive_unions import applies
from argwright.schema import CompiledSchema, compile_schema
from tests.growth import growth

D7 = "http://json-schema.org/draft-07/schema#"
NODE = {"$ref": "#/$defs/a~1b%20%25"}


def operation(name, keyword="const"):
    return {
        "type": "object",
        "properties": {"op": {keyword: name}, "left": NODE, "right": {"anyOf": [NODE, {"type": "null"}]}},
        "required": ["op", "left"],
        "additionalProperties": False,
    }


LEAF = {
    "type": "object",
    "properties": {"op": {"const": "leaf"}, "of": {"type": "string", "minLength": 1}},
    "required": ["op", "of"],
}
TREE = {
    "$defs": {"a/b %": {"oneOf": [operation("add"), operation(["mul", "div"], "enum"), LEAF, {"type": "integer"}]}},
    "type": "object",
    "properties": {"filter": NODE, "many": {"type": "array", "items": NODE}},
    "propertyNames": {"anyOf": [{"enum": ["filter", "many"]}, {"pattern": "^x"}]},
}


ROOT = {
    "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "v": {"type": "integer"}},
    "required": ["v"],
}
OLD = {
    "$schema": D7,
    "definitions": {"n": {"anyOf": [{"type": "array", "items": {"$ref": "#/definitions/n"}}, {"type": "string"}]}},
    "properties": {"anyOf": {"$ref": "#/definitions/n"}},
}
RECURSIVE = [TREE, ROOT, OLD]
OTHERS = [
    {},
    True,
    {"anyOf": [{"type": "string"}]},
    {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}}, "anyOf": [{"required": ["a"]}]}},
        "$id": "https://example.com/",
    },
    {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"properties": {"b": {"$ref": "#/$defs/b"}}}}},
    {"properties": {"n": {"anyOf": [{"$ref": "#"}]}}, "unevaluatedProperties": False},
    {"anyOf": [{"properties": {"n": {"$ref": "#/anyOf/0"}}}]},
]


@pytest.mark.parametrize("schema", RECURSIVE, ids=range(len(RECURSIVE)))
def test_applies_to_unions_that_contain_themselves(schema):
    assert applies(schema)


@pytest.mark.parametrize("schema", OTHERS, ids=range(len(OTHERS)))
def test_does_not_apply(schema):
    assert not applies(schema)


SCALARS = st.none() | st.integers(-1, 1) | st.sampled_from(["", "leaf", "add", "mul", "x"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2)
    | st.fixed_dictionaries(
        {},
        optional={
            "op": st.sampled_from(["add", "mul", "div", "leaf", "Add"]),
            "left": inner, "right": inner, "of": inner, "next": inner, "v": inner, "z": inner,
        },
    ),
    max_leaves=12,
)  # fmt: skip


def found(compiled, value):
    return {(i.pointer, i.keyword, i.message, repr(i.expected), repr(i.found)) for i in compiled.issues(value)}


@pytest.mark.parametrize("schema", RECURSIVE, ids=range(len(RECURSIVE)))
@given(data=st.data())
def test_level_by_level_the_same_issues_are_found_as_at_once(schema, data):
    value = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "filter": VALUES,
                "many": st.lists(VALUES, max_size=2),
                "anyOf": VALUES,
                "next": VALUES,
                "v": VALUES,
            },
        )
    )
    layered, whole = compile_schema(schema), CompiledSchema(schema, "", frozenset())
    whole._unions = False
    assert found(layered, value) == found(whole, value)
    assert layered.is_valid(value) == jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(
        schema
    ).is_valid(value)


def tree(depth):
    value: object = {"op": "leaf", "of": 1}
    for level in range(depth):
        value = {"op": ("add", "mul")[level % 2], "left": value, "right": 5}
    return {"filter": value}


def test_the_leaf_is_named_however_deep():
    compiled = compile_schema(TREE)
    assert [(i.pointer, i.keyword) for i in compiled.issues(tree(40))] == [("/filter" + "/left" * 40 + "/of", "type")]


def test_the_work_does_not_grow_exponentially():
    compiled = compile_schema(TREE)
    compiled.issues(tree(1))

    deep, deeper = tree(8), tree(32)
    assert growth(lambda: compiled.issues(deep), lambda: compiled.issues(deeper), bound=20, floor=0) < 20
