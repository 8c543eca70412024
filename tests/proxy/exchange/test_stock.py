"""What a stock client makes of the pieces of calls, and whether the form is the documented one."""

from __future__ import annotations

import pytest

import argwright as aw
from argwright.proxy.exchange.stock import Stock, adds, grows
from argwright.wire.deltas import ArgumentsDelta, CallDelta, CallEnd, TextDelta

FIRST = CallDelta(0, "c1", "book_berth", "")
MORE = ArgumentsDelta('{"m":1}', 0)
CALL = aw.ToolCall("c1", "book_berth", '{"m":1}')

AGREES = [
    ("id and name once, pieces joined", [FIRST, ArgumentsDelta('{"m"', 0), ArgumentsDelta(":1}", 0)], (CALL,), {}),
    ("the first piece holds all", [CallDelta(0, "c1", "book_berth", '{"m":1}')], (CALL,), {}),
    ("blocks have any number", [CallDelta(3, "c1", "book_berth", {}, stage="initial"), ArgumentsDelta('{"m":1}', 3), CallEnd(3)], (CALL,), {}),
    ("a piece of what is no call", [FIRST, MORE, ArgumentsDelta("{}", 7)], (CALL,), {}),
    ("said whole again", [CallDelta(0, "c1", "book_berth", "", stage="initial", item="i"), MORE, CallDelta(0, arguments='{"m":1}', stage="final", item="i"), CallDelta(None, "c1", "book_berth", '{"m":1}', stage="final", item="i")], (CALL,), {"confirms": True}),
    ("no id where none is due", [CallDelta(0, None, "book_berth", '{"m":1}')], (aw.ToolCall("made", "book_berth", '{"m":1}'),), {"ids": False}),
    ("free text", [CallDelta(0, "c1", "ask", input="wi"), CallDelta(0, input="nd")], (aw.ToolCall("c1", "ask", input="wind"),), {}),
]  # fmt: skip
DIFFERS = [
    ("an id again", [FIRST, CallDelta(0, "c1", arguments='{"m":1}')], (CALL,), {}),
    ("a name again", [FIRST, CallDelta(0, None, "book_berth", '{"m":1}')], (CALL,), {}),
    ("no id", [CallDelta(0, None, "book_berth", '{"m":1}')], (CALL,), {}),
    ("no name", [CallDelta(0, "c1", None, '{"m":1}')], (CALL,), {}),
    ("one id for two", [FIRST, MORE, CallDelta(1, "c1", "book_berth", "{}")], (CALL, CALL), {}),
    ("holes", [CallDelta(1, "c1", "book_berth", '{"m":1}')], (CALL,), {"dense": True}),
    ("no index", [CallDelta(None, "c1", "book_berth", '{"m":1}')], (CALL,), {"dense": True}),
    ("a piece without an index", [FIRST, ArgumentsDelta('{"m":1}')], (CALL,), {"dense": True}),
    ("an object for text", [FIRST, CallDelta(0, arguments={"m": 1})], (CALL,), {}),
    ("everything so far, again", [FIRST, ArgumentsDelta('{"m"', 0), ArgumentsDelta('{"m":1}', 0)], (CALL,), {}),
    ("another one than meant", [FIRST, MORE], (aw.ToolCall("c1", "book_berth", '{"m":2}'),), {}),
    ("fewer than meant", [FIRST, MORE], (CALL, CALL), {}),
    ("whole and pieces differ", [FIRST, MORE, CallDelta(0, arguments='{"m":2}', stage="final")], (CALL,), {"confirms": True}),
    ("only whole", [CallDelta(0, "c1", "book_berth", '{"m":1}', stage="final", item="i")], (CALL,), {"confirms": True}),
    ("another item than its own", [CallDelta(0, "c1", "book_berth", "", stage="initial", item="i"), MORE, CallDelta(0, arguments='{"m":1}', stage="final", item="j")], (CALL,), {"confirms": True}),
    ("said again, but never before", [CallDelta(None, "c1", "book_berth", '{"m":1}', stage="final")], (CALL,), {"confirms": True}),
]  # fmt: skip


def stock(deltas: list[object], options: dict[str, bool]) -> Stock:
    made = Stock(**options)
    for delta in deltas:
        made.take(delta)  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize(("deltas", "calls", "options"), [row[1:] for row in AGREES], ids=[row[0] for row in AGREES])
def test_the_client_reads_what_was_meant(deltas, calls, options):
    assert stock(deltas, options).agrees(calls)


@pytest.mark.parametrize(("deltas", "calls", "options"), [row[1:] for row in DIFFERS], ids=[row[0] for row in DIFFERS])
def test_the_client_reads_something_else(deltas, calls, options):
    assert not stock(deltas, options).agrees(calls)


def test_a_delta_belongs_to_a_call_by_its_number():
    made = Stock(dense=True)
    deltas = [TextDelta("x"), FIRST, MORE, CallDelta(1, "c2", "count_gulls"), CallEnd(1), ArgumentsDelta("{}", 9)]
    assert [made.take(delta) for delta in deltas] == [None, 0, 0, 1, 1, 1]


def test_which_deltas_add_to_the_text():
    assert [adds(one) for one in (MORE, ArgumentsDelta(" ", 0), FIRST, CallEnd(0), CallDelta(0, input="x"))] == [
        True,
        False,
        False,
        False,
        True,
    ]


def test_a_piece_that_names_another_item():
    made = Stock(confirms=True)
    made.take(CallDelta(0, "c1", "book_berth", "", stage="initial", item="i"))
    assert [(made.take(MORE, item), made.clean) for item in (None, "i", "j")] == [(0, True), (0, True), (0, False)]


@pytest.mark.parametrize(
    ("opened", "clean"),
    [
        ([(0, True), (1, True)], True),
        ([(0, False), (1, True)], True),
        ([(1, False), (2, True)], True),
        ([(3, True)], False),
        ([(0, True), (2, True)], False),
        ([(None, True)], True),
    ],
)
def test_a_call_opens_in_the_next_place(opened, clean):
    made = Stock(confirms=True)
    for place, call in opened:
        made.opened(place, call=call)
    assert made.clean is clean


def test_a_call_that_has_to_be_closed_is_whole_when_it_is():
    made = Stock(closes=True)
    made.take(FIRST)
    before = made.calls[0].whole
    made.take(CallEnd(0))
    assert (before, made.calls[0].whole) == (False, True)


def test_blanks_are_pieces_that_say_nothing():
    assert [grows(one) for one in (MORE, ArgumentsDelta(" ", 0), ArgumentsDelta("", 0), FIRST)] == [
        True,
        True,
        False,
        False,
    ]
