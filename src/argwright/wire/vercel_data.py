"""The AI SDK's data stream (versions 3.3 and 4): lines of `PREFIX:JSON`, and its message.

The prefix comes as the event's name. `b` opens a call, `c` has pieces of its text, `9` the
whole call, which replaces them, `a` its result. `e` ends a step and `d` the reply; only
the latter is the end. In a message a call and its result are one tool invocation, whose
state `partial-call` has arguments that are not whole. There is no error flag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
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
    ViolationDelta,
    whole,
)
from argwright.wire.format import Answer, Format, Framing, Reply
from argwright.wire.names import ANY
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts, one_text
from argwright.wire.plain import arguments, identifier, mapping, objects, text, word
from argwright.wire.writing import message_id

_CALL_MARK: Part = {"type": "tool-invocation"}
_KEY = "dataParts"
_TEXT = {"text": "text", "reasoning": "reasoning"}
"""Under which key a part of this type has its text."""


def _is_plain(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    return isinstance(kind, str) and set(part) <= {"type", _TEXT.get(kind), "details"} and kind in _TEXT


def _tidy(part: Part) -> Part | None:
    if part.get("type") == "tool-invocation":
        return _CALL_MARK
    if not _is_plain(part):
        return part
    said = text(part.get(_TEXT[part["type"]]))
    signed = [piece for piece in objects(part.get("details")) if piece.keys() - {"type", "text"}]
    return {**part} if signed else ({"type": part["type"], _TEXT[part["type"]]: said} if said else None)


def _continues(last: Part, part: Part) -> bool:
    """A text with more of its kind, or a reasoning with what a stream says of it afterwards."""
    if last.get("type") != part.get("type") or not _is_plain(part) or "details" in last:
        return False
    return all(said.get("type") in ("signature", "redacted") for said in objects(part.get("details")))


def _one_piece(group: Sequence[Part]) -> Part:
    key = _TEXT[group[0]["type"]]
    whole = {"type": group[0]["type"], key: one_text(group, key)[key]}
    details = objects(group[-1].get("details"))
    if not details:
        return whole
    told = {"type": "text", "text": whole[key]}
    if details[0].get("type") == "signature":
        return {**whole, "details": [{**told, "signature": details[0].get("signature")}]}
    return {**whole, "details": [told, *details]}


def _rank(part: Part) -> int:
    if part == _CALL_MARK:
        return CALL
    if part.get("type") == "step-start":
        return -1
    if not _is_plain(part) or "details" in part:
        return UNUSUAL
    return 0 if part["type"] == "reasoning" else 1


_PARTS = Parts(key=_KEY, mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues, joined=_one_piece)


def read(body: Json) -> Turn:
    """A message of the assistant, with `parts` or, older, with `content` and `toolInvocations`."""
    top = mapping(body)
    parts = objects(top.get("parts")) or [
        *([{"type": "reasoning", "reasoning": top["reasoning"]}] if text(top.get("reasoning")) else []),
        *([{"type": "text", "text": top["content"]}] if text(top.get("content")) else []),
        *({"type": "tool-invocation", "toolInvocation": one} for one in objects(top.get("toolInvocations"))),
    ]
    calls = [_call(mapping(part.get("toolInvocation"))) for part in parts if part.get("type") == "tool-invocation"]
    own = word(top.get("id"))
    turn = finish.turn(
        calls,
        None,
        text="".join(text(part.get("text")) for part in parts if part.get("type") == "text"),
        reasoning="".join(text(part.get("reasoning")) for part in parts if part.get("type") == "reasoning"),
        extra={**({"messageId": own} if own else {}), _KEY: parts},
    )
    return _PARTS.settle(turn)


def _call(said: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        identifier(said.get("toolCallId")),
        word(said.get("toolName")),
        arguments(said.get("args")),
        finish_reason="incomplete" if said.get("state") == "partial-call" else None,
    )


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One line: its prefix is the event."""
    if event is None and isinstance(data, dict) and ("parts" in data or "toolInvocations" in data):
        yield from whole(read(data))
        return
    handler = _EVENTS.get(event or "")
    if handler is None:
        yield ViolationDelta("unknown_event", f"no prefix of this protocol: {(event or '')[:20]!r}")
    else:
        yield from handler(data)


def _text(data: Json) -> Iterator[Delta]:
    if text(data):
        yield TextDelta(data)
        yield PartDelta(_KEY, put={"type": "text", "text": data})


def _reasoning(data: Json) -> Iterator[Delta]:
    if text(data):
        yield ReasoningDelta(data)
        yield PartDelta(_KEY, put={"type": "reasoning", "reasoning": data})


def _detail(data: Json) -> Iterator[Delta]:
    """A signature of the reasoning so far, or reasoning that is not shown: `settle` puts it where it belongs."""
    said = mapping(data)
    kind = "redacted" if "data" in said else "signature"
    yield PartDelta(_KEY, put={"type": "reasoning", "reasoning": "", "details": [{"type": kind, **said}]})


def _open(data: Json) -> Iterator[Delta]:
    said = mapping(data)
    yield CallDelta(id=identifier(said.get("toolCallId")), name=word(said.get("toolName")))
    yield PartDelta(_KEY, put=_marked(said))


def _piece(data: Json) -> Iterator[Delta]:
    said = mapping(data)
    yield CallDelta(id=identifier(said.get("toolCallId")), arguments=text(said.get("argsTextDelta")))


def _whole(data: Json) -> Iterator[Delta]:
    said = mapping(data)
    own, given = identifier(said.get("toolCallId")), arguments(said.get("args"))
    yield CallDelta(id=own, name=word(said.get("toolName")), arguments=given, stage="final")
    yield PartDelta(_KEY, put=_marked(said))
    yield CallEnd(id=own)


def _marked(said: Mapping[str, Any]) -> Part:
    return {"type": "tool-invocation", "toolInvocation": {"toolCallId": identifier(said.get("toolCallId"))}}


def _result(data: Json) -> Iterator[Delta]:
    said = mapping(data)
    yield PartDelta("results", put={"toolCallId": identifier(said.get("toolCallId")), "output": said.get("result")})


def _error(data: Json) -> Iterator[Delta]:
    yield ErrorDelta({"message": data})


def _start(data: Json) -> Iterator[Delta]:
    own = word(mapping(data).get("messageId"))
    if own:
        yield MetaDelta(extra={"messageId": own})
    yield PartDelta(_KEY, put={"type": "step-start"})


def _end(data: Json) -> Iterator[Delta]:
    said = mapping(data)
    if mapping(said.get("usage")):
        yield MetaDelta(usage=said["usage"])
    yield FinishDelta(word(said.get("finishReason")) or "stop")


def _source(data: Json) -> Iterator[Delta]:
    yield PartDelta(_KEY, put={"type": "source", "source": data})


def _file(data: Json) -> Iterator[Delta]:
    yield PartDelta(_KEY, put={"type": "file", **mapping(data)})


def _nothing(_data: Json) -> Iterator[Delta]:
    return iter(())


_EVENTS: dict[str, Callable[[Json], Iterator[Delta]]] = {
    "0": _text, "g": _reasoning, "i": _detail, "j": _detail, "b": _open, "c": _piece, "9": _whole, "a": _result,
    "3": _error, "f": _start, "e": _nothing, "d": _end, "2": _nothing, "8": _nothing, "h": _source, "k": _file,
}  # fmt: skip


def settle(turn: Turn) -> Turn:
    """The turn of a stream: one mark per call."""
    seen: set[Any] = set()
    parts: list[Part] = []
    for part in turn.extra.get(_KEY, ()):
        own = mapping(part.get("toolInvocation")).get("toolCallId")
        if own is None or own not in seen:
            parts.append(part)
        seen.add(own)
    return _PARTS.settle(replace(turn, extra={**turn.extra, _KEY: parts}))


def write(reply: Reply) -> list[dict[str, Any]]:
    """One message: each tool invocation holds its result too."""
    turn = reply.turn
    usual: list[Part] = []
    if turn.reasoning:
        usual.append(
            {"type": "reasoning", "reasoning": turn.reasoning, "details": [{"type": "text", "text": turn.reasoning}]}
        )
    if turn.text:
        usual.append({"type": "text", "text": turn.text})
    parts = _PARTS.written(turn, usual, reply.answers, _written)
    return [{"id": message_id(reply), "role": "assistant", "content": turn.text, "parts": parts}] if parts else []


def _written(answer: Answer) -> Part:
    result = answer.content
    if answer.is_error and not (isinstance(result, dict) and "error" in result):
        result = {"error": result}
    invocation = {
        "state": "result",
        "toolCallId": answer.id,
        "toolName": answer.name,
        "args": dict(answer.arguments),
        "result": result,
    }
    return {"type": "tool-invocation", "toolInvocation": invocation}


def recognises(body: Json) -> bool:
    """A message with tool invocations; a line without its prefix says nothing."""
    top = mapping(body)
    kinds = [part.get("type") for part in objects(top.get("parts"))]
    return "role" in top and ("toolInvocations" in top or "tool-invocation" in kinds)


VERCEL_DATA = Format(
    name="vercel-data",
    read=read,
    deltas=deltas,
    write=write,
    declare=function_shape.flat_tool,
    recognises=recognises,
    framing=Framing.PREFIXED,
    names=ANY,
    ids=ANY,
    settle=settle,
)
