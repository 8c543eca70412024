"""Cohere `/v1/chat`: calls without ids, their arguments an object under `parameters`.

The version has no name on the wire, so a turn of it is marked in its `extra` and written
in its form again: a message of the chat history, and one of the role `TOOL` that repeats
each call beside its outputs. `finish_reason` stays `COMPLETE` when calls were made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from argwright.model import CallDelta, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import CallEnd, Delta, ErrorDelta, FinishDelta, MetaDelta, TextDelta, unknown_event
from argwright.wire.format import Answer, Reply
from argwright.wire.plain import arguments, mapping, number, objects, text, word

_MARK = {"api_version": "1"}
_BOT = "CHATBOT"
_QUIET = frozenset({
    "stream-start", "search-queries-generation", "search-results", "citation-generation", "debug",
})  # fmt: skip


def is_from(turn: Turn) -> bool:
    """Whether the turn was read from this version."""
    return turn.extra.get("api_version") == "1"


def recognises(top: Mapping[str, Any]) -> bool:
    """A reply, a message of the chat history, or an event of a stream."""
    calls = objects(top.get("tool_calls"))
    if top.get("role") == _BOT or any("parameters" in call and "function" not in call for call in calls):
        return True
    return ("text" in top and "generation_id" in top) or text(top.get("event_type")) in {*_EVENTS, *_QUIET}


def read(top: Mapping[str, Any]) -> Turn:
    """A reply, or one message of the chat history."""
    return finish.turn(
        [_call(entry) for entry in objects(top.get("tool_calls"))],
        word(top.get("finish_reason")),
        text=text(top.get("text") or top.get("message")),
        usage=mapping(mapping(top.get("meta")).get("billed_units")) or None,
        extra=_MARK,
        error=top.get("error"),
    )


def _call(entry: Mapping[str, Any]) -> ToolCall:
    return ToolCall(None, word(entry.get("name")), arguments(entry.get("parameters")))


def deltas(top: Mapping[str, Any]) -> Iterator[Delta]:
    """One event of a stream, a line of JSON."""
    kind = text(top.get("event_type"))
    if kind in _EVENTS:
        yield MetaDelta(extra=_MARK)
        yield from _EVENTS[kind](top)
    elif kind not in _QUIET:
        yield unknown_event(kind)


def _said(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield TextDelta(text(top.get("text")))


def _chunk(top: Mapping[str, Any]) -> Iterator[Delta]:
    """A piece of a call, or of the text before it."""
    piece = mapping(top.get("tool_call_delta"))
    said = text(top.get("text")) or text(piece.get("text"))
    index = piece.get("index")
    place = int(index) if isinstance(index, float) and index.is_integer() else number(index)
    if said:
        yield TextDelta(said)
    if piece.get("name") or piece.get("parameters"):
        given = arguments(piece.get("parameters"))
        yield CallDelta(place, name=word(piece.get("name")), arguments=given)


def _generated(top: Mapping[str, Any]) -> Iterator[Delta]:
    """All calls, whole: they replace their pieces."""
    for place, entry in enumerate(objects(top.get("tool_calls"))):
        given = arguments(entry.get("parameters"))
        yield CallDelta(place, name=word(entry.get("name")), arguments=given, stage="final")
        yield CallEnd(place)


def _end(top: Mapping[str, Any]) -> Iterator[Delta]:
    raw = word(top.get("finish_reason"))
    usage = mapping(mapping(mapping(top.get("response")).get("meta")).get("billed_units"))
    if usage:
        yield MetaDelta(usage=usage)
    if top.get("error"):
        yield ErrorDelta(top["error"], raw)
    elif raw:
        yield FinishDelta(raw)


_EVENTS = {
    "text-generation": _said,
    "tool-calls-chunk": _chunk,
    "tool-calls-generation": _generated,
    "stream-end": _end,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The message of the chat history, then one with all results, each beside its call."""
    turn = reply.turn
    message: dict[str, Any] = {"role": _BOT, "message": turn.text}
    if not reply.answers:
        return [message] if turn.text else []
    message["tool_calls"] = [_written(answer) for answer in reply.answers]
    results = [{"call": _written(answer), "outputs": [_output(answer)]} for answer in reply.answers]
    return [message, {"role": "TOOL", "tool_results": results}]


def _written(answer: Answer) -> dict[str, Any]:
    return {"name": answer.name, "parameters": dict(answer.arguments)}


def _output(answer: Answer) -> dict[str, Any]:
    if isinstance(answer.content, dict):
        return answer.content
    return {"error" if answer.is_error else "output": answer.content}
