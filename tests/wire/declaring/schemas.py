"""Schemas and values for the properties of declaring: random, small, with every kind of keyword."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

WORDS = ("a", "b", "城市", "naïve", "emoji😀", "ל", "a\u2028b", "x.y")
NAMES = st.sampled_from(WORDS[:7])

_STRINGS = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(3, 6),
        "pattern": st.sampled_from(["a", "(?=a)"]),
        "format": st.sampled_from(["uri", "date-time"]),
        "description": st.just("說明"),
        "default": st.just("a"),
        "title": st.just("T"),
    },
)
_NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={"minimum": st.integers(-2, 0), "exclusiveMaximum": st.integers(3, 9), "multipleOf": st.just(1)},
)
_VALUES = st.sampled_from(["a", "b", 1, 2, True, None])
_LISTED = st.one_of(
    st.builds(lambda values: {"enum": values}, st.lists(_VALUES, min_size=1, max_size=3, unique_by=repr)),
    st.builds(lambda value: {"const": value}, _VALUES),
    st.builds(
        lambda types: {"type": types},
        st.lists(st.sampled_from(["string", "integer", "null", "boolean"]), min_size=2, max_size=3, unique=True),
    ),
)
_REFS = st.sampled_from(
    [{"$ref": "#/$defs/Name"}, {"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Name", "description": "ref"}]
)
DEFINITIONS = {
    "Name": {"type": "string", "minLength": 1},
    "Node": {
        "type": "object",
        "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}},
        "required": ["v"],
    },
    "Unused": {"type": "object"},
}


@st.composite
def objects(draw: Any, inner: Any) -> dict[str, Any]:
    properties = draw(st.dictionaries(NAMES, inner, max_size=3))
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
    if required:
        schema["required"] = required
    closed = draw(st.sampled_from([None, False, True, {"type": "string"}]))
    if closed is not None:
        schema["additionalProperties"] = closed
    return schema


def _nested(inner: Any) -> Any:
    return st.one_of(
        objects(inner),
        st.builds(
            lambda items, most: {"type": "array", "items": items, **most},
            inner,
            st.sampled_from([{}, {"maxItems": 2}, {"minItems": 1}]),
        ),
        st.builds(
            lambda items: {"type": "array", "prefixItems": items, "maxItems": len(items)},
            st.lists(inner, min_size=1, max_size=2),
        ),
        st.builds(
            lambda branches, key: {key: branches},
            st.lists(inner, min_size=1, max_size=2),
            st.sampled_from(["anyOf", "allOf"]),
        ),
        st.builds(lambda one: {"allOf": [one, {"description": "and"}]}, inner),
    )


PLACES = st.recursive(st.one_of(_STRINGS, _NUMBERS, _LISTED, _REFS), _nested, max_leaves=6)
SCHEMAS = objects(PLACES).map(lambda root: {**root, "$defs": DEFINITIONS})


def value(draw: Any, schema: Any, root: Any, depth: int = 0) -> Any:
    """A value that has a good chance to be valid."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return value(draw, draw(st.sampled_from(schema[key])), root, depth)
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type", "string")
    kind = draw(st.sampled_from(kind)) if isinstance(kind, list) else kind
    return _of_kind(draw, kind, schema, root, depth)


def _of_kind(draw: Any, kind: str, schema: Any, root: Any, depth: int) -> Any:
    if kind == "object":
        members = schema.get("properties", {})
        wanted = [name for name in members if name in schema.get("required", ()) or (depth < 3 and draw(st.booleans()))]
        extra = {"extra": "a"} if schema.get("additionalProperties", True) is not False and draw(st.booleans()) else {}
        return {name: value(draw, members[name], root, depth + 1) for name in wanted} | extra
    if kind == "array":
        shapes = schema.get("prefixItems") or [schema.get("items", {})]
        return [value(draw, shape, root, depth + 1) for shape in shapes]
    return draw(
        {
            "string": st.sampled_from(["a", "ab", "é"]),
            "integer": st.integers(0, 2),
            "number": st.sampled_from([0, 1.0, 2]),
            "boolean": st.booleans(),
            "null": st.none(),
        }[kind]
    )


def as_json_schema(node: Any) -> Any:
    """A schema in Google's spelling as JSON Schema."""
    if isinstance(node, list):
        return [as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: as_json_schema(item) for key, item in node.items() if key != "nullable"}
    if isinstance(made.get("type"), str):
        made["type"] = made["type"].lower()
    return {"anyOf": [made, {"type": "null"}]} if node.get("nullable") is True else made


def copy(schema: Any) -> Any:
    return json.loads(json.dumps(schema))
