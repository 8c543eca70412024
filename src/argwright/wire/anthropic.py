"""Anthropic Messages.

A reply is a list of blocks; a call is a `tool_use` block with an object as `input`, which
is streamed as text and not validated when it is streamed eagerly. The `input` of a block's
start is a placeholder that holds only if no piece comes. Thinking blocks are signed and go
back as they came, as do the blocks of tools that the server runs itself, which are no
calls of ours. Results stand in one user message, first of all. Stop reasons and events
as documented under docs.anthropic.com, Messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import (
    ArgumentsDelta,
    CallEnd,
    Delta,
    EndDelta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
    whole,
)
from argwright.wire.format import Answer, Declaration, Format, Reply
from argwright.wire.names import Rule
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_KEPT = "content_blocks"
"""The key in `Turn.extra` for blocks that the turn's own fields do not tell."""
_CALL = "tool_use"
"""The kind of a call's block, and the key in `ToolCall.extra` for what else such a block carries."""
_CALL_FIELDS = frozenset({"type", "id", "name", "input"})
_CALL_MARK: Part = {"type": _CALL}
_RESULT_BLOCKS = frozenset({"text", "image", "document", "search_result", "tool_reference"})


def _tidy(block: Part) -> Part | None:
    if block.get("type") == _CALL:
        return _CALL_MARK
    return None if block.get("type") == "text" and not text(block.get("text")) else block


def _continues(last: Part, block: Part) -> bool:
    return all(set(one) == {"type", "text"} and one["type"] == "text" for one in (last, block))


def _rank(block: Part) -> int:
    if block == _CALL_MARK:
        return CALL
    plain_text = block.get("type") == "text" and not {key for key, value in block.items() if value} - {"type", "text"}
    return 0 if plain_text else UNUSUAL


_BLOCKS = Parts(key=_KEPT, mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues)


def read(body: Json) -> Turn:
    """A `message`, or one assistant message of a history."""
    top = mapping(body)
    content = top.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
    turn = finish.turn(
        [_call(block) for block in blocks if block.get("type") == _CALL],
        word(top.get("stop_reason")),
        text="".join(text(block.get("text")) for block in blocks if block.get("type") == "text"),
        reasoning="".join(text(block.get("thinking")) for block in blocks),
        model=word(top.get("model")),
        usage=mapping(top.get("usage")) or None,
        extra={_KEPT: blocks},
        error=top.get("error"),
    )
    return _BLOCKS.settle(turn)


def _call(block: Mapping[str, Any]) -> ToolCall:
    given = arguments(block.get("input"))
    return ToolCall(identifier(block.get("id")), word(block.get("name")), given, extra=_opaque(block))


def _opaque(block: Mapping[str, Any]) -> dict[str, Any]:
    others = rest(block, _CALL_FIELDS)
    return {_CALL: others} if others else {}


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event: `data.type` names it, else the SSE event."""
    top = mapping(data)
    kind = text(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif isinstance(top.get("content"), list):
        yield from whole(read(top))
    elif kind not in _MADE:
        yield ViolationDelta("unknown_event", f"no event of this protocol: {kind[:40]!r}")


_MADE = frozenset({"text", "input_json", "thinking", "signature", "citation", "compaction"})
"""Events that the SDK's stream helper makes of others: they say nothing new."""


def _begin(top: Mapping[str, Any]) -> Iterator[Delta]:
    message = mapping(top.get("message"))
    yield MetaDelta(word(message.get("model")), mapping(message.get("usage")) or None)


def _block(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, block = number(top.get("index")), mapping(top.get("content_block"))
    kind = block.get("type")
    if kind == _CALL:
        given = arguments(block.get("input"))
        extra = _opaque(block) or None
        own_id, name = identifier(block.get("id")), word(block.get("name"))
        yield CallDelta(index, own_id, name, given, stage="initial", extra=extra)
        yield PartDelta(_KEPT, index, put=_CALL_MARK)
        return
    yield PartDelta(_KEPT, index, put=block, arguments="input" if "input" in block else None)
    if kind == "text" and text(block.get("text")):
        yield TextDelta(block["text"])
    if kind == "thinking" and text(block.get("thinking")):
        yield ReasoningDelta(block["thinking"])


def _piece(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, delta = number(top.get("index")), mapping(top.get("delta"))
    read_delta = _PIECES.get(text(delta.get("type")))
    if read_delta is None:
        yield ViolationDelta("unknown_event", f"no piece of a block: {text(delta.get('type'))[:40]!r}")
    else:
        yield from read_delta(index, delta)


def _json_piece(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    if text(delta.get("partial_json")):
        yield ArgumentsDelta(delta["partial_json"], index)


def _text_piece(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    if text(delta.get("text")):
        yield TextDelta(delta["text"])
        yield PartDelta(_KEPT, index, append={"text": delta["text"]})


def _thinking_piece(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    if text(delta.get("thinking")):
        yield ReasoningDelta(delta["thinking"])
        yield PartDelta(_KEPT, index, append={"thinking": delta["thinking"]})


def _signature(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_KEPT, index, append={"signature": text(delta.get("signature"))})


def _citation(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    if delta.get("citation"):
        yield PartDelta(_KEPT, index, append={"citations": [delta["citation"]]})


def _compaction(index: int | None, delta: Mapping[str, Any]) -> Iterator[Delta]:
    yield PartDelta(_KEPT, index, append={"content": text(delta.get("content"))})


_PIECES: dict[str, Callable[[int | None, Mapping[str, Any]], Iterator[Delta]]] = {
    "input_json_delta": _json_piece,
    "text_delta": _text_piece,
    "thinking_delta": _thinking_piece,
    "signature_delta": _signature,
    "citations_delta": _citation,
    "compaction_delta": _compaction,
}


def _block_end(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(number(top.get("index")))


def _reason(top: Mapping[str, Any]) -> Iterator[Delta]:
    if mapping(top.get("usage")):
        yield MetaDelta(usage=top["usage"])
    raw = word(mapping(top.get("delta")).get("stop_reason"))
    if raw:
        yield FinishDelta(raw)


def _error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta(top.get("error") or dict(top))


def _message_end(_top: Mapping[str, Any]) -> Iterator[Delta]:
    yield EndDelta()


def _ping(_top: Mapping[str, Any]) -> Iterator[Delta]:
    return iter(())


def _message(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield from whole(read(top))


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "message_start": _begin,
    "content_block_start": _block,
    "content_block_delta": _piece,
    "content_block_stop": _block_end,
    "message_delta": _reason,
    "message_stop": _message_end,
    "error": _error,
    "ping": _ping,
    "message": _message,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one user message with all results; what would be empty is not written."""
    turn = reply.turn
    usual = [{"type": "text", "text": turn.text}] if turn.text else []
    blocks = _BLOCKS.written(turn, usual, reply.answers, _use)
    said = [block for block in blocks if block.get("type") != "text" or text(block.get("text")).strip()]
    messages: list[dict[str, Any]] = [{"role": "assistant", "content": said}] if said else []
    if reply.answers:
        messages.append({"role": "user", "content": [_result(answer) for answer in reply.answers]})
    return messages


def _use(answer: Answer) -> Part:
    given = dict(answer.arguments)
    return {
        **mapping(answer.call.extra.get(_CALL)),
        "type": _CALL,
        "id": answer.id,
        "name": answer.name,
        "input": given,
    }


def _result(answer: Answer) -> dict[str, Any]:
    given = answer.content
    blocks = isinstance(given, list) and all(text(mapping(item).get("type")) in _RESULT_BLOCKS for item in given)
    content = given if blocks and given else answer.result
    block = {"type": "tool_result", "tool_use_id": answer.id, "content": content}
    return block | ({"is_error": True} if answer.is_error else {})


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`."""
    tool = {
        "name": declaration.name,
        "description": declaration.description,
        "input_schema": dict(declaration.schema),
    }
    return tool | ({"strict": True} if declaration.strict else {})


def recognises(body: Json) -> bool:
    """A `message`, an event of its stream, or a message with a `tool_use` block."""
    top = mapping(body)
    kind = text(top.get("type"))
    if kind == "message":
        return top.get("role") == "assistant" and "output" not in top and "stop_reason" in top
    if kind in _EVENTS:
        return kind not in {"error", "ping"} or "error" in top
    return any(text(block.get("type")) in {_CALL, "tool_result", "thinking"} for block in objects(top.get("content")))


ANTHROPIC = Format(
    name="anthropic",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    names=Rule(r"a-zA-Z0-9_-", longest=128),
    ids=Rule(r"a-zA-Z0-9_-"),
    settle=_BLOCKS.settle,
)
