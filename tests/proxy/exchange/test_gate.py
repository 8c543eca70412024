"""The text on its way: as it came, until a call stands in it."""

from __future__ import annotations

import pytest

import argwright as aw
from argwright.proxy.exchange.gate import Gate
from tests.proxy.exchange.playing import SCHEMAS

BOX = aw.Toolbox([aw.Tool.from_schema(name, SCHEMAS[name]) for name in SCHEMAS])
CALL = '<tool_call>\n{"name": "book_berth", "arguments": {"m": 12}}\n</tool_call>'


def through(text: str, size: int, **options: object) -> tuple[str, list[str | None]]:
    """What goes out, as far as it was certain after each piece, and the calls."""
    gate, out = Gate(BOX, **options), ""  # type: ignore[arg-type]
    for start in range(0, len(text), size):
        gate.feed(text[start : start + size])
        if gate.raw:
            out += text[gate.sent : gate.reached]
            gate.sent = gate.reached
        else:
            out += gate.taken()
    gate.close(finished=True)
    out += text[gate.sent : gate.reached] if gate.raw else gate.taken()
    return out, [call.name for call in gate.calls]


PLAIN = [
    "", "Möwen 🐦 am Kai.", "a < b and b > c", "use `<tool_call>` for calls", "  blanks around \n\n", "{ not a call",
    "<think>\nhm <tool_call> maybe\n</think>\n\nYes.", "no opener here\n</think>\nYes.", "Action: none of ours",
    '```json\n{"rows": 3}\n```', "<b>bold</b>", "مرحبا\u2028 <", "[1, 2, 3]",
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("text", PLAIN)
def test_a_text_without_calls_goes_out_as_it_came(text, size):
    assert through(text, size) == (text, [])


MARKED = [
    ("nothing but a call", CALL, "", 1),
    ("text before", f"Moment.\n{CALL}", "Moment.", 1),
    ("text around", f"Moment.\n{CALL}\nDone.", "Moment.\nDone.", 1),
    ("two calls", f"{CALL}\n{CALL}", "", 2),
    ("reasoning before", f"<think>book it</think>{CALL}", "<think>book it</think>", 1),
    ("reasoning and blank lines before", f"<think>book it</think>\n\n{CALL}", "<think>book it</think>", 1),
    ("markers of a channel", "<|channel|>commentary to=functions.count_gulls<|message|>{}<|call|>", "", 1),
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(("text", "left", "calls"), [row[1:] for row in MARKED], ids=[row[0] for row in MARKED])
def test_from_a_call_on_its_markup_is_gone(text, left, calls, size):
    out, found = through(text, size)
    assert (out.split(), len(found)) == (left.split(), calls)


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_call_that_is_not_kept_is_text(size):
    text = f"Moment.\n{CALL}\nDone."
    assert through(text, size, keep=lambda _: False) == (text, [])


ONE = '{"name": "book_berth", "arguments": {"m": 12}}'
TWO = '{"name": "book_berth", "arguments": {"side": "aft"}}'
LISTS = [
    ("[{}, {}]", ""), ("<tool_call>[{}, {}]</tool_call>", ""), ("[TOOL_CALLS][{}, {}]", ""), ("Moment.\n```json\n[{}, {}]\n```", "Moment.\n"),
    ("Moment.\n<tool_call>[{}, {}]</tool_call>\nDone.", "Moment.\n"),
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("text", "before"), LISTS)
def test_of_a_list_only_the_call_that_is_not_kept_stays_in_the_text(text, before, turned, size):
    said = text.replace("{}", TWO if turned else ONE, 1).replace("{}", ONE if turned else TWO, 1)
    out, found = through(said, size, keep=lambda call: "side" not in str(call.arguments))
    assert (out.split(), found) == (
        [*before.split(), *TWO.split(), *(["Done."] if "Done" in text else [])],
        ["book_berth"],
    )


def test_no_more_is_held_than_a_marker():
    gate = Gate(BOX)
    gate.feed("The harbour has 12 berths. <tool")
    assert gate.reached == len("The harbour has 12 berths. ")


def test_without_tools_nothing_is_held():
    gate = Gate(None)
    gate.feed(CALL)
    assert (gate.reached, gate.undecided) == (len(CALL), False)


GOING = [
    ("text", "Well, ", "then 🐦", (True, True)),
    ("an opener that opens nothing", "a < b", " and", (True, True)),
    ("the beginning of a call", "Now <tool_", "call>", (False, False)),
    ("a call", "Well, ", CALL, (True, False)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "goes"), [row[1:] for row in GOING], ids=[row[0] for row in GOING])
def test_what_goes_out_at_once(one, two, goes):
    gate = Gate(BOX)
    assert (gate.goes(one), gate.goes(two)) == goes
    assert gate.sent == sum(len(text) for text, went in zip((one, two), goes, strict=True) if went)
