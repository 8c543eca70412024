"""Server-sent events as the standard cuts them: https://html.spec.whatwg.org/multipage/server-sent-events.html.

Unlike a browser it tells what a careful server would not send: bytes that are no UTF-8, an event without its blank
line, a field of another name, an event whose data is no JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.proxy.forms.seen import Fault

_LINE = re.compile(r"\r\n|\n|\r")
_FIELDS = ("event", "data", "id", "retry", "")  # "" begins a comment


@dataclass(frozen=True, kw_only=True)
class Event:
    """An event; `data` is its JSON, or the text `[DONE]`; `text` the data as it came."""

    name: str | None
    data: Any
    text: str


def events(data: bytes) -> tuple[list[Event], list[Fault]]:
    """The events of a stream, and what is wrong with their framing."""
    faults: list[Fault] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.append(Fault(slug="not_utf8", at=0, found=str(error)))
        text = data.decode("utf-8", "replace")
    *lines, rest = _LINE.split(text.removeprefix("\ufeff"))
    found: list[Event] = []
    fields: dict[str, list[str]] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            if name not in _FIELDS:
                faults.append(Fault(slug="unknown_field", at=len(found), found=line))
            fields.setdefault(name, []).append(value.removeprefix(" "))
            continue
        if fields.get("data"):
            found.append(_event(fields, faults, len(found)))
        fields = {}
    if rest or fields.get("data"):
        faults.append(Fault(slug="unfinished_event", at=len(found), found=repr(rest or fields)))
    return found, faults


def _event(fields: dict[str, list[str]], faults: list[Fault], at: int) -> Event:
    text = "\n".join(fields["data"])
    name = fields.get("event", [None])[-1]
    if text == "[DONE]":
        return Event(name=name, data=text, text=text)
    try:
        return Event(name=name, data=json.loads(text), text=text)
    except ValueError as error:
        faults.append(Fault(slug="event_not_json", at=at, found=f"{error}: {text[:200]!r}"))
        return Event(name=name, data={}, text=text)
