"""What is decided of a text, and what is reported of it."""

from __future__ import annotations

from argwright.dialects.events import CallFound, ReasoningText, TextSafe, TextWasReasoning
from argwright.dialects.outlet import Outlet
from argwright.dialects.source import Source
from argwright.model import ToolCall

CALL = CallFound(ToolCall(None, "list_ships", "{}"))


def outlet(text: str) -> Outlet:
    source = Source()
    source.append(text)
    return Outlet(source)


def test_text_that_was_passed_over_is_reached_and_reported_once():
    out = outlet("Möwen 🐦 am Kai")
    out.safe = 5
    assert (out.reached, out.flush(), out.flush()) == (5, TextSafe("Möwen"), None)
    out.safe = 7
    assert (out.reached, out.flush()) == (7, TextSafe(" 🐦"))


def test_markup_is_reached_and_not_reported():
    out = outlet("Ja.<|im_end|>Nein.")
    assert list(out.take(3, 13)) == [TextSafe("Ja.")]
    assert (out.reached, out.flush()) == (13, None)


def test_reasoning_is_reached_as_far_as_it_is_reported():
    out = outlet("<think>hm, so</think>")
    out.skip_to(7)

    def block():
        yield ReasoningText("hm, ")
        yield None
        yield ReasoningText("so")
        return 21

    steps = out.forward(block())
    found = [(event, out.reached) for event in steps]
    assert found == [(ReasoningText("hm,"), 11), (None, 11), (ReasoningText(" so"), 13)]
    assert out.reasoned
    out.skip_to(21)
    assert out.reached == 21


def test_a_call_is_reported_where_it_is_found_and_reached_with_its_markup():
    out = outlet("x<call/>")
    out.safe = 1
    assert list(out.flushed()) == [TextSafe("x")]
    assert (list(out.report(CALL)), out.reached) == ([CALL], 1)
    out.skip_to(8)
    assert (out.reached, list(out.finish())) == (8, [])


def test_all_was_reasoning():
    out = outlet("hm\n</think>Ja")
    out.safe = 3
    assert list(out.all_was_reasoning(3, 11)) == [TextWasReasoning("hm")]
    assert (out.reached, out.reasoned) == (11, True)


def test_the_last_calls_are_those_with_nothing_but_markup_between():
    out = outlet("a<call/>\nb<call/> \n<call/></x>")
    found = []
    for start, end in ((1, 8), (10, 17), (19, 26)):
        list(out.take(start, end))
        list(out.report(CALL))
        found.append((out.last_calls_start, len(out.last_calls)))
    list(out.take(26, 30))
    assert found == [(1, 1), (10, 1), (10, 2)]
    assert (out.last_calls_start, out.last_calls) == (10, [CALL, CALL])
