"""AG-UI: a run's events, chunks, results of the agent's own tools, interrupts; its messages."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.ag_ui import AG_UI
from argwright.wire.format import Declaration
from tests.wire.reading import call, fed, same_however_it_comes, turn

STOP = ("stop", "stop", False)


def e(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


BEGIN = e("RUN_STARTED", threadId="t", runId="r")
END = e("RUN_FINISHED", threadId="t", runId="r")


def tool(kind: str, id: str | None = None, **more: Any) -> dict[str, Any]:
    return e(f"TOOL_CALL_{kind}", **({"toolCallId": id} if id else {}), **more)


STREAMS = [
    ("text, reasoning, a call, its result", [
        BEGIN, e("STEP_STARTED", stepName="s"), e("REASONING_START", messageId="r1"), e("REASONING_MESSAGE_START", messageId="r1"), e("REASONING_MESSAGE_CONTENT", messageId="r1", delta="hm"),
        e("REASONING_MESSAGE_END", messageId="r1"), e("REASONING_END", messageId="r1"), e("TEXT_MESSAGE_START", messageId="m1", role="assistant"), e("TEXT_MESSAGE_CONTENT", messageId="m1", delta="Ge"),
        e("TEXT_MESSAGE_CONTENT", messageId="m1", delta="rne \u2028🪴"), e("TEXT_MESSAGE_END", messageId="m1"), tool("START", "c1", toolCallName="move_plant", parentMessageId="m1"), tool("ARGS", "c1", delta='{"場":'),
        tool("ARGS", "c1", delta='"庭"}'), tool("END", "c1"), tool("RESULT", "c1", messageId="m2", content="ok"), e("STATE_DELTA", delta=[]), e("CUSTOM", name="x", value=1), END],
     turn(call("c1", "move_plant", '{"場":"庭"}', finish_reason="stop"), end=STOP, text="Gerne \u2028🪴", reasoning="hm",
          extra={"messageId": "m1", "results": [{"toolCallId": "c1", "output": "ok"}]}), ()),
    ("interleaved calls, one without arguments", [tool("START", "c1", toolCallName="a"), tool("START", "c2", toolCallName="a"), tool("ARGS", "c2", delta='{"n":2}'), tool("ARGS", "c1", delta='{"n":1}'), tool("END", "c2"),
                                                  tool("END", "c1"), tool("START", "c3", toolCallName="b"), tool("END", "c3"), END],
     turn(call("c1", "a", '{"n":1}'), call("c2", "a", '{"n":2}'), call("c3", "b", finish_reason="stop"), end=STOP), ()),
    ("chunks", [e("TEXT_MESSAGE_CHUNK", messageId="m1", role="assistant", delta="j"), e("TEXT_MESSAGE_CHUNK", delta="a"), tool("CHUNK", "c1", toolCallName="a", delta='{"n"'), tool("CHUNK", delta=":1}"),
                tool("CHUNK", "c2", toolCallName="b"), tool("CHUNK", delta="{}"), e("REASONING_MESSAGE_CHUNK", delta="hm"), END],
     turn(call("c1", "a", '{"n":1}'), call("c2", "b", "{}", finish_reason="stop"), end=STOP, text="ja", reasoning="hm", extra={"messageId": "m1"}), ()),
    ("the older words for reasoning", [e("THINKING_START"), e("THINKING_TEXT_MESSAGE_START"), e("THINKING_TEXT_MESSAGE_CONTENT", delta="hm"), e("THINKING_TEXT_MESSAGE_END"), e("THINKING_END"), END],
     turn(end=STOP, reasoning="hm"), ()),
    ("opaque values", [tool("START", "c1", toolCallName="a", metadata={"k": 1}), tool("END", "c1"), e("REASONING_ENCRYPTED_VALUE", subtype="tool-call", entityId="c1", encryptedValue="QQ"),
                       e("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="r1", encryptedValue="Ug"), END],
     turn(call("c1", "a", extra={"metadata": {"k": 1}, "encryptedValue": "QQ"}, finish_reason="stop"), end=STOP, extra={"reasoningMessage": {"id": "r1", "encryptedValue": "Ug"}}), ()),
    ("waiting for a person", [tool("START", "c1", toolCallName="a"), tool("END", "c1"), END | {"outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "tool_call", "toolCallId": "c1"}]}}],
     turn(call("c1", "a", finish_reason="pause"), end=("interrupt", "pause", False), extra={"interrupts": [{"id": "i", "reason": "tool_call", "toolCallId": "c1"}]}), ()),
    ("given up", [tool("START", "c1", toolCallName="a"), tool("END", "c1"), END | {"outcome": {"type": "cancelled"}}], turn(call("c1", "a", finish_reason="error"), end=("cancelled", "error", True)), ()),
    ("usage", [END | {"outcome": {"type": "success"}, "usage": [{"model": "x", "outputTokens": 2}]}], turn(end=STOP, model="x", usage={"model": "x", "outputTokens": 2}), ()),
    ("an error", [tool("START", "c1", toolCallName="a"), tool("ARGS", "c1", delta='{"n": 1}'), e("RUN_ERROR", message="boom", code="E1")],
     turn(call("c1", "a", '{"n": 1}', finish_reason="error"), end=(None, "error", True), extra={"error": {"message": "boom", "code": "E1"}}), ("error",)),
    ("cut though nobody says so", [tool("START", "c1", toolCallName="a"), tool("ARGS", "c1", delta='{"n": "x'), tool("END", "c1"), END],
     turn(call("c1", "a", '{"n": "x', finish_reason="stop"), end=("stop", "stop", True)), ()),
    ("the connection breaks", [tool("START", "c1", toolCallName="a"), tool("ARGS", "c1", delta="{}"), tool("END", "c1")], turn(call("c1", "a", "{}", finish_reason="missing"), end=(None, "missing", True)), ()),
    ("a stranger", [e("WOBBLE"), END], turn(end=STOP), ("unknown_event",)),
    ("snake case", [{"type": "TOOL_CALL_START", "tool_call_id": "c1", "tool_call_name": "a"}, {"type": "TOOL_CALL_ARGS", "tool_call_id": "c1", "delta": "{}"}, END], turn(call("c1", "a", "{}", finish_reason="stop"), end=STOP), ()),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("ag-ui", events, expected, odd=odd)


def asks(id: str, name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


MESSAGE = {
    "id": "m1",
    "role": "assistant",
    "content": "ja",
    "toolCalls": [asks("c1", "a", '{"名":1}', encryptedValue="QQ")],
}
THOUGHT = {"id": "r1", "role": "reasoning", "content": "hm", "encryptedValue": "Ug"}
CALL = call("c1", "a", '{"名":1}', extra={"encryptedValue": "QQ"})
WHOLE = [
    ("one message", MESSAGE, turn(CALL, text="ja", extra={"messageId": "m1"})),
    ("the last of several, with its reasoning", [{"id": "u", "role": "user", "content": "x"}, THOUGHT, MESSAGE, {"id": "t", "role": "tool", "toolCallId": "c1", "content": "1"}],
     turn(CALL, text="ja", reasoning="hm", extra={"messageId": "m1", "reasoningMessage": {"id": "r1", "encryptedValue": "Ug"}})),
    ("only reasoning", [THOUGHT], turn(reasoning="hm", extra={"reasoningMessage": {"id": "r1", "encryptedValue": "Ug"}})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_messages(given, expected):
    assert read("ag-ui", given) == expected


def test_a_whole_message_where_a_stream_was_expected():
    got, odd = fed("ag-ui", [MESSAGE, END])
    assert (got, odd) == (
        turn(
            call("c1", "a", '{"名":1}', extra={"encryptedValue": "QQ"}, finish_reason="stop"),
            end=STOP,
            text="ja",
            extra={"messageId": "m1"},
        ),
        [],
    )


def test_written_as_messages_with_ids_and_errors():
    got = read("ag-ui", [THOUGHT, MESSAGE | {"toolCalls": [*MESSAGE["toolCalls"], asks("c2", "b", "")]}])
    assert write(
        "ag-ui", got, None, [ToolResult("c1", "a", {"ok": 1}), ToolResult("c2", "b", "kaputt", is_error=True)]
    ) == [
        THOUGHT,
        MESSAGE | {"toolCalls": [*MESSAGE["toolCalls"], asks("c2", "b", "{}")]},
        {"id": "result_c1", "role": "tool", "toolCallId": "c1", "content": '{"ok":1}'},
        {"id": "result_c2", "role": "tool", "toolCallId": "c2", "content": "kaputt", "error": "kaputt"},
    ]
    assert write("ag-ui", turn()) == []


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert AG_UI.declare(Declaration(name="a", description="d", schema=schema)) == {
        "name": "a",
        "description": "d",
        "parameters": schema,
    }
    for given in (BEGIN, END, tool("START", "c"), MESSAGE):
        assert detect(given) == "ag-ui"
