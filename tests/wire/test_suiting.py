from __future__ import annotations

import pytest

import argwright as aw
from argwright.wire.services import SERVICES
from argwright.wire.suiting import SIGNATURE, suited, with_reasoning, with_signature

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def test_without_a_service_nothing_is_added():
    messages = [{"role": "assistant", "tool_calls": [CALL]}]
    assert suited(messages, None) == messages
    assert suited(messages, SERVICES["groq"]) == messages


def test_deepseek_wants_reasoning_beside_calls_only():
    deepseek = SERVICES["deepseek"]
    asked = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert with_reasoning(asked, deepseek) == {**asked, "reasoning_content": ""}
    for message in ({"role": "assistant", "content": "hi"}, {**asked, "reasoning_content": "想"}):
        assert with_reasoning(message, deepseek) is message


def test_gemini_3_wants_the_first_call_signed():
    call = {"functionCall": {"name": "f", "args": {}}}
    message = {"role": "model", "parts": [{"text": "hm"}, call, call]}
    signed = {"role": "model", "parts": [{"text": "hm"}, {**call, "thoughtSignature": SIGNATURE}, call]}
    assert with_signature(message) == signed
    for other in (signed, {"role": "user", "parts": [{"text": "x"}]}, {"role": "model"}, {"parts": [None, 3]}):
        assert with_signature(other) is other
    snake = {"parts": [{"function_call": {"name": "f"}, "thought_signature": "c2ln"}]}
    assert with_signature(snake) is snake


@pytest.mark.parametrize(
    ("form", "service"),
    [
        ("openai-chat", "deepseek"),
        ("openai-chat", "mistral"),
        ("openai-chat", "kimi"),
        ("openai-chat", "openai"),
        ("gemini", "gemini-3"),
    ],
)
def test_what_is_written_for_a_service_is_in_order_for_it(form, service):
    calls = (
        aw.ToolCall("functions.get_weather:0", "get_weather", '{"city": "Oslo"}'),
        aw.ToolCall("x" * 90, "查询天气", {"城市": "奥斯陆"}),
        aw.ToolCall(None, "fs.read", "{"),
    )
    turn = aw.Turn(calls=calls, finish=aw.Finish("tool_calls", "tool_calls"))
    messages = aw.write(form, turn, None, [aw.ToolResult("1", "get_weather", "ok")], service=service)
    assert aw.history.check(form, messages, service=service) == ()
    assert aw.history.effective(form, messages, service=service) == (messages, ())
