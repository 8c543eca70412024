"""The log of a reply's calls: members by path, ends by key, calls found in the text."""

from __future__ import annotations

import pytest

from argwright import Accumulator, Tool, Toolbox
from argwright.model import CallDelta, ToolCall
from argwright.policy import Limits
from argwright.scripted import FORMS, events, said
from argwright.stream.call_log import CallLog
from argwright.stream.events import CallCompleted, CallDoomed, CallProgress, CallStarted, StreamEvent
from argwright.wire.deltas import CallEnd, FinishDelta, MemberDelta
from argwright.wire.format import Identity


def log(identity: Identity = Identity.KEY) -> tuple[CallLog, list[StreamEvent]]:
    events: list[StreamEvent] = []
    return CallLog(identity, None, Limits(), events), events


def member(path: str, value: str, **keys: object) -> MemberDelta:
    return MemberDelta({"jsonPath": path, "stringValue": value}, **keys)


def test_members_by_path_are_shown_as_they_come_and_whole_at_their_end():
    made, events = log()
    made.call(CallDelta(0, "a", "book_berth"))
    for delta in (member("$.Hafen", "Æ"), member("$.Hafen", "rø"), member("$.tags[0]", "x", index=0)):
        made.member(delta)
    assert made.snapshot()[0].arguments == {"Hafen": "Ærø", "tags": ["x"]}
    made.end(CallEnd(0))
    made.complete(FinishDelta("STOP"))
    assert events[1:4] == [
        CallProgress(0, "/Hafen", "Æ"),
        CallProgress(0, "/Hafen", "rø"),
        CallProgress(0, "/tags/0", "x"),
    ]
    assert made.settled()[0].arguments == '{"Hafen": "Ærø", "tags": ["x"]}'


def test_members_without_an_end_are_cut():
    made, _ = log()
    made.call(CallDelta(0, "a", "book_berth"))
    made.member(member("$.Hafen", "Ærø", id="a"))
    assert made.settled()[0].arguments == '{"Hafen": "Ærø"'


def test_a_member_of_no_call_is_told():
    made, events = log()
    made.member(member("$.Hafen", "Ærø"))
    assert [event.reason for event in events] == ["late"]
    assert made.settled() == ()


def test_members_that_give_one_place_two_values_block_the_call():
    made, _ = log()
    made.call(CallDelta(0, "a", "book_berth"))
    made.member(MemberDelta({"jsonPath": "$.m", "numberValue": 1}))
    made.member(MemberDelta({"jsonPath": "$.m", "numberValue": 2}))
    assert made.settled()[0].blocked


def test_an_end_counts_for_its_key_only():
    made, events = log()
    for index, name in enumerate(("a", "b", "c")):
        made.call(CallDelta(index, name, "count_gulls", item=f"i{index}"))
    for end in (
        CallEnd(7),
        CallEnd(item="nothing"),
        CallEnd(id="nothing"),
        CallEnd(item="i0"),
        CallEnd(item="i0"),
        CallEnd(id="b"),
        CallEnd(),
    ):
        made.end(end)
    done = [event for event in events if isinstance(event, CallCompleted)]
    assert done == [CallCompleted(0, ToolCall("a", "count_gulls")), CallCompleted(1, ToolCall("b", "count_gulls"))]


def test_calls_found_in_the_text_give_way_to_structured_ones():
    made, events = log(Identity.RULES)
    found = ToolCall(None, "book_berth", '{"m": 1}', origin="text:hermes")
    made.adopt([found])
    assert (made.structured, made.settled(), made.snapshot()[0].arguments) == (False, (found,), {"m": 1})
    assert events == [CallStarted(0, None, "book_berth"), CallProgress(0, "/m", "1")]
    made.call(CallDelta(0, "c1", "book_berth", '{"m": 2}'))
    assert (made.structured, made.settled()) == (True, (ToolCall("c1", "book_berth", '{"m": 2}'),))


def test_calls_stand_in_the_order_of_their_indices_where_all_have_one():
    made, _ = log()
    made.call(CallDelta(2, "b", "x", "{}"))
    made.call(CallDelta(1, "a", "x", "{}"))
    assert [call.id for call in made.settled()] == ["a", "b"]
    made.call(CallDelta(None, "c", "x", "{}"))
    assert [call.id for call in made.settled()] == ["b", "a", "c"]


def test_an_empty_call_is_none():
    made, events = log(Identity.RULES)
    made.call(CallDelta(0, "a"))
    made.complete(FinishDelta("stop"))
    assert (made.settled(), events, made.structured) == ((), [], False)


@pytest.mark.parametrize("piece", [1, 4, 1000])
@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_watched_from_its_first_character(form, piece):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    accumulator = Accumulator(form, tools=Toolbox([Tool.from_schema("count", schema)]))
    reply = events(form, said(("count", '{"n": "viele", "x": "灯"}')), piece=piece)
    seen = [event for name, data in reply for event in accumulator.feed(data, name)]
    kinds = [type(event) for event in seen if isinstance(event, (CallStarted, CallDoomed, CallCompleted))]
    assert kinds == [CallStarted, CallDoomed, CallCompleted]
