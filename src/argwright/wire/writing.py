"""From a turn, its outcomes and results to a `Reply` that every format can write.

What is written can always be replayed: each call has an id that is unique in the turn,
a name that the provider takes, arguments that are a JSON object, and exactly one
result. A call that could not be read goes out with `{}`; its text is never repeated,
since models copy what they see.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argwright.model import InvalidCall, Json, Outcome, ToolCall, ToolResult, Turn, ValidCall, compact
from argwright.wire.format import Answer, Reply
from argwright.wire.names import Rule

_NOT_RUN = {"error": "this call was not run"}


def reply(
    turn: Turn, outcomes: Sequence[Outcome] | None, results: Sequence[ToolResult], *, names: Rule, ids: Rule
) -> Reply:
    """The turn with one answer per outcome; per call, if `outcomes` is `None`.

    Raises:
        ValueError: there are more results than calls.
    """
    settled: Sequence[Outcome | ToolCall] = turn.calls if outcomes is None else outcomes
    if len(results) > len(settled):
        raise ValueError(f"{len(results)} results for {len(settled)} calls: each call has one result")
    given = _ids(turn, [_call(item) for item in settled], ids)
    padded = (*results, *(None for _ in range(len(settled) - len(results))))
    answers = (_answer(*one, names=names) for one in zip(settled, given, padded, strict=True))
    return Reply(turn=turn, answers=tuple(answers))


def message_id(reply: Reply) -> str:
    """For wires whose messages have ids: the message's own, as readers keep it, or one made from its content."""
    given = reply.turn.extra.get("messageId")
    if isinstance(given, str) and given:
        return given
    seed = repr((reply.turn.text, reply.turn.reasoning, [answer.id for answer in reply.answers]))
    return f"msg_{hashlib.sha256(seed.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _call(item: Outcome | ToolCall) -> ToolCall:
    return item if isinstance(item, ToolCall) else item.call


def _ids(turn: Turn, calls: Sequence[ToolCall], rule: Rule) -> Iterator[str]:
    """An id for each call: its own, if it is the first to have it; else one made from the turn's content."""
    used: set[str] = set()
    for number, call in enumerate(calls):
        own = None if call.id is None else rule.apply(call.id)
        if own is None or own in used:
            seed = repr((number, call.id, call.name, call.arguments, turn.text, turn.reasoning, turn.model, turn.usage))
            digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
            own = rule.apply(f"call_{digest[:24]}")
        used.add(own)
        yield own


def _answer(item: Outcome | ToolCall, own_id: str, result: ToolResult | None, *, names: Rule) -> Answer:
    call = _call(item)
    arguments, written = _effective(item)
    declared = getattr(item.tool, "name", None) if isinstance(item, (ValidCall, InvalidCall)) else None
    content = _NOT_RUN if result is None else result.content
    return Answer(
        call=call,
        id=own_id,
        name=names.apply(declared or (call.name or "").strip() or "unknown"),
        arguments=arguments,
        text=written,
        content=content,
        result=content if isinstance(content, str) else compact(content),
        is_error=result is None or result.is_error,
    )


def _effective(item: Outcome | ToolCall) -> tuple[Mapping[str, Json], str]:
    """The arguments that count, as an object and as text."""
    raw, free = _call(item).arguments, _call(item).input
    if free is not None:
        return {"input": free}, compact({"input": free})
    as_written = _object(raw)
    if isinstance(item, ValidCall) and (item.repairs or as_written != item.arguments):
        return item.arguments, compact(item.arguments)
    if as_written is None:
        return {}, "{}"
    return as_written, raw if isinstance(raw, str) else compact(as_written)


def _object(raw: Any) -> dict[str, Json] | None:
    """The object that the arguments are, read strictly; `None` if they are none that could be sent again."""
    try:
        value = json.loads(raw) if isinstance(raw, (str, bytes)) else raw
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
