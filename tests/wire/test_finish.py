"""Why a reply ended, and what it means for its last call."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.model import Finish, ToolCall
from argwright.wire.finish import finished, is_cut, is_whole, reason_of

REASONS = [
    ("tool_calls", "tool_calls function_call tool_use TOOL_CALL tool-calls requires_action REASON_TOOL_CALLS"),
    ("stop", "stop eos end_turn stop_sequence STOP COMPLETE STOP_SEQUENCE completed"),
    ("length", "length LENGTH max_tokens MAX_TOKENS model_length model_context_window_exceeded incomplete incomplete:max_output_tokens incomplete:steered CONTINUATION REASON_MAX_LEN REASON_MAX_CONTEXT REASON_TIME_LIMIT ERROR_LIMIT"),
    ("malformed", "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE malformed_tool_use malformed_model_output function_call_filter:MALFORMED_FUNCTION_CALL X_FUNCTION_CALL_Y"),
    ("content_filter", "content_filter content-filter refusal SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII guardrail_intervened content_filtered ERROR_TOXIC IMAGE_SAFETY incomplete:content_filter"),
    ("pause", "pause_turn"),
    ("error", "error ERROR TIMEOUT insufficient_system_resource failed cancelled USER_CANCEL"),
    ("unknown", "OTHER never_heard_of"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "word"), [(reason, word) for reason, words in REASONS for word in words.split()])
def test_every_providers_word(reason, word):
    assert reason_of(word) == reason


CUT = ["{", '{"a', '{"a"', '{"a":', '{"a": "b', '{"a": "b\\', '{"a": "b\\u00', '{"a": tr', '{"a": -', '{"a": 1', '{"a": 1.', '{"a": 1e', '{"a": [1, 2', '{"a": {"b": 1}', '{"a": 1,', '"x', "[", '{"a": "line\nbreak']  # fmt: skip
NOT_CUT = ["", " \n", "{}", '{"a": 1}', "null", "7", '"x"', "{a: 1", "{a: 1}", '{"a": Oslo}', '{"a": 1}}', '{"a": 1} and so on', "Sure!", '{"a": 1}{"b', "x" * 10, "[" * 100_000]  # fmt: skip


@pytest.mark.parametrize("text", CUT)
def test_cut(text):
    assert is_cut(text)


@pytest.mark.parametrize("text", NOT_CUT)
def test_not_cut(text):
    assert not is_cut(text)


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=3),
        min_size=1,
    ),
    st.booleans(),
    st.data(),
)
def test_an_object_cut_anywhere_is_cut(value, ascii_only, data):
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert is_cut(text[: data.draw(st.integers(1, len(text) - 1))])
    assert not is_cut(text)


def test_whole():
    assert [is_whole(one) for one in ("{}", '{"a": 1}', {}, "[]", "null", "", "{", None, "[" * 100_000)] == [
        True,
        True,
        True,
        *[False] * 6,
    ]


def calls(*arguments, **more):
    return tuple(ToolCall(f"c{n}", "f", text, **more) for n, text in enumerate(arguments))


ENDS = [
    ("a normal end", calls("{}", "{}"), "tool_calls", {}, [None, "tool_calls"], Finish("tool_calls", "tool_calls", False)),
    ("stop beside calls", calls("{}"), "stop", {}, ["tool_calls"], Finish("stop", "tool_calls", False)),
    ("stop without calls", (), "stop", {}, [], Finish("stop", "stop", False)),
    ("cut by its own word", calls("{}", "{}"), "MAX_TOKENS", {}, [None, "length"], Finish("MAX_TOKENS", "length", True)),
    ("cut as the text shows", calls("{}", "{"), "stop", {}, [None, "tool_calls"], Finish("stop", "tool_calls", True)),
    ("an earlier call is cut", calls("{", "{}"), "stop", {}, [None, "tool_calls"], Finish("stop", "tool_calls", False)),
    ("filtered in the middle", calls("{}"), "incomplete:content_filter", {}, ["incomplete"], Finish("incomplete:content_filter", "content_filter", True)),
    ("no reason, a whole body", calls("{}"), None, {}, [None], Finish(None, "unknown", False)),
    ("no reason, a stream", calls("{}"), None, {"streamed": True}, ["missing"], Finish(None, "missing", True)),
    ("a blank reason", calls("{}"), " ", {"streamed": True}, ["missing"], Finish(None, "missing", True)),
    ("an error", calls("{}"), "stop", {"error": True}, ["error"], Finish("stop", "error", True)),
    ("what the reader knows better", calls("{}"), "stop", {"reason": "stop"}, ["stop"], Finish("stop", "stop", False)),
    ("a call that knows of its own cut", calls("{}", finish_reason="incomplete"), "stop", {}, ["incomplete"], Finish("stop", "tool_calls", True)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "raw", "options", "reasons", "finish"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS]
)
def test_ends(made, raw, options, reasons, finish):
    told, end = finished(made, raw, **options)
    assert ([call.finish_reason for call in told], end) == (reasons, finish)


def test_beside_a_malformed_call_what_looks_whole_is_blocked():
    told, end = finished(calls("{}", "{"), "MALFORMED_FUNCTION_CALL")
    assert [call.blocked for call in told] == [True, False]
    assert end.reason == "malformed"
