from __future__ import annotations

import pytest

from argwright.wire.declaring.merge import merged, superset

MERGED = [
    ({"type": "string"}, {"minLength": 1}, {"type": "string", "minLength": 1}, ()),
    ({"minLength": 1, "maxLength": 9}, {"minLength": 3, "maxLength": 5}, {"minLength": 3, "maxLength": 5}, ()),
    ({"type": ["string", "null"]}, {"type": "string"}, {"type": "string"}, ()),
    ({"type": "number"}, {"type": "integer"}, {"type": "integer"}, ()),
    ({"type": "string"}, {"type": "integer"}, {"type": "string"}, (("type", "integer"),)),
    ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"enum": ["b"]}, ()),
    ({"enum": ["a"]}, {"enum": ["c"]}, {"enum": ["a"]}, (("enum", ["c"]),)),
    ({"required": ["a"]}, {"required": ["b", "a"]}, {"required": ["a", "b"]}, ()),
    ({"description": "One."}, {"description": "二"}, {"description": "One. 二"}, ()),
    ({"pattern": "^a"}, {"pattern": "b$"}, {"pattern": "^a"}, (("pattern", "b$"),)),
    (
        {"properties": {"a": {"type": "string"}, "b": {}}},
        {"properties": {"a": {"minLength": 1}, "c": True}},
        {"properties": {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}, "b": {}, "c": True}},
        (),
    ),
    (
        {"additionalProperties": {"type": "string"}},
        {"additionalProperties": False},
        {"additionalProperties": False},
        (),
    ),
]


@pytest.mark.parametrize(("one", "other", "both", "left"), MERGED)
def test_merged(one, other, both, left):
    before = (repr(one), repr(other))
    assert merged(one, other) == (both, left)
    assert (repr(one), repr(other)) == before


def test_superset_of_objects():
    branches = [
        {
            "properties": {"kind": {"const": "a"}, "x": {"type": "string"}},
            "required": ["kind", "x"],
            "additionalProperties": False,
        },
        {
            "properties": {"kind": {"const": "b"}, "x": {"type": "string"}},
            "required": ["kind"],
            "additionalProperties": False,
        },
    ]
    assert superset(branches) == {
        "properties": {"kind": {"anyOf": [{"const": "a"}, {"const": "b"}]}, "x": {"type": "string"}},
        "required": ["kind"],
        "additionalProperties": False,
    }
    assert superset([{"required": ["a"]}, {}]) == {"properties": {}}
