"""The AI SDK's UI message stream (versions 5 and 6), the UI message itself, and the parts of its model side.

Events have a `type`; a call's pieces are found by `toolCallId`. `tool-input-available` has
the whole input and replaces the pieces, `tool-input-error` has what could not be read,
perhaps as raw text. A tool with `providerExecuted` is not ours: its call is no call of the
turn, but a part that goes back. Outputs of tools that a server ran stand in
`Turn.extra["results"]`. A UI message holds a call and its result in one part.
On the model side (provider parts) the id is `id`, the piece `delta`, and `tool-call` has its
input as JSON text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish
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
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts, one_text
from argwright.wire.plain import arguments, identifier, mapping, objects, text, word
from argwright.wire.writing import message_id

_CALL_MARK: Part = {"type": "tool"}
_KEY = "uiParts"
_RESULTS = "results"
_META = "providerMetadata"
_CALL_META = "callProviderMetadata"
_OURS = "providerExecuted"
_KEPT = ("title", "dynamic")
_STATED = frozenset({"type", "text", "state"})


def _is_tool(part: Mapping[str, Any]) -> bool:
    kind = text(part.get("type"))
    return kind.startswith("tool-") or kind == "dynamic-tool"


def _is_ours(part: Mapping[str, Any]) -> bool:
    return _is_tool(part) and not part.get(_OURS)


# the parts of a message


def _tidy(part: Part) -> Part | None:
    if _is_ours(part):
        return _CALL_MARK
    return None if _is_plain(part) and not part.get("text") and "state" not in part else part


def _is_plain(part: Mapping[str, Any]) -> bool:
    return part.get("type") in ("text", "reasoning") and part.keys() <= _STATED


def _continues(last: Part, part: Part) -> bool:
    """A text with the next piece of it, as long as it is streaming."""
    return last.get("type") == part.get("type") and last.get("state") == "streaming" and "state" in part


def _one_piece(group: Sequence[Part]) -> Part:
    return {name: value for part in group for name, value in part.items()} | {"text": one_text(group)["text"]}


def _rank(part: Part) -> int:
    if part == _CALL_MARK:
        return CALL
    if part.get("type") == "step-start":
        return -1
    if not _is_plain(part):
        return UNUSUAL
    return 0 if part["type"] == "reasoning" else 1


_PARTS = Parts(key=_KEY, mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues, joined=_one_piece)


def read(body: Json) -> Turn:
    """A UI message of the assistant."""
    top = mapping(body)
    parts = objects(top.get("parts"))
    calls = [_call(part) for part in parts if _is_ours(part)]
    turn = finish.turn(
        calls,
        None,
        text="".join(text(part.get("text")) for part in parts if part.get("type") == "text"),
        reasoning="".join(text(part.get("text")) for part in parts if part.get("type") == "reasoning"),
        extra={**_identity(top), _KEY: parts},
        error={"message": top["errorText"]} if word(top.get("errorText")) else None,
    )
    return _PARTS.settle(turn)


def _identity(top: Mapping[str, Any]) -> dict[str, Any]:
    named = {"messageId": word(top.get("id") or top.get("messageId"))}
    named["messageMetadata"] = top.get("metadata") or top.get("messageMetadata")
    return {name: value for name, value in named.items() if value is not None}


def _call(part: Mapping[str, Any]) -> ToolCall:
    name = part.get("toolName") or text(part.get("type")).removeprefix("tool-")
    given = part.get("input") if part.get("input") is not None else part.get("rawInput")
    call = ToolCall(
        identifier(part.get("toolCallId")),
        word(name),
        arguments(given),
        finish_reason="incomplete" if part.get("state") == "input-streaming" else None,
        extra=_extra({**part, _META: part.get(_CALL_META)}),
    )
    return replace(call, arguments=None, input=given) if _is_free_text(part.get("input")) else call


def _is_free_text(given: Json) -> bool:
    """Whether an input is that of a tool that takes text: JSON text of an object is an input that was not parsed."""
    return isinstance(given, str) and not given.lstrip().startswith("{")


def _extra(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in (_META, *_KEPT) if said.get(name)}


# the stream


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event."""
    top = mapping(data)
    kind = word(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif kind.startswith("data-"):
        if not top.get("transient"):
            yield PartDelta(_KEY, put=top)
    elif isinstance(top.get("parts"), list):
        yield from whole(read(top))
    else:
        yield unknown_event(kind)


def _id(top: Mapping[str, Any]) -> str | None:
    return identifier(top.get("toolCallId") or top.get("id"))


def _piece_of(top: Mapping[str, Any], name: str) -> str:
    return text(top.get(name)) or text(top.get("delta"))


def _text_piece(top: Mapping[str, Any]) -> Iterator[Delta]:
    """The start, a piece or the end of a text or a reasoning."""
    kind, _, stage = text(top.get("type")).partition("-")
    piece = text(top.get("delta")) or text(top.get("text"))
    if piece:
        yield TextDelta(piece) if kind == "text" else ReasoningDelta(piece)
    state = "done" if stage == "end" else "streaming"
    signed = {_META: top[_META]} if top.get(_META) else {}
    yield PartDelta(_KEY, put={"type": kind, "text": piece, "state": state, **signed})


def _called(top: Mapping[str, Any], given: Json = None) -> CallDelta:
    """A call, or more of it; one that the provider runs is marked, and `settle` takes it out again."""
    theirs = bool(top.get(_OURS))
    extra = _extra(top) | ({_OURS: True} if theirs else {})
    return CallDelta(
        id=_id(top),
        name=word(top.get("toolName")),
        arguments=arguments(given),
        stage="piece" if given is None else "final",
        blocked=theirs,
        extra=extra or None,
    )


def _input_start(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield _called(top)
    yield PartDelta(_KEY, put={"type": "tool-call", "toolCallId": _id(top)})


def _input_delta(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallDelta(id=_id(top), arguments=_piece_of(top, "inputTextDelta"))


def _input_end(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(id=_id(top))


def _input_whole(top: Mapping[str, Any]) -> Iterator[Delta]:
    """The whole input: an object, its JSON text, or the text of a tool that takes no JSON."""
    given = top.get("input")
    yield _called(top, given)
    if _is_free_text(given) and top.get("type") != "tool-input-error":
        yield CallDelta(id=_id(top), input=given, stage="final")
    yield PartDelta(_KEY, put={"type": "tool-call", "toolCallId": _id(top)})
    yield CallEnd(id=_id(top))


def _input_error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield from _input_whole(top)
    yield from _output_error(top)


def _output(top: Mapping[str, Any]) -> Iterator[Delta]:
    if not top.get("preliminary"):
        yield PartDelta(_RESULTS, put={"toolCallId": _id(top), "output": top.get("output", top.get("result"))})


def _output_error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_RESULTS, put={"toolCallId": _id(top), "error": text(top.get("errorText"))})


def _denied(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_RESULTS, put={"toolCallId": _id(top), "denied": True})


def _approval(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta("approvals", put={name: value for name, value in top.items() if name != "type"})


def _part(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_KEY, put=top)


def _step(_top: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_KEY, put={"type": "step-start"})


def _meta(top: Mapping[str, Any]) -> Iterator[Delta]:
    extra = _identity({name: value for name, value in top.items() if name != "id"})
    if extra or word(top.get("modelId")):
        yield MetaDelta(word(top.get("modelId")), extra=extra or None)


def _finish(top: Mapping[str, Any]) -> Iterator[Delta]:
    """The end; version 5 has no reason there."""
    given = top.get("finishReason")
    usage = mapping(top.get("usage"))
    yield from _meta(top)
    if usage:
        yield MetaDelta(usage=usage)
    yield FinishDelta(word(mapping(given).get("unified") or given) or "stop")


def _error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta({"message": top.get("errorText") or top.get("error")})


def _abort(_top: Mapping[str, Any]) -> Iterator[Delta]:
    yield FinishDelta("abort")


def _nothing(_top: Mapping[str, Any]) -> Iterator[Delta]:
    return iter(())


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "start": _meta, "message-metadata": _meta, "response-metadata": _meta, "stream-start": _nothing,
    "start-step": _step, "finish-step": _nothing, "finish": _finish, "error": _error, "abort": _abort,
    "text-start": _text_piece, "text-delta": _text_piece, "text-end": _text_piece,
    "reasoning-start": _text_piece, "reasoning-delta": _text_piece, "reasoning-end": _text_piece,
    "tool-input-start": _input_start, "tool-input-delta": _input_delta, "tool-input-end": _input_end,
    "tool-input-available": _input_whole, "tool-call": _input_whole, "tool-input-error": _input_error,
    "tool-output-available": _output, "tool-result": _output, "tool-output-error": _output_error,
    "tool-output-denied": _denied, "tool-approval-request": _approval,
    "file": _part, "source": _part, "source-url": _part, "source-document": _part, "raw": _nothing,
}  # fmt: skip


def settle(turn: Turn) -> Turn:
    """The turn of a stream: the provider's own calls become parts, each call has one mark."""
    theirs = {call.id: call for call in turn.calls if call.id is not None and call.extra.get(_OURS)}
    results = {result.get("toolCallId"): result for result in turn.extra.get(_RESULTS, ())}
    parts: list[Part] = []
    seen: set[str | None] = set()
    for part in turn.extra.get(_KEY, ()):
        own = part.get("toolCallId") if part.get("type") == "tool-call" else None
        if own is None or own not in seen:
            parts.append(_theirs(theirs[own], results.get(own, {})) if own in theirs else part)
            seen.add(own)
    calls = tuple(call for call in turn.calls if call.id not in theirs)
    others = [result for own, result in results.items() if own not in theirs]
    extra = {**turn.extra, _KEY: parts, _RESULTS: others}
    kept = {name: value for name, value in extra.items() if name != _RESULTS or value}
    return _PARTS.settle(replace(turn, calls=calls, extra=kept))


def _theirs(call: ToolCall, result: Mapping[str, Any]) -> Part:
    """The part of a call that the provider ran."""
    ended: Part = {"state": "input-available"}
    if "output" in result:
        ended = {"state": "output-available", "output": result["output"]}
    elif "error" in result:
        ended = {"state": "output-error", "errorText": result["error"]}
    given = {"type": f"tool-{call.name}", "toolCallId": call.id, "input": call.arguments, _OURS: True}
    return given | ended


# writing


def write(reply: Reply) -> list[dict[str, Any]]:
    """One UI message: each call's part holds its result too."""
    turn = reply.turn
    usual: list[Part] = []
    if turn.reasoning:
        usual.append({"type": "reasoning", "text": turn.reasoning, "state": "done"})
    if turn.text:
        usual.append({"type": "text", "text": turn.text, "state": "done"})
    parts = _PARTS.written(turn, usual, reply.answers, _written)
    if not parts:
        return []
    metadata = turn.extra.get("messageMetadata")
    message = {"id": message_id(reply), "role": "assistant", "parts": parts}
    return [message if metadata is None else {**message, "metadata": metadata}]


def _written(answer: Answer) -> Part:
    extra = answer.call.extra
    named: Part = {"type": f"tool-{answer.name}"}
    if extra.get("dynamic"):
        named = {"type": "dynamic-tool", "toolName": answer.name}
    signed = {_CALL_META: extra[_META]} if extra.get(_META) else {}
    title = {"title": extra["title"]} if extra.get("title") else {}
    ended = {"state": "output-available", "output": answer.content}
    if answer.is_error:
        ended = {"state": "output-error", "errorText": answer.result}
    given: Any = answer.call.input if answer.call.input is not None else dict(answer.arguments)
    return {**named, "toolCallId": answer.id, **title, **signed, "input": given, **ended}


def declare(declaration: Declaration) -> dict[str, Any]:
    """A tool as the AI SDK's providers take it."""
    return {
        "type": "function",
        "name": declaration.name,
        "description": declaration.description,
        "inputSchema": dict(declaration.schema),
    }


_LONE = frozenset({"start", "finish", "error", "abort", "file", "raw", "source"})
"""Events whose names say too little to tell the protocol by."""


def recognises(body: Json) -> bool:
    """An event of the stream, or a message with `parts` that name their type."""
    top = mapping(body)
    kind = text(top.get("type"))
    if kind in _EVENTS and (kind not in _LONE or "finishReason" in top):
        return True
    parts = objects(top.get("parts"))
    tools = [part for part in parts if _is_tool(part) and part.get("type") != "tool-invocation"]
    return "role" in top and bool(parts) and (bool(tools) or all(_is_plain(part) for part in parts))


VERCEL_UI = Format(
    name="vercel-ui",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    names=ANY,
    ids=ANY,
    settle=settle,
)
