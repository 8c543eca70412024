"""The form of streamed OpenAI chat completions.

From the reference of the chunk object and the SDK's type: unnamed events, each a chunk, all with one id, time and
model; the role in the first delta; a call's index, id, type and name in its first fragment and once; one
`finish_reason` a choice and nothing after it; usage, if asked for, in a last chunk without choices; `[DONE]`.
"""

from __future__ import annotations

import contextlib
from typing import Any

from tests.proxy.forms import sdk
from tests.proxy.forms.seen import Call, End, Fault, Seen
from tests.proxy.forms.sse import Event, events


def check(data: bytes, *, calls_parse: bool = True, usage: bool | None = False) -> Seen:
    """What is wrong with the stream, and what a client reads from it.

    Args:
        data: the bytes of the body.
        calls_parse: whether each call of a finished reply must be a JSON object.
        usage: whether the client asked for the chunk with the usage; `None`: do not look.
    """
    found, faults = events(data)
    form = _Form(faults)
    for at, event in enumerate(found):
        form.take(at, event)
    return form.seen(len(found), calls_parse=calls_parse, usage=usage)


class _Form:
    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self.head: dict[str, Any] | None = None
        self.error: Any = None
        self.done = False
        self.roles = 0
        self.deltas = 0
        self.text = ""
        self.calls: list[dict[str, Any]] = []
        self.finish: str | None = None
        self.usages = 0
        self.note: Any = None
        self.at = 0

    def fault(self, slug: str, found: object = "") -> None:
        self.faults.append(Fault(slug=slug, at=self.at, found=str(found)))

    def take(self, at: int, event: Event) -> None:
        self.at = at
        if event.name is not None:
            self.fault("named_event", event.name)
        if self.done:
            self.fault("after_the_end", event.text[:80])
        if event.data == "[DONE]":
            self.done = True
            return
        if self.error is not None:
            self.fault("after_an_error", event.text[:80])
        if isinstance(event.data, dict) and event.data.get("error"):
            self.failed(event.data)
            return
        wrong = sdk.complaint(sdk.chat_chunk(), event.text)
        if wrong is None:
            self.chunk(event.data)
            return
        self.fault("sdk", wrong)
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # clients are lenient, and read what they can
            self.chunk(event.data)

    def failed(self, data: dict[str, Any]) -> None:
        self.error = data["error"]
        self.note = data.get("argwright", self.note)
        if not (isinstance(self.error, dict) and self.error.get("message")):
            self.fault("error_form", data)

    def chunk(self, data: dict[str, Any]) -> None:
        head = {name: data[name] for name in ("id", "created", "model")}
        if self.head is None:
            self.head = head
        elif head != self.head:
            self.fault("another_head", f"{head} is not {self.head}")
        self.note = data.get("argwright", self.note)
        if data.get("usage"):
            self.usages += 1
        elif self.usages:
            self.fault("chunk_after_usage")
        for choice in data["choices"]:
            if choice["index"] != 0:
                self.fault("another_choice", choice["index"])
                continue
            self.choice(choice)

    def choice(self, choice: dict[str, Any]) -> None:
        delta = choice["delta"]
        says = [name for name, value in delta.items() if value]
        if self.finish is not None and (says or choice.get("finish_reason")):
            self.fault("after_the_finish", choice)
        if delta.get("role"):
            self.roles += 1
            if self.deltas or self.roles > 1:
                self.fault("role", "not in the first delta, or twice")
        self.deltas += 1
        self.text += delta.get("content") or ""
        for entry in delta.get("tool_calls") or ():
            self.entry(entry)
        self.finish = choice.get("finish_reason") or self.finish

    def entry(self, entry: dict[str, Any]) -> None:
        function = entry.get("function") or {}
        if entry["index"] == len(self.calls):
            self.calls.append({"id": entry.get("id"), "name": function.get("name"), "said": ""})
            if not (entry.get("id") and function.get("name") and entry.get("type") == "function"):
                self.fault("first_fragment", entry)
            if any(entry.get("id") == one["id"] for one in self.calls[:-1]):
                self.fault("id_twice", entry.get("id"))
        elif not 0 <= entry["index"] < len(self.calls):
            self.fault("index", f"{entry['index']}, after {len(self.calls)} calls")
            return
        elif entry.get("id") or function.get("name"):
            self.fault("id_or_name_again", entry)
        self.calls[entry["index"]]["said"] += function.get("arguments") or ""

    def seen(self, count: int, *, calls_parse: bool, usage: bool | None) -> Seen:
        self.at = count
        calls = tuple(Call(id=one["id"] or "", name=one["name"] or "", arguments=one["said"]) for one in self.calls)
        whole = self.done and self.error is None
        if whole:
            self.finished(calls, calls_parse=calls_parse, usage=usage)
        end: End = "error" if self.error is not None else "done" if whole else "cut"
        return Seen(
            faults=tuple(self.faults),
            calls=calls if self.finish is not None else (),
            text=self.text,
            finish=self.finish,
            end=end,
            error=self.error,
            note=self.note,
        )

    def finished(self, calls: tuple[Call, ...], *, calls_parse: bool, usage: bool | None) -> None:
        if self.roles != 1:
            self.fault("role", f"{self.roles} times")
        if self.finish is None:
            self.fault("no_finish")
        if usage is not None and self.usages != int(usage):
            self.fault("usage", f"{self.usages} times")
        if self.finish == "tool_calls" and not calls:
            self.fault("tool_calls_without_a_call")
        for call in calls if calls_parse else ():
            if not call.is_object():
                self.fault("arguments", repr(call.arguments))
