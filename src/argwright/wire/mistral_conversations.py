"""Mistral's Conversations (agents) API: a reply is a list of entries.

A call is an entry `function.call` with a `tool_call_id` of 9 characters; streamed as
`function.call.delta`, where name and ids stand in every event and only the arguments
come in pieces. The service runs its own tools (`tool.execution`) and hands over between
agents; neither is a call for us. There is no finish reason but the event
`conversation.response.done`. Results are entries `function.result` with text, without
an error flag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish, function_shape
from argwright.wire.deltas import (
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
from argwright.wire.format import Answer, Format, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts, one_text, runs
from argwright.wire.plain import arguments, identifier, mapping, number, objects, text, word

_CALL_MARK: Part = {"type": "function.call"}
_DONE = "stop"
"""What the end is called here: the protocol has no word for it."""
_DENIED = "denied"
_OUTPUT = ("type", "content")


def _chunks(content: Json) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def _said(chunks: list[dict[str, Any]]) -> str:
    return "".join(text(chunk.get("text")) for chunk in chunks if chunk.get("type") == "text")


def _thought(chunks: Sequence[dict[str, Any]]) -> str:
    pieces = [piece for chunk in chunks if chunk.get("type") == "thinking" for piece in _chunks(chunk.get("thinking"))]
    return "".join(text(piece.get("text")) for piece in pieces)


def _tidy(entry: Part) -> Part | None:
    """An entry as it can be sent again: an output keeps its content only."""
    match entry.get("type"):
        case "function.call":
            return _CALL_MARK
        case "message.output":
            chunks = _joined(_chunks(entry.get("content")))
            return {"type": "message.output", "content": chunks} if chunks else None
        case _:
            return entry


def _joined(chunks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Chunks of a content, neighbours of plain text and of plain thinking joined."""
    groups = runs((chunk for chunk in chunks if chunk != {"type": "text", "text": ""}), _continues_chunk)
    return [group[0] if len(group) == 1 else _one_chunk(group) for group in groups]


def _continues_chunk(last: Part, chunk: Part) -> bool:
    return chunk.get("type") == last.get("type") and _is_plain(chunk) and _is_plain(last)


def _one_chunk(group: Sequence[Part]) -> Part:
    if group[0]["type"] == "text":
        return one_text(group)
    return {"type": "thinking", "thinking": [{"type": "text", "text": _thought(group)}]}


def _is_plain(chunk: Mapping[str, Any]) -> bool:
    if chunk.get("type") == "text":
        return set(chunk) == {"type", "text"} and isinstance(chunk["text"], str)
    inner = chunk.get("thinking")
    texts = isinstance(inner, (str, list)) and all(piece.get("type") == "text" for piece in _chunks(inner))
    return chunk.get("type") == "thinking" and chunk.keys() <= {"type", "thinking"} and texts


def _continues(last: Part, entry: Part) -> bool:
    return last.get("type") == entry.get("type") == "message.output"


def _one_output(group: Sequence[Part]) -> Part:
    return {"type": "message.output", "content": _joined(chunk for entry in group for chunk in entry["content"])}


def _rank(entry: Part) -> int:
    if entry == _CALL_MARK:
        return CALL
    chunks = _chunks(entry.get("content"))
    kinds = [chunk.get("type") for chunk in chunks]
    usual = kinds in (["text"], ["thinking"], ["thinking", "text"]) and all(map(_is_plain, chunks))
    return 1 if usual and entry.get("type") == "message.output" else UNUSUAL


_ENTRIES = Parts(key="entries", mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues, joined=_one_output)


def read(body: Json) -> Turn:
    """A conversation's response, or a list of entries; a call that has its result there is answered already."""
    top = mapping(body)
    entries = objects(body) if isinstance(body, list) else objects(top.get("outputs") or top.get("entries"))
    answered = {entry.get("tool_call_id") for entry in entries if entry.get("type") == "function.result"}
    own = [entry for entry in entries if entry.get("type") not in ("message.input", "function.result")]
    calls = [entry for entry in own if entry.get("type") == "function.call"]
    calls = [entry for entry in calls if entry.get("tool_call_id") not in answered]
    outputs = [_chunks(entry.get("content")) for entry in own if entry.get("type") == "message.output"]
    done = not isinstance(body, list) and "outputs" in top
    turn = finish.turn(
        [_call(entry) for entry in calls],
        _DONE if done else None,
        text="".join(map(_said, outputs)),
        reasoning="".join(map(_thought, outputs)),
        model=next((word(entry.get("model")) for entry in own if word(entry.get("model"))), None),
        usage=mapping(top.get("usage")) or None,
        extra={"entries": [entry for entry in own if entry.get("type") != "function.call" or entry in calls]},
        error=top.get("error") or (top if top.get("detail") or top.get("code") else None),
    )
    return _ENTRIES.settle(turn)


def _call(entry: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        identifier(entry.get("tool_call_id")),
        word(entry.get("name")),
        arguments(entry.get("arguments")),
        blocked=entry.get("confirmation_status") == _DENIED,
    )


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event; the SDK wraps it in an object with `event` and `data`."""
    top = mapping(data)
    if isinstance(top.get("data"), dict) and "type" not in top:
        event, top = word(top.get("event")) or event, top["data"]
    kind = word(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif kind.startswith(("tool.execution.", "agent.handoff.")) or kind == "conversation.response.started":
        return
    elif "outputs" in top:
        yield from whole(read(top))
    elif top.get("error") or top.get("detail"):
        yield ErrorDelta(top.get("error") or top)
    else:
        yield unknown_event(kind)


def _call_delta(top: Mapping[str, Any]) -> Iterator[Delta]:
    own = identifier(top.get("tool_call_id"))
    index = number(top.get("output_index")) if own is None else None
    denied = top.get("confirmation_status") == _DENIED
    yield CallDelta(index, own, word(top.get("name")), arguments(top.get("arguments")), blocked=denied)
    place = number(top.get("output_index"))
    if place is not None:
        yield PartDelta("entries", place, put=_CALL_MARK)


def _output_delta(top: Mapping[str, Any]) -> Iterator[Delta]:
    chunks = _chunks(top.get("content"))
    if word(top.get("model")):
        yield MetaDelta(top["model"])
    if _thought(chunks):
        yield ReasoningDelta(_thought(chunks))
    if _said(chunks):
        yield TextDelta(_said(chunks))
    yield PartDelta("entries", put={"type": "message.output", "content": chunks})


def _done(top: Mapping[str, Any]) -> Iterator[Delta]:
    if mapping(top.get("usage")):
        yield MetaDelta(usage=top["usage"])
    yield FinishDelta(_DONE)


def _error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta({name: value for name, value in top.items() if name in ("message", "code")})


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "function.call.delta": _call_delta,
    "message.output.delta": _output_delta,
    "conversation.response.done": _done,
    "conversation.response.error": _error,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The model's entries, then one `function.result` per call."""
    turn = reply.turn
    content: list[dict[str, Any]] = []
    if turn.reasoning:
        content.append({"type": "thinking", "thinking": [{"type": "text", "text": turn.reasoning}]})
    if turn.text:
        content.append({"type": "text", "text": turn.text})
    usual: list[Part] = [{"type": "message.output", "content": content}] if content else []
    results = [
        {"type": "function.result", "tool_call_id": answer.id, "result": answer.result} for answer in reply.answers
    ]
    return [*_ENTRIES.written(turn, usual, reply.answers, _entry), *results]


def _entry(answer: Answer) -> Part:
    return {"type": "function.call", "tool_call_id": answer.id, "name": answer.name, "arguments": answer.text}


def recognises(body: Json) -> bool:
    """A conversation's response, its entries, or one of its events."""
    top = mapping(body) or next(iter(objects(body)), {})
    kind = text(top.get("type")) or text(top.get("event"))
    if kind.startswith(("conversation.response.", "function.call", "message.output", "tool.execution")):
        return kind.count(".") > 0
    return text(top.get("object")) == "conversation.response" or ("conversation_id" in top and "outputs" in top)


MISTRAL_CONVERSATIONS = Format(
    name="mistral-conversations",
    read=read,
    deltas=deltas,
    write=write,
    declare=function_shape.tool,
    recognises=recognises,
    names=NAME_64,
    ids=Rule(r"a-zA-Z0-9", exact=9),
    settle=_ENTRIES.settle,
)
