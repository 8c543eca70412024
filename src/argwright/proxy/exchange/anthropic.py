"""Anthropic Messages: blocks by index, each opened and closed once, events named after their type.

Where a block is left out or put in, the blocks behind it are numbered anew, and the blocks of what was asked again go
on behind those of the first reply. The calls of tools that the server runs itself are blocks like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from argwright.model import Json
from argwright.proxy.exchange.frames import written
from argwright.proxy.exchange.judging import Ids, Written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.protocol import END, OTHER, Body, Change, Fault, Place, Protocol, Seen, Whole
from argwright.wire.plain import identifier, mapping, number, objects, text, word

_CALL = "tool_use"
"""The kind of a call's block, and how `ToolCall.extra` names what else it carries."""
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Kinds of blocks that stand before all others."""
_NORMAL = frozenset({"end_turn", "stop_sequence"})
"""Reasons in whose place stands that calls were made, once some were."""


# what a request says


def _declared(body: Body) -> Iterator[Json]:
    yield from body["tools"] if isinstance(body.get("tools"), list) else ()


def _may_call(body: Body) -> bool:
    return mapping(body.get("tool_choice")).get("type") != "none"


def _prose(body: Body) -> bool:
    form = mapping(mapping(body.get("output_config")).get("format")) or mapping(body.get("output_format"))
    return form.get("type") != "json_schema"


def _extended(body: Body, messages: list[Body]) -> Body:
    before = body["messages"] if isinstance(body.get("messages"), list) else []
    return {**body, "messages": [*before, *messages]}


def _reminder(told: str) -> list[Body]:
    return [{"role": "user", "content": told}]


# what an event says


def see(name: str | None, data: Body) -> Seen:
    """One event."""
    look = _SEEN.get(text(data.get("type")) or name or "")
    return look(data) if look else OTHER


def _opens(data: Body) -> Seen:
    block, index = mapping(data.get("content_block")), data.get("index")
    if block.get("type") != "text":
        return Seen(opens=number(index))
    said = text(block.get("text"))
    place = Place.TEXT if said else Place.OPEN
    return Seen(place=place, part=index, text=said, reads=False, opens=number(index))


def _piece(data: Body) -> Seen:
    delta = mapping(data.get("delta"))
    said = text(delta.get("text")) if delta.get("type") == "text_delta" else ""
    if said:
        return Seen(place=Place.TEXT, part=data.get("index"), text=said, reads=False)
    return Seen(reads=delta.get("type") == "input_json_delta")


_SEEN: dict[str, Callable[[Body], Seen]] = {
    "message_start": lambda _: Seen(begins=True),
    "content_block_start": _opens,
    "content_block_delta": _piece,
    "content_block_stop": lambda data: Seen(place=Place.CLOSE, part=data.get("index")),
    "message_delta": lambda data: Seen(
        finish=word(mapping(data.get("delta")).get("stop_reason")) is not None, usage=True
    ),
    "message_stop": lambda _: END,
    "error": lambda _: Seen(error=True),
}


def _idle(data: Body) -> bool:
    """Whether an event is a ping."""
    return data.get("type") == "ping"


# the client's stream


class AnthropicWriter:
    """Writes events; keeps the number that each block has for the client."""

    marks = b""

    def __init__(self, ids: Ids, _body: Body) -> None:
        self._ids = ids
        self._even = True
        self._next = 0
        self._places: dict[int, int] = {}
        self._calls: dict[str, int] = {}
        self._open: int | None = None  # the block that is open
        self._text: int | None = None  # the same, if it is one of text

    def again(self) -> None:
        """The blocks of another reply go on behind those that there are."""
        self._even = False
        self._places.clear()
        self._text = None

    def renames(self, _data: Body) -> bool:
        """The first one's name stays."""
        return False

    def misplaced(self) -> None:
        """A block has not the next number: this one and all behind it are numbered anew."""
        self._even = False

    def even(self) -> bool:
        """Whether no block was left out or put in, and all have their numbers."""
        return self._even

    def passed(self, _name: str | None, data: Body) -> None:
        """Note which blocks there are."""
        kind, index = text(data.get("type")), number(data.get("index"))
        if kind == "content_block_start" and index is not None:
            block = mapping(data.get("content_block"))
            self._open = self._place(index)
            self._text = self._open if block.get("type") == "text" else None
            if block.get("type") == _CALL:
                own = identifier(block.get("id")) or ""
                self._ids.note(own)
                self._calls[own] = self._places[index]
        elif kind == "content_block_stop":
            self._open = self._text = None

    def _place(self, index: int) -> int:
        """The number of a block that opens."""
        self._places[index] = index if self._even else self._next
        self._next = self._places[index] + 1
        return self._places[index]

    def dropped(self, data: Body) -> None:
        """A block is left out."""
        if data.get("type") == "content_block_start":
            self._even = False

    def event(self, name: str | None, data: Body, change: Change) -> bytes:
        """An event, its block numbered as the client counts."""
        made = dict(data)
        if change.text is not None and not _with_text(made, change.text):
            return b""
        kind, index = text(made.get("type")), number(made.get("index"))
        if kind == "content_block_stop" and (self._open is None or self._places.get(index or 0, index) != self._open):
            return b""
        before = self._closed() if kind in ("content_block_start", "message_delta") else b""
        self.passed(name, made)
        if index is not None:
            made["index"] = self._places.get(index, index)
        if change.goes_on or change.reason:
            made["delta"] = {**mapping(made.get("delta")), "stop_reason": change.reason}
        if change.calls_made and mapping(made.get("delta")).get("stop_reason") in _NORMAL:
            made["delta"] = {**made["delta"], "stop_reason": _CALL}
        if change.calls_lost and mapping(made.get("delta")).get("stop_reason") == _CALL:
            made["delta"] = {**made["delta"], "stop_reason": "end_turn"}
        if change.usage is not None:
            made["usage"] = {**mapping(made.get("usage")), **change.usage}
        if change.note is not None:
            made[NOTE] = change.note
        return before + written(made, name)

    def _closed(self) -> bytes:
        """The end of a block that the upstream left open."""
        index, self._open, self._text = self._open, None, None
        return b"" if index is None else _event("content_block_stop", index=index)

    def call(self, call: Written, data: Body | None = None) -> bytes:
        """A block of a call: its start, all of its arguments in one piece, its end."""
        given = number((data or {}).get("index"))
        if given is None:
            self._even = False
        before, index = self._closed(), self._next if given is None else self._place(given)
        self._next = index + 1
        block = {**mapping(call.extra.get(_CALL)), "type": _CALL, "id": self._ids.take(call.id), "name": call.name}
        delta = {"type": "input_json_delta", "partial_json": call.text}
        return before + _block(index, {**block, "input": {}}, delta)

    def rest(self, call: Written, rest: str, _data: Body | None) -> bytes:
        """The rest of a block, and its end."""
        index = self._calls.get(call.id, self._next - 1)
        delta = {"type": "input_json_delta", "partial_json": rest}
        said = _event("content_block_delta", index=index, delta=delta) if rest else b""
        self._open = None
        return said + _event("content_block_stop", index=index)

    def text(self, said: str) -> bytes:
        """Text in the block that is open, or in one of its own."""
        delta = {"type": "text_delta", "text": said}
        if self._text is not None:
            return _event("content_block_delta", index=self._text, delta=delta)
        self._even = False
        self._next += 1
        return self._closed() + _block(self._next - 1, {"type": "text", "text": ""}, delta)

    def last(self, note: Mapping[str, Any]) -> bytes:
        """A ping, which may stand anywhere."""
        return _event("ping", **{NOTE: note})

    def end(self) -> bytes:
        """The event `message_stop`."""
        return _event("message_stop")

    def failed(self, fault: Fault) -> bytes:
        """The event `error`."""
        return written(error(fault), "error")


def _with_text(made: Body, said: str) -> bool:
    """Put the text into an event's copy; whether anything is left of it."""
    if made.get("type") == "content_block_start":
        made["content_block"] = {**mapping(made.get("content_block")), "text": said}
        return True
    made["delta"] = {**mapping(made.get("delta")), "text": said}
    return bool(said)


def _event(kind: str, **members: Any) -> bytes:
    return written({"type": kind, **members}, kind)


def _block(index: int, block: Body, delta: Body) -> bytes:
    start = _event("content_block_start", index=index, content_block=block)
    return start + _event("content_block_delta", index=index, delta=delta) + _event("content_block_stop", index=index)


# a whole reply


def texts(body: Body) -> list[str]:
    """The texts of its blocks."""
    return [text(block.get("text")) for block in objects(body.get("content")) if block.get("type") == "text"]


def shaped(body: Json) -> bool:
    """Whether it has blocks, or is an error."""
    top = mapping(body)
    return (isinstance(top.get("content"), list) and "stop_reason" in top) or bool(top.get("error"))


def sound(body: Body, _legacy: bool) -> bool:  # noqa: FBT001  # as the table has it
    """Whether each call has an id, and an object for arguments."""
    blocks = objects(body.get("content"))
    return all(
        identifier(block.get("id")) is not None and isinstance(block.get("input"), dict)
        for block in blocks
        if block.get("type") == _CALL
    )


def rewritten(body: Body, whole: Whole) -> Body:
    """The message with other blocks."""
    said = [{"type": "text", "text": one} for one in whole.said]
    blocks = [*_blocks(objects(body.get("content")), whole), *map(_use, whole.added)]
    thought = next((at for at, block in enumerate(blocks) if block.get("type") not in _THOUGHTS), len(blocks))
    blocks[thought:thought] = said
    made = {**body, "content": blocks, NOTE: whole.note}
    if whole.added and body.get("stop_reason") in (None, *_NORMAL):
        made["stop_reason"] = _CALL
    return made if whole.usage is None else {**made, "usage": whole.usage}


def _blocks(blocks: list[Body], whole: Whole) -> Iterator[Body]:
    calls, said = iter(whole.calls), iter(whole.texts or ())
    for block in blocks:
        if block.get("type") == _CALL:
            replaced = next(calls, None)
            yield from [block] if replaced is None else map(_use, replaced)
        elif block.get("type") == "text" and whole.texts is not None:
            kept = next(said, "")
            if kept:
                yield {**block, "text": kept}
        else:
            yield block


def _use(call: Written) -> Body:
    others = mapping(call.extra.get(_CALL))
    return {**others, "type": _CALL, "id": call.id, "name": call.name, "input": call.arguments}


def error(fault: Fault) -> Body:
    """Anthropic's error."""
    kind = "timeout_error" if fault.kind == "timeout_error" else "api_error"
    told = {"type": kind, "message": fault.message, "code": fault.code}
    return {"type": "error", "error": told, NOTE: fault.note}


ANTHROPIC = Protocol(
    form="anthropic",
    history="messages",
    id_prefix="toolu_",
    declared=_declared,
    may_call=_may_call,
    prose=_prose,
    extended=_extended,
    reminder=_reminder,
    textual=False,
    closes=True,
    idle=_idle,
    see=see,
    writer=AnthropicWriter,
    texts=texts,
    shaped=shaped,
    sound=sound,
    rewritten=rewritten,
    error=error,
)
