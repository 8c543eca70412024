"""Server-sent events with the bytes they came in.

The stream is cut into events at blank lines (the WHATWG HTML standard, "Server-sent events"), and the bytes of the
events, joined, are the bytes that arrived: what is passed on untouched is passed on byte for byte, and how the network
cut the bytes changes nothing. What an event's data says is read beside it. Nothing raises: data that is no JSON makes
an event that cannot be read, and an event beyond the limit is passed on unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from argwright.making import quick
from argwright.proxy.exchange.lossless import decoded, dumps

_END_OF_EVENT = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
_END_OF_LINE = re.compile(r"\r\n|\n|\r")
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair
_CR = 13
BLANK = b"\n\n"
"""Ends an event in every stream that is written as documented."""
_DATA = "data: "
_MAX_EVENT = 16 * 1024 * 1024  # bytes of one event: an image in base64 is below 10 MB
_OVERLAP = 3  # bytes of a blank line that may have come already
DONE = "[DONE]"
ENDED = b"data: [DONE]\n\n"
"""The event that ends a stream, as it is documented."""


class Says(Enum):
    """What an event says."""

    DATA = "data"
    NOTHING = "nothing"
    """A comment, a blank line, a field that is no data."""
    EMPTY = "empty"
    """Data that is empty: no event by the standard, and an error to many a client."""
    DONE = "done"
    UNREADABLE = "unreadable"


@quick
@dataclass(frozen=True)
class Frame:
    """One event.

    Args:
        raw: its bytes, with the blank line that ends it.
        says: what it says.
        name: the event's name, if it has one.
        data: the decoded data, if it says any.
    """

    raw: bytes
    says: Says
    name: str | None = None
    data: Any = None

    @property
    def is_whole(self) -> bool:
        """Whether this is an event though its blank line is missing; half an event is none."""
        return self.says in (Says.DATA, Says.DONE) or self.raw.endswith((b"\n", b"\r"))


class Frames:
    """Takes bytes, cut anywhere, and gives the events that are complete."""

    def __init__(self, max_event: int = _MAX_EVENT) -> None:
        self._max_event = max_event
        self._buffer = bytearray()
        self._seen = 0  # bytes of the buffer in which no event ends
        self._passing = False  # the event is longer than what is read
        self._begun = False

    @property
    def pending(self) -> bool:
        """Whether the last bytes were the beginning of an event."""
        return bool(self._buffer) or self._passing

    def passed(self) -> None:
        """Events went by without being read here: what comes is not the stream's beginning."""
        self._begun = True

    def feed(self, data: bytes) -> list[Frame]:
        """Take the next bytes."""
        if not self.pending and _is_one(data) and len(data) <= self._max_event:
            return [self._frame(data)]
        self._buffer += data
        frames: list[Frame] = []
        start = 0
        while (end := self._end(start)) >= 0:
            frames.append(self._frame(bytes(self._buffer[start:end])))
            start = end
        del self._buffer[:start]
        self._seen = max(0, len(self._buffer) - _OVERLAP)
        if len(self._buffer) > self._max_event:
            frames.append(self._overlong())
        return frames

    def close(self) -> list[Frame]:
        """There are no more bytes: the last event, if its blank line is missing."""
        if not self._buffer:
            return []
        rest = bytes(self._buffer)
        self._buffer.clear()
        return [self._frame(rest)]

    def _end(self, start: int) -> int:
        """Where the event that begins at `start` ends; a last CR waits for its LF."""
        found = _END_OF_EVENT.search(self._buffer, start or self._seen)
        if found is None or (found.end() == len(self._buffer) and self._buffer[-1] == _CR):
            return -1
        return found.end()

    def _overlong(self) -> Frame:
        """What has come of an event that is too long; its end stays, since the blank line may begin there."""
        cut = len(self._buffer) - _OVERLAP
        raw = bytes(self._buffer[:cut])
        del self._buffer[:cut]
        self._seen, self._passing = 0, True
        return Frame(raw, Says.UNREADABLE)

    def _frame(self, raw: bytes) -> Frame:
        if self._passing:
            self._passing = False
            return Frame(raw, Says.UNREADABLE)
        name, text = _fields(raw.decode("utf-8", "replace").removeprefix("" if self._begun else "\ufeff"))
        self._begun = True
        bare = (text or "").strip()
        if not bare:
            return Frame(raw, Says.NOTHING if text is None else Says.EMPTY, name)
        if bare == DONE:
            return Frame(raw, Says.DONE, name)
        try:
            return Frame(raw, Says.DATA, name, decoded(bare))
        except (ValueError, RecursionError):
            return Frame(raw, Says.UNREADABLE, name)


def _is_one(data: bytes) -> bool:
    """Whether bytes are one event and nothing else, written as most servers do."""
    return data.find(BLANK) == len(data) - len(BLANK) > 0 and _CR not in data


def parsed(raw: bytes) -> Frame:
    """One event read again, from its bytes."""
    frames = Frames()
    return (frames.feed(raw) or frames.close())[0]


def _fields(event: str) -> tuple[str | None, str | None]:
    """The name and the data of an event's lines, if they hold any."""
    if event.startswith(_DATA) and event.find("\n") == len(event) - len(BLANK) and "\r" not in event:
        return None, event[len(_DATA) : -len(BLANK)]
    name: str | None = None
    data: list[str] = []
    for line in _END_OF_LINE.split(event):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value or None
    return name, "\n".join(data) if data else None


def written(data: Any, name: str | None = None) -> bytes:
    """An event with this data."""
    head = b"" if name is None else f"event: {name}\n".encode()
    return head + b"data: " + encoded(data) + b"\n\n"


def encoded(data: Any) -> bytes:
    """JSON as argwright writes it, in bytes: half a surrogate pair, which UTF-8 cannot hold, stays an escape."""
    text = dumps(data)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode()


def glued(events: list[bytes]) -> bytes:
    """Events, each ended by its blank line, which servers forget at the end."""
    return b"".join(map(_terminated, filter(None, events)))


def _terminated(event: bytes) -> bytes:
    if event.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")):
        return event
    return event + (b"\n" if event.endswith((b"\n", b"\r")) else b"\n\n")
