"""The AI SDK's data stream: prefix lines, steps, details of the reasoning; its message with tool invocations."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.vercel_data import VERCEL_DATA
from tests.wire.reading import call, cut, same_however_it_comes, turn

CALLED = ("tool-calls", "tool_calls", False)


def opens(id: str, name: str) -> tuple[str, dict[str, Any]]:
    return "b", {"toolCallId": id, "toolName": name}


def piece(id: str, text: str) -> tuple[str, dict[str, Any]]:
    return "c", {"toolCallId": id, "argsTextDelta": text}


def whole(id: str, name: str, args: Any) -> tuple[str, dict[str, Any]]:
    return "9", {"toolCallId": id, "toolName": name, "args": args}


def ends(reason: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("e", {"finishReason": reason, "isContinued": False}),
        ("d", {"finishReason": reason, "usage": {"promptTokens": 1}}),
    ]


USAGE = {"promptTokens": 1}
STREAMS = [
    ("pieces, then the whole, then the result", [
        ("f", {"messageId": "m1"}), ("g", "hm"), ("0", "Ge"), ("0", "rne \u2028🥁"), opens("c1", "beat_drum"), piece("c1", '{"拍":'), piece("c1", '"速"}'), whole("c1", "beat_drum", {"拍": "速"}),
        ("a", {"toolCallId": "c1", "result": {"ok": 1}}), *ends("tool-calls")],
     turn(call("c1", "beat_drum", {"拍": "速"}, finish_reason="tool_calls"), end=CALLED, text="Gerne \u2028🥁", reasoning="hm", usage=USAGE,
          extra={"messageId": "m1", "results": [{"toolCallId": "c1", "output": {"ok": 1}}]}), ()),
    ("only the whole, twice, with data between", [whole("c1", "a", {"n": 1}), ("2", [{"x": 1}]), ("8", [1]), whole("c2", "a", {}), *ends("tool-calls")],
     turn(call("c1", "a", {"n": 1}), call("c2", "a", {}, finish_reason="tool_calls"), end=CALLED, usage=USAGE), ()),
    ("interleaved pieces, never whole", [opens("c1", "a"), opens("c2", "b"), piece("c2", '{"n":2'), piece("c1", '{"n":1}'), piece("c2", "}"), *ends("tool-calls")],
     turn(call("c1", "a", '{"n":1}'), call("c2", "b", '{"n":2}', finish_reason="tool_calls"), end=CALLED, usage=USAGE), ()),
    ("two steps", [("f", {"messageId": "m1"}), whole("c1", "a", {}), ("a", {"toolCallId": "c1", "result": 1}), ("e", {"finishReason": "tool-calls"}), ("f", {"messageId": "m1"}), ("0", "ja"), *ends("stop")],
     turn(call("c1", "a", {}, finish_reason="tool_calls"), end=("stop", "tool_calls", False), text="ja", usage=USAGE, extra={
         "messageId": "m1", "results": [{"toolCallId": "c1", "output": 1}], "dataParts": [{"type": "step-start"}, {"type": "tool-invocation"}, {"type": "step-start"}, {"type": "text", "text": "ja"}]}), ()),
    ("signed and hidden reasoning", [("g", "h"), ("g", "m"), ("j", {"signature": "c2ln"}), ("i", {"data": "AAAA"}), ("0", "ja"), *ends("stop")],
     turn(end=("stop", "stop", False), text="ja", reasoning="hm", usage=USAGE, extra={"dataParts": [
         {"type": "reasoning", "reasoning": "hm", "details": [{"type": "text", "text": "hm", "signature": "c2ln"}]},
         {"type": "reasoning", "reasoning": "", "details": [{"type": "redacted", "data": "AAAA"}]}, {"type": "text", "text": "ja"}]}), ()),
    ("a source and a file", [("0", "ja"), ("h", {"id": "s", "url": "https://x"}), ("k", {"data": "QQ==", "mimeType": "image/png"}), *ends("stop")],
     turn(end=("stop", "stop", False), text="ja", usage=USAGE, extra={"dataParts": [
         {"type": "text", "text": "ja"}, {"type": "source", "source": {"id": "s", "url": "https://x"}}, {"type": "file", "data": "QQ==", "mimeType": "image/png"}]}), ()),
    ("cut", [opens("c1", "a"), piece("c1", '{"n": 1}'), *ends("length")], turn(call("c1", "a", '{"n": 1}', finish_reason="length"), end=("length", "length", True), usage=USAGE), ()),
    ("only a step's end", [whole("c1", "a", {}), ("e", {"finishReason": "tool-calls"})], turn(call("c1", "a", {}, finish_reason="missing"), end=(None, "missing", True)), ()),
    ("an error", [("0", "j"), ("3", "boom")], turn(end=(None, "error", True), text="j", extra={"error": {"message": "boom"}}), ("error",)),
    ("a prefix of tomorrow", [("z", {"x": 1}), *ends("stop")], turn(end=("stop", "stop", False), usage=USAGE), ("unknown_event",)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("vercel-data", events, expected, odd=odd)


def test_a_last_line_without_its_end():
    assert cut("vercel-data", b'0:"ja"\r\nd:{"finishReason":"stop"}', 0) == turn(end=("stop", "stop", False), text="ja")


def invocation(state: str, id: str, name: str, args: Any, **more: Any) -> dict[str, Any]:
    return {"state": state, "toolCallId": id, "toolName": name, "args": args, **more}


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "m1", "role": "assistant", "parts": list(parts), **more}


def as_part(said: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool-invocation", "toolInvocation": said}


WHOLE = [
    ("parts", message({"type": "step-start"}, {"type": "reasoning", "reasoning": "hm", "details": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "ja"}, as_part(invocation("call", "c1", "a", {"名": 1}))),
     turn(call("c1", "a", {"名": 1}), text="ja", reasoning="hm", extra={"messageId": "m1"})),
    ("older: content and invocations", {"id": "m1", "role": "assistant", "content": "ja", "toolInvocations": [invocation("result", "c1", "a", {}, result=1)]},
     turn(call("c1", "a", {}), text="ja", extra={"messageId": "m1"})),
    ("arguments that are not whole", message(as_part(invocation("partial-call", "c1", "a", {"n": "hal"}))),
     turn(call("c1", "a", {"n": "hal"}, finish_reason="incomplete"), end=(None, "unknown", True), extra={"messageId": "m1"})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_messages(given, expected):
    assert read("vercel-data", given) == expected


def test_a_call_and_its_result_are_one_invocation_in_its_place():
    signed = {"type": "reasoning", "reasoning": "hm", "details": [{"type": "text", "text": "hm", "signature": "c2ln"}]}
    got = read(
        "vercel-data",
        message(
            signed,
            as_part(invocation("call", "c1", "a", {"n": 1})),
            {"type": "text", "text": "ja"},
            as_part(invocation("call", "c2", "b", {})),
        ),
    )
    results = [ToolResult("c1", "a", {"ok": 1}), ToolResult("c2", "b", "kaputt", is_error=True)]
    assert write("vercel-data", got, None, results) == [message(
        signed, as_part(invocation("result", "c1", "a", {"n": 1}, result={"ok": 1})), {"type": "text", "text": "ja"}, as_part(invocation("result", "c2", "b", {}, result={"error": "kaputt"})), content="ja",
    )]  # fmt: skip
    assert write("vercel-data", turn()) == []


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert VERCEL_DATA.declare(Declaration(name="a", description="d", schema=schema)) == {
        "type": "function",
        "name": "a",
        "description": "d",
        "parameters": schema,
    }
    assert detect(message(as_part(invocation("call", "c1", "a", {})))) == "vercel-data"
    assert detect({"role": "assistant", "content": "", "toolInvocations": []}) == "vercel-data"
