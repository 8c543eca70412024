"""The AI SDK's UI stream and message: errors of input and output, the provider's own tools, parts in order."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.vercel_ui import VERCEL_UI
from tests.wire.reading import call, same_however_it_comes, turn

CALLED = ("tool-calls", "tool_calls", False)
STOP = ("stop", "stop", False)


def e(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def tool(kind: str, id: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    return e(kind, toolCallId=id, **({"toolName": name} if name else {}), **more)


def text(*pieces: str, id: str = "t", kind: str = "text", **end: Any) -> list[dict[str, Any]]:
    return [
        e(f"{kind}-start", id=id),
        *(e(f"{kind}-delta", id=id, delta=piece) for piece in pieces),
        e(f"{kind}-end", id=id, **end),
    ]


FINISH = e("finish", finishReason="tool-calls")
SIGNED = {"anthropic": {"signature": "c2ln"}}
STREAMS = [
    ("pieces, then the whole", [
        e("start", messageId="m1", messageMetadata={"model": "x"}), e("start-step"), *text("hm", kind="reasoning"), *text("Ge", "rne \u2028🎹"), tool("tool-input-start", "c1", "tune_piano"),
        tool("tool-input-delta", "c1", inputTextDelta='{"調":'), tool("tool-input-delta", "c1", inputTextDelta='"ト長"}'), tool("tool-input-available", "c1", "tune_piano", input={"調": "ト長"}),
        tool("tool-input-start", "c2", "stop"), tool("tool-input-available", "c2", "stop", input={}), e("finish-step"), FINISH, "[DONE]"],
     turn(call("c1", "tune_piano", {"調": "ト長"}), call("c2", "stop", {}, finish_reason="tool_calls"), end=CALLED, text="Gerne \u2028🎹", reasoning="hm",
          extra={"messageId": "m1", "messageMetadata": {"model": "x"}}), ()),
    ("whole without a start, outputs of all kinds", [
        tool("tool-input-available", "c1", "a", input={"n": 1}), tool("tool-output-available", "c1", output=["x"], preliminary=True), tool("tool-output-available", "c1", output=["x", "y"]),
        tool("tool-input-available", "c2", "b", input={}), tool("tool-output-error", "c2", errorText="kaputt"), tool("tool-input-available", "c3", "c", input={}),
        tool("tool-approval-request", "c3", approvalId="p"), tool("tool-output-denied", "c3"), FINISH],
     turn(call("c1", "a", {"n": 1}), call("c2", "b", {}), call("c3", "c", {}, finish_reason="tool_calls"), end=CALLED,
          extra={"approvals": [{"toolCallId": "c3", "approvalId": "p"}],
                 "results": [{"toolCallId": "c1", "output": ["x", "y"]}, {"toolCallId": "c2", "error": "kaputt"}, {"toolCallId": "c3", "denied": True}]}), ()),
    ("an input that could not be read", [tool("tool-input-start", "c1", "a"), tool("tool-input-delta", "c1", inputTextDelta='{"n": '), tool("tool-input-error", "c1", "a", input='{"n": ', errorText="no"), FINISH],
     turn(call("c1", "a", '{"n": ', finish_reason="tool_calls"), end=("tool-calls", "tool_calls", True), extra={"results": [{"toolCallId": "c1", "error": "no"}]}), ()),
    ("an input that could not be read and does not begin like one", [tool("tool-input-error", "c1", "a", input="n: 1", errorText="no"), FINISH],
     turn(call("c1", "a", "n: 1", finish_reason="tool_calls"), end=CALLED, extra={"results": [{"toolCallId": "c1", "error": "no"}]}), ()),
    ("an input as JSON text", [tool("tool-input-available", "c1", "a", input='{"n": 1}'), FINISH], turn(call("c1", "a", '{"n": 1}', finish_reason="tool_calls"), end=CALLED), ()),
    ("a tool that takes text", [tool("tool-input-start", "c1", "sql", inputEncoding="text"), tool("tool-input-delta", "c1", inputTextDelta="SELECT"), tool("tool-input-available", "c1", "sql", input="SELECT 1"), FINISH],
     turn(call("c1", "sql", None, input="SELECT 1", finish_reason="tool_calls"), end=CALLED), ()),
    ("the provider's own tool is none of ours", [
        tool("tool-input-start", "s1", "web", providerExecuted=True), tool("tool-input-delta", "s1", inputTextDelta='{"q":"x"}'), tool("tool-input-available", "s1", "web", input={"q": "x"}, providerExecuted=True),
        tool("tool-output-available", "s1", output=[1], providerExecuted=True), tool("tool-input-available", "c1", "a", input={}), FINISH],
     turn(call("c1", "a", {}, finish_reason="tool_calls"), end=CALLED, extra={"uiParts": [
         {"type": "tool-web", "toolCallId": "s1", "input": {"q": "x"}, "providerExecuted": True, "state": "output-available", "output": [1]}, {"type": "tool"}]}), ()),
    ("signatures", [*text("hm", kind="reasoning", providerMetadata=SIGNED), tool("tool-input-available", "c1", "a", input={}, providerMetadata={"google": {"thoughtSignature": "Zg"}}, title="A", dynamic=True), FINISH],
     turn(call("c1", "a", {}, extra={"providerMetadata": {"google": {"thoughtSignature": "Zg"}}, "title": "A", "dynamic": True}, finish_reason="tool_calls"), end=CALLED, reasoning="hm",
          extra={"uiParts": [{"type": "reasoning", "text": "hm", "state": "done", "providerMetadata": SIGNED}, {"type": "tool"}]}), ()),
    ("two steps, text after the call, a source, data", [
        e("start-step"), tool("tool-input-available", "c1", "a", input={}), tool("tool-output-available", "c1", output=1), e("finish-step"), e("start-step"), *text("ja"), e("source-url", sourceId="u", url="https://x"),
        e("data-note", data={"n": 1}), e("data-tick", data=1, transient=True), e("finish", finishReason="stop")],
     turn(call("c1", "a", {}, finish_reason="tool_calls"), end=("stop", "tool_calls", False), text="ja", extra={"results": [{"toolCallId": "c1", "output": 1}], "uiParts": [
         {"type": "step-start"}, {"type": "tool"}, {"type": "step-start"}, {"type": "text", "text": "ja", "state": "done"}, e("source-url", sourceId="u", url="https://x"), e("data-note", data={"n": 1})]}), ()),
    ("interleaved calls", [tool("tool-input-start", "c1", "a"), tool("tool-input-start", "c2", "a"), tool("tool-input-delta", "c2", inputTextDelta='{"n":2}'), tool("tool-input-delta", "c1", inputTextDelta='{"n":1}'),
                           tool("tool-input-available", "c2", "a", input={"n": 2}), tool("tool-input-available", "c1", "a", input={"n": 1}), FINISH],
     turn(call("c1", "a", {"n": 1}), call("c2", "a", {"n": 2}, finish_reason="tool_calls"), end=CALLED), ()),
    ("version 5 gives no reason", [tool("tool-input-available", "c1", "a", input={}), e("finish"), "[DONE]"], turn(call("c1", "a", {}, finish_reason="tool_calls"), end=("stop", "tool_calls", False)), ()),
    ("cut", [tool("tool-input-start", "c1", "a"), tool("tool-input-delta", "c1", inputTextDelta='{"n": 1}'), e("finish", finishReason="length")],
     turn(call("c1", "a", '{"n": 1}', finish_reason="length"), end=("length", "length", True)), ()),
    ("filtered", [*text("n"), e("finish", finishReason="content-filter")], turn(end=("content-filter", "content_filter", False), text="n"), ()),
    ("the end is missing", [tool("tool-input-available", "c1", "a", input={}), "[DONE]"], turn(call("c1", "a", {}, finish_reason="missing"), end=(None, "missing", True)), ()),
    ("given up", [tool("tool-input-available", "c1", "a", input={}), e("abort")], turn(call("c1", "a", {}, finish_reason="error"), end=("abort", "error", True)), ()),
    ("an error", [tool("tool-input-available", "c1", "a", input={}), e("error", errorText="boom")],
     turn(call("c1", "a", {}, finish_reason="error"), end=(None, "error", True), extra={"error": {"message": "boom"}}), ("error",)),
    ("a stranger", [e("wobble"), e("finish", finishReason="stop")], turn(end=STOP), ("unknown_event",)),
    ("the model side", [
        e("stream-start", warnings=[]), e("response-metadata", id="r", modelId="x"), e("reasoning-delta", id="0", delta="hm"), e("text-start", id="1"), e("text-delta", id="1", delta="ja"), e("text-end", id="1"),
        e("tool-input-start", id="c1", toolName="a"), e("tool-input-delta", id="c1", delta='{"n"'), e("tool-input-delta", id="c1", delta=":1}"), e("tool-input-end", id="c1"), tool("tool-call", "c1", "a", input='{"n":1}'),
        e("finish", finishReason={"unified": "tool-calls", "raw": "tool_use"}, usage={"outputTokens": 2})],
     turn(call("c1", "a", '{"n":1}', finish_reason="tool_calls"), end=CALLED, text="ja", reasoning="hm", model="x", usage={"outputTokens": 2}), ()),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("vercel-ui", events, expected, odd=odd)


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "m1", "role": "assistant", "parts": list(parts), **more}


def part(name: str, id: str, state: str, **more: Any) -> dict[str, Any]:
    return {"type": f"tool-{name}", "toolCallId": id, "state": state, **more}


WHOLE = [
    ("text and calls", message(e("step-start"), e("reasoning", text="hm", state="done"), e("text", text="ja", state="done"), part("a", "c1", "input-available", input={"名": 1}),
                               e("dynamic-tool", toolName="b", toolCallId="c2", state="output-available", input={}, output=1)),
     turn(call("c1", "a", {"名": 1}), call("c2", "b", {}), text="ja", reasoning="hm", extra={"messageId": "m1"})),
    ("an input that is still streaming is not whole", message(part("a", "c1", "input-streaming", input={"n": "hal"})),
     turn(call("c1", "a", {"n": "hal"}, finish_reason="incomplete"), end=(None, "unknown", True), extra={"messageId": "m1"})),
    ("an input that could not be read", message(part("a", "c1", "output-error", rawInput='{"n": ', errorText="no")),
     turn(call("c1", "a", '{"n": '), end=(None, "unknown", True), extra={"messageId": "m1"})),
    ("the provider's own", message(part("web", "s1", "output-available", input={}, output=1, providerExecuted=True), e("text", text="ja")),
     turn(text="ja", extra={"messageId": "m1", "uiParts": [part("web", "s1", "output-available", input={}, output=1, providerExecuted=True), e("text", text="ja")]})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_messages(given, expected):
    assert read("vercel-ui", given) == expected


def test_a_call_and_its_result_are_one_part_in_its_place():
    parts = [e("step-start"), part("a", "c1", "input-available", input={"n": 1}, callProviderMetadata=SIGNED, title="A"), e("step-start"), e("text", text="ja", state="done"),
             e("dynamic-tool", toolName="b", toolCallId="c2", state="input-available", input={}, dynamic=True), part("sql", "c3", "input-available", input="SELECT 1")]  # fmt: skip
    got = read("vercel-ui", message(*parts, metadata={"k": 1}))
    results = [
        ToolResult("c1", "a", {"ok": 1}),
        ToolResult("c2", "b", "kaputt", is_error=True),
        ToolResult("c3", "sql", 1),
    ]
    assert write("vercel-ui", got, None, results) == [message(
        e("step-start"), part("a", "c1", "output-available", title="A", callProviderMetadata=SIGNED, input={"n": 1}, output={"ok": 1}), e("step-start"), e("text", text="ja", state="done"),
        e("dynamic-tool", toolName="b", toolCallId="c2", input={}, state="output-error", errorText="kaputt"), part("sql", "c3", "output-available", input="SELECT 1", output=1), metadata={"k": 1},
    )]  # fmt: skip
    assert write("vercel-ui", turn()) == []


def test_a_message_without_an_id_gets_the_same_one_each_time():
    one, two = (write("vercel-ui", turn(text=said))[0]["id"] for said in ("ja", "nein"))
    assert one == write("vercel-ui", turn(text="ja"))[0]["id"] != two


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert VERCEL_UI.declare(Declaration(name="a", description="d", schema=schema)) == {
        "type": "function",
        "name": "a",
        "description": "d",
        "inputSchema": schema,
    }
    for given in (
        tool("tool-input-start", "c", "a"),
        e("start-step"),
        FINISH,
        e("text-delta", id="t", delta="a"),
        message(part("a", "c", "input-available", input={})),
        message(e("text", text="a")),
    ):
        assert detect(given) == "vercel-ui"
    assert detect(e("error", error={"message": "x"})) != "vercel-ui"
