"""Reading a stream takes work in proportion to its length: counted in calls, so that the machine does not matter."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from argwright.stream import Accumulator
from argwright.stream.framing import decoder
from argwright.wire.format import Framing
from tests.wire.test_openai_chat import asks, chunk


def calls_made(work: Callable[[], Any]) -> int:
    """How many calls of Python and C functions the work makes."""
    count = 0

    def tick(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


TEXTS = {
    "records": lambda n: json.dumps({"rows": [{"id": i, "name": f"row {i}", "tags": ["a", None]} for i in range(n)]}),
    "one long string": lambda n: json.dumps({"text": 'line "one"\n' * n}),
    "deep": lambda n: "{" + ", ".join(f'"k{i}": ' + '{"a": [' * 20 + "1" + "]}" * 20 for i in range(n // 10)) + "}",
    "many keys": lambda n: json.dumps({f"key {i}": i for i in range(n)}),
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_the_value_so_far_costs_the_same_after_every_piece(make):
    def stream(text: str) -> Callable[[], Any]:
        pieces = [chunk(asks(0, arguments=text[start : start + 4])) for start in range(0, len(text), 4)]

        def work() -> None:
            acc = Accumulator("openai-chat")
            acc.feed(chunk(asks(0, "c1", "save", "")))
            for piece in pieces:
                acc.feed(piece)
                assert acc.snapshot()[0].arguments is not None

        return work

    short, long = make(50), make(200)
    growth = calls_made(stream(long)) / calls_made(stream(short))
    assert growth < 1.1 * len(long) / len(short)


def test_many_calls():
    def stream(number: int) -> Callable[[], Any]:
        given = [chunk(asks(i, f"c{i}", "save", '{"a": 1}')) for i in range(number)]

        def work() -> None:
            acc = Accumulator("openai-chat")
            for one in given:
                acc.feed(one)
            acc.close()

        return work

    assert calls_made(stream(400)) < 4.4 * calls_made(stream(100))


@pytest.mark.parametrize("framing", [Framing.SSE, Framing.VALUES, Framing.PREFIXED])
def test_one_event_in_many_reads(framing):
    def read(size: int) -> Callable[[], Any]:
        text = json.dumps({"a": 'x"' * size})
        data = {Framing.SSE: f"data: {text}\n\n", Framing.VALUES: f"{text}\n", Framing.PREFIXED: f"0:{text}\n"}[
            framing
        ].encode()

        def work() -> None:
            made = decoder(framing)
            for start in range(0, len(data), 7):
                made.feed(data[start : start + 7])
            made.close()

        return work

    assert calls_made(read(4000)) < 4.4 * calls_made(read(1000))
