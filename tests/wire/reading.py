"""How the tests of the formats feed a stream: event by event, and as bytes cut anywhere."""

from __future__ import annotations

import json
import random
from typing import Any

from argwright.model import Finish, ToolCall, Turn
from argwright.stream import Accumulator
from argwright.stream.events import ProtocolViolation
from argwright.wire import find
from argwright.wire.format import Framing

Event = Any
"""The data of an event; or its name and its data."""


def named(event: Event) -> tuple[str | None, Any]:
    return event if isinstance(event, tuple) else (None, event)


def chunk(data: Any) -> Any:
    """What is fed for an event: text stands for JSON text."""
    return json.dumps(data) if isinstance(data, str) and data != "[DONE]" else data


def fed(form: str, events: list[Event]) -> tuple[Turn, list[str]]:
    """The turn, and the slugs of what was reported as odd."""
    acc = Accumulator(form)
    seen = [item for event in events for item in acc.feed(chunk(named(event)[1]), event=named(event)[0])]
    return acc.close(), [item.reason for item in seen if isinstance(item, ProtocolViolation)]


def framed(form: str, events: list[Event]) -> bytes:
    """The stream as its provider sends it."""
    return b"".join(_frame(find(form).framing, *named(event)) for event in events)


def _frame(framing: Framing, name: str | None, data: Any) -> bytes:
    text = data if data == "[DONE]" else json.dumps(data, ensure_ascii=False)
    match framing:
        case Framing.SSE:
            return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode("utf-8", "surrogatepass")
        case Framing.PREFIXED:
            return f"{name}:{text}\n".encode()
        case _:
            return f"{text}\n".encode()


def cut(form: str, data: bytes, seed: int) -> Turn:
    """The turn of bytes that come in pieces; seed 0 is byte by byte."""
    chance = random.Random(seed)
    longest = (1, 7, 80, 1000)[seed % 4]
    acc = Accumulator(form)
    while data:
        size = chance.randint(1, longest)
        acc.feed_bytes(data[:size])
        data = data[size:]
    return acc.close()


def turn(*calls: ToolCall, end: tuple[str | None, str, bool] = (None, "unknown", False), **more: Any) -> Turn:
    return Turn(calls, finish=Finish(*end), **more)


def call(id: str | None, name: str | None, arguments: Any = None, **more: Any) -> ToolCall:
    return ToolCall(id, name, arguments, **more)


def same_however_it_comes(form: str, events: list[Event], expected: Turn, *, odd: tuple[str, ...] = ()) -> None:
    """The stream is read right event by event, and in bytes cut anywhere."""
    assert fed(form, events) == (expected, list(odd))
    data = framed(form, events)
    for seed in range(8):
        assert cut(form, data, seed) == expected
