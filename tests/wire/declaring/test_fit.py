from __future__ import annotations

import importlib.util
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from argwright.wire.declaring import CannotFit, fit
from argwright.wire.declaring import subset as subsets
from argwright.wire.declaring.modern import children
from argwright.wire.declaring.subset import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    ANY,
    COHERE_STRICT,
    GEMINI_JSON,
    GEMINI_OPENAPI,
    KIMI,
    NOVA,
    OLLAMA,
    OPENAI,
    OPENAI_STRICT,
    XAI,
    Subset,
)

_spec = importlib.util.spec_from_file_location("declaring_schemas", Path(__file__).with_name("schemas.py"))
assert _spec is not None
assert _spec.loader is not None
schemas = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(schemas)

ALL = [value for value in vars(subsets).values() if isinstance(value, Subset)]
BY_NAME = [pytest.param(one, id=one.name) for one in ALL]
slow = settings(
    max_examples=settings.default.max_examples // 4,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def obj(**members):
    return {"type": "object", "properties": members}


# --- what stays

FITS_EVERYWHERE = [
    obj(city={"type": "string", "description": "城市"}),
    {**obj(a={"type": "array", "items": {"type": "string"}}, n={"type": "integer"}), "required": ["a"]},
]


@pytest.mark.parametrize("schema", FITS_EVERYWHERE)
@pytest.mark.parametrize("subset", [one for one in ALL if not (one.closed or one.upper_types or one.some_required)])
def test_a_plain_schema_goes_as_it_is(schema, subset):
    fitted = fit("t", schema, subset)
    assert (fitted.schema, fitted.said, fitted.notes) == (schema, (), ())


RICH = {
    **obj(
        a={"type": "string", "minLength": 1, "pattern": "(?=x)", "format": "uri", "x-order": 1},
        b={"oneOf": [{"type": "string"}, {"not": {"type": "null"}}]},
        c={"allOf": [{"$ref": "#/$defs/C"}], "description": "c"},
        d={"type": "array", "items": {}, "contains": {"const": "é"}},
        e={"if": {"type": "string"}, "then": {"minLength": 2}},
    ),
    "$defs": {"C": {"type": "object", "patternProperties": {"^x": {"type": "string"}}}},
    "$schema": "https://json-schema.org/draft/2020-12/schema",
}


@pytest.mark.parametrize("subset", [OPENAI, ANTHROPIC, ANY])
def test_who_takes_json_schema_gets_it_untouched(subset):
    fitted = fit("t", RICH, subset)
    assert (fitted.schema, fitted.notes) == (RICH, ())


KEYWORDS = ("$ref", "$defs", "items", "properties", "required", "allOf", "anyOf", "enum", "type", "description", "not")


@pytest.mark.parametrize(
    "subset", [one for one in ALL if not (one.keys or one.closed or one.upper_types or one.some_required)]
)
def test_members_may_be_called_like_keywords(subset):
    schema = {**obj(**{name: {"type": "string"} for name in KEYWORDS}), "required": ["$ref"]}
    assert fit("t", schema, subset).schema == schema


def test_what_goes_out_is_a_copy():
    schema = {**obj(a={"type": "array", "items": {"type": "string", "enum": ["x"]}}), "required": ["a"]}
    before = schemas.copy(schema)
    made = fit("t", schema, ANTHROPIC).schema
    made["required"].append("b")
    made["properties"]["a"]["items"]["enum"].clear()
    assert schema == before


# --- what changes

REWRITTEN = [
    (OPENAI, {"properties": {}}, obj()),
    (OPENAI, {"type": ["object", "null"]}, obj()),
    (OPENAI, {"$ref": "#/$defs/A", "$defs": {"A": obj(x={})}}, {**obj(x={}), "$defs": {"A": obj(x={})}}),
    (OPENAI, {"allOf": [obj(a={}), {"required": ["a"]}]}, {**obj(a={}), "required": ["a"]}),
    (OPENAI, obj(a={"type": "array"}), obj(a={"type": "array", "items": {}})),
    (OPENAI, obj(a={"$ref": "https://example.com/x"}), obj(a={})),
    (GEMINI_JSON, obj(a={"const": "é"}), obj(a={"enum": ["é"]})),
    (GEMINI_JSON, obj(a={"enum": ["x", True]}), obj(a={"description": '(enum: ["x",true])'})),
    (OLLAMA, obj(a={"oneOf": [{"type": "string"}, {"type": "null"}]}), obj(a={"anyOf": [{"type": "string"}, {"type": "null"}]})),
    (KIMI, obj(a={"type": ["string", "null"], "minLength": 2}), obj(a={"anyOf": [{"type": "string", "description": "(minLength: 2)"}, {"type": "null"}]})),
    (KIMI, obj(a={"enum": ["x", 1, None]}), obj(a={"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "integer", "enum": [1]}, {"type": "null"}]})),
    (KIMI, obj(a={"type": "string", "anyOf": [{"enum": ["x"]}, {"enum": ["y"]}]}), obj(a={"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string", "enum": ["y"]}]})),
    (XAI, obj(a={"allOf": [{"type": "string"}, {"description": "說"}]}), obj(a={"type": "string", "description": "說"})),
    (
        GEMINI_OPENAPI,
        obj(a={"anyOf": [{"type": "string", "description": "d"}, {"type": "null"}]}),
        {"type": "OBJECT", "properties": {"a": {"type": "STRING", "description": "d", "nullable": True}}},
    ),
    (
        OLLAMA,
        {**obj(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"type": "string"}}},
        obj(a={"type": "string"}),
    ),
    (
        OPENAI_STRICT,
        {**obj(a={"$ref": "#/$defs/A", "description": "here"}), "required": ["a"], "$defs": {"A": {"type": "string", "description": "there"}}},
        {**obj(a={"type": "string", "description": "here"}), "required": ["a"], "additionalProperties": False},
    ),
    (
        OPENAI_STRICT,
        {**obj(a={"$ref": "#/$defs/A"}), "required": ["a"], "$defs": {"A": obj(b={"type": "string"}), "B": {}}},
        {
            **obj(a={"$ref": "#/$defs/A"}),
            "required": ["a"],
            "additionalProperties": False,
            "$defs": {"A": {**obj(b={"type": ["string", "null"]}), "required": ["b"], "additionalProperties": False}},
        },
    ),
    (
        ANTHROPIC_STRICT,
        {**obj(a={"type": "string"}, b={"type": "array", "items": {"type": "string"}, "minItems": 2}), "required": ["a"]},
        {
            **obj(a={"type": "string"}, b={"type": "array", "items": {"type": "string"}, "description": "(minItems: 2)"}),
            "required": ["a"],
            "additionalProperties": False,
        },
    ),
    (XAI, obj(a={"type": "object"}, b={"type": "object", "additionalProperties": {"type": "integer"}}, c={"type": "object", "properties": {}}, 値=obj(d={})),
     obj(a={"type": "object", "additionalProperties": True}, b={"type": "object", "additionalProperties": {"type": "integer"}}, c={"type": "object", "properties": {}}, 値=obj(d={}))),
    (KIMI, {**obj(a={"$ref": "#/$defs/N", "description": "d", "minProperties": 1}), "$defs": {"N": obj(n={"$ref": "#/$defs/N"})}},
     {**obj(a={"anyOf": [{"$ref": "#/$defs/N"}], "description": "d (minProperties: 1)"}), "$defs": {"N": obj(n={"$ref": "#/$defs/N"})}}),
    (OLLAMA, {**obj(a={"$ref": "#/$defs/Never"}, b=False), "$defs": {"Never": False}}, obj(a={"description": "(not: {})"})),
    (OLLAMA, obj(a={"allOf": [{"$ref": "#/$defs/Nope"}, {"type": "string"}]}), obj(a={"type": "string"})),
    (OLLAMA, obj(a={"allOf": [{"type": "string"}, {"type": "integer"}, True]}), obj(a={"type": "string", "description": '(type: "integer")'})),
    (OLLAMA, obj(a={"type": "string", "nullable": True}), obj(a={"type": "string"})),
    (GEMINI_OPENAPI, obj(a={"type": "boolean", "enum": ["x", 1]}, b={"anyOf": [{"type": "null"}]}),
     {"type": "OBJECT", "properties": {"a": {"type": "BOOLEAN", "description": '(enum: ["x",1])'}, "b": {"type": "NULL"}}}),
    (OLLAMA, obj(a={"type": "string", "anyOf": [False]}), obj(a={"type": "string"})),
    (OLLAMA, obj(a={"anyOf": [False, {"type": "string"}]}), obj(a={"anyOf": [{"type": "string"}]})),
    (COHERE_STRICT, {**obj(a={"description": "d"}), "required": ["a"]},
     {**obj(a={"description": "d", "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}), "required": ["a"]}),
    (COHERE_STRICT, {**obj(a={"properties": {"b": {"type": "string"}}}), "required": ["a", "z"]},
     {**obj(a={"type": "object", "properties": {"b": {"type": "string"}}}), "required": ["a"]}),
    (GEMINI_OPENAPI, obj(a={"type": ["string", "integer"], "enum": ["x", 1]}),
     {"type": "OBJECT", "properties": {"a": {"anyOf": [{"type": "STRING", "enum": ["x"]}, {"type": "INTEGER", "description": "(enum: [1])"}]}}}),
    (GEMINI_OPENAPI, obj(a={"type": "object"}, b={"type": "number", "enum": [1, 2.5]}),
     {"type": "OBJECT", "properties": {
         "a": {"type": "STRING", "description": '(type: "object")'},
         "b": {"anyOf": [{"type": "INTEGER", "description": "(enum: [1])"}, {"type": "NUMBER", "description": "(enum: [2.5])"}]}}}),
]  # fmt: skip


@pytest.mark.parametrize(("subset", "schema", "made"), REWRITTEN)
def test_what_is_lacking_is_written_otherwise(subset, schema, made):
    assert fit("t", schema, subset).schema == made


def test_a_union_at_the_root_is_spread_and_said():
    schema = {
        "type": "object",
        "oneOf": [
            {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
            {"properties": {"name": {"type": "string"}}, "required": ["name"]},
        ],
    }
    fitted = fit("t", schema, OPENAI)
    assert fitted.schema == obj(id={"type": "integer"}, name={"type": "string"})
    assert fitted.said == (("anyOf", schema["oneOf"]),)
    assert [(note.pointer, note.keyword, note.action) for note in fitted.notes] == [("", "anyOf", "moved")]


def test_a_cycle_goes_as_it_is_or_is_cut():
    node = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}
    schema = {**obj(top={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}}
    for subset in (OPENAI, ANTHROPIC, GEMINI_JSON, KIMI):
        assert fit("t", schema, subset).schema == schema
    cut = obj(top=obj(kids={"type": "array", "items": {"type": "object", "description": "(as further up)"}}))
    for subset in (OLLAMA, NOVA):
        fitted = fit("t", schema, subset)
        assert fitted.schema == cut
        assert [(note.pointer, note.keyword, note.action) for note in fitted.notes] == [
            ("/properties/top/properties/kids/items", "$ref", "dropped")
        ]
    free = {"type": "object", "description": "(as further up)", "additionalProperties": True}
    assert fit("t", schema, XAI).schema == obj(top=obj(kids={"type": "array", "items": free}))
    with pytest.raises(CannotFit, match="leads back to itself"):
        fit("t", schema, ANTHROPIC_STRICT)


def test_a_cycle_through_all_of_ends():
    node = obj(next={"allOf": [{"$ref": "#/$defs/Node"}, {"description": "more"}]}, v={"type": "integer"})
    schema = {**obj(root={"allOf": [{"$ref": "#/$defs/Node"}, {"description": "first"}]}), "$defs": {"Node": node}}
    end = {"type": "object", "description": "(as further up) more"}
    assert fit("t", schema, OLLAMA).schema == obj(root={**obj(next=end, v={"type": "integer"}), "description": "first"})
    assert fit("t", schema, KIMI).schema["properties"]["root"]["properties"]["v"] == {"type": "integer"}


def test_gemini_takes_a_cycle_through_optional_members_only():
    node = {**obj(next={"$ref": "#/$defs/Node"}, v={"type": "integer"}), "required": ["next", "v"]}
    fitted = fit(
        "t", {**obj(root={"$ref": "#/$defs/Node"}), "required": ["root"], "$defs": {"Node": node}}, GEMINI_JSON
    )
    assert fitted.schema == {**obj(root={"$ref": "#/$defs/Node"}), "$defs": {"Node": {**node, "required": ["v"]}}}


CANNOT = [
    (ANTHROPIC, {**obj(城市={"type": "string"}), "required": ["城市"]}, "requires '城市'"),
    (OPENAI_STRICT, obj(a={}), "/properties/a names no type"),
    (OPENAI_STRICT, obj(a={"type": "object", "additionalProperties": {"type": "string"}}), "takes further members"),
    (OPENAI_STRICT, {**obj(), "additionalProperties": True}, "the root takes further members"),
    (COHERE_STRICT, obj(a={"type": "string"}), "at least one required member"),
    (OPENAI, {"allOf": [{"anyOf": [{"type": "string"}]}]}, "no branch of the root is"),
    (OPENAI, {"type": "string"}, "the schema says string"),
]


@pytest.mark.parametrize(("subset", "schema", "why"), CANNOT)
def test_what_cannot_be_said_at_all(subset, schema, why):
    with pytest.raises(CannotFit, match=why):
        fit("t", schema, subset)


def test_an_optional_member_whose_name_is_refused_is_dropped_and_reported():
    fitted = fit("t", obj(城市={"type": "string"}, ok={}), ANTHROPIC)
    assert fitted.schema == obj(ok={})
    assert [(note.pointer, note.action) for note in fitted.notes] == [("/properties/城市", "dropped")]


def test_work_and_depth_are_bounded():
    bomb = {
        f"D{n}": {"type": "object", "properties": {c: {"$ref": f"#/$defs/D{n + 1}"} for c in "abcd"}} for n in range(12)
    }
    bomb["D12"] = {"type": "string"}
    with pytest.raises(CannotFit, match="20000 places"):
        fit("t", {**obj(a={"$ref": "#/$defs/D0"}), "$defs": bomb}, OLLAMA)
    deep = {"type": "string"}
    for _ in range(2000):
        deep = {"type": "array", "items": deep}
    with pytest.raises(CannotFit, match="100"):
        fit("t", obj(a=deep), OPENAI)


def test_a_reference_into_what_is_rewritten_is_refused():
    schema = {
        "allOf": [obj(a={"type": "string"})],
        "type": "object",
        "properties": {"b": {"$ref": "#/allOf/0/properties/a"}},
    }
    with pytest.raises(CannotFit, match="a reference"):
        fit("t", schema, OPENAI)
    assert fit("t", schema, OLLAMA).schema == obj(b={"type": "string"}, a={"type": "string"})


# --- laws


def _valid(schema, value):
    return jsonschema_rs.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("subset", BY_NAME)
@slow
@given(data=st.data())
def test_only_what_the_subset_takes_goes_out(subset, data):
    schema = data.draw(schemas.SCHEMAS)
    before = schemas.copy(schema)
    try:
        fitted = fit("t", schema, subset)
    except CannotFit:
        return
    assert schema == before
    waiting = [((), fitted.schema)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, bool):
            continue
        if subset.keywords is not None:
            assert node.keys() <= subset.keywords, path
        if not path:
            assert not node.keys() & subset.root_bans
            assert node["type"].lower() == "object"
        if subset.closed and "properties" in node:
            assert node["additionalProperties"] is False
            assert not subset.all_required or node["required"] == list(node["properties"])
        if not subset.type_lists:
            assert not isinstance(node.get("type"), list)
        waiting += [((*path, *step), sub) for step, sub in children(node)]


@pytest.mark.parametrize("subset", BY_NAME)
@slow
@given(data=st.data())
def test_fitting_twice_changes_nothing_more(subset, data):
    schema = data.draw(schemas.SCHEMAS)
    try:
        fitted = fit("t", schema, subset)
    except CannotFit:
        return
    again = fit("t", schemas.as_json_schema(fitted.schema), subset)
    assert again.schema == fitted.schema
    if not subset.upper_types:
        assert again.notes == ()


@pytest.mark.parametrize("subset", [pytest.param(one, id=one.name) for one in ALL if not one.closed])
@slow
@given(data=st.data())
def test_what_was_valid_stays_valid(subset, data):
    schema = data.draw(schemas.SCHEMAS)
    value = schemas.value(data.draw, schema, schema)
    assume(_valid(schema, value))
    try:
        fitted = fit("t", schema, subset)
    except CannotFit:
        return
    assume(not any(note.keyword in ("type", "prefixItems", "properties") for note in fitted.notes))
    assert _valid(schemas.as_json_schema(fitted.schema), value)


def _without_extras(schema, value):
    """A value of a strict schema's declared form, with null where an optional member was left out."""
    return {name: value.get(name) for name in schema["properties"]}


@slow
@given(data=st.data())
def test_strict_mode_there_and_back(data):
    leaves = st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer"},
            {"type": ["string", "null"]},
            {"enum": ["a", None]},
            {"type": "string", "enum": ["a", "é"]},
        ]
    )
    schema = data.draw(schemas.objects(leaves).filter(lambda one: one.get("additionalProperties") in (None, False)))
    strict = fit("t", schema, OPENAI_STRICT).schema
    closed = {**schema, "additionalProperties": False}
    value = schemas.value(data.draw, closed, closed)
    assume(_valid(closed, value))
    sent = _without_extras(schema, value)
    assert _valid(strict, sent)
    back = {
        name: member
        for name, member in sent.items()
        if member is not None or name in schema.get("required", ()) or _valid(schema["properties"][name], None)
    }
    assert _valid(closed, back)
    assert {name: member for name, member in back.items() if member is not None} == {
        name: member for name, member in value.items() if member is not None
    }
