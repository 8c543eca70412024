"""The client's stream of OpenAI Responses: items with their numbers, and everything said again as it went out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from argwright.model import Json
from argwright.proxy.exchange.frames import written
from argwright.proxy.exchange.judging import Ids, Written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.protocol import Body, Change, Fault
from argwright.wire.plain import identifier, mapping, number, objects, text

CALLS = frozenset({"function_call", "custom_tool_call"})
"""Kinds of items that are calls."""
OTHERS = "function_call"
"""How `ToolCall.extra` names what a call's item carries."""
ENDS = frozenset({"response.completed", "response.incomplete"})
"""Events that say the whole response."""
_FAILURES = frozenset({"response.failed", "response.cancelled"})
"""Events that say what there is of one that failed."""


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
        self._notes: dict[str, Callable[[int, Body], None]] = {
            "response.output_item.added": self._added,
            "response.output_item.done": self._done,
            "response.content_part.added": self._part_added,
            "response.content_part.done": self._part_done,
            "response.output_text.delta": self._said,
        }

    def again(self) -> None:
        """The items of another reply go on behind those that there are."""
        self._even = self._even and self._id is None
        self._places.clear()
        self._open = None

    def renames(self, data: Body) -> bool:
        """Where the provider keeps replies, the one to go on from is the last; an official client passes over this."""
        own = mapping(data.get("response")).get("id")
        return self._stored and text(data.get("type")) == "response.created" and own != self._id

    def misplaced(self) -> None:
        """Indices are given anew with the calls."""

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
        note = self._notes.get(kind)
        if note is not None and index is not None:
            note(index, data)

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
        if not (text(data.get("type")) in ENDS or mapping(data.get("response"))):
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
            made["response"] = self._response(made["response"], change, kind=text(made.get("type")))
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
            case "response.output_item.done" if not self._even and mapping(made.get("item")).get("type") == "message":
                made["item"] = {**made["item"], "content": self._content(made["item"], place)}
                self._items[place] = made["item"]
            case _:
                pass

    def _content(self, item: Body, place: int) -> list[Body]:
        parts = enumerate(objects(item.get("content")))
        return [
            {**part, "text": "".join(self._texts.get((place, at), ()))} if "text" in part else part
            for at, part in parts
        ]

    def _response(self, response: Body, change: Change, *, kind: str) -> Body:
        made = dict(response)
        if not self._stored and self._id is not None:
            made["id"] = self._id
        told = kind in ENDS or (kind in _FAILURES and bool(made.get("output")))
        if told and (change.without_calls or not self._even):
            made["output"] = self._output(objects(response.get("output")))
        if kind not in ENDS:
            return made
        if change.usage is not None:
            made["usage"] = change.usage
        return made if change.note is None else {**made, NOTE: change.note}

    def _output(self, given: list[Body]) -> list[Body]:
        """The items that went out, and those of no kind of ours that no event told."""
        told = [self._items[place] for place in sorted(self._items)]
        known = {identifier(item.get("id")) for item in told}
        others = [item for item in given if item.get("type") not in CALLS | {"message"} and item.get("id") not in known]
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
        item = call_item(call, self._ids.take(call.id), own)
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
        item = call_item(call, call.id, self._own_ids.get(index))
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
        item = message(own, said)
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

    def end(self) -> bytes:
        """Nothing: the reason for the end is the last event."""
        return b""

    def failed(self, fault: Fault) -> bytes:
        """The event `error`."""
        self._even = False
        members = fault_members(fault)
        told = {"error": {**members, "type": fault.kind}}  # without it the official clients raise nothing
        return self._new("error", **members, **told, **{NOTE: fault.note})


def call_item(call: Written, call_id: str, item_id: str | None) -> Body:
    """A call as an item that is done."""
    keys = {} if item_id is None else {"id": item_id}
    made = {**mapping(call.extra.get(OTHERS)), **keys, "call_id": call_id, "name": call.name, "status": "completed"}
    if call.free:
        return {"type": "custom_tool_call", **made, "input": call.text}
    return {"type": "function_call", **made, "arguments": call.text}


def message(own: str, said: str) -> Body:
    """A text as an item that is done."""
    part = {"type": "output_text", "text": said, "annotations": [], "logprobs": []}
    return {"type": "message", "id": own, "role": "assistant", "status": "completed", "content": [part]}


def fault_members(fault: Fault) -> Body:
    """What OpenAI says of an error."""
    return {"code": fault.code, "message": fault.message, "param": None}
