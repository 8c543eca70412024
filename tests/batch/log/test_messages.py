"""Messages as others keep them: what becomes of them, and in which there may be a call."""

from __future__ import annotations

import pytest

from argwright.batch.log import messages

ENTRY = {"id": "a", "type": "function", "function": {"name": "查", "arguments": '{"x":1,}'}}
PARSED = {"name": "查", "args": {"x": "🙂"}, "id": "a", "type": "tool_call"}
INVALID = {"name": "查", "args": '{"x":', "id": "b", "error": "not valid", "type": "invalid_tool_call"}


def entry(own, arguments):
    return {"id": own, "type": "function", "function": {"name": "查", "arguments": arguments}}


def built(kind, **fields):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": fields}


UNTOUCHED = [
    {},
    {"role": "assistant", "content": "hi"},
    {"role": "assistant", "tool_calls": [ENTRY]},
    {"role": "assistant", "tool_calls": "none"},
    {"role": "assistant", "parts": [{"type": "text", "content": "hi"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
    {"type": "message", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
    {"type": "human", "content": "hi"},
    {"lc": 1, "type": "not_implemented", "id": ["x"]},
]


@pytest.mark.parametrize("message", UNTOUCHED)
def test_what_is_left_as_it_is(message):
    assert messages.plain(message) == message


@pytest.mark.parametrize(("message", "calls", "finish"), [
    ({"type": "ai", "tool_calls": [PARSED]}, [entry("a", {"x": "🙂"})], None),
    ({"type": "ai", "tool_calls": [PARSED], "invalid_tool_calls": [INVALID]},
     [entry("a", {"x": "🙂"}), entry("b", '{"x":')], None),
    ({"type": "ai", "tool_calls": [PARSED], "additional_kwargs": {"tool_calls": [ENTRY]}}, [ENTRY], None),
    ({"type": "ai", "data": {"tool_calls": [PARSED], "response_metadata": {"stop_reason": "max_tokens"}}},
     [entry("a", {"x": "🙂"})], "max_tokens"),
    (built("AIMessage", tool_calls=[PARSED], response_metadata={"finish_reason": "length"}), [entry("a", {"x": "🙂"})], "length"),
    (built("AIMessageChunk", tool_calls=[], invalid_tool_calls=[INVALID]), [entry("b", '{"x":')], None),
    ({"type": "ai", "content": "hi"}, [], None),
    ({"role": "assistant", "tool_calls": [PARSED, ENTRY], "finish_reason": "stop"}, [entry("a", {"x": "🙂"}), ENTRY], "stop"),
    ({"role": "assistant", "finish_reason": "length", "parts": [
        {"type": "text", "content": "hi"}, {"type": "tool_call", "id": "a", "name": "查", "arguments": {"x": 1}},
        {"type": "tool_call", "name": "查"}]}, [entry("a", {"x": 1}), entry(None, None)], "length"),
])  # fmt: skip
def test_calls_as_the_chat_api_has_them(message, calls, finish):
    made = messages.plain(message)
    assert (made["role"], list(made["tool_calls"]), made.get("finish_reason")) == (
        "assistant", calls, finish,
    )  # fmt: skip


@pytest.mark.parametrize(("item", "message"), [
    ({"message": {"role": "assistant", "content": "hi"}}, {"role": "assistant", "content": "hi", "finish_reason": None}),
    ({"message": {"role": "assistant"}, "finish_reason": "length"}, {"role": "assistant", "finish_reason": "length"}),
    ({"message": {"role": "assistant"}, "generation_info": {"finish_reason": "stop"}}, {"role": "assistant", "finish_reason": "stop"}),
    ({"message": {"role": "assistant", "finish_reason": "length"}, "generation_info": None},
     {"role": "assistant", "finish_reason": "length"}),
    ({"message": "hi"}, None), ({"text": "hi"}, None), ("hi", None), (None, None),
])  # fmt: skip
def test_choices(item, message):
    assert messages.choice(item) == message


def test_lists_for_each_prompt():
    assert messages.flat([[1, 2], 3, []]) == [1, 2, 3]


@pytest.mark.parametrize("value", [
    {"tool_calls": [1]}, {"a": [{"toolCalls": {"x": 1}}]}, {"function_call": {"name": "f"}}, [{"toolUse": {"name": "f"}}],
    {"type": "tool-call"}, {"type": "tool_use"}, {"type": "function_call"}, {"type": "custom_tool_call"}, {"type": "TOOL_CALL"},
    {"type": "invalid_tool_call"}, {"content": [{"type": "text"}, {"type": "tool-use"}]},
])  # fmt: skip
def test_what_may_be_a_call(value):
    assert messages.may_call(value)


@pytest.mark.parametrize("value", [
    None, "tool_call", 3, [], {}, {"tool_calls": []}, {"tool_calls": 3}, {"function_call": None}, {"type": "text", "text": "tool_call"},
    {"type": "tool_result"}, {"type": "tool_call_output"}, {"type": "function_call_output"}, {"type": "tool-call-result"},
    {"type": "server_tool_use"}, {"type": "mcp_tool_use"}, {"type": "web_search_call"}, {"type": 3},
])  # fmt: skip
def test_what_is_none(value):
    assert not messages.may_call(value)
