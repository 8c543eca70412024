"""Cohere `/v2/chat`; and `/v1/chat`, whose replies are known by their own fields (`argwright.wire.cohere_v1`).

Calls are shaped like OpenAI's; the reasoning that leads to them is `tool_plan`, thinking
stands in the content. In a stream `delta.message.tool_calls` is one object, the call's
number stands beside it as `index`, and a call without arguments may have no delta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from argwright.model import CallDelta, Json, Turn
from argwright.wire import cohere_v1, finish, function_shape
from argwright.wire.deltas import (
    CallEnd,
    Delta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    unknown_event,
    whole,
)
from argwright.wire.format import Declaration, Format, Reply
from argwright.wire.names import ANY, COHERE_NAME
from argwright.wire.plain import mapping, number, objects, text, word

_PLAN = "tool_plan"
_THINKING = "thinking"


def read(body: Json) -> Turn:
    """A chat response, or one assistant message."""
    top = mapping(body)
    if cohere_v1.recognises(top):
        return cohere_v1.read(top)
    inner = top.get("message")
    message = inner if isinstance(inner, dict) else top
    said, thought = _content(message.get("content"))
    plan = text(message.get(_PLAN))
    kept = {_THINKING: thought, _PLAN: plan, "citations": objects(message.get("citations"))}
    return finish.turn(
        [function_shape.call(entry) for entry in objects(message.get("tool_calls"))],
        word(top.get("finish_reason")),
        text=said,
        reasoning=thought + plan,
        usage=mapping(top.get("usage")) or None,
        extra={name: value for name, value in kept.items() if value},
        error={"message": inner} if isinstance(inner, str) and "role" not in top else top.get("error"),
    )


def _content(content: Json) -> tuple[str, str]:
    """Text and thinking of a content: text, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    parts = objects(content)
    return "".join(text(part.get("text")) for part in parts), "".join(text(part.get(_THINKING)) for part in parts)


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event; its `type` is repeated by the SSE event's name."""
    top = mapping(data)
    kind = word(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top, mapping(mapping(top.get("delta")).get("message")))
    elif "event_type" in top:
        yield from cohere_v1.deltas(top)
    elif "message" in top or cohere_v1.recognises(top):
        yield from whole(read(top))
    else:
        yield unknown_event(kind)


def _nothing(_top: Mapping[str, Any], _message: Mapping[str, Any]) -> Iterator[Delta]:
    return iter(())


def _said(_top: Mapping[str, Any], message: Mapping[str, Any]) -> Iterator[Delta]:
    said, thought = _content(message.get("content"))
    if thought:
        yield ReasoningDelta(thought, _THINKING)
    if said:
        yield TextDelta(said)


def _planned(_top: Mapping[str, Any], message: Mapping[str, Any]) -> Iterator[Delta]:
    yield ReasoningDelta(text(message.get(_PLAN)), _PLAN)


def _piece(top: Mapping[str, Any], message: Mapping[str, Any]) -> Iterator[Delta]:
    for entry in objects(message.get("tool_calls")):
        call = function_shape.call(entry)
        given = call.arguments if isinstance(call.arguments, (str, dict)) else None
        yield CallDelta(number(top.get("index")), call.id, call.name, given, extra=call.extra or None)


def _call_end(top: Mapping[str, Any], _message: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(number(top.get("index")))


def _cited(_top: Mapping[str, Any], message: Mapping[str, Any]) -> Iterator[Delta]:
    for citation in objects(message.get("citations")):
        yield PartDelta("citations", put=citation)


def _end(top: Mapping[str, Any], _message: Mapping[str, Any]) -> Iterator[Delta]:
    delta = mapping(top.get("delta"))
    raw = word(delta.get("finish_reason"))
    if mapping(delta.get("usage")):
        yield MetaDelta(usage=delta["usage"])
    if delta.get("error"):
        yield ErrorDelta(delta["error"], raw)
    elif raw:
        yield FinishDelta(raw)


_EVENTS: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Delta]]] = {
    "message-start": _nothing,
    "content-start": _said,
    "content-delta": _said,
    "content-end": _nothing,
    "tool-plan-delta": _planned,
    "tool-call-start": _piece,
    "tool-call-delta": _piece,
    "tool-call-end": _call_end,
    "citation-start": _cited,
    "citation-end": _nothing,
    "message-end": _end,
    "debug": _nothing,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one `tool` message per call; in the form of v1 for a reply of v1."""
    turn = reply.turn
    if cohere_v1.is_from(turn):
        return cohere_v1.write(reply)
    thought, plan = turn.extra.get(_THINKING), turn.extra.get(_PLAN)
    if turn.reasoning and not thought and not plan:
        thought, plan = (None, turn.reasoning) if reply.answers else (turn.reasoning, None)
    message: dict[str, Any] = {"role": "assistant"}
    if thought:
        parts = [{"type": "thinking", "thinking": thought}, {"type": "text", "text": turn.text}]
        message["content"] = parts if turn.text else parts[:1]
    elif turn.text:
        message["content"] = turn.text
    if plan:
        message[_PLAN] = plan
    if turn.extra.get("citations"):
        message["citations"] = turn.extra["citations"]
    if reply.answers:
        message["tool_calls"] = [function_shape.written(answer) for answer in reply.answers]
    results = [{"role": "tool", "tool_call_id": answer.id, "content": answer.result} for answer in reply.answers]
    return [message, *results] if message.keys() - {"role"} else []


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`; strictness is asked for by the request's `strict_tools`."""
    return function_shape.tool(replace(declaration, strict=False))


def recognises(body: Json) -> bool:
    """A reply or an event of either version, known by words that nobody else uses."""
    top = mapping(body)
    message = mapping(top.get("message")) or top
    if _PLAN in message or text(top.get("type")) in _EVENTS or cohere_v1.recognises(top):
        return True
    return "message" in top and text(top.get("finish_reason")).isupper() and "role" in message


COHERE = Format(
    name="cohere",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    names=COHERE_NAME,
    ids=ANY,
)
