"""What is a reply, what an event of one, and what the text of a stream."""

from __future__ import annotations

import json

import pytest

from argwright.batch.log import replies
from argwright.batch.log.values import BadRecordError

CALL = {"index": 0, "id": "a", "function": {"name": "发送", "arguments": '{"x":"🙂"}'}}
CHUNK = {"model": "m", "choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]}


@pytest.mark.parametrize("body", [
    CHUNK,
    {"object": "chat.completion.chunk", "choices": []},
    {"type": "message_start", "message": {}},
    {"type": "content_block_delta", "index": 0},
    {"type": "response.output_item.added"},
    {"done": False, "message": {"role": "assistant", "content": "a"}},
])  # fmt: skip
def test_events(body):
    assert replies.is_event(body)


@pytest.mark.parametrize("body", [
    {},
    {"type": "message", "role": "assistant", "content": []},
    {"type": "function_call", "name": "f"},
    {"object": "chat.completion", "choices": [{"index": 0, "message": {}}]},
    {"choices": [{"index": 0, "message": {}, "delta": None}]},
    {"choices": "none"},
    {"done": True, "message": {"role": "assistant", "content": "a"}},
    {"done": False, "task": "deploy"},
])  # fmt: skip
def test_no_events(body):
    assert not replies.is_event(body)


@pytest.mark.parametrize(("value", "stream"), [
    ("data: {}\n\n", True),
    ("\ufeff: waiting\n\ndata: {}\n\n", True),
    ("event: ping\ndata: {}\n\n", True),
    (["data: {}", "", "data: [DONE]"], True),
    (["event: ping", "data: {}"], True),
    ("upstream timeout", False),
    ("", False),
    ([], False),
    (["a", "b"], False),
    ([{"data": 1}], False),
    (3, False),
])  # fmt: skip
def test_the_text_of_a_stream(value, stream):
    assert replies.is_stream(value) is stream


def test_a_stream_gives_the_same_in_every_form():
    text = f"data: {json.dumps(CHUNK, ensure_ascii=False)}\n\ndata: [DONE]\n\n"
    forms = (replies.streamed(text), replies.streamed(text.split("\n")), replies.heard([CHUNK]))
    told = [[(turn.model, [(call.name, call.arguments) for call in turn.calls]) for turn in turns] for turns in forms]
    assert told == [[("m", [("发送", '{"x":"🙂"}')])]] * 3


def test_what_is_no_stream_of_a_known_format():
    assert replies.streamed('data: {"progress": 3}\n\n') is None
    assert replies.heard([{"progress": 3}]) is None
    assert replies.heard([CHUNK, "and text"]) is None


def chunk(own, text=None, finish=None, index=0):
    """An event of a stream: the beginning of a call if it has no text."""
    piece = (
        {"index": 0, "function": {"arguments": text}}
        if text
        else {"index": 0, "id": f"call-{own}", "function": {"name": "f"}}
    )
    choice = {"index": index, "delta": {"tool_calls": [piece]}, "finish_reason": finish}
    return {"id": own, "object": "chat.completion.chunk", "choices": [choice]}


A, B = (
    [chunk(own), chunk(own, '{"x":'), chunk(own, f"{digit}}}", "tool_calls")] for own, digit in (("a", 1), ("b", 2))
)
BEGIN = {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}}
STOP = {"type": "message_stop"}


@pytest.mark.parametrize("events", [
    [*A, *B],
    [event for pair in zip(A, B, strict=True) for event in pair],
    [*A[1:], *B],
    [chunk("a", "{}", "tool_calls"), chunk("b", "{}", "tool_calls")],
    [{**event, "id": "same"} for pair in zip(A, B, strict=True) for event in pair],
    [BEGIN, BEGIN, STOP],
    [BEGIN, STOP, BEGIN, STOP],
    [{"type": "response.created"}, {"type": "response.created"}],
], ids=["one behind the other", "mixed", "with one cut", "whole ones", "one id for all", "begun twice", "messages", "responses"])  # fmt: skip
def test_several_replies_are_not_one(events):
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    for read, value in ((replies.heard, events), (replies.streamed, text), (replies.streamed, text.split("\n"))):
        with pytest.raises(BadRecordError) as caught:
            read(value)
        assert str(caught.value) == "events of several replies: log those of one reply in one line"


@pytest.mark.parametrize("events", [
    A,
    [{**event, "id": f"event-{place}"} for place, event in enumerate(A)],
    [{**A[0], "id": ""}, *A[1:]],
    [{key: value for key, value in event.items() if key != "id"} for event in A],
    [*A, {"id": "a", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 3}}],
    [*A, {"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}],
], ids=["one id", "an id for each event", "none at first", "none", "usage behind it", "ended twice"])  # fmt: skip
def test_one_reply_whatever_ids_its_events_have(events):
    (turn,) = replies.heard(events)
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == [("call-a", "f", '{"x":1}')]


def test_places_that_are_none_are_the_first():
    events = [{**event, "choices": [{**choice, "index": []} for choice in event["choices"]]} for event in A]
    assert len(replies.heard([*events, {"id": "a", "choices": [{"index": {}, "finish_reason": "stop"}]}])) == 1
