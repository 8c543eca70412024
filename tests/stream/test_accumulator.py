"""The accumulator: its events, its snapshots, and that nothing that is fed to it raises."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argwright as aw
from argwright.stream.accumulator import Accumulator
from argwright.stream.events import (
    CallCompleted,
    CallDoomed,
    CallProgress,
    CallStarted,
    ProtocolViolation,
)
from argwright.wire import FORMATS
from argwright.wire.deltas import ReasoningDelta, TextDelta
from tests.wire.test_anthropic import BEGIN, args, block, end, piece, said, stop, use
from tests.wire.test_openai_chat import END, asks, chunk

BOX = aw.Toolbox([
    aw.Tool.from_schema("book_berth", {"type": "object", "properties": {"side": {"enum": ["port", "starboard"]}, "m": {"type": "integer"}}, "required": ["m"], "additionalProperties": False}),
    aw.Tool.from_schema("count_gulls", {"type": "object", "properties": {}}),
])  # fmt: skip


def events(form: str, *given: Any, tools: Any = None, **options: Any) -> list[Any]:
    acc = Accumulator(form, tools=tools, **options)
    return [
        found
        for event in given
        for found in (acc.feed(event[1], event=event[0]) if isinstance(event, tuple) else acc.feed(event))
    ]


def made(number: int, **fields: Any) -> CallCompleted:
    return CallCompleted(number, aw.ToolCall(**fields))


CHAT = [
    ("a call from start to end",
     [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, arguments='{"si')), chunk(asks(0, arguments='de": "po')), chunk(asks(0, arguments='rt", "m": 1')), chunk(asks(0, arguments="2}")), END],
     [CallStarted(0, "c1", "book_berth"), CallProgress(0, "/side", "po"), CallProgress(0, "/side", "rt"), CallProgress(0, "/m", "12"),
      made(0, id="c1", name="book_berth", arguments='{"side": "port", "m": 12}', finish_reason="tool_calls")]),
    ("calls in turn are all complete at the end",
     [chunk(asks(0, "c1", "book_berth", '{"m"')), chunk(asks(1, "c2", "count_gulls", "{")), chunk(asks(0, arguments=": 1}")), chunk(asks(1, arguments="}")), END],
     [CallStarted(0, "c1", "book_berth"), CallStarted(1, "c2", "count_gulls"), CallProgress(0, "/m", "1"),
      made(0, id="c1", name="book_berth", arguments='{"m": 1}'), made(1, id="c2", name="count_gulls", arguments="{}", finish_reason="tool_calls")]),
    ("a start waits for the whole name", [chunk(asks(0, "c1", "book_")), chunk(asks(0, name="berth")), chunk(asks(0, arguments="{}")), END],
     [CallStarted(0, "c1", "book_berth"), made(0, id="c1", name="book_berth", arguments="{}", finish_reason="tool_calls")]),
    ("what came before the name comes after the start", [chunk(asks(0, "c1", arguments='{"m": 1, ')), chunk(asks(0, name="book_berth", arguments='"side": "p')), END],
     [CallStarted(0, "c1", "book_berth"), CallProgress(0, "/m", "1"), CallProgress(0, "/side", "p"),
      made(0, id="c1", name="book_berth", arguments='{"m": 1, "side": "p', finish_reason="tool_calls")]),
    ("a call without a name is told at the end", [chunk(asks(0, "c1", arguments='{"m": 1}')), END],
     [CallStarted(0, "c1", None), CallProgress(0, "/m", "1"), made(0, id="c1", name=None, arguments='{"m": 1}', finish_reason="tool_calls")]),
    ("a call without arguments", [chunk(asks(0, "c1", "count_gulls")), END], [CallStarted(0, "c1", "count_gulls"), made(0, id="c1", name="count_gulls", finish_reason="tool_calls")]),
    ("a free-text tool", [chunk({"index": 0, "id": "c1", "custom": {"name": "ask_pilot", "input": "wi"}}), chunk({"index": 0, "custom": {"input": "nd?"}}), END],
     [CallStarted(0, "c1", "ask_pilot"), CallProgress(0, "", "wi"), CallProgress(0, "", "nd?"), made(0, id="c1", name="ask_pilot", input="wind?", finish_reason="tool_calls")]),
    ("text and reasoning", [chunk(reasoning="hm"), chunk(content="ja"), chunk(end="stop")], [ReasoningDelta("hm", "reasoning"), TextDelta("ja")]),
    ("a call that goes on after its end is told, and complete again", [chunk(asks(0, "c1", "book_berth", '{"m": 1'), end="tool_calls"), chunk(asks(0, arguments="2}"), end="tool_calls")],
     [CallStarted(0, "c1", "book_berth"), made(0, id="c1", name="book_berth", arguments='{"m": 1', finish_reason="tool_calls"),
      ProtocolViolation("late", "a call goes on after it was reported complete"), CallProgress(0, "/m", "12"), made(0, id="c1", name="book_berth", arguments='{"m": 12}', finish_reason="tool_calls")]),
    ("an invalid call does not end the stream for the others", [chunk(asks(0, "c1", "book_berth", "{m: ???")), chunk(asks(1, "c2", "count_gulls", "{}")), END],
     [CallStarted(0, "c1", "book_berth"), CallStarted(1, "c2", "count_gulls"), made(0, id="c1", name="book_berth", arguments="{m: ???"), made(1, id="c2", name="count_gulls", arguments="{}", finish_reason="tool_calls")]),
    ("no end, nothing complete", [chunk(asks(0, "c1", "book_berth", '{"m": 1}'))], [CallStarted(0, "c1", "book_berth"), CallProgress(0, "/m", "1")]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in CHAT], ids=[row[0] for row in CHAT])
def test_events(given, expected):
    assert events("openai-chat", *given) == expected


def test_where_the_wire_ends_calls_an_earlier_one_is_complete_when_the_next_begins():
    given = [
        BEGIN,
        block(0, use(1)),
        *args(0, '{"m": 1}'),
        stop(0),
        block(1, use(2, "count_gulls")),
        stop(1),
        end("tool_use"),
    ]
    assert events("anthropic", *given) == [
        CallStarted(0, "toolu_1", "book_berth"),
        CallProgress(0, "/m", "1"),
        made(0, id="toolu_1", name="book_berth", arguments='{"m": 1}'),
        CallStarted(1, "toolu_2", "count_gulls"),
        made(1, id="toolu_2", name="count_gulls", arguments={}, finish_reason="tool_calls"),
    ]


def test_what_a_start_holds_is_shown_at_the_end_unless_pieces_come():
    given = [
        BEGIN,
        block(0, use(1, given={"m": 1})),
        stop(0),
        block(1, use(2, given={"m": 2})),
        *args(1, '{"m": 3}'),
        end("tool_use"),
    ]
    assert [event for event in events("anthropic", *given) if isinstance(event, CallProgress)] == [
        CallProgress(0, "/m", "1"),
        CallProgress(1, "/m", "3"),
    ]


def test_text_goes_on_while_calls_arrive():
    given = [BEGIN, block(0, said("")), piece(0, "text_delta", text="ja"), block(1, use(1)), *args(1, '{"m": 1}')]
    assert events("anthropic", *given)[0] == TextDelta("ja")


DOOM = [
    ("a value that is not listed", [chunk(asks(0, "c1", "book_berth", '{"side": "aft", "m"'))], (0, "/side", "enum")),
    ("an undeclared key", [chunk(asks(0, "c1", "book_berth", '{"m": 1, "colour": '))], (0, "/colour", "unexpected")),
    ("an unknown tool", [chunk(asks(0, "c1", "book_bert", '{"m"'))], (0, "", "unknown")),
    ("noise around a known name is none", [chunk(asks(0, "c1", "functions.book_berth:0", '{"m"'))], None),
    (
        "once, however much is wrong",
        [chunk(asks(0, "c1", "book_berth", '{"side": "aft", "m": "x", "n": 1'))],
        (0, "/side", "enum"),
    ),
    (
        "arguments before the name are not watched",
        [chunk(asks(0, "c1", arguments='{"side": "aft"')), chunk(asks(0, name="book_berth"))],
        None,
    ),
]


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in DOOM], ids=[row[0] for row in DOOM])
def test_doom(given, expected):
    found = [event for event in events("openai-chat", *given, tools=BOX) if isinstance(event, CallDoomed)]
    assert [(event.call, event.pointer, event.reason) for event in found] == ([] if expected is None else [expected])


def test_a_doomed_call_is_refused_in_the_end():
    acc = Accumulator("openai-chat", tools=BOX)
    acc.feed(chunk(asks(0, "c1", "book_berth", '{"side": "aft", "m": 1}'), end="tool_calls"))
    [outcome] = BOX.resolve_turn(acc.close())
    assert (outcome.kind, outcome.reason) == ("schema_error", "enum")


# Snapshots


def test_snapshots_show_the_value_so_far_and_earlier_ones_stay():
    acc, seen = Accumulator("openai-chat"), []
    for piece_of in ("", '{"side": "po', 'rt", "m": ', "12}"):
        acc.feed(chunk(asks(0, "c1", "book_berth", piece_of)))
        seen += acc.snapshot()
    assert [(one.id, one.name, one.arguments) for one in seen] == [
        ("c1", "book_berth", {}),
        ("c1", "book_berth", {"side": "po"}),
        ("c1", "book_berth", {"side": "port"}),
        ("c1", "book_berth", {"side": "port", "m": 12}),
    ]
    assert seen[0].complete == {"/side", "/m"}
    assert acc.snapshot()[0] is seen[-1]


def test_what_is_complete_cannot_be_changed_from_outside():
    acc = Accumulator("openai-chat")
    acc.feed(chunk(asks(0, "c1", "book_berth", '{"m": 12, "side": "p')))
    [shown] = acc.snapshot()
    shown.arguments["m"] = shown.arguments["side"] = 0
    acc.feed(chunk(asks(0, arguments='ort"}')))
    assert acc.snapshot()[0].arguments == {"m": 12, "side": "port"}
    assert not hasattr(shown.complete, "add")


def test_snapshots_of_several_calls_stand_in_the_order_of_appearance():
    acc = Accumulator("openai-chat")
    acc.feed(chunk(asks(1, "b", "count_gulls", "{}"), asks(0, "a", "book_berth", '{"m": 1}')))
    assert [one.id for one in acc.snapshot()] == ["b", "a"]


def test_a_repr_shows_no_values():
    acc = Accumulator("openai-chat")
    acc.feed(chunk(asks(0, "c1", "log_note", '{"secret": "hunter2"}')))
    assert "hunter2" not in repr(acc.snapshot())


# The end


def test_close_twice_gives_the_same_and_nothing_is_read_after_it():
    acc = Accumulator("openai-chat")
    acc.feed(chunk(content="ja", end="stop"))
    first = acc.close()
    assert acc.feed(chunk(content="nein")) == [
        ProtocolViolation("after_end", "the stream went on after its end marker")
    ]
    assert acc.feed(chunk(content="nein")) == []
    assert acc.close() is first


def test_an_unknown_format_is_the_programmers_mistake():
    with pytest.raises(aw.UnknownFormatError, match="openai-chat"):
        Accumulator("openai")


# What comes as it likes

CHUNK = {"choices": [{"index": 0, "delta": {"content": "ja"}, "finish_reason": "stop"}]}


class Sdk:
    def __init__(self, data: Any) -> None:
        self.data = data

    def to_dict(self) -> Any:
        if isinstance(self.data, Exception):
            raise self.data
        return self.data


WAYS = [
    ("text", json.dumps(CHUNK), ()),
    ("bytes", json.dumps(CHUNK).encode(), ()),
    ("an object of an SDK", Sdk(CHUNK), ()),
    ("a list of events", [CHUNK], ()),
    ("an object of an SDK that breaks", Sdk(RuntimeError("no")), ("not_an_object",)),
    ("an object without data", SimpleNamespace(a=1), ("not_an_object",)),
    ("text that is no JSON", "<html>", ("not_json",)),
    ("None", None, ("not_an_object",)),
    ("a number", 7, ("not_an_object",)),
    ("JSON that is no object", "7", ("not_a_chunk",)),
    ("deep JSON", "[" * 100_000, ("not_json",)),
    ("a set", {1}, ("not_an_object",)),
]


@pytest.mark.parametrize(("given", "odd"), [row[1:] for row in WAYS], ids=[row[0] for row in WAYS])
def test_what_may_be_fed(given, odd):
    acc = Accumulator("openai-chat")
    found = [event.reason for event in acc.feed(given) if isinstance(event, ProtocolViolation)]
    assert (tuple(found), acc.close().text) == (odd, "" if odd else "ja")


def test_the_end_marker_as_text():
    acc = Accumulator("openai-chat")
    assert (acc.feed(CHUNK), acc.feed(" [DONE]\n"), acc.feed("[DONE]")) == ([TextDelta("ja")], [], [])


FEW = max(15, settings().max_examples // 4)  # a format: there are over a dozen
WORDS = st.sampled_from([
    "choices", "delta", "message", "tool_calls", "function", "name", "arguments", "id", "index", "content", "type", "finish_reason", "error",
    "usage", "candidates", "parts", "functionCall", "args", "partialArgs", "contentBlockStart", "contentBlockDelta", "start", "toolUse", "input",
    "content_block_start", "content_block_delta", "content_block", "tool_use", "input_json_delta", "partial_json", "response.output_item.added",
    "response.completed", "response", "item", "output", "function_call", "tool-call-start", "TOOL_CALL_START", "toolCallId", "step.start", "a",
])  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-2, 3) | st.text(max_size=3) | WORDS
GARBAGE = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=FEW)
@given(st.lists(st.tuples(st.none() | WORDS, GARBAGE), max_size=6))
def test_no_garbage_raises(form, given):
    acc = Accumulator(form, tools=BOX)
    for name, data in given:
        found = acc.feed(data, event=name)
        assert "unreadable" not in [event.reason for event in found if isinstance(event, ProtocolViolation)]
        acc.snapshot()
    assert isinstance(acc.close(), aw.Turn)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=FEW)
@given(st.lists(st.binary(max_size=60), max_size=4))
def test_no_bytes_raise(form, reads):
    acc = Accumulator(form)
    for data in reads:
        acc.feed_bytes(data)
    assert isinstance(acc.close(), aw.Turn)


# Much of it


def test_ten_thousand_calls():
    acc = Accumulator("openai-chat", tools=BOX)
    for number in range(10_001):
        found = acc.feed(chunk(asks(number, f"c{number}", "count_gulls", "{}")))
    assert [event.reason for event in found] == ["too_many"]
    acc.feed(END)
    assert len(acc.close().calls) == 10_000


def test_arguments_longer_than_the_limit_are_told_once_and_kept_within_bounds():
    acc = Accumulator("openai-chat", limits=aw.Limits(max_chars=1000))
    acc.feed(chunk(asks(0, "c1", "log_note", '{"a": "')))
    found = [
        event
        for _ in range(500)
        for event in acc.feed(chunk(asks(0, arguments="x" * 100)))
        if isinstance(event, ProtocolViolation)
    ]
    assert [event.reason for event in found] == ["too_long"]
    assert 1000 < len(acc.close().calls[0].arguments) < 1200


@pytest.mark.parametrize(
    "delta",
    [{"content": "x" * 100}, {"reasoning": "x" * 100}, {"reasoning_details": [{"index": 0, "text": "x" * 100}]}],
)
def test_a_reply_without_end_is_kept_within_bounds(delta):
    acc = Accumulator("openai-chat", limits=aw.Limits(max_chars=100))
    found = [
        event.reason for _ in range(100) for event in acc.feed(chunk(**delta)) if isinstance(event, ProtocolViolation)
    ]
    assert found == ["too_long"]
    assert 1600 < len(str(acc.close().to_dict())) < 4000


def test_one_event_of_ten_megabytes():
    data = (
        b"data: " + json.dumps(chunk(asks(0, "c1", "log_note", '{"a": "' + "x" * 11_000_000 + '"}'))).encode() + b"\n\n"
    )
    acc = Accumulator("openai-chat")
    found = [event for start in range(0, len(data), 65_536) for event in acc.feed_bytes(data[start : start + 65_536])]
    assert [event.reason for event in found] == ["too_long"]
    assert acc.close().calls == ()
