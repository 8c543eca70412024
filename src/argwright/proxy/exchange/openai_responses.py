"""OpenAI Responses: items by `output_index`, everything numbered, and all of it said once more at the end.

Where an item is left out, put in or changed, the events behind are numbered anew, what closes a text says the text that
went out, and the last event's output holds the items that did. A reply that was asked for again keeps the first one's
id where the provider keeps nothing; where it does, the last one's id is the one that can be gone on from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from argwright.model import Json
from argwright.proxy.exchange.frames import written
from argwright.proxy.exchange.judging import Ids, Written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.protocol import OTHER, Body, Change, Fault, Place, Protocol, Seen, Whole
from argwright.wire.plain import identifier, mapping, number, objects, text

_CALLS = frozenset({"function_call", "custom_tool_call"})
_OTHERS = "function_call"
"""How `ToolCall.extra` names what a call's item carries."""
_ENDS = frozenset({"response.completed", "response.incomplete"})


# what a request says


def _declared(body: Body) -> Iterator[Json]:
    yield from body["tools"] if isinstance(body.get("tools"), list) else ()


def _plain(body: Body) -> bool:
    return isinstance(body.get("input"), (str, list)) and not body.get("background")


def _may_call(body: Body) -> bool:
    return body.get("tool_choice") != "none"


def _prose(body: Body) -> bool:
    return mapping(mapping(body.get("text")).get("format")).get("type") in (None, "text")


def _extended(body: Body, messages: list[Body]) -> Body:
    """The request with further items; a conversation that the provider keeps has the reply's own already."""
    if body.get("conversation"):
        return {
            **body,
            "input": [item for item in messages if text(item.get("type")).endswith("_output") or _is_user(item)],
        }
    given = body["input"]
    before = [{"role": "user", "content": given}] if isinstance(given, str) else given
    return {**body, "input": [*before, *messages]}


def _is_user(item: Body) -> bool:
    return item.get("role") == "user"


def _reminder(told: str) -> list[Body]:
    return [{"role": "user", "content": told}]


# what an event says


def see(name: str | None, data: Body) -> Seen:
    """One event."""
    look = _SEEN.get(text(data.get("type")) or name or "")
    return look(data) if look else OTHER


def _item(data: Body, place: Place) -> Seen:
    if mapping(data.get("item")).get("type") == "message":
        return Seen(place=place, part=data.get("output_index"))
    return OTHER


def _said(data: Body) -> Seen:
    said = text(data.get("delta"))
    place = Place.TEXT if said else Place.OTHER
    return Seen(place=place, part=data.get("output_index"), text=said, reads=False)


def _at(place: Place) -> Callable[[Body], Seen]:
    return lambda data: Seen(place=place, part=data.get("output_index"), reads=False)


_PIECE, _ODD = Seen(), Seen(odd=True)
_END = Seen(finish=True, usage=True, end=True)
_SEEN: dict[str, Callable[[Body], Seen]] = {
    "response.created": lambda _: Seen(begins=True),
    "response.queued": lambda _: Seen(begins=True),
    "response.in_progress": lambda _: Seen(begins=True),
    "response.output_item.added": lambda data: _item(data, Place.OPEN),
    "response.content_part.added": _at(Place.OPEN),
    "response.output_text.delta": _said,
    "response.refusal.delta": _said,
    "response.output_text.done": _at(Place.CLOSE),
    "response.refusal.done": _at(Place.CLOSE),
    "response.content_part.done": _at(Place.CLOSE),
    "response.output_item.done": lambda data: _item(data, Place.CLOSE),
    "response.function_call_arguments.delta": lambda data: _PIECE if "output_index" in data else _ODD,
    "response.custom_tool_call_input.delta": lambda data: _PIECE if "output_index" in data else _ODD,
    "response.completed": lambda _: _END,
    "response.incomplete": lambda _: _END,
    "response.failed": lambda _: Seen(error=True),
    "response.cancelled": lambda _: Seen(error=True),
    "error": lambda _: Seen(error=True),
}


# the client's stream


class ResponsesWriter:
    """Writes events; keeps the items that went out, and the number that each has for the client."""

    marks = b"response.output_item."

    def __init__(self, ids: Ids, body: Body) -> None:
        self._ids = ids
        self._item_ids = ids.others("fc_")
        self._message_ids = ids.others("msg_")
        self._stored = body.get("store") is not False
        self._even = True
        self._sequence = 0
        self._next = 0
        self._places: dict[int, int] = {}
        self._items: dict[int, Body] = {}
        self._calls: dict[str, int] = {}
        self._texts: dict[tuple[int, int], list[str]] = {}
        self._open: tuple[int, int, Json] | None = None  # item, part, item's id of the text that is open
        self._own_ids: dict[int, str | None] = {}  # of the items, as the client knows them
        self._id: Json = None

    def again(self) -> None:
        """The items of another reply go on behind those that there are."""
        self._even = self._even and self._id is None
        self._places.clear()
        self._open = None

    def even(self) -> bool:
        """Whether all items are the upstream's."""
        return self._even

    def passed(self, _name: str | None, data: Body) -> None:
        """Note what went out."""
        counted = number(data.get("sequence_number"))
        self._sequence = self._sequence if counted is None else counted + 1
        self._noted(data)

    def _noted(self, data: Body) -> None:
        kind, index = text(data.get("type")), number(data.get("output_index"))
        if self._id is None and mapping(data.get("response")):
            self._id = data["response"].get("id")
        note = _NOTES.get(kind)
        if note is not None and index is not None:
            note(self, index, data)

    def _added(self, index: int, data: Body) -> None:
        self._places[index] = index if self._even else self._next
        self._next = self._places[index] + 1
        item = mapping(data.get("item"))
        call_id = identifier(item.get("call_id")) or ""
        self._ids.note(call_id)
        self._calls[call_id] = self._places[index]
        self._own_ids[self._places[index]] = identifier(item.get("id"))

    def _done(self, index: int, data: Body) -> None:
        self._items[self._places.get(index, index)] = mapping(data.get("item"))

    def _part_added(self, index: int, data: Body) -> None:
        part = number(data.get("content_index")) or 0
        self._open = (self._places.get(index, index), part, data.get("item_id"))

    def _part_done(self, _index: int, _data: Body) -> None:
        self._open = None

    def _said(self, index: int, data: Body) -> None:
        key = (self._places.get(index, index), number(data.get("content_index")) or 0)
        self._texts.setdefault(key, []).append(text(data.get("delta")))

    def dropped(self, data: Body) -> None:
        """An event is left out."""
        if not (text(data.get("type")) in _ENDS or mapping(data.get("response"))):
            self._even = False

    def event(self, name: str | None, data: Body, change: Change) -> bytes:
        """An event, numbered as the client counts, and true to what went out."""
        made = dict(data)
        if change.text is not None and "delta" in made:
            self._even = self._even and change.text == made["delta"]
            made["delta"] = change.text
            if not change.text:
                return b""
        if made.get("type") == "response.output_item.added":
            self._renamed(made)
        index = number(made.get("output_index"))
        self._noted(made)
        if index is not None:
            made["output_index"] = place = self._places.get(index, index)
            self._named(made, place)
            self._true(made, place)
        if mapping(made.get("response")):
            made["response"] = self._response(made["response"], change, ends=made.get("type") in _ENDS)
        if change.note is not None:
            made[NOTE] = change.note
        return self._numbered(made, name, counted=number(made.get("sequence_number")))

    def _renamed(self, made: Body) -> None:
        """An item whose id another one has gets one of its own."""
        item = mapping(made.get("item"))
        if identifier(item.get("id")) in {own for own in self._own_ids.values() if own}:
            made["item"] = {**item, "id": self._item_ids.new()}

    def _named(self, made: Body, place: int) -> None:
        """The item's id in an event, as the client knows it."""
        own = self._own_ids.get(place)
        if own is None:
            return
        if "item_id" in made:
            made["item_id"] = own
        if mapping(made.get("item")).get("id"):
            made["item"] = {**made["item"], "id": own}
            if made.get("type") == "response.output_item.done":
                self._items[place] = made["item"]

    def _true(self, made: Body, place: int) -> None:
        """What closes a text says the text that went out."""
        said = "".join(self._texts.get((place, number(made.get("content_index")) or 0), ()))
        match made.get("type"):
            case "response.output_text.done" if not self._even:
                made["text"] = said
            case "response.content_part.done" if not self._even and "text" in mapping(made.get("part")):
                made["part"] = {**made["part"], "text": said}
            case "response.output_item.done" if not self._even and made["item"].get("type") == "message":
                made["item"] = {**made["item"], "content": self._content(made["item"], place)}
                self._items[place] = made["item"]

    def _content(self, item: Body, place: int) -> list[Body]:
        parts = enumerate(objects(item.get("content")))
        return [
            {**part, "text": "".join(self._texts.get((place, at), ()))} if "text" in part else part
            for at, part in parts
        ]

    def _response(self, response: Body, change: Change, *, ends: bool) -> Body:
        made = dict(response)
        if not self._stored and self._id is not None:
            made["id"] = self._id
        if not ends:
            return made
        if not self._even:
            made["output"] = self._output(objects(response.get("output")))
        if change.usage is not None:
            made["usage"] = change.usage
        return made if change.note is None else {**made, NOTE: change.note}

    def _output(self, given: list[Body]) -> list[Body]:
        """The items that went out, and those of no kind of ours that no event told."""
        told = [self._items[place] for place in sorted(self._items)]
        known = {identifier(item.get("id")) for item in told}
        others = [
            item for item in given if item.get("type") not in _CALLS | {"message"} and item.get("id") not in known
        ]
        return [*told, *others]

    def _numbered(self, made: Body, name: str | None, counted: int | None = -1) -> bytes:
        if counted is not None:
            made["sequence_number"] = counted if self._even and counted >= 0 else self._sequence
            self._sequence = made["sequence_number"] + 1
        return written(made, name)

    def _new(self, kind: str, **members: Any) -> bytes:
        return self._numbered({"type": kind, "sequence_number": 0, **members}, kind)

    def call(self, call: Written, data: Body | None = None) -> bytes:
        """An item of a call: added, all of its arguments in one piece, done."""
        self._even = False
        given = number((data or {}).get("output_index"))
        index = self._next
        self._next = index + 1
        if given is not None:
            self._places[given] = index
        own = identifier(mapping((data or {}).get("item")).get("id")) or self._item_ids.new()
        self._own_ids[index] = own
        item = _call_item(call, self._ids.take(call.id), own)
        kind, member = ("custom_tool_call_input", "input") if call.free else ("function_call_arguments", "arguments")
        keys = {"item_id": own, "output_index": index}
        self._items[index] = item
        started = {**item, member: "", "status": "in_progress"}
        return (
            self._new("response.output_item.added", output_index=index, item=started)
            + self._new(f"response.{kind}.delta", **keys, delta=call.text)
            + self._new(f"response.{kind}.done", **keys, name=call.name, **{member: call.text})
            + self._new("response.output_item.done", output_index=index, item=item)
        )

    def rest(self, call: Written, rest: str, _data: Body | None) -> bytes:
        """The rest of an item, and its end."""
        self._even = False
        index = self._calls.get(call.id, self._next - 1)
        item = _call_item(call, call.id, self._own_ids.get(index))
        self._items[index] = item
        keys = {"item_id": item.get("id"), "output_index": index}
        kind = "response.function_call_arguments"
        said = self._new(f"{kind}.delta", **keys, delta=rest) if rest else b""
        return (
            said
            + self._new(f"{kind}.done", **keys, name=call.name, arguments=call.text)
            + self._new("response.output_item.done", output_index=index, item=item)
        )

    def text(self, said: str) -> bytes:
        """Text in the part that is open, or in a message of its own."""
        self._even = False
        if self._open is not None:
            place, part, own = self._open
            self._texts.setdefault((place, part), []).append(said)
            keys = {"item_id": own, "output_index": place, "content_index": part}
            return self._new("response.output_text.delta", **keys, delta=said, logprobs=[])
        index, own = self._next, self._message_ids.new()
        self._next = index + 1
        item = _message(own, said)
        [part] = item["content"]
        self._items[index] = item
        keys = {"item_id": own, "output_index": index, "content_index": 0}
        started = {**item, "status": "in_progress", "content": []}
        return (
            self._new("response.output_item.added", output_index=index, item=started)
            + self._new("response.content_part.added", **keys, part={**part, "text": ""})
            + self._new("response.output_text.delta", **keys, delta=said, logprobs=[])
            + self._new("response.output_text.done", **keys, text=said, logprobs=[])
            + self._new("response.content_part.done", **keys, part=part)
            + self._new("response.output_item.done", output_index=index, item=item)
        )

    def last(self, note: Mapping[str, Any]) -> bytes:
        """An event that says that the response goes on; a stream that has no last one did not end well."""
        return b": " + written({NOTE: note}).removeprefix(b"data: ")

    def failed(self, fault: Fault) -> bytes:
        """The event `error`."""
        self._even = False
        return self._new("error", **_fault(fault), **{NOTE: fault.note})


_NOTES: dict[str, Callable[[ResponsesWriter, int, Body], None]] = {
    "response.output_item.added": ResponsesWriter._added,  # noqa: SLF001  # the class's own table
    "response.output_item.done": ResponsesWriter._done,  # noqa: SLF001
    "response.content_part.added": ResponsesWriter._part_added,  # noqa: SLF001
    "response.content_part.done": ResponsesWriter._part_done,  # noqa: SLF001
    "response.output_text.delta": ResponsesWriter._said,  # noqa: SLF001
}


def _call_item(call: Written, call_id: str, item_id: str | None) -> Body:
    keys = {} if item_id is None else {"id": item_id}
    made = {**mapping(call.extra.get(_OTHERS)), **keys, "call_id": call_id, "name": call.name, "status": "completed"}
    if call.free:
        return {"type": "custom_tool_call", **made, "input": call.text}
    return {"type": "function_call", **made, "arguments": call.text}


def _message(own: str, said: str) -> Body:
    part = {"type": "output_text", "text": said, "annotations": [], "logprobs": []}
    return {"type": "message", "id": own, "role": "assistant", "status": "completed", "content": [part]}


# a whole reply


def _texts_of(item: Body) -> list[Body]:
    return [part for part in objects(item.get("content")) if part.get("type") == "output_text"]


def texts(body: Body) -> list[str]:
    """The texts of its messages."""
    messages = [item for item in objects(body.get("output")) if item.get("type") == "message"]
    return [text(part.get("text")) for item in messages for part in _texts_of(item)]


def shaped(body: Json) -> bool:
    """Whether it has items, or is an error."""
    top = mapping(body)
    return isinstance(top.get("output"), list) or bool(top.get("error"))


def sound(body: Body, _legacy: bool) -> bool:  # noqa: FBT001  # as the table has it
    """Whether each call has an id, and text for arguments."""
    return all(
        identifier(item.get("call_id")) is not None
        and isinstance(item.get("input" if item.get("type") == "custom_tool_call" else "arguments"), str)
        for item in objects(body.get("output"))
        if item.get("type") in _CALLS
    )


def rewritten(body: Body, whole: Whole) -> Body:
    """The response with other items."""
    seed = identifier(body.get("id")) or ""
    said = [_message(f"msg_{seed}_{at}", one) for at, one in enumerate(whole.said)]
    added = [_call_item(call, call.id, f"fc_{call.id}") for call in whole.added]
    made = {**body, "output": [*said, *_items(objects(body.get("output")), whole), *added], NOTE: whole.note}
    return made if whole.usage is None else {**made, "usage": whole.usage}


def _items(items: list[Body], whole: Whole) -> Iterator[Body]:
    calls, said = iter(whole.calls), iter(whole.texts or ())
    for item in items:
        if item.get("type") in _CALLS:
            replaced = next(calls, None)
            yield from [item] if replaced is None else (_replaced(item, at, call) for at, call in enumerate(replaced))
        elif item.get("type") == "message" and whole.texts is not None:
            content = [_with_text(part, said) for part in objects(item.get("content"))]
            kept = [part for part in content if part.get("type") != "output_text" or part["text"]]
            if kept:
                yield {**item, "content": kept}
        else:
            yield item


def _replaced(item: Body, at: int, call: Written) -> Body:
    own = identifier(item.get("id"))
    return _call_item(call, call.id, own if own is None or not at else f"{own}_{at}")


def _with_text(part: Body, said: Iterator[str]) -> Body:
    return {**part, "text": next(said, "")} if part.get("type") == "output_text" else part


def _fault(fault: Fault) -> Body:
    return {"code": fault.code, "message": fault.message, "param": None}


def error(fault: Fault) -> Body:
    """OpenAI's error."""
    return {"error": {**_fault(fault), "type": "invalid_tool_call"}, NOTE: fault.note}


OPENAI_RESPONSES = Protocol(
    form="openai-responses",
    history="input",
    id_prefix="call_",
    declared=_declared,
    plain=_plain,
    may_call=_may_call,
    prose=_prose,
    extended=_extended,
    reminder=_reminder,
    textual=True,
    confirms=True,
    see=see,
    writer=ResponsesWriter,
    texts=texts,
    shaped=shaped,
    sound=sound,
    rewritten=rewritten,
    error=error,
)
