"""Cohere, both versions: plans and thinking, calls that are one object, no delta for no arguments."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.cohere import COHERE
from argwright.wire.format import Declaration
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("TOOL_CALL", "tool_calls", False)


def asks(id: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def body(end: str, **message: Any) -> dict[str, Any]:
    return {
        "id": "r",
        "message": {"role": "assistant", **message},
        "finish_reason": end,
        "usage": {"tokens": {"output_tokens": 2}},
    }


USAGE = {"tokens": {"output_tokens": 2}}
WHOLE = [
    ("a plan and calls", body("TOOL_CALL", tool_plan="先看看", tool_calls=[asks("a1", "find_book", '{"isbn":"007"}'), asks("b2", "list_shelves", "")]),
     turn(call("a1", "find_book", '{"isbn":"007"}'), call("b2", "list_shelves", "", finish_reason="tool_calls"),
          end=CALLED, reasoning="先看看", usage=USAGE, extra={"tool_plan": "先看看"})),
    ("thinking and text", body("COMPLETE", content=[{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ja"}], citations=[{"start": 0, "end": 2, "text": "ja"}]),
     turn(end=("COMPLETE", "stop", False), text="ja", reasoning="hm", usage=USAGE, extra={"thinking": "hm", "citations": [{"start": 0, "end": 2, "text": "ja"}]})),
    ("text as a string", body("STOP_SEQUENCE", content="ja"), turn(end=("STOP_SEQUENCE", "stop", False), text="ja", usage=USAGE)),
    ("cut", body("MAX_TOKENS", tool_calls=[asks("a1", "find_book", '{"isbn":"00')]),
     turn(call("a1", "find_book", '{"isbn":"00', finish_reason="length"), end=("MAX_TOKENS", "length", True), usage=USAGE)),
    ("out of time", body("TIMEOUT", content="j"), turn(end=("TIMEOUT", "error", True), text="j", usage=USAGE)),
    ("an error", {"message": "invalid request", "id": "r"}, turn(end=(None, "error", True), extra={"error": {"message": "invalid request"}})),
    ("a message of the history", {"role": "assistant", "tool_calls": [asks("a1", "find_book", "{}")]}, turn(call("a1", "find_book", "{}"))),
    ("version 1", {"text": "先看看", "generation_id": "g", "finish_reason": "COMPLETE", "tool_calls": [{"name": "find_book", "parameters": {"isbn": "007"}}]},
     turn(call(None, "find_book", {"isbn": "007"}, finish_reason="tool_calls"), end=("COMPLETE", "tool_calls", False), text="先看看", extra={"api_version": "1"})),
    ("version 1, cut", {"text": "j", "generation_id": "g", "finish_reason": "ERROR_LIMIT"}, turn(end=("ERROR_LIMIT", "length", True), text="j", extra={"api_version": "1"})),
    ("version 1, toxic", {"text": "j", "generation_id": "g", "finish_reason": "ERROR_TOXIC"}, turn(end=("ERROR_TOXIC", "content_filter", False), text="j", extra={"api_version": "1"})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("cohere", given) == expected


def event(kind: str, message: dict[str, Any] | None = None, **more: Any) -> tuple[str, dict[str, Any]]:
    return kind, {"type": kind, **({} if message is None else {"delta": {"message": message}}), **more}


def opens(index: int, id: str, name: str, arguments: str = "") -> Any:
    return event("tool-call-start", {"tool_calls": asks(id, name, arguments)}, index=index)


def piece(index: int, text: str) -> Any:
    return event("tool-call-delta", {"tool_calls": {"function": {"arguments": text}}}, index=index)


def stop(index: int) -> Any:
    return event("tool-call-end", index=index)


def ends(reason: str, **more: Any) -> Any:
    return event("message-end", delta={"finish_reason": reason, **more})


BEGIN = event("message-start", {"role": "assistant"}, id="r")
STREAMS = [
    ("a plan and calls", [BEGIN, event("tool-plan-delta", {"tool_plan": "先看"}), event("tool-plan-delta", {"tool_plan": "看\u2028"}), opens(0, "a1", "find_book"), piece(0, '{"isbn":'),
                          piece(0, '"007"}'), stop(0), opens(1, "b2", "list_shelves"), stop(1), ends("TOOL_CALL", usage=USAGE)],
     turn(call("a1", "find_book", '{"isbn":"007"}'), call("b2", "list_shelves", "", finish_reason="tool_calls"),
          end=CALLED, reasoning="先看看\u2028", usage=USAGE, extra={"tool_plan": "先看看\u2028"}), ()),
    ("a list in place of the object, all at once", [BEGIN, event("tool-call-start", {"tool_calls": [asks("a1", "find_book", '{"isbn":"1"}')]}, index=0), stop(0), ends("TOOL_CALL")],
     turn(call("a1", "find_book", '{"isbn":"1"}', finish_reason="tool_calls"), end=CALLED), ()),
    ("thinking, text, citations", [
        BEGIN, event("content-start", {"content": {"type": "thinking", "thinking": ""}}, index=0), event("content-delta", {"content": {"thinking": "h"}}, index=0),
        event("content-delta", {"content": {"thinking": "m"}}, index=0), event("content-end", index=0), event("content-start", {"content": {"type": "text", "text": ""}}, index=1),
        event("content-delta", {"content": {"text": "ja 📚"}}, index=1), event("citation-start", {"citations": {"start": 0, "text": "ja"}}, index=0), event("citation-end", index=0),
        event("content-end", index=1), ends("COMPLETE")],
     turn(end=("COMPLETE", "stop", False), text="ja 📚", reasoning="hm", extra={"thinking": "hm", "citations": [{"start": 0, "text": "ja"}]}), ()),
    ("cut", [BEGIN, opens(0, "a1", "find_book"), piece(0, '{"isbn":"0'), stop(0), ends("MAX_TOKENS")],
     turn(call("a1", "find_book", '{"isbn":"0', finish_reason="length"), end=("MAX_TOKENS", "length", True)), ()),
    ("an error at the end", [BEGIN, opens(0, "a1", "find_book"), piece(0, "{}"), ends("ERROR", error="boom")],
     turn(call("a1", "find_book", "{}", finish_reason="error"), end=("ERROR", "error", True), extra={"error": "boom"}), ("error",)),
    ("no end", [BEGIN, opens(0, "a1", "find_book"), piece(0, "{}"), stop(0)], turn(call("a1", "find_book", "{}", finish_reason="missing"), end=(None, "missing", True)), ()),
    ("a stranger", [("ping", {"type": "ping"}), ends("COMPLETE")], turn(end=("COMPLETE", "stop", False)), ("unknown_event",)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("cohere", events, expected, odd=odd)


def old(kind: str, **more: Any) -> dict[str, Any]:
    return {"event_type": kind, "is_finished": kind == "stream-end", **more}


V1 = [
    ("pieces, then all", [
        old("stream-start", generation_id="g"), old("tool-calls-chunk", tool_call_delta={"text": "先看"}), old("tool-calls-chunk", tool_call_delta={"text": "看"}),
        old("tool-calls-chunk", tool_call_delta={"name": "find_book", "index": 0.0}), old("tool-calls-chunk", tool_call_delta={"index": 0.0, "parameters": '{"isbn": '}),
        old("tool-calls-chunk", tool_call_delta={"index": 0.0, "parameters": '"007"}'}),
        old("tool-calls-generation", text="先看看", tool_calls=[{"name": "find_book", "parameters": {"isbn": "007"}}, {"name": "list_shelves", "parameters": {}}]),
        old("stream-end", finish_reason="COMPLETE", response={"text": "先看看", "meta": {"billed_units": {"output_tokens": 3}}})],
     turn(call(None, "find_book", {"isbn": "007"}), call(None, "list_shelves", {}, finish_reason="tool_calls"), end=("COMPLETE", "tool_calls", False),
          text="先看看", usage={"output_tokens": 3}, extra={"api_version": "1"})),
    ("an error", [old("search-results", documents=[]), old("stream-end", finish_reason="ERROR", error="boom", response={})],
     turn(end=("ERROR", "error", True), extra={"error": "boom", "api_version": "1"})),
    ("text, cut", [old("text-generation", text="j"), old("text-generation", text="a"), old("stream-end", finish_reason="MAX_TOKENS", response={})],
     turn(end=("MAX_TOKENS", "length", True), text="ja", extra={"api_version": "1"})),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in V1], ids=[row[0] for row in V1])
def test_streams_of_version_1(events, expected):
    same_however_it_comes("cohere", events, expected, odd=("error",) if "error" in expected.extra else ())


def test_a_stranger_among_the_events_of_version_1():
    assert fed("cohere", [old("wobble")])[1] == ["unknown_event"]


def test_a_whole_body_where_a_stream_was_expected():
    got, odd = fed("cohere", [body("TOOL_CALL", tool_calls=[asks("a1", "find_book", "{}")])])
    assert (got, odd) == (turn(call("a1", "find_book", "{}", finish_reason="tool_calls"), end=CALLED, usage=USAGE), [])


def test_written_with_plan_and_results():
    got = read(
        "cohere",
        body(
            "TOOL_CALL",
            tool_plan="先看看",
            tool_calls=[asks("a1", "find_book", '{"isbn":"007"}'), asks("b2", "list_shelves", "")],
        ),
    )
    results = [ToolResult("a1", "find_book", [{"t": "x"}]), ToolResult("b2", "list_shelves", "zu", is_error=True)]
    assert write("cohere", got, None, results) == [
        {
            "role": "assistant",
            "tool_plan": "先看看",
            "tool_calls": [asks("a1", "find_book", '{"isbn":"007"}'), asks("b2", "list_shelves", "{}")],
        },
        {"role": "tool", "tool_call_id": "a1", "content": '[{"t":"x"}]'},
        {"role": "tool", "tool_call_id": "b2", "content": "zu"},
    ]


def test_the_reasoning_of_another_provider_becomes_the_plan_of_calls_or_thinking():
    assert write("cohere", turn(call("a", "b", {}), reasoning="hm"))[0]["tool_plan"] == "hm"
    assert write("cohere", turn(text="ja", reasoning="hm")) == [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ja"}]}
    ]
    assert write("cohere", turn()) == []


def test_a_turn_of_version_1_is_written_as_one():
    got = read(
        "cohere",
        {
            "text": "先看看",
            "generation_id": "g",
            "finish_reason": "COMPLETE",
            "tool_calls": [{"name": "find_book", "parameters": {"isbn": "007"}}],
        },
    )
    [message, results] = write("cohere", got, None, [ToolResult(None, "find_book", "weg", is_error=True)])
    assert message == {
        "role": "CHATBOT",
        "message": "先看看",
        "tool_calls": [{"name": "find_book", "parameters": {"isbn": "007"}}],
    }
    assert write("cohere", turn(text="ja", extra={"api_version": "1"})) == [{"role": "CHATBOT", "message": "ja"}]
    assert results == {
        "role": "TOOL",
        "tool_results": [{"call": {"name": "find_book", "parameters": {"isbn": "007"}}, "outputs": [{"error": "weg"}]}],
    }


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert COHERE.declare(Declaration(name="n", description="d", schema=schema, strict=True)) == {
        "type": "function", "function": {"name": "n", "description": "d", "parameters": schema},
    }  # fmt: skip
    for given in (
        body("COMPLETE", content="a"),
        BEGIN[1],
        piece(0, "")[1],
        ends("COMPLETE")[1],
        old("text-generation"),
        {"role": "CHATBOT", "message": "a"},
    ):
        assert detect(given) == "cohere"
