"""Laws that every provider's own format keeps: what is written reads back, and nothing that arrives raises."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argwright.model import ToolCall, ToolResult, Turn
from argwright.stream import Accumulator
from argwright.wire import FORMATS, detect, find, read, write

Messages = list[dict[str, Any]]


def the_first(messages: Messages) -> Any:
    return messages[0] if messages else {}


def all_but(**kinds: str) -> Callable[[Messages], Any]:
    ((key, value),) = kinds.items()
    return lambda messages: [message for message in messages if message.get(key) != value]


ASKED: dict[str, Callable[[Messages], Any]] = {
    "openai-chat": the_first,
    "openai-responses": all_but(type="function_call_output"),
    "anthropic": the_first,
    "gemini": the_first,
    "gemini-interactions": all_but(type="function_result"),
    "bedrock-converse": the_first,
    "cohere": the_first,
    "ollama": the_first,
    "mistral-conversations": all_but(type="function.result"),
    "vercel-ui": the_first,
    "vercel-data": the_first,
    "ag-ui": all_but(role="tool"),
    "mcp": lambda messages: [message for message in messages if "method" in message],
}
"""What the model said of all that is written, without the answers."""
FEW = max(15, settings().max_examples // 4)
"""Examples a format: there are over ten of them."""
WORDLESS = {"mcp"}
BLANK_REFUSED = {"bedrock-converse", "anthropic"}
SIGNED = {"openai-chat", "openai-responses", "anthropic"}
"""Reasoning goes back only as it came: signed, as an item of the server's own, or by the name that this service has for it."""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
IDS = st.from_regex(r"[A-Za-z0-9]{9}", fullmatch=True)
CALLS = st.builds(ToolCall, IDS, NAMES, st.dictionaries(st.text(max_size=4), JSON, max_size=3))
TURNS = st.builds(
    Turn,
    st.lists(CALLS, max_size=3, unique_by=lambda call: call.id).map(tuple),
    st.text(max_size=8) | st.just("漢 🍜\u2028مرحبا"),
    st.text(max_size=8),
)


def value(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def said(form: str, turn: Turn) -> Turn:
    return read(form, json.dumps(ASKED[form](write(form, turn)), ensure_ascii=True))


@pytest.mark.parametrize("form", ASKED)
@given(turn=TURNS)
@settings(max_examples=FEW)
def test_what_is_written_reads_back(form, turn):
    got = said(form, turn)
    assert [(call.id, call.name, value(call.arguments)) for call in got.calls] == [
        (call.id, call.name, call.arguments) for call in turn.calls
    ]
    if form not in WORDLESS:
        kept = (lambda text: text if text.strip() else "") if form in BLANK_REFUSED else str
        assert (got.text, got.reasoning) == (kept(turn.text), "" if form in SIGNED else kept(turn.reasoning))
    assert said(form, got) == got


@pytest.mark.parametrize("form", ASKED)
@given(turn=TURNS, errors=st.lists(st.booleans(), max_size=3))
@settings(max_examples=FEW)
def test_every_call_has_one_answer_and_nothing_of_the_turn_is_changed(form, turn, errors):
    results = [
        ToolResult(call.id, call.name, {"n": 1}, failed) for call, failed in zip(turn.calls, errors, strict=False)
    ]
    before = pickle.dumps(turn)
    messages = write(form, turn, None, results)
    text = json.dumps(messages, ensure_ascii=False, allow_nan=False)
    assert pickle.dumps(turn) == before
    assert all(text.count(f'"{call.id}"') >= 2 for call in turn.calls) or form.startswith("vercel")


@pytest.mark.parametrize("form", ASKED)
def test_calls_without_ids_are_paired_all_the_same(form):
    turn = Turn((ToolCall(None, "a", {"n": 1}), ToolCall(None, "a", {"n": 1}), ToolCall(None, "b", {})))
    once, again = write(form, turn), write(form, turn)
    assert once == again
    assert [call.name for call in read(form, ASKED[form](once)).calls] == ["a", "a", "b"]


@pytest.mark.parametrize("form", ASKED)
def test_a_call_that_could_not_be_read_goes_out_empty(form):
    turn = Turn((ToolCall("A1b2C3d4E", "a", '{"n": 1, "text": "half'),))
    messages = write(form, turn)
    assert "half" not in json.dumps(messages)
    assert [value(call.arguments) for call in read(form, ASKED[form](messages)).calls] == [{}]


@pytest.mark.parametrize("form", ASKED)
def test_extra_data_of_another_provider_is_not_sent(form):
    foreign = {
        "extra_content": {"google": {"thought_signature": "FOREIGN"}},
        "thought_signature": 3,
        "caller": "FOREIGN",
    }
    turn = Turn(
        (ToolCall("A1b2C3d4E", "a", {}, extra=foreign),),
        extra={"reasoning_details": ["FOREIGN"], "content": ["FOREIGN"]},
    )
    assert "FOREIGN" not in json.dumps(write(form, turn))


@pytest.mark.parametrize("form", ASKED)
def test_the_kind_of_what_is_written_is_known(form):
    turn = Turn((ToolCall("A1b2C3d4E", "a", {"n": 1}),), "ja", "hm")
    known = detect(ASKED[form](write(form, turn)))
    assert known == form or (form, known) == ("ollama", None)  # with an id its messages look like OpenAI's


WORDS = """
candidates content parts text thought functionCall partialArgs jsonPath stringValue numberValue willContinue args name id finishReason
promptFeedback blockReason error index steps step type status summary signature arguments delta event_type interaction output message
stopReason toolUse toolUseId input reasoningContent reasoningText contentBlockStart contentBlockDelta contentBlockStop messageStop
contentBlockIndex start citation redactedContent role tool_calls function tool_plan finish_reason event_type tool_call_delta parameters
model done done_reason thinking outputs entries tool_call_id output_index data event toolCallId toolName inputTextDelta providerMetadata
providerExecuted errorText messageId parts state toolInvocation toolInvocations result argsTextDelta usage toolCalls toolCallName outcome
interrupts encryptedValue entityId subtype jsonrpc method params _meta isError structuredContent
""".split()  # noqa: SIM905  # words, not a column
TYPES = [
    "text", "thinking", "reasoning", "tool-call", "tool-a", "dynamic-tool", "tool-invocation", "step-start", "function_call", "model_output", "thought", "function.call",
    "message.output", "function", "assistant", "tools/call", "$.a", "$.a[0]", "{}", "STOP", "arguments_delta", "thought_summary", "thought_signature", "server_tool_use", "input-streaming",
]  # fmt: skip
EVENTS = [
    None, "step.start", "step.delta", "step.stop", "interaction.completed", "contentBlockStart", "contentBlockDelta", "validationException", "tool-call-start", "tool-call-delta", "message-end",
    "content-delta", "citation-start", "function.call.delta", "message.output.delta", "conversation.response.error", "tool-input-start", "tool-input-delta", "tool-input-available", "tool-input-error",
    "tool-output-available", "finish", "reasoning-delta", "text-end", "data-x", "0", "g", "b", "c", "9", "a", "d", "e", "f", "j", "i", "k", "3", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_CHUNK",
    "RUN_FINISHED", "RUN_ERROR", "REASONING_ENCRYPTED_VALUE", "tool-calls-chunk", "tool-calls-generation", "stream-end",
]  # fmt: skip
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.sampled_from(TYPES) | st.text(max_size=2) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.parametrize("form", ASKED)
@given(events=st.lists(st.tuples(st.sampled_from(EVENTS), JUNK), max_size=5))
@settings(max_examples=FEW)
def test_nothing_that_arrives_raises(form, events):
    for name, data in events:
        assert isinstance(FORMATS[form].read(data), Turn)
        list(find(form).deltas(name, data))
        typed = {"type": name, "event_type": name, **data} if isinstance(data, dict) else data
        list(find(form).deltas(None, typed))
        detect(data) if isinstance(data, dict) else None
    acc = Accumulator(form)
    for name, data in events:
        acc.feed(data, event=name)
        acc.feed({"type": name, **data} if isinstance(data, dict) else data, event=name)
    turn = acc.close()
    json.dumps(turn.to_dict())
    write(form, turn)
    assert pickle.loads(pickle.dumps(turn)) == turn or "nan" in repr(turn.to_dict())
