"""Anthropic Messages: blocks, placeholders, signed thoughts, the server's own tools."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.anthropic import ANTHROPIC
from argwright.wire.format import Declaration
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("tool_use", "tool_calls", False)
STOPPED = ("end_turn", "stop", False)


def use(n: int, name: str = "book_berth", given: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": {} if given is None else given, **more}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def thought(text: str, signature: str = "c2ln") -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": signature}


def body(end: Any, *content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(content), "stop_reason": end, **more}


GIVEN = {"Hafen": "Ærø", "m": 12}
TEXT = '{"Hafen": "Ærø", "m": 12}'
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "潮"}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [{"type": "web_search_result", "url": "u"}],
}
MARK = {"type": "tool_use"}

WHOLE = [
    ("text and two calls", body("tool_use", said("Moment"), use(1, given=GIVEN), use(2, "count_gulls")),
     turn(call("toolu_1", "book_berth", GIVEN), call("toolu_2", "count_gulls", {}, finish_reason="tool_calls"), end=CALLED, text="Moment")),
    ("thinking is signed and kept", body("tool_use", thought("hm"), use(1, given=GIVEN)),
     turn(call("toolu_1", "book_berth", GIVEN, finish_reason="tool_calls"), end=CALLED, reasoning="hm", extra={"content_blocks": [thought("hm"), MARK]})),
    ("the server's own tools are no calls", body("pause_turn", SEARCH, FOUND), turn(end=("pause_turn", "pause", False), extra={"content_blocks": [SEARCH, FOUND]})),
    ("a call made by a program", body("tool_use", use(1, given=GIVEN, caller={"type": "direct"})),
     turn(call("toolu_1", "book_berth", GIVEN, finish_reason="tool_calls", extra={"tool_use": {"caller": {"type": "direct"}}}), end=CALLED)),
    ("arguments as text", body("tool_use", use(1, given=TEXT)), turn(call("toolu_1", "book_berth", TEXT, finish_reason="tool_calls"), end=CALLED)),
    ("cut", body("max_tokens", use(1, given={"Hafen": "Ærø"})), turn(call("toolu_1", "book_berth", {"Hafen": "Ærø"}, finish_reason="length"), end=("max_tokens", "length", True))),
    ("no room left", body("model_context_window_exceeded", use(1)), turn(call("toolu_1", "book_berth", {}, finish_reason="length"), end=("model_context_window_exceeded", "length", True))),
    ("refused", body("refusal", said("nein")), turn(end=("refusal", "content_filter", False), text="nein")),
    ("text with sources keeps them", body("end_turn", said("ja", citations=[{"type": "x"}])), turn(end=STOPPED, text="ja", extra={"content_blocks": [said("ja", citations=[{"type": "x"}])]})),
    ("a message of the history", {"role": "assistant", "content": "ja"}, turn(text="ja")),
    ("an error", {"type": "error", "error": {"type": "overloaded_error"}}, turn(end=(None, "error", True), extra={"error": {"type": "overloaded_error"}})),
    ("nulls", body(None, None, {"type": None}, {"type": "tool_use", "id": None, "name": None, "input": None}), turn(call(None, None), extra={"content_blocks": [{"type": None}, MARK]})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("anthropic", given) == expected


def event(kind: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return kind, {"type": kind, **more}


BEGIN = event("message_start", message=body(None, model="m-1", usage={"input_tokens": 9, "output_tokens": 1}))
CLOSE = event("message_stop")


def block(index: int, content: dict[str, Any]) -> Any:
    return event("content_block_start", index=index, content_block=content)


def piece(index: int, kind: str, **more: Any) -> Any:
    return event("content_block_delta", index=index, delta={"type": kind, **more})


def args(index: int, *texts: str) -> list[Any]:
    return [piece(index, "input_json_delta", partial_json=text) for text in texts]


def stop(index: int) -> Any:
    return event("content_block_stop", index=index)


def end(reason: str) -> Any:
    return event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 4})


def streamed(*calls: Any, end: Any = CALLED, used: int | None = 4, **more: Any) -> Any:
    return turn(*calls, end=end, model="m-1", usage={"input_tokens": 9, "output_tokens": used or 1}, **more)


ONE = call("toolu_1", "book_berth", TEXT, finish_reason="tool_calls")
PING = event("ping")

STREAMS = [
    ("as documented", [BEGIN, block(0, said("")), PING, piece(0, "text_delta", text="Mo"), piece(0, "text_delta", text="ment"), stop(0), block(1, use(1)), *args(1, "", TEXT[:9], TEXT[9:]), stop(1), end("tool_use"), CLOSE],
     streamed(ONE, text="Moment"), ()),
    ("no arguments: an empty piece, or none", [BEGIN, block(0, use(1, "count_gulls")), *args(0, ""), stop(0), block(1, use(2, "count_gulls")), stop(1), end("tool_use"), CLOSE],
     streamed(call("toolu_1", "count_gulls", {}), call("toolu_2", "count_gulls", {}, finish_reason="tool_calls")), ()),
    ("all in the start", [BEGIN, block(0, use(1, given=GIVEN)), stop(0), end("tool_use"), CLOSE], streamed(call("toolu_1", "book_berth", GIVEN, finish_reason="tool_calls")), ()),
    ("pieces hold, not the start", [BEGIN, block(0, use(1, given={"m": 1})), *args(0, TEXT), stop(0), end("tool_use"), CLOSE], streamed(ONE), ()),
    ("eager and no JSON", [BEGIN, block(0, use(1)), *args(0, '{"Hafen": Ærø', "}"), stop(0), end("tool_use"), CLOSE], streamed(call("toolu_1", "book_berth", '{"Hafen": Ærø}', finish_reason="tool_calls")), ()),
    ("the start of the first piece is lost", [BEGIN, block(0, use(1)), *args(0, 'Hafen": "Ærø"}'), stop(0), end("tool_use"), CLOSE], streamed(call("toolu_1", "book_berth", 'Hafen": "Ærø"}', finish_reason="tool_calls")), ()),
    ("cut, tidy", [BEGIN, block(0, use(1)), *args(0, '{"Hafen": "Ærø"'), stop(0), end("max_tokens"), CLOSE], streamed(call("toolu_1", "book_berth", '{"Hafen": "Ærø"', finish_reason="length"), end=("max_tokens", "length", True)), ()),
    ("cut before the first piece", [BEGIN, block(0, use(1)), stop(0), end("max_tokens"), CLOSE], streamed(call("toolu_1", "book_berth", {}, finish_reason="length"), end=("max_tokens", "length", True)), ()),
    ("broken off though the text is whole", [BEGIN, block(0, use(1)), *args(0, TEXT)], streamed(call("toolu_1", "book_berth", TEXT, finish_reason="missing"), end=(None, "missing", True), used=None), ()),
    ("an error", [BEGIN, block(0, use(1)), *args(0, '{"Ha'), ("error", {"type": "error", "error": {"type": "overloaded_error"}})],
     streamed(call("toolu_1", "book_berth", '{"Ha', finish_reason="error"), end=(None, "error", True), used=None, extra={"error": {"type": "overloaded_error"}}), ("error",)),
    ("thinking in pieces, with its signature", [BEGIN, block(0, thought("", "")), piece(0, "thinking_delta", thinking="h"), piece(0, "thinking_delta", thinking="m"), piece(0, "signature_delta", signature="c2ln"), stop(0), block(1, use(1)), *args(1, TEXT), stop(1), end("tool_use"), CLOSE],
     streamed(ONE, reasoning="hm", extra={"content_blocks": [thought("hm"), MARK]}), ()),
    ("the server's own tool streams like ours", [BEGIN, block(0, {**SEARCH, "input": {}}), *args(0, '{"query"', ': "潮"}'), stop(0), block(1, FOUND), stop(1), end("pause_turn"), CLOSE],
     streamed(end=("pause_turn", "pause", False), extra={"content_blocks": [SEARCH, FOUND]}), ()),
    ("text with sources", [BEGIN, block(0, said("")), piece(0, "text_delta", text="ja"), piece(0, "citations_delta", citation={"type": "x"}), stop(0), end("end_turn"), CLOSE],
     streamed(end=STOPPED, text="ja", extra={"content_blocks": [said("ja", citations=[{"type": "x"}])]}), ()),
    ("text after the call keeps its place", [BEGIN, block(0, use(1)), *args(0, TEXT), stop(0), block(1, said("")), piece(1, "text_delta", text="ja"), stop(1), end("tool_use"), CLOSE],
     streamed(ONE, text="ja", extra={"content_blocks": [MARK, said("ja")]}), ()),
    ("one number for two calls", [BEGIN, block(0, use(2, "count_gulls")), *args(0, "{}"), stop(0), block(0, use(1)), *args(0, TEXT), stop(0), end("tool_use"), CLOSE],
     streamed(call("toolu_2", "count_gulls", "{}"), ONE), ()),
    ("the same start again goes on", [BEGIN, block(0, use(1)), *args(0, TEXT), stop(0), block(0, use(1)), stop(0), end("tool_use"), CLOSE], streamed(ONE), ()),
    ("a piece after the reason is taken, and told", [BEGIN, block(0, use(1)), *args(0, TEXT[:9]), end("tool_use"), *args(0, TEXT[9:]), CLOSE], streamed(ONE), ("late", "late")),
    ("events of tomorrow", [BEGIN, event("message_mood", mood="good"), block(0, said("")), piece(0, "mood_delta", mood="good"), piece(0, "text_delta", text="ja"), end("end_turn"), CLOSE], streamed(end=STOPPED, text="ja"), ("unknown_event", "unknown_event")),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("anthropic", events, expected, odd=odd)


def test_a_whole_body_where_a_stream_was_expected():
    given = body("tool_use", thought("hm"), said("Moment"), use(1, given=GIVEN))
    assert fed("anthropic", [given]) == (read("anthropic", given), [])


RESULTS = [
    ToolResult("toolu_1", "book_berth", [said("ja")]),
    ToolResult("toolu_2", "count_gulls", {"error": "fog"}, is_error=True),
]


def test_written_with_results():
    got = read(
        "anthropic",
        body(
            "tool_use",
            thought("hm"),
            said("Moment"),
            use(1, given=GIVEN, caller={"type": "direct"}),
            use(2, "count_gulls"),
        ),
    )
    assert write("anthropic", got, None, RESULTS) == [
        {"role": "assistant", "content": [thought("hm"), said("Moment"), use(1, given=GIVEN, caller={"type": "direct"}), use(2, "count_gulls")]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [said("ja")]},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": '{"error":"fog"}', "is_error": True}]},
    ]  # fmt: skip


def test_an_id_of_another_provider_is_made_fit_for_call_and_result():
    [message, results] = write(
        "anthropic",
        turn(call("functions.book_berth:0", "book_berth", {})),
        None,
        [ToolResult("functions.book_berth:0", "book_berth", "ja")],
    )
    [written], [result] = message["content"], results["content"]
    assert written["id"] == result["tool_use_id"]
    assert written["id"].startswith("functions_book_berth_0_")


def test_what_would_be_empty_is_not_written():
    assert write("anthropic", turn()) == []
    assert write("anthropic", turn(text=" \n")) == []
    assert write("anthropic", turn(text="ja")) == [{"role": "assistant", "content": [said("ja")]}]


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert ANTHROPIC.declare(Declaration(name="n", description="d", schema=schema)) == {
        "name": "n",
        "description": "d",
        "input_schema": schema,
    }
    assert ANTHROPIC.declare(Declaration(name="n", description="d", schema=schema, strict=True))["strict"] is True
    for given in (
        body("end_turn", said("ja")),
        BEGIN[1],
        *(one[1] for one in args(0, "x")),
        stop(0)[1],
        {"role": "assistant", "content": [use(1)]},
    ):
        assert detect(given) == "anthropic"
