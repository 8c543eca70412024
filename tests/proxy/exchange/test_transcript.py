"""What a reply said: put together, it is what an accumulator reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.proxy.exchange.transcript import Transcript
from argwright.stream import Accumulator
from argwright.wire import find
from argwright.wire.deltas import FinishDelta, TextDelta
from tests.proxy.exchange.playing import course


def chunk(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"id": "c-1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def opened(index: int, own: str | None, name: str | None, text: str | None = "", **more: Any) -> dict[str, Any]:
    call = {"index": index, "id": own, "type": "function", "function": {"name": name, "arguments": text}, **more}
    return chunk(tool_calls=[call])


def grown(index: int, text: str) -> dict[str, Any]:
    return chunk(tool_calls=[{"index": index, "function": {"arguments": text}}])


def both(form: str, events: list[tuple[str | None, dict[str, Any]]]) -> tuple[Any, Any]:
    """The reply put together, and as an accumulator reads it."""
    under = course(form)
    kept, log = Transcript(under), Accumulator(form, under.asked.box, dialects=())
    for name, body in events:
        kept.add(name, lambda body=body: body, list(find(form).deltas(name, body)))
        log.feed(body, event=name)
    return kept.plain(), log.close()


PLAIN = [
    ("text", [chunk(content="Möwe"), chunk(content=" 🐦"), chunk("stop")]),
    ("a call", [chunk(content="So"), opened(0, "a", "book_berth"), grown(0, '{"m"'), grown(0, ": 1}"), chunk("tool_calls")]),
    ("two calls", [opened(0, "a", "x", "{"), opened(1, "b", "y", "{}"), grown(0, "}"), chunk("tool_calls")]),
    ("all so far in every piece", [opened(0, "a", "x"), grown(0, '{"a": '), grown(0, '{"a": 1}'), chunk("tool_calls")]),
    ("all once more", [opened(0, "a", "x"), grown(0, '{"a":'), grown(0, " 1}"), grown(0, '{"a": 1}'), chunk("stop")]),
    ("faulty", [opened(0, "a", "x"), grown(0, "{a: 'שלום\u2028',"), chunk("tool_calls")]),
    ("cut", [opened(0, "a", "x"), grown(0, '{"a": "b'), chunk("length")]),
    ("a word that nobody knows", [opened(0, "a", "x"), grown(0, "{}"), chunk("so_it_ends")]),
]  # fmt: skip


@pytest.mark.parametrize("events", [one[1] for one in PLAIN], ids=[one[0] for one in PLAIN])
def test_a_plain_reply(events):
    plain, read = both("openai-chat", [(None, event) for event in events])
    assert (plain.calls, plain.finish) == (read.calls, read.finish)


ODD = [
    ("no reason for the end", [chunk(content="x")]),
    ("two reasons", [chunk("stop"), chunk("length")]),
    ("no id", [opened(0, None, "x", "{}"), chunk("tool_calls")]),
    ("no name", [opened(0, "a", None, "{}"), chunk("tool_calls")]),
    ("one id for two", [opened(0, "a", "x", "{}"), opened(1, "a", "y", "{}"), chunk("tool_calls")]),
    ("one index for two", [opened(0, "a", "x", "{}"), opened(0, "b", "y", "{}"), chunk("tool_calls")]),
    ("no arguments", [opened(0, "a", "x"), chunk("tool_calls")]),
    ("a piece of no call", [opened(0, "a", "x", "{"), grown(1, "}"), chunk("tool_calls")]),
    ("something of the provider's own", [opened(0, "a", "x", "{}", extra_content={"google": {"s": 1}}), chunk("stop")]),
    ("an error", [{"error": {"message": "x"}}, chunk("stop")]),
    ("not a chunk", [{"choices": 3}, {"a": 1}]),
]  # fmt: skip


@pytest.mark.parametrize("events", [one[1] for one in ODD], ids=[one[0] for one in ODD])
def test_what_is_odd_is_read_in_full(events):
    assert both("openai-chat", [(None, event) for event in events])[0] is None


def test_blocks():
    start = {"type": "tool_use", "id": "t", "name": "book_berth", "input": {}}
    piece = {"type": "input_json_delta", "partial_json": '{"m": 1}'}
    events = [
        ("message_start", {"type": "message_start", "message": {"id": "m", "content": [], "usage": {"input_tokens": 1}}}),
        ("content_block_start", {"type": "content_block_start", "index": 3, "content_block": start}),
        ("content_block_delta", {"type": "content_block_delta", "index": 3, "delta": piece}),
        ("content_block_stop", {"type": "content_block_stop", "index": 3}),
        ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}}),
    ]  # fmt: skip
    plain, read = both("anthropic", events)
    assert (plain.calls, plain.finish) == (read.calls, read.finish)
    assert [(call.id, call.arguments) for call in plain.calls] == [("t", '{"m": 1}')]


def test_more_than_is_kept_is_read():
    under = course("openai-chat")
    kept = Transcript(under)
    for number in range(70):
        text = f"{number} "
        kept.add(None, lambda text=text: chunk(content=text), [TextDelta(text)])
    kept.add(None, lambda: chunk("stop"), [FinishDelta("stop")])
    assert kept.plain() is None
    assert kept.close().text.split() == [str(number) for number in range(70)]


EVENTS = st.lists(
    st.one_of(
        st.builds(chunk, content=st.text(max_size=3)),
        st.builds(opened, st.integers(0, 2), st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y", None]),
                  st.sampled_from(["", "{", "{}", '{"a": 1}'])),
        st.builds(grown, st.integers(0, 2), st.sampled_from(["", "{", '{"a": 1}', "}", "{}", '"a": 2', '{"a"'])),
        st.just(chunk("tool_calls")), st.just(chunk("stop")), st.just({"choices": [], "usage": {"total_tokens": 3}}),
    ),
    max_size=8,
)  # fmt: skip


@given(EVENTS)
def test_whatever_comes(events):
    plain, read = both("openai-chat", [(None, json.loads(json.dumps(event))) for event in events])
    if plain is not None:
        assert (plain.calls, plain.finish) == (read.calls, read.finish)
