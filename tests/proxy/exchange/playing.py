"""A playbook: what the upstream says, what the client gets, what the upstream is asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import argwright as aw
from argwright.model import compact
from argwright.proxy.exchange import Again, Exchange
from argwright.proxy.record import CallRecord
from argwright.proxy.settings import Mending
from argwright.scripted.rendering import body, events
from argwright.scripted.saying import said

SCHEMAS: dict[str, dict[str, Any]] = {
    "book_berth": {
        "type": "object",
        "properties": {
            "side": {"enum": ["port", "starboard"]},
            "m": {"type": "integer"},
            "name": {"type": "string"},
            "crew": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["m"],
        "additionalProperties": False,
    },
    "count_gulls": {"type": "object", "properties": {}},
    "write_log": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "text": {"type": "string"}},
        "required": ["path", "text"],
    },
}
GO, TRY, ERR = Mending(), Mending(on_invalid="retry"), Mending(on_invalid="error")


@cache
def declared(form: str, names: tuple[str, ...]) -> str:
    """The declarations of these tools, as JSON."""
    return compact(aw.Toolbox([aw.Tool.from_schema(name, SCHEMAS[name]) for name in names]).declare(form))


def request(form: str, *, stream: bool = True, names: Iterable[str] = SCHEMAS, **more: Any) -> dict[str, Any]:
    """A request that declares the tools."""
    asked: dict[str, Any] = {"model": "m-1", "stream": stream, "tools": json.loads(declared(form, tuple(names)))}
    spoken = [{"role": "user", "content": "Möwen? 🐦"}]
    return asked | ({"input": spoken} if form == "openai-responses" else {"messages": spoken}) | more


def exchange(form: str, mending: Mending = GO, *, asked: Any = None, **more: Any) -> Exchange:
    """An exchange of this request."""
    sent = asked if isinstance(asked, bytes) else compact(asked or request(form, **more)).encode()
    return Exchange(form, sent, mending, request_id="r-1", upstream="default", now=lambda: 7.0)


def course(form: str) -> Any:
    """What holds for an exchange."""
    return exchange(form)._course


def sse(*given: Any) -> bytes:
    """Events as bytes: data, or a pair of name and data; text is sent as it stands."""
    lines = []
    for one in given:
        name, data = one if isinstance(one, tuple) else (None, one)
        text = data if isinstance(data, str) else json.dumps(data)
        lines.append(("" if name is None else f"event: {name}\n") + f"data: {text}\n\n")
    return "".join(lines).encode()


def streamed(form: str, data: Any, number: int = 1, piece: int = 4) -> bytes:
    """What a well-behaved provider sends when its model says this."""
    return sse(*events(form, said(data, number), piece=piece))


def whole(form: str, data: Any, number: int = 1) -> bytes:
    """The same in one body."""
    return json.dumps(body(form, said(data, number))).encode()


@dataclass(frozen=True, kw_only=True)
class Played:
    """What came of it."""

    out: bytes
    asks: tuple[dict[str, Any], ...]
    records: tuple[CallRecord, ...]
    exchange: Exchange
    status: int = 200
    headers: Any = None

    @property
    def statuses(self) -> list[str]:
        return [record.status for record in self.records]


def play(
    form: str,
    replies: Sequence[bytes],
    mending: Mending = GO,
    *,
    step: int = 0,
    broken: bool = False,
    **more: Any,
) -> Played:
    """Let the upstream give these replies to a request for a stream; the last may break off."""
    under = exchange(form, mending, **more)
    out, asks = b"", []
    for place, reply in enumerate(replies, 1):
        size = step or len(reply) or 1
        for start in range(0, len(reply), size):
            out += under.feed(reply[start : start + size])
        tail = under.end(broken=broken and place == len(replies))
        if not isinstance(tail, Again):
            assert place == len(replies)
            return Played(out=out + tail.data, asks=tuple(asks), records=under.take_records(), exchange=under)
        asks.append(json.loads(tail.body))
    raise AssertionError("another reply was asked for")


def play_whole(form: str, replies: Sequence[bytes], mending: Mending = GO, **more: Any) -> Played:
    """The same for whole replies."""
    under = exchange(form, mending, stream=False, **more)
    asks: list[Any] = []
    for reply in replies:
        answer = under.whole(reply)
        if not isinstance(answer, Again):
            return Played(
                out=answer.body,
                asks=tuple(asks),
                records=under.take_records(),
                exchange=under,
                status=answer.status,
                headers=answer.headers,
            )
        asks.append(json.loads(answer.body))
    raise AssertionError("another reply was asked for")


def read(form: str, out: bytes) -> aw.Turn:
    """What a client of the library reads from a stream."""
    acc = aw.Accumulator(form)
    acc.feed_bytes(out)
    return acc.close()


def calls(turn: aw.Turn) -> list[tuple[str | None, Any]]:
    """The calls, their arguments as data where they are."""
    return [(call.name, _data(call.arguments)) for call in turn.calls]


def _data(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def events_of(out: bytes) -> list[Any]:
    """The data of a stream's events; the text where it is no JSON."""
    found = []
    for block in out.decode().split("\n\n"):
        data = "".join(line.removeprefix("data: ") for line in block.split("\n") if line.startswith("data: "))
        if data:
            found.append(data if data == "[DONE]" else json.loads(data))
    return found


def note(out: bytes) -> Any:
    """What a stream or a body tells of itself."""
    if out.startswith(b"{"):
        return json.loads(out).get("argwright")
    return next((data["argwright"] for data in events_of(out) if isinstance(data, dict) and "argwright" in data), None)
