"""Mistral's conversations: entries, names and ids in every delta, the service's own tools."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.mistral_conversations import MISTRAL_CONVERSATIONS
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("stop", "tool_calls", False)
STOP = ("stop", "stop", False)


def asks(own: str, name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function.call", "tool_call_id": own, "name": name, "arguments": arguments, **more}


def said(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message.output", "content": content, **more}


def body(*outputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"object": "conversation.response", "conversation_id": "c", "outputs": list(outputs), **more}


THINKS = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
WHOLE = [
    ("text and calls, both kinds of arguments", body(said("Klar", model="mistral-x", role="assistant"), asks("A1b2C3d4E", "set_lamp", '{"色":"青"}', id="fc"), asks("F1b2C3d4E", "off", {}), usage={"total_tokens": 1}),
     turn(call("A1b2C3d4E", "set_lamp", '{"色":"青"}'), call("F1b2C3d4E", "off", {}, finish_reason="tool_calls"), end=CALLED, text="Klar", model="mistral-x", usage={"total_tokens": 1})),
    ("thinking", body(said([THINKS, {"type": "text", "text": "ja"}])), turn(end=STOP, text="ja", reasoning="hm")),
    ("a reference in the text", body(said([{"type": "text", "text": "ja"}, {"type": "tool_reference", "tool": "web"}])),
     turn(end=STOP, text="ja", extra={"entries": [said([{"type": "text", "text": "ja"}, {"type": "tool_reference", "tool": "web"}])]})),
    ("the service's own tool", body({"type": "tool.execution", "name": "web_search", "id": "t"}, said("ja")),
     turn(end=STOP, text="ja", extra={"entries": [{"type": "tool.execution", "name": "web_search", "id": "t"}, said([{"type": "text", "text": "ja"}])]})),
    ("a denied call", body(asks("A1b2C3d4E", "off", {}, confirmation_status="denied")),
     turn(call("A1b2C3d4E", "off", {}, blocked=True, finish_reason="tool_calls"), end=CALLED)),
    ("entries of a history", [{"type": "message.input", "content": "x"}, asks("A1b2C3d4E", "off", {}), {"type": "function.result", "tool_call_id": "A1b2C3d4E", "result": "ok"},
                              asks("F1b2C3d4E", "off", {})], turn(call("F1b2C3d4E", "off", {}))),
    ("an error", {"object": "error", "message": "bad id", "code": 3280}, turn(end=(None, "error", True), extra={"error": {"object": "error", "message": "bad id", "code": 3280}})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("mistral-conversations", given) == expected


def event(kind: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return kind, {"type": kind, **more}


def piece(own: str | None, name: str, arguments: str, index: int | None = 0, **more: Any) -> Any:
    keys = ({"tool_call_id": own} if own is not None else {}) | ({} if index is None else {"output_index": index})
    return event("function.call.delta", id="fc", name=name, arguments=arguments, **keys, **more)


def text(content: Any, index: int = 0) -> Any:
    return event("message.output.delta", id="m", content=content, output_index=index, content_index=0)


BEGIN = event("conversation.response.started", conversation_id="c")
DONE = event("conversation.response.done", usage={"total_tokens": 2})
USAGE = {"total_tokens": 2}
STREAMS = [
    ("name and ids in every delta", [BEGIN, text("Kl"), text("ar \u2028💡"), piece("A1b2C3d4E", "set_lamp", '{"色"', 1), piece("A1b2C3d4E", "set_lamp", ': "青"}', 1), piece("F1b2C3d4E", "off", "", 2), DONE],
     turn(call("A1b2C3d4E", "set_lamp", '{"色": "青"}'), call("F1b2C3d4E", "off", "", finish_reason="tool_calls"), end=CALLED, text="Klar \u2028💡", usage=USAGE), ()),
    ("two calls under one index, interleaved", [piece("A1b2C3d4E", "set_lamp", '{"n":'), piece("F1b2C3d4E", "set_lamp", '{"n":'), piece("A1b2C3d4E", "set_lamp", "1}"), piece("F1b2C3d4E", "set_lamp", "2}"), DONE],
     turn(call("A1b2C3d4E", "set_lamp", '{"n":1}'), call("F1b2C3d4E", "set_lamp", '{"n":2}', finish_reason="tool_calls"), end=CALLED, usage=USAGE), ()),
    ("an id that means none", [piece("null", "off", '{"n":', 0), piece("null", "off", "1}", 0), piece("", "set_lamp", "{}", 1), DONE],
     turn(call(None, "off", '{"n":1}'), call(None, "set_lamp", "{}", finish_reason="tool_calls"), end=CALLED, usage=USAGE), ()),
    ("thinking in chunks", [text([THINKS]), text({"type": "thinking", "thinking": [{"type": "text", "text": "…"}]}), text([{"type": "text", "text": "ja"}]), DONE],
     turn(end=STOP, text="ja", reasoning="hm…", usage=USAGE), ()),
    ("the service's own tools are not calls", [BEGIN, event("tool.execution.started", id="t", name="web_search", output_index=0), event("tool.execution.delta", id="t", arguments="{}"),
                                               event("tool.execution.done", id="t"), event("agent.handoff.started", id="h"), text("ja", 1), DONE],
     turn(end=STOP, text="ja", usage=USAGE), ()),
    ("text after a call keeps its place", [piece("A1b2C3d4E", "off", "{}", 0), text("ja", 1), DONE],
     turn(call("A1b2C3d4E", "off", "{}", finish_reason="tool_calls"), end=CALLED, text="ja", usage=USAGE,
          extra={"entries": [{"type": "function.call"}, said([{"type": "text", "text": "ja"}])]}), ()),
    ("an error", [piece("A1b2C3d4E", "off", '{"n": 1}'), event("conversation.response.error", message="boom", code=500)],
     turn(call("A1b2C3d4E", "off", '{"n": 1}', finish_reason="error"), end=(None, "error", True), extra={"error": {"message": "boom", "code": 500}}), ("error",)),
    ("no end", [piece("A1b2C3d4E", "off", '{"n": 1}')], turn(call("A1b2C3d4E", "off", '{"n": 1}', finish_reason="missing"), end=(None, "missing", True)), ()),
    ("a stranger", [("ping", {"type": "ping"}), DONE], turn(end=STOP, usage=USAGE), ("unknown_event",)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("mistral-conversations", events, expected, odd=odd)


def test_events_as_the_sdk_wraps_them():
    events = [{"event": kind, "data": data} for kind, data in (BEGIN, piece("A1b2C3d4E", "off", "{}"), DONE)]
    assert fed("mistral-conversations", events) == (
        turn(call("A1b2C3d4E", "off", "{}", finish_reason="tool_calls"), end=CALLED, usage=USAGE),
        [],
    )


def test_written_as_entries_with_ids_of_nine_characters():
    got = read(
        "mistral-conversations",
        body(
            said([THINKS, {"type": "text", "text": "Klar"}]),
            asks("A1b2C3d4E", "off", {"n": 1}),
            asks("call_of_another", "off", "{}"),
        ),
    )
    one, two, three, *results = write(
        "mistral-conversations",
        got,
        None,
        [ToolResult("A1b2C3d4E", "off", {"ok": True}), ToolResult("x", "off", "nein", is_error=True)],
    )
    assert (one, two) == (said([THINKS, {"type": "text", "text": "Klar"}]), asks("A1b2C3d4E", "off", '{"n":1}'))
    assert len(three["tool_call_id"]) == 9
    assert results == [
        {"type": "function.result", "tool_call_id": "A1b2C3d4E", "result": '{"ok":true}'},
        {"type": "function.result", "tool_call_id": three["tool_call_id"], "result": "nein"},
    ]


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert MISTRAL_CONVERSATIONS.declare(Declaration(name="off", description="d", schema=schema, strict=True)) == {
        "type": "function", "function": {"name": "off", "description": "d", "parameters": schema, "strict": True},
    }  # fmt: skip
    for given in (
        body(),
        BEGIN[1],
        piece("A1b2C3d4E", "off", "")[1],
        [asks("A1b2C3d4E", "off", {})],
        {"event": "function.call.delta", "data": {}},
    ):
        assert detect(given) == "mistral-conversations"
    assert detect({"type": "function_call", "call_id": "a", "name": "b", "arguments": "{}"}) != "mistral-conversations"
