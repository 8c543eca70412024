"""A provider's reply as it was logged → its turns.

It may stand there as one body, as the text of its stream, or as the list of that stream's events. A reply of several
choices is a turn for each. One event by itself is no reply: it holds a piece of a call, and nothing in its line says
which other pieces belong to it. Nor are the events of several replies: most of them do not say which pieces belong
together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from argwright import wire
from argwright.batch.log.values import BadRecordError
from argwright.model import CallDelta, Turn
from argwright.stream import Accumulator
from argwright.wire.deltas import ArgumentsDelta, MemberDelta

_EVENTS = ("response.", "message_", "content_block_")
"""How the names begin of the events that a reply of Responses or of Anthropic is streamed by."""
_BEGINNINGS = ("message_start", "response.created")
_FRAMES = ("data:", "event:", "id:", "retry:", ":")
_CHOICES = ("choices", "candidates")
_PIECES = (CallDelta, ArgumentsDelta, MemberDelta)


def whole(form: str, body: Mapping[str, Any]) -> list[Turn] | None:
    """The turns of a body, one for each choice; `None` if it is an event of a stream.

    Args:
        form: the name of its format.
        body: the reply.
    """
    if is_event(body):
        return None
    key = next((key for key in _CHOICES if isinstance(body.get(key), list) and len(body[key]) > 1), None)
    bodies = [body] if key is None else [{**body, key: [choice]} for choice in body[key]]
    turns = [wire.read(form, one) for one in bodies]
    if not any(turn.calls for turn in turns) and _has_piece(form, body):
        return None
    return turns


def is_stream(value: Any) -> bool:
    """Whether this is the text of a stream, or its lines."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(line, str) for line in value) and any(map(is_stream, value))
    return isinstance(value, str) and value.lstrip("\ufeff \t\r\n").startswith(_FRAMES)


def streamed(value: str | Sequence[str]) -> list[Turn] | None:
    """The turns of the text or the lines of a stream; `None` if no format is sure."""
    text = value if isinstance(value, str) else _joined(value)
    found = (_loaded(line[5:]) for line in text.split("\n") if line.startswith("data:"))
    events = [event for event in found if event is not None]
    form = _form_of(events)
    if form is None:
        return None
    _check_one(events)
    if len(_indices(events)) > 1:
        return heard(events)
    stream = Accumulator(form)
    stream.feed_bytes(text.encode())
    return [_named(stream.close(), events)]


def heard(events: Sequence[Any]) -> list[Turn] | None:
    """The turns of a list of a stream's events; `None` if it is none."""
    if not all(isinstance(event, dict) for event in events) or not any(map(is_event, events)):
        return None
    form = _form_of(events)
    if form is None:
        return None
    _check_one(events)
    turns: list[Turn] = []
    indices: list[int | None] = [*_indices(events)]
    for index in indices or [None]:
        stream = Accumulator(form)
        for event in events:
            stream.feed(event if index is None else _of_choice(event, index))
        turns.append(_named(stream.close(), events))
    return turns


def is_event(body: Mapping[str, Any]) -> bool:
    """Whether this is an event of a stream, and no reply."""
    kind, named = body.get("type"), body.get("object")
    if isinstance(kind, str) and kind.startswith(_EVENTS):
        return True
    if isinstance(named, str) and named.endswith(".chunk"):
        return True
    if body.get("done") is False and "message" in body:
        return True
    return any("delta" in part and "message" not in part for part in _parts(body))


def _form_of(events: Sequence[Any]) -> str | None:
    """The format of a stream, by the first of its events that tells."""
    return next((form for event in events if (form := wire.detect(event)) is not None), None)


def _check_one(events: Sequence[Any]) -> None:
    """See that events are those of one reply.

    Some servers give each event an id of its own; an id that several events have is that of the reply.

    Raises:
        BadRecordError: they are of several replies.
    """
    told = [event for event in events if isinstance(event, dict)]
    begun = sum(event.get("type") in _BEGINNINGS for event in told)
    ids = [event["id"] for event in told if "choices" in event and isinstance(event.get("id"), str) and event["id"]]
    ends = Counter(_index(choice) for event in told for choice in _parts(event) if choice.get("finish_reason"))
    mixed = len(set(ids)) < len(ids) if len(set(ids)) > 1 else False
    twice = max(ends.values(), default=0) > 1 and (len(set(ids)) > 1 or _are_shared(told))
    if begun > 1 or mixed or twice:
        raise BadRecordError("events of several replies: log those of one reply in one line")


def _are_shared(events: Sequence[Mapping[str, Any]]) -> bool:
    """Whether calls with different ids stand at the same place of the same choice."""
    places: dict[tuple[int, int], Any] = {}
    for event in events:
        for choice in _parts(event):
            for call in _pieces(choice):
                if call.get("id") and places.setdefault((_index(choice), _index(call)), call["id"]) != call["id"]:
                    return True
    return False


def _index(piece: Mapping[str, Any]) -> int:
    index = piece.get("index")
    return index if type(index) is int else 0


def _pieces(choice: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    delta = choice.get("delta")
    calls = delta.get("tool_calls") if isinstance(delta, dict) else None
    return (call for call in (calls if isinstance(calls, list) else ()) if isinstance(call, dict))


def _parts(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = event.get("choices")
    return (choice for choice in (choices if isinstance(choices, list) else ()) if isinstance(choice, dict))


def _has_piece(form: str, body: Mapping[str, Any]) -> bool:
    """Whether what gives no call as a reply would be a part of one as an event."""
    try:
        deltas = wire.find(form).deltas(None, dict(body))
    except Exception:  # noqa: BLE001  # what a log holds never raises
        return False
    return any(isinstance(delta, _PIECES) for delta in deltas)


def _indices(events: Sequence[Any]) -> list[int]:
    """The choices that a stream has pieces of."""
    found: dict[int, None] = {}
    for event in events:
        choices = event.get("choices") if isinstance(event, dict) else None
        for choice in choices if isinstance(choices, list) else ():
            found[_index(choice) if isinstance(choice, dict) else 0] = None
    return sorted(found)


def _of_choice(event: dict[str, Any], index: int) -> dict[str, Any]:
    """The event with the pieces of one choice alone, as the first."""
    choices = event.get("choices")
    if not isinstance(choices, list):
        return event
    own = [choice for choice in choices if isinstance(choice, dict) and (choice.get("index") or 0) == index]
    return {**event, "choices": [{**choice, "index": 0} for choice in own]}


def _named(turn: Turn, events: Sequence[Any]) -> Turn:
    """The turn with the model's name, which stands in every event where no event is about it."""
    names = (event.get("model") for event in events if turn.model is None and isinstance(event, dict))
    name = next((name for name in names if isinstance(name, str) and name), None)
    return turn if name is None else replace(turn, model=name)


def _joined(lines: Sequence[str]) -> str:
    """Lines of a stream as its text; where each is an event, the blank lines between them were left out."""
    return ("\n\n" if all(line.startswith("data:") for line in lines) else "\n").join(lines) + "\n\n"


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
