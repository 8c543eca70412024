"""The form of a streamed OpenAI response.

From the reference of streaming events: each event is named by its type and numbered; `response.created`, then
`response.in_progress`; for each item `response.output_item.added`, its parts and deltas, each part added, filled and
done with the text that its deltas told, then `response.output_item.done`; at last `response.completed`,
`response.incomplete` or `response.failed`, whose output holds the items that were told. An `error` ends it as well.
"""

from __future__ import annotations

from typing import Any

from tests.proxy.forms import sdk
from tests.proxy.forms.seen import Call, End, Fault, Seen
from tests.proxy.forms.sse import Event, events

_LAST = {"response.completed": "completed", "response.incomplete": "incomplete", "response.failed": "failed"}
_FIRST = ("response.created", "response.queued", "response.in_progress")
_DELTAS = {
    "response.output_text.delta": ("message", "output_text", "text"),
    "response.refusal.delta": ("message", "refusal", "refusal"),
    "response.reasoning_text.delta": ("reasoning", "reasoning_text", "text"),
    "response.reasoning_summary_text.delta": ("reasoning", "summary_text", "text"),
    "response.function_call_arguments.delta": ("function_call", None, "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", None, "input"),
}
"""Each delta: the item and the part that it fills, and the member under which the whole is told at the end."""
_DONE = {name.removesuffix("delta") + "done": row for name, row in _DELTAS.items()}
_PARTS = {
    "response.content_part.added": ("content_index", "added"),
    "response.content_part.done": ("content_index", "done"),
    "response.reasoning_summary_part.added": ("summary_index", "added"),
    "response.reasoning_summary_part.done": ("summary_index", "done"),
}


def check(data: bytes, *, calls_parse: bool = True) -> Seen:
    """What is wrong with the stream, and what a client reads from it.

    Args:
        data: the bytes of the body.
        calls_parse: whether each call of a completed response must be a JSON object.
    """
    found, faults = events(data)
    form = _Form(faults)
    for at, event in enumerate(found):
        form.take(at, event)
    return form.seen(len(found), calls_parse=calls_parse)


class _Item:
    """An item that was added: its parts by index, each `[type, text told, text at its end]`."""

    def __init__(self, item: dict[str, Any]) -> None:
        self.item = item
        self.parts: dict[int, list[Any]] = {}
        self.said = ""
        self.whole: str | None = None
        self.done: dict[str, Any] | None = None


class _Form:
    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self.number = -1
        self.id: str | None = None
        self.seen_first: list[str] = []
        self.items: list[_Item] = []
        self.last: str | None = None
        self.error: Any = None
        self.note: Any = None
        self.at = 0

    def fault(self, slug: str, found: object = "") -> None:
        self.faults.append(Fault(slug=slug, at=self.at, found=str(found)))

    def take(self, at: int, event: Event) -> None:
        self.at = at
        data = event.data if isinstance(event.data, dict) else {}
        kind = str(data.get("type"))
        if event.name != kind:
            self.fault("name_is_not_type", f"{event.name!r}, {kind!r}")
        if self.last is not None or self.error is not None:
            self.fault("after_the_end", kind)
        model = sdk.responses_events().get(kind)
        wrong = f"type {kind!r}" if model is None else sdk.complaint(model, event.text)
        if wrong is not None:
            self.fault("sdk", wrong)
            return
        if data["sequence_number"] <= self.number:
            self.fault("sequence_number", f"{data['sequence_number']} after {self.number}")
        self.number = data["sequence_number"]
        self.note = data.get("argwright", self.note)
        self.route(kind, data)

    def route(self, kind: str, data: dict[str, Any]) -> None:
        if not self.seen_first and kind not in ("response.created", "error"):
            self.fault("no_created", kind)
        if kind == "error":
            self.error = {"code": data.get("code"), "message": data["message"]}
        elif kind in _FIRST:
            self.first(kind, data["response"])
        elif kind in _LAST:
            self.ended(kind, data["response"])
        elif kind == "response.output_item.added":
            self.added(data)
        elif "output_index" in data:
            self.inside(kind, data)

    def first(self, kind: str, response: dict[str, Any]) -> None:
        if self.items or kind in self.seen_first:
            self.fault("late_or_twice", kind)
        if response["output"]:
            self.fault("begins_with_output")
        self.seen_first.append(kind)
        self.id = self.id or response["id"]
        if response["id"] != self.id:
            self.fault("another_id", response["id"])

    def added(self, data: dict[str, Any]) -> None:
        item = data["item"]
        if data["output_index"] != len(self.items):
            self.fault("output_index", f"{data['output_index']} is not {len(self.items)}")
        if item.get("id") is not None and any(item["id"] == one.item.get("id") for one in self.items):
            self.fault("id_twice", item["id"])
        if item["type"] in ("function_call", "custom_tool_call"):
            if not item["call_id"] or not item["name"]:
                self.fault("call_without_id_or_name", item)
            if any(item["call_id"] == one.item.get("call_id") for one in self.items):
                self.fault("id_twice", item["call_id"])
        if item.get("arguments") or item.get("input") or item.get("content"):
            self.fault("begins_with_content", item)
        self.items.append(_Item(item))

    def inside(self, kind: str, data: dict[str, Any]) -> None:
        """An event of an item that was added and is not done."""
        index = data["output_index"]
        if not 0 <= index < len(self.items):
            self.fault("no_such_item", index)
            return
        one = self.items[index]
        if one.done is not None:
            self.fault("item_is_done", kind)
        if kind == "response.output_item.done":
            self.item_done(one, data["item"])
            return
        if data.get("item_id") != one.item.get("id"):
            self.fault("item_id", f"{data.get('item_id')!r} is not {one.item.get('id')!r}")
        if kind in _PARTS:
            self.part(one, kind, data)
        elif kind in _DELTAS:
            self.delta(one, kind, data)
        elif kind in _DONE:
            self.delta_done(one, kind, data)

    def part(self, one: _Item, kind: str, data: dict[str, Any]) -> None:
        index_name, what = _PARTS[kind]
        index, part = data[index_name], data["part"]
        text = part.get("text", part.get("refusal"))
        if what == "added":
            if index != len(one.parts):
                self.fault("part_index", f"{index} is not {len(one.parts)}")
            if text:
                self.fault("begins_with_content", part)
            one.parts[index] = [part["type"], "", None, False]
        elif index not in one.parts or one.parts[index][3]:
            self.fault("no_such_part", index)
        else:
            if text != one.parts[index][1] or one.parts[index][2] is None:
                self.fault("part_is_not_its_deltas", part)
            one.parts[index][3] = True

    def delta(self, one: _Item, kind: str, data: dict[str, Any]) -> None:
        item, part, _ = _DELTAS[kind]
        if one.item["type"] != item:
            self.fault("delta_of_another_type", f"{kind} in {one.item['type']}")
        elif part is None:
            if one.whole is not None:
                self.fault("delta_after_done", kind)
            one.said += data["delta"]
        else:
            found = self.open_part(one, data)
            if found is not None:
                found[1] += data["delta"]
                if found[0] != part:
                    self.fault("delta_of_another_type", f"{kind} in {found[0]}")

    def open_part(self, one: _Item, data: dict[str, Any]) -> list[Any] | None:
        index = data.get("content_index", data.get("summary_index"))
        if index not in one.parts or one.parts[index][2] is not None:
            self.fault("no_such_part", index)
            return None
        return one.parts[index]

    def delta_done(self, one: _Item, kind: str, data: dict[str, Any]) -> None:
        item, part, member = _DONE[kind]
        if one.item["type"] != item:
            self.fault("delta_of_another_type", f"{kind} in {one.item['type']}")
        elif part is None:
            if one.whole is not None:
                self.fault("done_twice", kind)
            one.whole = data[member]
            if one.whole != one.said:
                self.fault("done_is_not_its_deltas", f"{one.whole!r} is not {one.said!r}")
        else:
            found = self.open_part(one, data)
            if found is not None:
                found[2] = data[member]
                if found[2] != found[1]:
                    self.fault("done_is_not_its_deltas", f"{found[2]!r} is not {found[1]!r}")

    def item_done(self, one: _Item, item: dict[str, Any]) -> None:
        one.done = item
        for name in ("id", "type", "call_id", "name"):
            if item.get(name) != one.item.get(name):
                self.fault("item_changed", f"{name}: {item.get(name)!r} is not {one.item.get(name)!r}")
        if item.get("status") == "in_progress":
            self.fault("done_in_progress", item)
        if item["type"] in ("function_call", "custom_tool_call"):
            told = item["arguments"] if item["type"] == "function_call" else item["input"]
            if one.whole is None or told != one.whole:
                self.fault("item_is_not_its_deltas", f"{told!r} is not {one.whole!r}")
        if item["type"] == "message":
            if any(not part[3] for part in one.parts.values()):
                self.fault("item_done_before_its_part")
            texts = [part.get("text", part.get("refusal")) for part in item["content"]]
            if texts != [part[1] for part in one.parts.values()]:
                self.fault("item_is_not_its_deltas", texts)

    def ended(self, kind: str, response: dict[str, Any]) -> None:
        self.last = kind
        self.note = response.get("argwright", self.note)
        if response["id"] != self.id:
            self.fault("another_id", response["id"])
        if response["status"] != _LAST[kind]:
            self.fault("status", f"{response['status']!r} in {kind}")
        if kind == "response.failed":
            self.error = response.get("error") or {}
            if not self.error.get("message"):
                self.fault("error_form", self.error)
            return
        told = [one.done for one in self.items]
        if None in told:
            self.fault("unfinished_item", told.index(None))
        elif response["output"] != told:
            self.fault("output_is_not_what_was_told", response["output"])

    def seen(self, count: int, *, calls_parse: bool) -> Seen:
        self.at = count
        done = [one.done for one in self.items if one.done is not None and one.done["type"] == "function_call"]
        calls = tuple(Call(id=one["call_id"], name=one["name"], arguments=one["arguments"]) for one in done)
        end: End = "error" if self.error is not None else "done" if self.last is not None else "cut"
        if calls_parse and self.last == "response.completed":
            for call in calls:
                if not call.is_object():
                    self.fault("arguments", repr(call.arguments))
        texts = [part[1] for one in self.items for part in one.parts.values() if part[0] == "output_text"]
        return Seen(
            faults=tuple(self.faults),
            calls=calls,
            text="".join(texts),
            finish=_LAST.get(self.last or ""),
            end=end,
            error=self.error,
            note=self.note,
        )
