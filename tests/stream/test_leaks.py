"""Calls in the text of a reply: read only where there are no others."""

from __future__ import annotations

from typing import Any

import pytest

import argwright as aw
from argwright.stream.accumulator import Accumulator
from argwright.stream.events import CallCompleted, CallStarted
from argwright.stream.whole import read
from argwright.wire.deltas import TextDelta
from tests.wire.test_openai_chat import asks, body, chunk

BOX = aw.Toolbox([aw.Tool.from_schema("book_berth", {"type": "object", "properties": {"m": {"type": "integer"}}})])
LEAK = '<tool_call>\n{"name": "book_berth", "arguments": {"m": 12}}\n</tool_call>'


def streamed(*chunks: Any, tools: Any = BOX, **options: Any) -> aw.Turn:
    acc = Accumulator("openai-chat", tools=tools, **options)
    for one in chunks:
        acc.feed(one)
    return acc.close()


def whole(text: str, reason: str = "stop", tools: Any = BOX, **more: Any) -> aw.Turn:
    dialects = more.pop("dialects", None)
    return read("openai-chat", body(reason, content=text, **more), tools=tools, dialects=dialects)


def told(turn: aw.Turn) -> tuple[Any, ...]:
    calls = [(call.name, call.arguments, call.origin, call.finish_reason) for call in turn.calls]
    return calls, turn.text.strip(), turn.finish.reason


FOUND = [("book_berth", '{"m": 12}', "text:hermes", "tool_calls")]
STRUCTURED = [asks(0, "c1", "book_berth", '{"m": 7}')]
KEPT = [("book_berth", '{"m": 7}', "structured", "tool_calls")]

CASES = [
    ("a call in the text", f"Moment.\n{LEAK}", (), "stop", (FOUND, "Moment.", "tool_calls")),
    ("structured calls win, and the text stays", f"Moment.\n{LEAK}", STRUCTURED, "tool_calls", (KEPT, f"Moment.\n{LEAK}", "tool_calls")),
    ("no call", "Write <tool_call> and then JSON.", (), "stop", ([], "Write <tool_call> and then JSON.", "stop")),
    ("cut", LEAK[:40], (), "length", None),
    ("what nothing closes but the end", "Action: book_berth\nAction Input: Möwe nach", (), "stop",
     ([("book_berth", '{"m":"Möwe nach"}', "text:react", "tool_calls")], "", "tool_calls")),
    ("the same, cut", "Action: book_berth\nAction Input: Möwe", (), "length",
     ([("book_berth", "Möwe", "text:react", "length")], "", "length")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "calls", "reason", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_whole_and_streamed_are_the_same(text, calls, reason, expected, size):
    pieces = [chunk(content=text[start : start + size]) for start in range(0, len(text), size)]
    in_stream = told(streamed(*pieces, *([chunk(*calls)] if calls else []), chunk(end=reason)))
    at_once = told(whole(text, reason, tool_calls=[*calls]))
    assert in_stream == at_once
    if expected is not None:
        assert at_once == expected


def test_a_cut_call_in_the_text_never_runs():
    for stop in range(12, len(LEAK) - 14):
        turn = streamed(chunk(content=LEAK[:stop]), chunk(end="length"))
        assert not any(isinstance(outcome, aw.ValidCall) for outcome in BOX.resolve_turn(turn))


def test_the_markup_is_not_shown_and_the_call_is_told_at_the_end():
    acc = Accumulator("openai-chat", tools=BOX)
    events = [event for piece in ("Moment.\n<tool_", LEAK[6:]) for event in acc.feed(chunk(content=piece))]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)).strip() == "Moment."
    last = acc.feed(chunk(end="stop"))
    assert [type(event) for event in last if not isinstance(event, TextDelta)][:1] == [CallStarted]
    assert last[-1] == CallCompleted(0, acc.close().calls[0])
    assert acc.snapshot()[0].arguments == {"m": 12}


def test_without_tools_or_dialects_the_text_is_text():
    for options in ({"tools": None}, {"dialects": ()}):
        assert told(whole(LEAK, **options)) == ([], LEAK, "stop")
        assert told(streamed(chunk(content=LEAK), chunk(end="stop"), **options)) == ([], LEAK, "stop")


def test_reasoning_is_never_read_for_calls():
    assert told(streamed(chunk(reasoning=LEAK), chunk(end="stop"))) == ([], "", "stop")


def test_a_text_that_a_provider_quotes_because_it_could_not_read_it():
    error = {"error": {"code": "tool_use_failed", "failed_generation": LEAK}}
    expected = ([(*FOUND[0][:3], None)], "", "error")
    assert told(streamed(error)) == told(read("openai-chat", error, tools=BOX)) == expected
    [outcome] = BOX.resolve_turn(streamed(error))
    assert outcome.arguments == {"m": 12}


def test_an_unknown_dialect_is_the_programmers_mistake():
    with pytest.raises(aw.UnknownFormatError):
        Accumulator("openai-chat", tools=BOX, dialects=["klingon"])


def test_text_after_the_reason_for_the_end_is_read_all_the_same():
    for size in (1, 30, 1000):
        pieces = [chunk(content=LEAK[start : start + size], end="stop") for start in range(0, len(LEAK), size)]
        assert told(streamed(*pieces)) == (FOUND, "", "tool_calls")
        assert told(streamed(*pieces, chunk(*STRUCTURED))) == (KEPT, LEAK, "tool_calls")


SAID_AGAIN = [
    ("nothing but a call", LEAK, ""),
    ("a call behind a text", f"Moment.\n{LEAK}", "Moment."),
    ("reasoning and a call", f"<think>hm</think>\n{LEAK}", ""),
    ("text alone", "Möwe <tool_call>", "Möwe <tool_call>"),
]


@pytest.mark.parametrize(("text", "left"), [row[1:] for row in SAID_AGAIN], ids=[row[0] for row in SAID_AGAIN])
def test_a_text_that_is_said_again_at_its_end_is_not_the_text(text, left):
    keys = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    acc = Accumulator("openai-responses", tools=BOX)
    for start in range(0, len(text), 5):
        acc.feed({"type": "response.output_text.delta", **keys, "delta": text[start : start + 5]})
    acc.feed({"type": "response.output_text.done", **keys, "text": text})
    acc.feed({"type": "response.output_item.done", "output_index": 0, "item": item})
    acc.feed({"type": "response.completed", "response": {"id": "r", "status": "completed", "output": [item]}})
    turn = acc.close()
    assert turn.text == left
    assert turn == read("openai-responses", {"id": "r", "status": "completed", "output": [item]}, tools=BOX)
