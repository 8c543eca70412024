"""Which call a piece belongs to, where the names of the declared tools decide, and the keys of sound wires."""

from __future__ import annotations

import pytest

from argwright.model import CallDelta, ToolCall
from argwright.stream.calls import Calls, OpenCall, by_key, by_rules
from argwright.stream.progress import Progress

DECLARED = frozenset({"get", "get_tide", "book"})


def numbers(find, *deltas: CallDelta, declared=DECLARED) -> list[int]:
    """The number of the call that each piece went to."""
    calls, found = Calls(), []
    for delta in deltas:
        call = find(calls, delta, declared) or calls.open(delta, Progress())
        call.absorb(delta)
        calls.register(call)
        if delta.arguments:
            call.live.add(delta.arguments)
        found.append(call.number)
    return found


def d(index=None, id=None, name=None, arguments=None, **more) -> CallDelta:
    return CallDelta(index, id, name, arguments, **more)


RULES = [
    ("two declared names are two calls", [d(0, None, "get"), d(0, None, "book")], [0, 1]),
    ("a declared name and its rest, which is none", [d(0, None, "get"), d(0, None, "_tide")], [0, 0]),
    ("pieces of a name under one id", [d(0, "a", "get_"), d(0, "a", "tide")], [0, 0]),
    ("two declared names under one id", [d(0, "a", "get"), d(0, "a", "book")], [0, 1]),
    ("a name after the arguments have begun is another call's", [d(0, None, "get_", "{"), d(0, None, "tide")], [0, 1]),
    ("a known id under another index is another call", [d(0, "a", "get", "{}"), d(1, "a", "get", "{}")], [0, 1]),
    ("a new id and no name go on", [d(0, "a", "get"), d(0, "b", None, "{")], [0, 0]),
    ("a new id, no index, no name go on", [d(None, "a", "get"), d(None, "b", None, "{")], [0, 0]),
    ("a call that has neither id nor arguments takes them", [d(0, None, "get"), d(0, "a", "get", "{")], [0, 0]),
    ("two ended calls of one name", [d(0, None, "get", '{"a":1}'), d(0, None, "get", '{"a":2}')], [0, 1]),
    ("the same whole object again is a repeat", [d(0, None, "get", '{"a":1}'), d(0, None, "get", '{"a":1}')], [0, 0]),
    (
        "a bare piece goes to the call opened last",
        [d(None, "a", "get"), d(None, "b", "book"), d(arguments="{")],
        [0, 1, 1],
    ),
    ("a bare piece first opens one", [d(arguments="{"), d(arguments="}")], [0, 0]),
]


@pytest.mark.parametrize(("deltas", "found"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_by_rules(deltas, found):
    assert numbers(by_rules, *deltas) == found


def test_without_declared_names_one_id_and_two_names_are_two_calls():
    assert numbers(by_rules, d(0, "a", "get_"), d(0, "a", "tide"), declared=frozenset()) == [0, 1]


KEYS = [
    ("by index", [d(0, "a", "get"), d(1, "b", "book"), d(0, arguments="{"), d(1, arguments="{")], [0, 1, 0, 1]),
    ("by item", [d(item="x", name="get"), d(item="y", name="book"), d(item="x", arguments="{")], [0, 1, 0]),
    ("by id", [d(id="a", name="get"), d(id="b", name="book"), d(id="a", arguments="{")], [0, 1, 0]),
    ("the index goes before the item", [d(0, item="x", name="get"), d(1, item="y", name="book"), d(0, item="y", arguments="{")], [0, 1, 0]),
    ("an unknown item, known by its id", [d(item="x", id="a", name="get"), d(item="z", id="a", arguments="{}", stage="final")], [0, 0]),
    ("an unknown item goes to the call opened last", [d(item="x", name="get"), d(item="z", arguments="{")], [0, 0]),
    ("no key goes to the call opened last", [d(0, "a", "get"), d(1, "b", "book"), d(arguments="{")], [0, 1, 1]),
    ("an unknown index opens one", [d(0, "a", "get"), d(3, arguments="{")], [0, 1]),
    ("a name without any key opens one", [d(name="get"), d(name="get")], [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("deltas", "found"), [row[1:] for row in KEYS], ids=[row[0] for row in KEYS])
def test_by_key(deltas, found):
    assert numbers(by_key, *deltas) == found


def made(*deltas: CallDelta) -> ToolCall:
    call = OpenCall(0, deltas[0], Progress())
    for delta in deltas:
        call.absorb(delta)
        if delta.arguments:
            call.live.add(delta.arguments)
    return call.settled()


NAMES = [
    ("equal", ["get", "get"], "get"),
    ("grown", ["get", "get_tide"], "get_tide"),
    ("in pieces", ["get", "_tide"], "get_tide"),
    ("first none", [None, "get"], "get"),
]


@pytest.mark.parametrize(("names", "name"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_a_name_grows(names, name):
    assert made(*(d(name=one) for one in names)) == ToolCall(None, name)


def test_a_name_stays_once_arguments_have_come():
    assert made(d(name="get", arguments="{"), d(name="_tide", arguments="}")) == ToolCall(None, "get", "{}")


def test_the_first_id_stays_and_what_is_opaque_adds_up():
    pieces = d(0, "a", "get", extra={"x": 1}), d(0, "b", extra={"y": 2}, blocked=True)
    assert made(*pieces) == ToolCall("a", "get", extra={"x": 1, "y": 2}, blocked=True)


def test_free_text():
    assert made(d(name="ask", input="wi"), d(input="nd?")) == ToolCall(None, "ask", input="wind?")
    assert made(d(name="ask", input="wi"), d(input="wind?", stage="final"), d(input="", stage="final")) == ToolCall(
        None, "ask", input="wind?"
    )
    assert made(d(name="ask", input="wind?", stage="initial")) == ToolCall(None, "ask", input="wind?")
