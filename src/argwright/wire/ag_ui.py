"""AG-UI: the events of an agent's run, and the messages that it keeps.

A call is `TOOL_CALL_START`, pieces, `TOOL_CALL_END`, or chunks that say all of it; its
pieces are found by `toolCallId`. A run also tells the results of the tools that the agent
ran itself; they stand in `Turn.extra["results"]`. The protocol has no finish reason: a run
that is finished is `stop`, calls or not; one that was interrupted waits for a person.
State, activity and steps say nothing of the reply. Messages have ids of their own, and a
tool message has its error beside its content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from argwright.model import CallDelta, Json, Turn
from argwright.wire import finish, function_shape
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
from argwright.wire.format import Answer, Declaration, Format, Reply
from argwright.wire.names import ANY
from argwright.wire.plain import arguments, identifier, mapping, objects, text, word
from argwright.wire.writing import message_id

_QUIET = (
    "RUN_STARTED", "STEP_", "STATE_", "ACTIVITY_", "SUBAGENT_", "MESSAGES_SNAPSHOT", "RAW", "CUSTOM",
    "REASONING_", "THINKING_", "TEXT_MESSAGE_",
)  # fmt: skip
"""Events, or their first words, that are of this protocol and say nothing of calls, text or reasoning."""


def _field(value: Mapping[str, Any], name: str) -> Any:
    """A field by its name on the wire, or in the spelling of Python."""
    found = value.get(name)
    return found if found is not None else value.get("".join(f"_{c.lower()}" if c.isupper() else c for c in name))


def read(body: Json) -> Turn:
    """A message of the assistant; in a list of messages, the last one with the reasoning right before it."""
    message, thought = _last(objects(body))
    calls = objects(_field(message, "toolCalls"))
    kept = {
        "messageId": word(message.get("id")),
        "encryptedValue": word(_field(message, "encryptedValue")),
        "reasoningMessage": {name: value for name, value in thought.items() if name in ("id", "encryptedValue")},
    }
    return finish.turn(
        [function_shape.call(entry) for entry in calls],
        None,
        text=text(message.get("content")),
        reasoning=text(thought.get("content")),
        extra={name: value for name, value in kept.items() if value},
    )


def _last(messages: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The assistant's last message, and the reasoning message before it."""
    place = next((at for at in reversed(range(len(messages))) if messages[at].get("role") == "assistant"), None)
    if place is None:
        return {}, next((one for one in messages if one.get("role") == "reasoning"), {})
    before = messages[place - 1] if place else {}
    return messages[place], before if before.get("role") == "reasoning" else {}


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event of a run."""
    top = mapping(data)
    kind = word(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif "role" in top:
        yield from whole(read(top))
    elif not kind.startswith(_QUIET):
        yield unknown_event(kind)


def _id(top: Mapping[str, Any]) -> str | None:
    return identifier(_field(top, "toolCallId"))


def _said(top: Mapping[str, Any]) -> Iterator[Delta]:
    if text(top.get("delta")):
        yield TextDelta(top["delta"])


def _begins(top: Mapping[str, Any]) -> Iterator[Delta]:
    own = word(_field(top, "messageId"))
    if own and top.get("role", "assistant") == "assistant":
        yield MetaDelta(extra={"messageId": own})


def _chunk(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield from _begins(top)
    yield from _said(top)


def _thought(top: Mapping[str, Any]) -> Iterator[Delta]:
    if text(top.get("delta")):
        yield ReasoningDelta(top["delta"])


def _encrypted(top: Mapping[str, Any]) -> Iterator[Delta]:
    """An opaque value that belongs to a call or to a message."""
    value, owner = _field(top, "encryptedValue"), identifier(_field(top, "entityId"))
    if top.get("subtype") == "tool-call" and owner:
        yield CallDelta(id=owner, extra={"encryptedValue": value})
    else:
        yield MetaDelta(extra={"reasoningMessage": {"id": owner, "encryptedValue": value}})


def _call_start(top: Mapping[str, Any]) -> Iterator[Delta]:
    more = {"metadata": top["metadata"]} if top.get("metadata") else None
    yield CallDelta(id=_id(top), name=word(_field(top, "toolCallName")), extra=more)


def _call_piece(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallDelta(id=_id(top), name=word(_field(top, "toolCallName")), arguments=arguments(top.get("delta")))


def _call_end(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(id=_id(top))


def _result(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta("results", put={"toolCallId": _id(top), "output": top.get("content")})


def _finished(top: Mapping[str, Any]) -> Iterator[Delta]:
    outcome = mapping(top.get("outcome"))
    interrupts = objects(outcome.get("interrupts"))
    if interrupts:
        yield MetaDelta(extra={"interrupts": interrupts})
    for used in objects(top.get("usage"))[:1]:
        yield MetaDelta(word(used.get("model")), used)
    raw, reason = _OUTCOMES.get(text(outcome.get("type")), ("stop", "stop"))
    yield FinishDelta(raw, reason)


_OUTCOMES = {"interrupt": ("interrupt", "pause"), "cancelled": ("cancelled", "error")}


def _failed(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta({name: top[name] for name in ("message", "code") if top.get(name) is not None})


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "TEXT_MESSAGE_START": _begins,
    "TEXT_MESSAGE_CONTENT": _said,
    "TEXT_MESSAGE_CHUNK": _chunk,
    "REASONING_MESSAGE_CONTENT": _thought,
    "REASONING_MESSAGE_CHUNK": _thought,
    "REASONING_ENCRYPTED_VALUE": _encrypted,
    "THINKING_TEXT_MESSAGE_CONTENT": _thought,
    "TOOL_CALL_START": _call_start,
    "TOOL_CALL_ARGS": _call_piece,
    "TOOL_CALL_CHUNK": _call_piece,
    "TOOL_CALL_END": _call_end,
    "TOOL_CALL_RESULT": _result,
    "RUN_FINISHED": _finished,
    "RUN_ERROR": _failed,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The reasoning, the assistant's message, then one `tool` message per call."""
    turn = reply.turn
    thinking = mapping(turn.extra.get("reasoningMessage"))
    message: dict[str, Any] = {"id": message_id(reply), "role": "assistant"}
    if turn.text or not reply.answers:
        message["content"] = turn.text
    if turn.extra.get("encryptedValue"):
        message["encryptedValue"] = turn.extra["encryptedValue"]
    if reply.answers:
        message["toolCalls"] = [_written(answer) for answer in reply.answers]
    reasoning = {"id": f"{message['id']}_reasoning", "role": "reasoning", "content": turn.reasoning, **thinking}
    spoken = [message] if turn.text or reply.answers else []
    return [*([reasoning] if turn.reasoning or thinking else []), *spoken, *map(_answered, reply.answers)]


def _written(answer: Answer) -> dict[str, Any]:
    more = {name: answer.call.extra[name] for name in ("encryptedValue", "metadata") if name in answer.call.extra}
    return {**more, **function_shape.written(answer)}


def _answered(answer: Answer) -> dict[str, Any]:
    message = {"id": f"result_{answer.id}", "role": "tool", "toolCallId": answer.id, "content": answer.result}
    return message | ({"error": answer.result} if answer.is_error else {})


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of a run's `tools`."""
    return {
        "name": declaration.name,
        "description": declaration.description,
        "parameters": dict(declaration.schema),
    }


def recognises(body: Json) -> bool:
    """An event of a run, a message with `toolCalls`, or one of reasoning."""
    messages = objects(body)
    kind = text(messages[0].get("type")) if messages else ""
    if kind in _EVENTS or kind == "RUN_STARTED":
        return True
    return any(
        "role" in one and (isinstance(one.get("toolCalls"), list) or one["role"] == "reasoning") for one in messages
    )


AG_UI = Format(
    name="ag-ui",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    names=ANY,
    ids=ANY,
)
