from __future__ import annotations

import json

import pytest

import argwright as aw
from argwright.errors import DeclarationError, InvalidCallError
from argwright.policy import Certainty, Limits, Policy

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
TEXT = '{"city": "Łódź 上海 🚚"}'
VALUE = {"city": "Łódź 上海 🚚"}


# Without a schema: notation alone


@pytest.mark.parametrize(
    "text",
    ["{}", TEXT, "[]", "[1, 2.5]", "null", "true", "3", '"text"', '"[1]"', '"null"', ' {"a": {"b": []}}\n', '"\u2028"'],
)
def test_json_is_read_as_json_reads_it(text):
    assert aw.parse_arguments(text) == aw.Decoded(value=json.loads(text))
    assert aw.loads(text) == json.loads(text)


@pytest.mark.parametrize(
    ("raw", "value", "rules"),
    [
        (TEXT.encode(), VALUE, []),
        (VALUE, VALUE, []),
        ("{'city': 'Oslo',}", {"city": "Oslo"}, ["single-quotes", "trailing-comma"]),
        (json.dumps(TEXT), VALUE, ["encoded-twice"]),
        (json.dumps(json.dumps(TEXT)), VALUE, ["encoded-twice"]),
        (json.dumps("{'city': 'Oslo'}"), {"city": "Oslo"}, ["encoded-twice", "single-quotes"]),
        ('{"arguments": {"city": "Oslo"}}', {"arguments": {"city": "Oslo"}}, []),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_read(raw, value, rules):
    got = aw.parse_arguments(raw)
    assert got.value == value
    assert [repair.rule for repair in got.repairs] == rules


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "empty"),
        (None, "empty"),
        ("  \n", "empty"),
        ('{"city": "Os', "truncated"),
        ('{"a": 1}{"a": 2}', "several_values"),
        ('{"a": 1, "a": 2}', "duplicate_key"),
        ("city = Oslo", "not_json"),
        ({"a": float("inf")}, "not_json"),
        ({1: 2}, "not_json"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_has_no_one_reading(raw, reason):
    got = aw.parse_arguments(raw)
    assert isinstance(got, aw.Undecodable)
    assert got.reason == reason
    with pytest.raises(InvalidCallError) as caught:
        aw.loads(raw)
    assert (caught.value.call.kind, caught.value.call.reason) == ("json_error", reason)
    assert caught.value.call.feedback["reason"] == reason


def test_policy_and_limits_hold():
    assert isinstance(aw.parse_arguments("{'a': 1}", policy=Policy.STRICT), aw.Undecodable)
    assert aw.parse_arguments(json.dumps(TEXT), policy=Policy.STRICT) == aw.Decoded(value=TEXT)
    assert aw.parse_arguments(TEXT, limits=Limits(max_chars=5)).reason == "too_long"


@pytest.mark.parametrize("reason", ["length", "MAX_TOKENS", "missing", "error"])
def test_the_providers_word_for_a_cut_is_believed(reason):
    assert aw.parse_arguments(TEXT, finish_reason=reason).reason == "truncated"
    assert aw.parse_arguments(TEXT, CITY, finish_reason=reason).reason == "truncated"
    assert aw.parse_arguments(TEXT, finish_reason="stop").value == VALUE
    assert aw.parse_arguments(VALUE, finish_reason=reason).reason == "truncated"


# With a schema: the whole pipeline


@pytest.mark.parametrize(
    ("raw", "arguments", "rules"),
    [
        (TEXT, VALUE, []),
        (VALUE, VALUE, []),
        ('{"arguments": {"city": "Oslo"}}', {"city": "Oslo"}, ["wrapper"]),
        ('{"City": "Oslo", "days": "3"}', {"city": "Oslo", "days": 3}, ["key-spelling", "stringified-scalar"]),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_valid_call_of_a_tool_without_a_name(raw, arguments, rules):
    got = aw.parse_arguments(raw, schema=CITY)
    assert isinstance(got, aw.ValidCall)
    assert (got.arguments, got.call.name, got.call.arguments) == (arguments, None, raw)
    assert [repair.rule for repair in got.repairs] == rules
    assert aw.loads(raw, CITY) == arguments


@pytest.mark.parametrize(
    ("raw", "kind", "reason"),
    [
        ("", "json_error", "empty"),
        ("null", "schema_error", "not_an_object"),
        ("[1]", "schema_error", "not_an_object"),
        ('{"town": "Oslo"}', "schema_error", "missing"),
        ('{"city": "Oslo"', "json_error", "truncated"),
    ],
)
def test_an_invalid_one(raw, kind, reason):
    got = aw.parse_arguments(raw, CITY)
    assert isinstance(got, aw.InvalidCall)
    assert (got.kind, got.reason, got.call.name) == (kind, reason, None)
    with pytest.raises(InvalidCallError) as caught:
        aw.loads(raw, CITY)
    assert caught.value.call == got


def test_the_tools_name_is_what_a_repeated_call_must_name():
    raw = '{"name": "weather", "arguments": {"city": "Oslo"}}'
    assert aw.parse_arguments(raw, CITY, name="weather").arguments == {"city": "Oslo"}
    assert aw.parse_arguments(raw, CITY, name="delete").kind == "schema_error"
    assert aw.parse_arguments(raw, CITY, name="weather").call.name == "weather"


def test_the_policy_holds_with_a_schema():
    assert aw.parse_arguments('{"City": "Oslo"}', CITY, policy=Policy.EXACT).kind == "schema_error"
    assert aw.parse_arguments('{"city": "Os', CITY, policy=Policy(certainty=Certainty.GUESS)).call.name is None


@pytest.mark.parametrize(
    "schema", [{"type": "strng"}, {"type": "array"}, {"$ref": "#/nowhere"}, {"properties": {"a": object()}}]
)
def test_a_wrong_schema_is_the_programmers_mistake(schema):
    with pytest.raises(DeclarationError):
        aw.parse_arguments("{}", schema)


def test_a_schema_that_changed_is_compiled_again():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert aw.parse_arguments('{"a": "x"}', schema).arguments == {"a": "x"}
    schema["properties"]["a"]["type"] = "integer"
    assert aw.parse_arguments('{"a": "x"}', schema).kind == "schema_error"


def test_rules_may_be_given():
    from argwright.rules import load

    got = aw.parse_arguments('{"City": "Oslo"}', CITY, rules=load(without={"key-spelling"}, plugins=False))
    assert got.reason == "missing"
