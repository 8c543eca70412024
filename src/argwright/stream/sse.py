"""Server-sent events (the WHATWG HTML standard, section "Server-sent events"): text to frames.

Lines end with CR LF, LF or CR and nothing else: U+2028, U+2029 and U+0085 are data.
A field's value loses one blank at its start; the lines of `data` are joined by LF at the
blank line; comments and other fields say nothing. Unlike the standard, an event that the
end of the stream leaves without its blank line is read, since servers forget it.
"""

from __future__ import annotations

import re

from argwright.stream import framing
from argwright.stream.framing import DONE, Frame
from argwright.wire.deltas import ViolationDelta

_END_OF_LINE = re.compile(r"\r\n|\n|\r")


class Sse:
    """Takes text, cut anywhere, and gives the events that are complete."""

    def __init__(self, max_event: int = framing.MAX_EVENT) -> None:
        self._max_event = max_event
        self._line: list[str] = []  # the pieces of a line without its end
        self._blank = True  # nothing of the line has come
        self._after_cr = False
        self._name: str | None = None
        self._data: list[str] = []
        self._size = 0

    def feed(self, text: str) -> list[Frame | ViolationDelta]:
        """Take the next text."""
        if self._after_cr and text.startswith("\n"):
            text = text[1:]
            self._after_cr = False
        if not text:
            return []
        self._after_cr = text.endswith("\r")
        *lines, rest = _END_OF_LINE.split(text)
        frames: list[Frame | ViolationDelta] = []
        for line in lines:
            self._keep(line)
            frames += self._take()
        self._keep(rest)
        return frames

    def close(self) -> list[Frame | ViolationDelta]:
        """There is no more text: the last event, if its blank line is missing."""
        frames = [] if self._blank else self._take()
        return frames + self._dispatch()

    def _keep(self, piece: str) -> None:
        """Remember a piece of a line, but nothing of an event that is too long."""
        self._size += len(piece)
        self._blank = self._blank and not piece
        if self._size > self._max_event:
            self._line.clear()
            self._data.clear()
        elif piece:
            self._line.append(piece)

    def _take(self) -> list[Frame | ViolationDelta]:
        """A line is at its end."""
        line, blank = "".join(self._line), self._blank
        self._line.clear()
        self._blank = True
        if blank:
            return self._dispatch()
        if self._size > self._max_event:
            return []
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value or None
        elif not self._data:
            self._size = 0  # a comment between events
        return []

    def _dispatch(self) -> list[Frame | ViolationDelta]:
        text, name, size = "\n".join(self._data), self._name, self._size
        self._data.clear()
        self._name, self._size = None, 0
        if size > self._max_event:
            return [framing.too_long(self._max_event)]
        bare = text.strip()
        if not bare:
            return []
        return [(None, DONE)] if bare == DONE else [framing.load(text, name)]
