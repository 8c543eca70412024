"""What of an earlier reply goes on when the model is asked again, and what the model and the client are told of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import argwright as aw
from argwright.model import compact
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import TRY, calls, note, play, play_whole, read, streamed, whole
from tests.proxy.forms.checking import check

FORM = pytest.mark.parametrize("form", FORMS)
BAD: tuple[str, Any] = ("book_berth", {"side": "aft"})
GOOD: tuple[str, Any] = ("book_berth", {"m": 12, "name": "Möwe 🐦\u2028"})
ONE: tuple[str, Any] = ("book_berth", {"m": 1})
LOG: tuple[str, Any] = ("write_log", {"path": "日志", "text": "א"})
OTHER_LOG: tuple[str, Any] = ("write_log", {"path": "b", "text": ""})
NO_TOOL: tuple[str, Any] = ("no_such_tool", {})


def row(tool: str, status: str, attempt: int) -> tuple[str, str, int]:
    return tool, status, attempt


REFUSED = row("book_berth", "refused", 1)
ROWS: list[tuple[str, list[Any], list[Any], list[Any]]] = [
    ("repeated", [[LOG, BAD], [LOG, GOOD]], [LOG, GOOD], [REFUSED]),
    ("repeated and changed in order", [[LOG, BAD], [GOOD, LOG]], [GOOD, LOG], [REFUSED]),
    ("only the corrected one", [[LOG, BAD], [GOOD]], [GOOD, LOG], [REFUSED, row("write_log", "kept", 1)]),
    ("the same tool with other arguments", [[LOG, BAD], [OTHER_LOG, GOOD]], [OTHER_LOG, GOOD], [REFUSED, row("write_log", "withdrawn", 1)]),
    ("no call", [[LOG, BAD], ["On reflection, no call is needed. 🐦"]], [], [REFUSED, row("write_log", "withdrawn", 1)]),
    ("one call in place of two", [[ONE, BAD], [GOOD]], [GOOD], [REFUSED, row("book_berth", "withdrawn", 1)]),
    ("two of one tool repeated", [[ONE, BAD], [GOOD, ONE]], [GOOD, ONE], [REFUSED]),
    ("one of two equal ones", [[LOG, LOG, BAD], [LOG, GOOD]], [LOG, GOOD], [REFUSED, row("write_log", "withdrawn", 1)]),
    ("both of two", [[LOG, OTHER_LOG, BAD], [GOOD]], [GOOD, LOG, OTHER_LOG], [REFUSED, row("write_log", "kept", 1), row("write_log", "kept", 1)]),
    ("kept over two replies", [[LOG, BAD], [BAD], [GOOD]], [GOOD, LOG], [REFUSED, row("book_berth", "refused", 2), row("write_log", "kept", 1)]),
    ("a name that no tool has, corrected into the same tool", [[LOG, NO_TOOL], [OTHER_LOG]], [OTHER_LOG], [row("no_such_tool", "refused", 1), row("write_log", "withdrawn", 1)]),
]  # fmt: skip


def ids(form: str, out: bytes) -> set[str | None]:
    turn = aw.read(form, json.loads(out), dialects=()) if out.startswith(b"{") else read(form, out)
    return {call.id for call in turn.calls}


@FORM
@pytest.mark.parametrize(("replies", "expected", "told"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_call_goes_on_if_the_model_stays_with_it(form, replies, expected, told):
    mending = replace(TRY, retries=2)
    streams = play(form, [streamed(form, say, number) for number, say in enumerate(replies, 1)], mending).out
    body = play_whole(form, [whole(form, say, number) for number, say in enumerate(replies, 1)], mending).out
    assert check(form, streams, usage=None).faults == ()
    assert calls(read(form, streams)) == expected
    assert calls(aw.read(form, json.loads(body), dialects=())) == expected
    for out in (streams, body):
        rows = note(out)["calls"]
        assert [(one["tool"], one["status"], one["attempt"]) for one in rows] == told
        assert {one["id"] for one in rows if one["status"] == "kept"} <= ids(form, out)


@FORM
def test_a_kept_call_whose_id_another_has_gets_one_of_its_own_and_the_note_names_it(form):
    replies = [[LOG, BAD], [GOOD]]
    outs = (
        play(form, [streamed(form, say) for say in replies], TRY).out,
        play_whole(form, [whole(form, say) for say in replies], TRY).out,
    )
    for out in outs:
        [kept] = [one["id"] for one in note(out)["calls"] if one["status"] == "kept"]
        assert len(ids(form, out)) == 2
        assert kept in ids(form, out)


AGAIN, KEPT = "send this call again", "this call is kept and runs beside it"


@FORM
@pytest.mark.parametrize(
    ("say", "told"),
    [([LOG, BAD], KEPT), ([ONE, BAD], AGAIN), ([LOG, NO_TOOL], AGAIN)],
    ids=["other", "same", "unknown"],
)
def test_the_model_is_told_what_becomes_of_its_valid_calls(form, say, told):
    played = play(form, [streamed(form, say), streamed(form, "Gut.", 2)], TRY)
    asked = compact(played.asks[0])
    assert [text in asked for text in (AGAIN, KEPT)] == [told == AGAIN, told == KEPT]


@FORM
def test_a_stall_withdraws_nothing(form):
    mending = Mending(on_invalid="retry", retries=2, on_stall="reask")
    replies: list[Any] = [[LOG, BAD], "Let me book that berth:", GOOD]
    out = play(form, [streamed(form, say, number) for number, say in enumerate(replies, 1)], mending).out
    assert calls(read(form, out)) == [GOOD, LOG]
    assert note(out)["calls"][-1]["status"] == "kept"


def test_thoughts_stand_before_the_texts_of_earlier_replies():
    """A provider takes no message back that thinks behind its text."""

    def thought(number: int) -> list[dict[str, Any]]:
        return [
            {"type": "thinking", "thinking": f"hm {number}", "signature": f"S{number}"},
            {"type": "redacted_thinking", "data": f"R{number}"},
        ]

    def body(number: int, blocks: list[dict[str, Any]]) -> bytes:
        return json.dumps(json.loads(whole("anthropic", GOOD, number)) | {"content": blocks}).encode()

    first = {"type": "text", "text": "Moment 🐦"}
    bad = {"type": "tool_use", "id": "t1", "name": BAD[0], "input": BAD[1]}
    good = {"type": "tool_use", "id": "t2", "name": GOOD[0], "input": GOOD[1]}
    second = {"type": "text", "text": "So."}
    replies = [body(1, [*thought(1), first, bad]), body(2, [*thought(2), second, good])]
    content = json.loads(play_whole("anthropic", replies, TRY).out)["content"]
    assert content == [*thought(2), first, second, good]
