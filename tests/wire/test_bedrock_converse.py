"""Bedrock Converse: blocks, events as dicts and in binary frames, exceptions, signed reasoning."""

from __future__ import annotations

import json
import random
import struct
from binascii import crc32
from typing import Any

import pytest

from argwright.model import ToolResult, Turn
from argwright.stream import Accumulator
from argwright.wire import detect, read, write
from argwright.wire.bedrock_converse import BEDROCK_CONVERSE
from argwright.wire.format import Declaration
from tests.wire.reading import call, fed, turn

CALLED = ("tool_use", "tool_calls", False)
THOUGHT = {"reasoningContent": {"reasoningText": {"text": "erst 考える", "signature": "c2ln"}}}


def use(id: str, name: str, input: Any, **more: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": id, "name": name, "input": input, **more}}


def body(*blocks: dict[str, Any], end: str = "tool_use", **more: Any) -> dict[str, Any]:
    return {"output": {"message": {"role": "assistant", "content": list(blocks)}}, "stopReason": end, **more}


CITED = {"citationsContent": {"content": [{"text": "zitiert"}], "citations": [{"title": "t"}]}}
WHOLE = [
    ("text and calls", body({"text": "Ich schaue."}, use("t1", "find_train", {"von": "Köln", "nach": "東京"}), use("t2", "now", {}), usage={"totalTokens": 9}),
     turn(call("t1", "find_train", {"von": "Köln", "nach": "東京"}), call("t2", "now", {}, finish_reason="tool_calls"), end=CALLED, text="Ich schaue.", usage={"totalTokens": 9})),
    ("signed reasoning", body(THOUGHT, use("t1", "now", {})),
     turn(call("t1", "now", {}, finish_reason="tool_calls"), end=CALLED, reasoning="erst 考える", extra={"blocks": [THOUGHT, {"toolUse": {}}]})),
    ("a server's tool is none of ours", body(use("s1", "web", {"q": "x"}, type="server_tool_use"), {"text": "da"}, end="end_turn"),
     turn(end=("end_turn", "stop", False), text="da", extra={"blocks": [use("s1", "web", {"q": "x"}, type="server_tool_use"), {"text": "da"}]})),
    ("citations", body(CITED, end="end_turn"), turn(end=("end_turn", "stop", False), text="zitiert", extra={"blocks": [CITED]})),
    ("cut", body(use("t1", "now", {"a": 1}), end="max_tokens"), turn(call("t1", "now", {"a": 1}, finish_reason="length"), end=("max_tokens", "length", True))),
    ("the window is full", body({"text": "a"}, end="model_context_window_exceeded"), turn(end=("model_context_window_exceeded", "length", True), text="a")),
    ("malformed beside a whole call", body(use("t1", "now", {"a": 1}), end="malformed_tool_use"),
     turn(call("t1", "now", {"a": 1}, blocked=True, finish_reason="malformed"), end=("malformed_tool_use", "malformed", False))),
    ("a guardrail", body({"text": "no"}, end="guardrail_intervened"), turn(end=("guardrail_intervened", "content_filter", False), text="no")),
    ("a message of the history", {"role": "assistant", "content": [{"text": "a"}, use("t1", "now", {"b": 2})]}, turn(call("t1", "now", {"b": 2}), text="a")),
    ("an error", {"message": "too hot", "__type": "ThrottlingException"}, turn(end=(None, "error", True), extra={"error": {"message": "too hot"}})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("bedrock-converse", given) == expected


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"contentBlockStart": {"start": block, "contentBlockIndex": index}}


def opens(index: int, id: str, name: str, **more: Any) -> dict[str, Any]:
    return start(index, toolUse={"toolUseId": id, "name": name, **more})


def delta(index: int, **block: Any) -> dict[str, Any]:
    return {"contentBlockDelta": {"delta": block, "contentBlockIndex": index}}


def piece(index: int, text: str) -> dict[str, Any]:
    return delta(index, toolUse={"input": text})


def stop(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def ends(reason: str) -> dict[str, Any]:
    return {"messageStop": {"stopReason": reason}}


BEGIN = {"messageStart": {"role": "assistant"}}
USAGE = {"metadata": {"usage": {"totalTokens": 7}, "metrics": {"latencyMs": 3}}}
STREAMS = [
    ("text and two calls", [
        BEGIN, delta(0, text="Ich \u2028"), delta(0, text="schaue 🚆"), stop(0), opens(1, "t1", "find_train"), piece(1, ""), piece(1, '{"von": "Kö'), piece(1, 'ln"}'), stop(1),
        opens(2, "t2", "now"), stop(2), ends("tool_use"), USAGE],
     turn(call("t1", "find_train", '{"von": "Köln"}'), call("t2", "now", finish_reason="tool_calls"), end=CALLED, text="Ich \u2028schaue 🚆", usage={"totalTokens": 7}), ()),
    ("all of the input at the start", [BEGIN, opens(0, "t2", "now", input={"n": 1}), stop(0), opens(1, "t3", "now", input={}), piece(1, '{"n": 2}'), stop(1), ends("tool_use")],
     turn(call("t2", "now", {"n": 1}), call("t3", "now", '{"n": 2}', finish_reason="tool_calls"), end=CALLED), ()),
    ("one empty delta", [BEGIN, opens(0, "t2", "now"), piece(0, ""), stop(0), ends("tool_use")],
     turn(call("t2", "now", "", finish_reason="tool_calls"), end=CALLED), ()),
    ("signed reasoning", [
        BEGIN, delta(0, reasoningContent={"text": "erst "}), delta(0, reasoningContent={"text": "考える"}), delta(0, reasoningContent={"signature": "c2ln"}), stop(0),
        opens(1, "t1", "now"), piece(1, "{}"), stop(1), ends("tool_use")],
     turn(call("t1", "now", "{}", finish_reason="tool_calls"), end=CALLED, reasoning="erst 考える", extra={"blocks": [THOUGHT, {"toolUse": {}}]}), ()),
    ("redacted reasoning", [BEGIN, delta(0, reasoningContent={"redactedContent": "AAAA"}), stop(0), delta(1, text="a"), stop(1), ends("end_turn")],
     turn(end=("end_turn", "stop", False), text="a", extra={"blocks": [{"reasoningContent": {"redactedContent": "AAAA"}}, {"text": "a"}]}), ()),
    ("a server's tool streams like ours", [
        BEGIN, opens(0, "s1", "web", type="server_tool_use"), piece(0, '{"q": '), piece(0, '"x"}'), stop(0), opens(1, "t1", "now"), piece(1, '{"a": 1}'), stop(1), ends("tool_use")],
     turn(call("t1", "now", '{"a": 1}', finish_reason="tool_calls"), end=CALLED,
          extra={"blocks": [use("s1", "web", {"q": "x"}, type="server_tool_use"), {"toolUse": {}}]}), ()),
    ("citations", [BEGIN, delta(0, text="zitiert"), delta(0, citation={"title": "t"}), stop(0), ends("end_turn")],
     turn(end=("end_turn", "stop", False), text="zitiert", extra={"blocks": [CITED]}), ()),
    ("cut in a key", [BEGIN, opens(0, "t1", "now"), piece(0, '{"zei'), stop(0), ends("max_tokens")],
     turn(call("t1", "now", '{"zei', finish_reason="length"), end=("max_tokens", "length", True)), ()),
    ("malformed", [BEGIN, opens(0, "t1", "now"), piece(0, '{"zeit": uhr}'), stop(0), ends("malformed_tool_use")],
     turn(call("t1", "now", '{"zeit": uhr}', finish_reason="malformed"), end=("malformed_tool_use", "malformed", False)), ()),
    ("an exception", [BEGIN, opens(0, "t1", "now"), piece(0, '{"a": 1}'), {"modelStreamErrorException": {"message": "broke", "originalStatusCode": 500}}],
     turn(call("t1", "now", '{"a": 1}', finish_reason="error"), end=(None, "error", True),
          extra={"error": {"type": "modelStreamErrorException", "message": "broke", "originalStatusCode": 500}}), ("error",)),
    ("the connection breaks", [BEGIN, opens(0, "t1", "now"), piece(0, '{"a": 1}'), stop(0)],
     turn(call("t1", "now", '{"a": 1}', finish_reason="missing"), end=(None, "missing", True)), ()),
    ("a result of the service's own", [BEGIN, start(0, toolResult={"toolUseId": "s1"}), delta(0, toolResult=[{"text": "x"}]), stop(0), ends("end_turn")],
     turn(end=("end_turn", "stop", False), extra={"blocks": [{"toolResult": {"toolUseId": "s1", "content": [{"text": "x"}]}}]}), ()),
    ("something else", [BEGIN, {"surprise": {}}, ends("end_turn")], turn(end=("end_turn", "stop", False)), ("unknown_event",)),
]  # fmt: skip


def header(name: str, value: str) -> bytes:
    return struct.pack("!B", len(name)) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()


def frame(event: dict[str, Any]) -> bytes:
    """A frame of `application/vnd.amazon.eventstream`."""
    ((name, payload),) = event.items()
    kind = "exception" if name.endswith("Exception") else "event"
    headers = (
        header(f":{kind}-type", name) + header(":content-type", "application/json") + header(":message-type", kind)
    )
    data = json.dumps(payload, ensure_ascii=False).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(data), len(headers))
    message = prelude + struct.pack("!I", crc32(prelude)) + headers + data
    return message + struct.pack("!I", crc32(message))


def in_frames(data: bytes, seed: int) -> Turn:
    chance, acc = random.Random(seed), Accumulator("bedrock-converse")
    while data:
        size = chance.randint(1, (1, 9, 200)[seed % 3])
        acc.feed_bytes(data[:size])
        data = data[size:]
    return acc.close()


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    assert fed("bedrock-converse", events) == (expected, list(odd))
    assert fed("bedrock-converse", [next(iter(event.items())) for event in events]) == (expected, list(odd))
    data = b"".join(map(frame, events))
    for seed in range(6):
        assert in_frames(data, seed) == expected


def test_a_whole_body_where_a_stream_was_expected_and_its_output_alone():
    given = body({"text": "a"}, use("t1", "now", {"n": 1}))
    expected = turn(call("t1", "now", {"n": 1}, finish_reason="tool_calls"), end=CALLED, text="a")
    assert fed("bedrock-converse", [given]) == (expected, [])
    assert read("bedrock-converse", given["output"]) == turn(call("t1", "now", {"n": 1}), text="a")


def test_blocks_go_back_in_their_order():
    blocks = [THOUGHT, use("t1", "now", {"a": 1}), {"text": "und"}, use("t2", "now", {})]
    got = read("bedrock-converse", body(*blocks))
    assert write("bedrock-converse", got)[0] == {"role": "assistant", "content": blocks}


def test_results_with_status_objects_as_json_and_nothing_blank():
    got = read("bedrock-converse", body({"text": " "}, use("t1", "a", {}), use("t2", "b", {}), use("t3", "c", {})))
    results = [
        ToolResult("t1", "a", {"x": 1}),
        ToolResult("t2", "b", "kaputt", is_error=True),
        ToolResult("t3", "c", ""),
    ]
    assert write("bedrock-converse", got, None, results) == [
        {"role": "assistant", "content": [use("t1", "a", {}), use("t2", "b", {}), use("t3", "c", {})]},
        {"role": "user", "content": [
            {"toolResult": {"toolUseId": "t1", "content": [{"json": {"x": 1}}], "status": "success"}},
            {"toolResult": {"toolUseId": "t2", "content": [{"text": "kaputt"}], "status": "error"}},
            {"toolResult": {"toolUseId": "t3", "content": [{"json": {"output": ""}}], "status": "success"}},
        ]},
    ]  # fmt: skip


def test_an_id_that_the_service_does_not_take_is_mapped_for_call_and_result_alike():
    got = turn(call("id mit ümlaut", "now", {}))
    message, results = write("bedrock-converse", got)
    own = message["content"][0]["toolUse"]["toolUseId"]
    assert own.startswith("id_mit_mlaut_")
    assert results["content"][0]["toolResult"]["toolUseId"] == own


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    one = BEDROCK_CONVERSE.declare(Declaration(name="now", description="", schema=schema, strict=True))
    assert one == {"toolSpec": {"name": "now", "inputSchema": {"json": schema}, "strict": True}}
    assert BEDROCK_CONVERSE.collect([one]) == {"tools": [one]}
    for event in (
        BEGIN,
        start(0),
        piece(0, ""),
        stop(0),
        ends("end_turn"),
        USAGE,
        body(),
        {"role": "user", "content": [{"toolResult": {}}]},
    ):
        assert detect(event) == "bedrock-converse"
    assert detect({"role": "assistant", "content": [{"type": "text", "text": "a"}]}) != "bedrock-converse"
