"""What came as a value: the provider's word for the end, text, bytes, objects, nothing."""

from __future__ import annotations

import pytest

from argwright.model import ToolCall
from argwright.policy import Limits, Policy
from argwright.tool import Tool
from argwright.toolbox import Toolbox

CITY = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
FREE = {"type": "object", "properties": {"limit": {"type": "integer"}}, "additionalProperties": False}
BOX = Toolbox([Tool.from_schema("weather", CITY), Tool.from_schema("list", FREE)])


def resolved(arguments, name="weather", **fields):
    return BOX.resolve(ToolCall("1", name, arguments, **fields))


def told(outcome):
    return outcome.arguments if hasattr(outcome, "arguments") else f"{outcome.kind}/{outcome.reason}"


# The end, by the provider's word

WHOLE = '{"city": "Oslo"}'


@pytest.mark.parametrize(
    "reason",
    ["length", "LENGTH", "max_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded", "incomplete",
     "incomplete:max_output_tokens", "error", "ERROR", "missing"],
)  # fmt: skip
@pytest.mark.parametrize(
    "text", [WHOLE, '{"city": "Os', "", '{"city": "Oslo"'], ids=["whole", "cut", "nothing", "open"]
)
def test_a_reason_that_means_cut(reason, text):
    outcome = resolved(text, finish_reason=reason)
    assert told(outcome) == "json_error/truncated"
    assert outcome.position == len(text)


@pytest.mark.parametrize(
    "reason", [None, "", "stop", "STOP", "tool_calls", "end_turn", "tool_use", "content_filter", "eos", "x"]
)
def test_a_reason_that_does_not(reason):
    assert told(resolved(WHOLE, finish_reason=reason)) == {"city": "Oslo"}


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "COMPLETE", "function_call"])
def test_a_normal_end_lets_a_last_brace_be_missing_but_nothing_else(reason):
    text = '{"city": "Oslo"'
    assert told(resolved(text, finish_reason=reason)) == {"city": "Oslo"}
    assert told(resolved(text)) == "json_error/truncated"
    assert told(resolved('{"city": "Os', finish_reason=reason)) == "json_error/truncated"
    assert told(resolved('{"days": 3', finish_reason=reason)) == "json_error/truncated"


def test_a_cut_call_says_how_much_arrived_and_where_it_broke():
    outcome = resolved('{"city": "Oslo", "note": "abc', finish_reason="length")
    assert outcome.feedback["arrived_characters"] == 29
    assert outcome.feedback["pointer"] == "/note"
    assert "Oslo" not in str(outcome.feedback)


def test_a_cut_object_is_cut_as_well():
    assert told(resolved({"city": "Oslo"}, finish_reason="MAX_TOKENS")) == "json_error/truncated"


def test_a_blocked_call_never_runs():
    assert told(resolved(WHOLE, blocked=True)) == "json_error/blocked"
    assert told(resolved(WHOLE, blocked=True, name="no_such_tool")) == "unknown_tool/unknown"


# Nothing

NOTHING = [None, "", " ", " \n\t", b"", "null", b"null", "None"]


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
def test_nothing_is_no_arguments_for_a_tool_that_needs_none(nothing):
    outcome = resolved(nothing, "list")
    assert told(outcome) == {}
    assert "no-arguments" in {repair.rule for repair in outcome.repairs}


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
def test_nothing_is_an_error_for_a_tool_that_needs_some(nothing):
    assert told(resolved(nothing)) in ("json_error/empty", "schema_error/not_an_object")


def test_nothing_is_told_from_null():
    assert told(resolved("")) == "json_error/empty"
    assert told(resolved(None)) == "json_error/empty"
    assert told(resolved("null")) == "schema_error/not_an_object"


@pytest.mark.parametrize("nothing", [None, "", "null"], ids=repr)
def test_a_policy_without_repairs_reads_nothing_into_nothing(nothing):
    box = Toolbox([Tool.from_schema("list", FREE)], policy=Policy.STRICT)
    assert hasattr(box.resolve(ToolCall("1", "list", nothing)), "kind")


def test_an_opening_brace_is_a_cut_and_not_nothing():
    assert told(resolved("{", "list")) == "json_error/truncated"


# Roots that are no object


@pytest.mark.parametrize("text", ["[]", "3", "true", '"x"', "[1, 2]", '[{"city": "Oslo"}]', "[[]]", "1.5", '""'])
@pytest.mark.parametrize("name", ["weather", "list"])
def test_valid_json_that_is_no_object(text, name):
    outcome = resolved(text, name)
    assert told(outcome) == "schema_error/not_an_object"
    assert [issue.pointer for issue in outcome.issues] == [""]


def test_a_schema_without_a_type_takes_no_list_either():
    box = Toolbox([Tool.from_schema("any", {})])
    assert told(box.resolve(ToolCall("1", "any", "[]"))) == "schema_error/not_an_object"


def test_a_list_of_one_fitting_object_is_a_suggestion():
    assert "without a list" in resolved('[{"city": "Oslo"}]').suggestion
    assert resolved('[{"town": "Oslo"}]').suggestion is None
    assert resolved('[{"city": "Oslo"}, {"city": "Kyiv"}]').suggestion is None


# Everything else that may come


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        (WHOLE.encode(), {"city": "Oslo"}),
        ('{"city": "Łódź 上海 🚚 \u2028"}'.encode(), {"city": "Łódź 上海 🚚 \u2028"}),
        ({"city": "Oslo"}, {"city": "Oslo"}),
        ({"city": "Oslo", "days": "3"}, {"city": "Oslo", "days": 3}),
        ({"arguments": {"city": "Oslo"}}, {"city": "Oslo"}),
        ({"city": float("nan")}, "json_error/not_json"),
        ({"city": {1, 2}}, "json_error/not_json"),
        ({1: 2}, "json_error/not_json"),
        (["city"], "schema_error/not_an_object"),
        (5, "schema_error/not_an_object"),
        (object(), "json_error/not_json"),
        (bytearray(b"{}"), "json_error/not_json"),
        (b"\xff\xfe{", "json_error/truncated"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_whatever_type_the_arguments_have(arguments, outcome):
    assert told(resolved(arguments)) == outcome


def test_the_text_of_a_custom_tool_is_its_input():
    schema = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
    box = Toolbox([Tool.from_schema("patch", schema)])
    outcome = box.resolve(ToolCall("1", "patch", None, input="*** Begin\n{not json"))
    assert (outcome.arguments, outcome.repairs) == ({"input": "*** Begin\n{not json"}, ())
    assert told(resolved(None, input="Oslo")) == "schema_error/missing"


def test_limits_hold():
    box = Toolbox([Tool.from_schema("weather", CITY)], limits=Limits(max_chars=20, max_depth=3))
    assert told(box.resolve(ToolCall("1", "weather", '{"city": "' + "x" * 20 + '"}'))) == "json_error/too_long"
    assert told(box.resolve(ToolCall("1", "weather", '{"city":[[[1]]]}'))) == "json_error/too_deep"
    assert told(box.resolve(ToolCall("1", "weather", {"city": [[[[1]]]]}))) == "json_error/too_deep"
