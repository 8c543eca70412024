from __future__ import annotations

import pytest

from argwright.wire.declaring.report import CannotFit
from argwright.wire.declaring.strict import check_limits, closed, measure, nullable, takes_null
from argwright.wire.declaring.subset import DEEPSEEK_STRICT, GEMINI_OPENAPI, KIMI, OPENAI_STRICT

NULLABLE = [
    ({"type": "string"}, {"type": ["string", "null"]}),
    ({"type": ["string", "integer"]}, {"type": ["string", "integer", "null"]}),
    ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"type": ["string", "null"], "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"type": "string", "const": "a"}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
    (
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
    ),
]
ALREADY = [
    {"type": ["string", "null"]},
    {"type": "null"},
    {"enum": ["a", None]},
    {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "说明"},
    {},
]


@pytest.mark.parametrize("node", ALREADY)
def test_what_takes_null_stays(node):
    assert takes_null(node)
    assert nullable(node, OPENAI_STRICT) == node


@pytest.mark.parametrize(("node", "made"), NULLABLE)
def test_null_beside_the_rest(node, made):
    assert not takes_null(node)
    assert nullable(node, OPENAI_STRICT) == made
    assert takes_null(made)


def test_null_as_each_provider_writes_it():
    node = {"type": "string", "description": "d"}
    assert nullable(node, DEEPSEEK_STRICT) == {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "d"}
    assert nullable(node, KIMI) == {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "d"}
    assert nullable(node, GEMINI_OPENAPI) == {"type": "string", "description": "d", "nullable": True}


def test_closing_makes_all_members_required_and_the_optional_ones_nullable():
    node = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}
    assert closed(node, node, place="", subset=OPENAI_STRICT) == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }


OPEN = [
    {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}},
    {"type": "object", "properties": {"a": {}}, "patternProperties": {"^x": {}}},
    {"type": "object"},
    {"type": "object", "properties": {"a": {}}, "required": ["b"]},
]


@pytest.mark.parametrize("node", OPEN)
def test_what_is_open_on_purpose_cannot_be_closed(node):
    with pytest.raises(CannotFit):
        closed(node, node, place="/properties/x", subset=OPENAI_STRICT)


def test_measure_and_limits():
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"], "enum": ["x", None]},
            "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"anyOf": [{"type": "string"}]}}}},
        },
        "required": ["a"],
    }
    counts = measure(schema)
    assert (counts.members, counts.depth, counts.values, counts.optional, counts.unions) == (3, 4, 2, 2, 2)
    wide = {"type": "object", "properties": {f"m{number}": {"type": "string"} for number in range(5001)}}
    with pytest.raises(CannotFit, match="5001 members"):
        check_limits(wide, OPENAI_STRICT)
    check_limits(schema, OPENAI_STRICT)
