"""OpenAI Realtime: the items of Responses in a session."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.openai_realtime import OPENAI_REALTIME
from tests.wire.reading import call, same_however_it_comes, turn

ARGS = '{"Hafen": "Ærø"}'


def event(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "event_id": "ev_1", **more}


def item(arguments: str = ARGS, status: str = "completed") -> dict[str, Any]:
    return {
        "id": "item_1",
        "object": "realtime.item",
        "type": "function_call",
        "status": status,
        "call_id": "c1",
        "name": "book_berth",
        "arguments": arguments,
    }


def done(*output: Any, status: str = "completed", **more: Any) -> dict[str, Any]:
    return event(
        "response.done", response={"object": "realtime.response", "status": status, "output": list(output), **more}
    )


ADDED = event("response.output_item.added", output_index=0, item=item("", "in_progress"))
KEYS = {"output_index": 0, "item_id": "item_1", "call_id": "c1"}
PIECES = [event("response.function_call_arguments.delta", delta=piece, **KEYS) for piece in (ARGS[:6], ARGS[6:])]
SAID = event("response.function_call_arguments.done", name="book_berth", arguments=ARGS, **KEYS)
CALLED = ("completed", "tool_calls", False)

STREAMS = [
    ("as documented", [event("session.created"), event("conversation.item.added"), ADDED, *PIECES, SAID, done(item())],
     turn(call("c1", "book_berth", ARGS, finish_reason="tool_calls"), end=CALLED), ()),
    ("no item, only its end", [SAID, done()], turn(call("c1", "book_berth", ARGS, finish_reason="tool_calls"), end=CALLED), ()),
    ("interrupted: the end of the arguments is none", [ADDED, PIECES[0], event("response.function_call_arguments.done", arguments=ARGS[:6], **KEYS), done(item(ARGS[:6], "incomplete"), status="cancelled")],
     turn(call("c1", "book_berth", ARGS[:6], finish_reason="error"), end=("cancelled", "error", True)), ()),
    ("cut", [ADDED, PIECES[0], done(status="incomplete", status_details={"reason": "max_output_tokens"})],
     turn(call("c1", "book_berth", ARGS[:6], finish_reason="length"), end=("incomplete:max_output_tokens", "length", True)), ()),
    ("spoken", [event("response.output_audio_transcript.delta", delta="j"), event("response.output_audio_transcript.delta", delta="a"), done()], turn(end=("completed", "stop", False), text="ja"), ()),
    ("an error of the client ends nothing", [ADDED, event("error", error={"message": "no such item"}), *PIECES, done(item())],
     turn(call("c1", "book_berth", ARGS, finish_reason="tool_calls"), end=CALLED), ("error",)),
    ("broken off", [ADDED, *PIECES], turn(call("c1", "book_berth", ARGS, finish_reason="missing"), end=(None, "missing", True)), ()),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("openai-realtime", events, expected, odd=odd)


def test_whole_bodies():
    expected = turn(call("c1", "book_berth", ARGS, finish_reason="tool_calls"), end=CALLED)
    assert read("openai-realtime", done(item())) == expected
    assert read("openai-realtime", done(item())["response"]) == expected
    assert read("openai-realtime", item()) == turn(call("c1", "book_berth", ARGS))


def test_only_results_are_written_since_the_server_keeps_the_rest():
    got = read("openai-realtime", done(item()))
    assert write("openai-realtime", got, None, [ToolResult("c1", "book_berth", "ja")]) == [
        {"type": "conversation.item.create", "item": {"type": "function_call_output", "call_id": "c1", "output": "ja"}},
        {"type": "response.create"},
    ]
    assert write("openai-realtime", turn(text="ja")) == []


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    made = {"type": "function", "name": "n", "description": "d", "parameters": schema}
    assert OPENAI_REALTIME.declare(Declaration(name="n", description="d", schema=schema)) == made
    for given in (ADDED, done(), event("session.created"), item()):
        assert detect(given) == "openai-realtime"
