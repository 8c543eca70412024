"""Ollama's native `/api/chat`: one JSON object, or one a line while it streams.

Calls are always whole and their `arguments` an object; only newer servers give ids, and
`function.index` may be 0 for every call, so it is not believed. `done_reason` is `stop`
although calls were made. An error inside a stream is a line `{"error": text}`.
A string as `arguments` of the history fails at the server, so an object is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from argwright.model import CallDelta, Json, Turn
from argwright.wire import finish, function_shape
from argwright.wire.deltas import (
    CallEnd,
    Delta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
)
from argwright.wire.format import Answer, Declaration, Format, Framing, Identity, Reply
from argwright.wire.names import ANY, NAME_64
from argwright.wire.plain import mapping, objects, text, word

_USAGE = (
    "prompt_eval_count", "eval_count", "total_duration", "load_duration", "prompt_eval_duration", "eval_duration",
)  # fmt: skip


def read(body: Json) -> Turn:
    """A chat response, the list of those of a stream, or one assistant message."""
    tops = objects(body)
    messages = [mapping(top.get("message")) or (top if "role" in top else {}) for top in tops]
    last = tops[-1] if tops else {}
    failed = next((top["error"] for top in tops if top.get("error")), None)
    return finish.turn(
        [function_shape.call(entry) for message in messages for entry in objects(message.get("tool_calls"))],
        _reason(last),
        text="".join(text(message.get("content")) for message in messages),
        reasoning="".join(text(message.get("thinking")) for message in messages),
        model=next((word(top.get("model")) for top in tops if word(top.get("model"))), None),
        usage=_usage(last),
        error=_error(failed),
    )


def _reason(top: Mapping[str, Any]) -> str | None:
    """The word for the end; older servers say only that it is the end."""
    return word(top.get("done_reason")) or ("stop" if top.get("done") is True else None)


def _usage(top: Mapping[str, Any]) -> dict[str, Any] | None:
    return {name: top[name] for name in _USAGE if name in top} or None


def _error(said: Json) -> dict[str, Any] | None:
    if said is None:
        return None
    return said if isinstance(said, dict) else {"message": said}


def deltas(event: str | None, data: Json) -> Iterator[Delta]:  # noqa: ARG001  # this protocol names no events
    """One line."""
    top = mapping(data)
    if "message" not in top and "done" not in top and "error" not in top:
        yield ViolationDelta("not_a_response", "expected an object with message")
    message = mapping(top.get("message"))
    model, usage, raw = word(top.get("model")), _usage(top), _reason(top)
    if model or usage:
        yield MetaDelta(model, usage)
    if text(message.get("thinking")):
        yield ReasoningDelta(message["thinking"])
    if text(message.get("content")):
        yield TextDelta(message["content"])
    for entry in objects(message.get("tool_calls")):
        call = function_shape.call(entry)
        given = call.arguments if isinstance(call.arguments, (str, dict)) else None
        yield CallDelta(id=call.id, name=call.name, arguments=given, stage="final", extra=call.extra or None)
        yield CallEnd()
    if top.get("error"):
        yield ErrorDelta(_error(top["error"]), raw)
    elif raw:
        yield FinishDelta(raw)


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one `tool` message per call."""
    turn = reply.turn
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if turn.reasoning:
        message["thinking"] = turn.reasoning
    if reply.answers:
        message["tool_calls"] = [_written(answer) for answer in reply.answers]
    results = [
        {"role": "tool", "tool_name": answer.name, "content": answer.result, **_id(answer, "tool_call_id")}
        for answer in reply.answers
    ]
    return [message, *results] if turn.text or turn.reasoning or reply.answers else []


def _written(answer: Answer) -> dict[str, Any]:
    function = {"name": answer.name, "arguments": dict(answer.arguments)}
    return {**_id(answer, "id"), "function": function}


def _id(answer: Answer, key: str) -> dict[str, str]:
    """The id, if the call had one: older servers know none."""
    return {} if answer.call.id is None else {key: answer.id}


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`; there is no strict mode."""
    return function_shape.tool(replace(declaration, strict=False))


def recognises(body: Json) -> bool:
    """A line of a chat; a message alone only by its `tool_name`, or by arguments that are an object."""
    top = next(iter(objects(body)), {})
    if isinstance(top.get("done"), bool) and ("message" in top or "done_reason" in top):
        return True
    if text(top.get("role")) == "tool" and "tool_name" in top:
        return True
    calls = objects(top.get("tool_calls"))
    functions = [mapping(call.get("function")) for call in calls]
    return bool(calls) and all(isinstance(one.get("arguments"), dict) and "id" not in one for one in functions)


OLLAMA = Format(
    name="ollama",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    framing=Framing.VALUES,
    identity=Identity.RULES,
    names=NAME_64,
    ids=ANY,
)
