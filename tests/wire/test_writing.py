"""What goes out can always be replayed: ids, names, arguments, one result a call."""

from __future__ import annotations

import json
from typing import Any

import pytest

import argwright as aw
from argwright.wire.format import Answer
from argwright.wire.names import NAME_64, Rule
from argwright.wire.writing import reply

BOX = aw.Toolbox(
    [
        aw.Tool.from_schema(
            "book_berth",
            {"type": "object", "properties": {"m": {"type": "integer"}}, "required": ["m"]},
            aliases={"metres": "m"},
        )
    ]
)


def answers(*calls: aw.ToolCall, resolved: bool = False, results: Any = ()) -> tuple[Answer, ...]:
    turn = aw.Turn(calls)
    outcomes = BOX.resolve_turn(turn) if resolved else None
    return reply(turn, outcomes, results, names=NAME_64, ids=NAME_64).answers


ARGUMENTS = [
    ("as the model wrote it, if that holds", '{ "m" : 12 }', {"m": 12}, '{ "m" : 12 }'),
    ("mended", "{m: 12,}", {"m": 12}, '{"m":12}'),
    ("renamed", '{"metres": 12}', {"m": 12}, '{"m":12}'),
    ("an object", {"m": 12}, {"m": 12}, '{"m":12}'),
    ("an object that is refused goes out as it is", '{"m": "many"}', {"m": "many"}, '{"m": "many"}'),
    ("what cannot be read is not repeated", "{m: ???", {}, "{}"),
    ("no object", "[1]", {}, "{}"),
    ("nothing", None, {}, "{}"),
    ("an empty text", "", {}, "{}"),
    ("bytes", b'{"m": 12}', {"m": 12}, '{"m":12}'),
    ("half a pair cannot be sent", '{"m": "\\ud800"}', {}, "{}"),
    ("no number", '{"m": NaN}', {}, "{}"),
    ("a number that overflows", '{"m": 1e999}', {}, "{}"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "given", "text"), [row[1:] for row in ARGUMENTS], ids=[row[0] for row in ARGUMENTS])
def test_arguments(raw, given, text):
    [answer] = answers(aw.ToolCall("c1", "book_berth", raw), resolved=True)
    assert (answer.arguments, answer.text) == (given, text)
    json.loads(answer.text)


def test_free_text_is_an_object_where_there_are_no_such_tools():
    [answer] = answers(aw.ToolCall("c1", "ask_pilot", input="wind?"))
    assert (answer.arguments, answer.text) == ({"input": "wind?"}, '{"input":"wind?"}')


NAMES = [
    ("noise goes with the valid call", "functions.book_berth", "book_berth"),
    ("a name that nobody declared, made fit", "böök/berth", None),
    ("none", None, "unknown"),
    ("blank", " ", "unknown"),
]


@pytest.mark.parametrize(("written", "name"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_names(written, name):
    [answer] = answers(aw.ToolCall("c1", written, '{"m": 1}'), resolved=True)
    assert NAME_64.fits(answer.name)
    assert name is None or answer.name == name


def test_ids_are_unique_and_the_same_for_the_same_turn():
    calls = [aw.ToolCall(given, "book_berth", '{"m": 1}') for given in ("a", "a", None, None, "functions.x:0")]
    ids = [answer.id for answer in answers(*calls)]
    assert ids[0] == "a"
    assert len(set(ids)) == 5
    assert all(NAME_64.fits(one) for one in ids)
    assert ids == [answer.id for answer in answers(*calls)]


def test_another_turn_has_other_ids():
    made = [
        reply(aw.Turn((aw.ToolCall(None, "x", "{}"),), usage={"n": n}), None, (), names=NAME_64, ids=NAME_64)
        for n in (1, 2)
    ]
    assert made[0].answers[0].id != made[1].answers[0].id


def test_an_id_of_an_exact_length():
    made = reply(
        aw.Turn((aw.ToolCall("call_abc", "x", "{}"),)), None, (), names=NAME_64, ids=Rule("a-zA-Z0-9", exact=9)
    )
    assert len(made.answers[0].id) == 9


def test_each_call_has_one_result():
    first, second = answers(aw.ToolCall("a", "x"), aw.ToolCall("b", "x"), results=[aw.ToolResult("a", "x", {"海": 1})])
    assert (first.content, first.result, first.is_error) == ({"海": 1}, '{"海":1}', False)
    assert (second.result, second.is_error) == ('{"error":"this call was not run"}', True)


def test_more_results_than_calls_are_the_programmers_mistake():
    with pytest.raises(ValueError, match="2 results for 1 calls"):
        answers(aw.ToolCall("a", "x"), results=[aw.ToolResult("a", "x", ""), aw.ToolResult("b", "x", "")])
