"""What holds for every stream: any cut gives the same bytes, whole and streamed agree, and the time is linear."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import argwright as aw
from argwright.proxy.exchange import Again
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.growth import growth
from tests.proxy.exchange.playing import ERR, GO, TRY, calls, exchange, play, play_whole, read, streamed, whole
from tests.proxy.forms.checking import check

TEXTS = st.sampled_from([
    "Möwen 🐦\u2028", "a < b, and then `<tool_call>` as a word, in a text that is rather longer than a marker is",
    "<think>hm</think>\n", '<tool_call>\n{"name": "book_berth", "arguments": {"m": 1}}\n</tool_call>', "{", "Let me see:",
    '<tool_call>\n{"name": "book_berth", "arguments": {"m": "x"}}\n</tool_call>', "<tool_call>", "Action: ", "你好",
])  # fmt: skip
CALLS = st.sampled_from([
    ("book_berth", {"m": 12}), ("book_berth", "{m: 12,}"), ("book_berth", '{"m": "12"}'), ("book_berth", {"side": "aft"}),
    ("count_gulls", ""), ("no_such_tool", {}), ("book_berth", '{"m": 12'), ("write_log", {"path": "ö", "text": "x" * 90}),
    ("functions.book_berth", {"m": 12345678901234567890}), ("book_berth", '{"m": 1}{"m": 2}'),
])  # fmt: skip
SAID = st.tuples(st.lists(TEXTS, max_size=3), st.lists(CALLS, max_size=3)).map(
    lambda parts: [*parts[0], *parts[1]] or ""
)
MENDINGS = st.sampled_from([GO, TRY, ERR, replace(ERR, optimistic=True), Mending(on_stall="reask")])
PIECE = st.sampled_from([1, 4, 50, 1000])


def cut(form: str, data: bytes, mending: Mending, places: list[int], *, broken: bool = False) -> tuple[bytes, Any]:
    """What the client gets, and what is asked, if the bytes arrive cut at these places."""
    under, out = exchange(form, mending), b""
    ends = [*sorted(places), len(data)]
    for start, end in zip([0, *ends], ends, strict=False):
        out += under.feed(data[start:end])
    tail = under.end(broken=broken)
    return (out, tail.body) if isinstance(tail, Again) else (out + tail.data, None)


@given(st.sampled_from(FORMS), SAID, PIECE, MENDINGS, st.booleans(), st.data())
def test_any_cut_gives_the_same_bytes(form, say, piece, mending, broken, drawn):
    data = streamed(form, say, piece=piece)
    if broken:
        data = data[: drawn.draw(st.integers(0, len(data)))]
    places = drawn.draw(st.lists(st.integers(0, len(data)), max_size=12))
    every = list(range(1, len(data)))
    once = cut(form, data, mending, [], broken=broken)
    assert cut(form, data, mending, places, broken=broken) == once
    assert cut(form, data, mending, every, broken=broken) == once


@given(st.sampled_from(FORMS), SAID, PIECE, MENDINGS)
def test_the_form_is_the_documented_one_and_no_call_is_invalid_where_none_may_be(form, say, piece, mending):
    out, ask = cut(form, streamed(form, say, piece=piece), mending, [])
    if ask is None:
        found = check(form, out, calls_parse=mending.on_invalid != "pass", usage=None)
        assert found.faults == ()


@given(st.sampled_from(FORMS), SAID.filter(lambda say: all(not isinstance(one, tuple) or isinstance(one[1], dict) for one in say)), st.sampled_from([GO, ERR]))  # fmt: skip
def test_whole_and_streamed_agree(form, say, mending):
    out = play(form, [streamed(form, say)], mending).out
    body = play_whole(form, [whole(form, say)], mending)
    if body.status != 200:
        assert check(form, out, calls_parse=False, usage=None).end == "error"
        return
    turn = aw.read(form, json.loads(body.out), dialects=())
    visible = ["".join(one.text.split()) for one in (read(form, out), turn)]
    assert (calls(read(form, out)), visible[0]) == (calls(turn), visible[1])


@given(st.sampled_from(FORMS), st.binary(max_size=200), MENDINGS, st.booleans())
def test_nothing_raises_whatever_comes(form, noise, mending, broken):
    under = exchange(form, mending)
    under.feed(noise)
    under.feed(b"data: " + noise.replace(b"\n", b"") + b"\n\n")
    under.end(broken=broken)
    exchange(form, mending).whole(noise)


ODD: list[Any] = [None, 7, "x", [], {}, [7], {"a": 1}, True, -1, [[]], [{}], [None], {"type": None}]


@given(st.sampled_from(FORMS), st.data())
def test_no_member_of_an_event_raises_whatever_it_holds(form, drawn):
    events = streamed(form, ["Moment.", ("book_berth", {"m": 1})]).split(b"\n\n")[:-1]
    place = drawn.draw(st.integers(0, len(events) - 1))
    head, _, text = events[place].rpartition(b"data: ")
    if text.startswith(b"{"):
        data = json.loads(text)
        node, path = data, []
        while isinstance(node, (dict, list)) and node:
            key = drawn.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else list(range(len(node)))))
            path.append((node, key))
            node = node[key]
        holder, key = drawn.draw(st.sampled_from(path))
        holder[key] = drawn.draw(st.sampled_from(ODD))
        events[place] = head + b"data: " + json.dumps(data).encode()
    sent = b"\n\n".join([*events, b""])
    for mending in (GO, TRY, ERR):
        cut(form, sent, mending, [len(sent) // 2])


@pytest.mark.parametrize("form", FORMS)
def test_a_long_call_in_small_pieces_takes_time_in_proportion(form):
    def work(size):
        data = streamed(form, ("write_log", {"path": "a", "text": "x" * size}))
        return lambda: cut(form, data, GO, range(0, len(data), 1000))

    assert growth(work(10_000), work(40_000), bound=8) < 8
