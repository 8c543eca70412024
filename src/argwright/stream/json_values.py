"""JSON values one after the other: NDJSON, a JSON array that trickles in, a body on its own.

A value ends where its brackets close, strings looked over, so that it may stand on one
line or on many. A line break inside a string is no JSON (RFC 8259): there the value is
given up and reading goes on with the next line.
"""

from __future__ import annotations

import re

from argwright.stream import framing
from argwright.stream.framing import Frame
from argwright.wire.deltas import ViolationDelta

_OUTSIDE = re.compile(r"[\s,]*")
_STEP = re.compile(r'["{}\[\]]')
_IN_STRING = re.compile(r'["\\\n\r]')
_BARE_END = re.compile(r"[\n\r,\]]")


class JsonValues:
    """Takes text, cut anywhere, and gives the values that are complete."""

    def __init__(self, max_event: int = framing.MAX_EVENT) -> None:
        self._max_event = max_event
        self._value: list[str] = []
        self._size = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._bare = False  # a value that begins with no bracket
        self._seen = False
        self._frames: list[Frame | ViolationDelta] = []

    def feed(self, text: str) -> list[Frame | ViolationDelta]:
        """Take the next text."""
        self._frames = []
        pos, end = 0, len(text)
        while pos < end:
            pos = self._outside(text, pos) if not (self._depth or self._bare) else self._inside(text, pos)
        return self._frames

    def close(self) -> list[Frame | ViolationDelta]:
        """There is no more text: what was left open is no value, unless it needs no bracket to end."""
        self._frames = []
        if self._value or self._size:
            self._finish()
        return self._frames

    def _outside(self, text: str, pos: int) -> int:
        """Between values: blanks, commas, and the brackets of the array that holds them all."""
        found = _OUTSIDE.match(text, pos)
        pos = found.end() if found else pos
        if pos == len(text):
            return pos
        char = text[pos]
        if char == "]" or (char == "[" and not self._seen):
            self._seen = True
            return pos + 1
        self._seen = True
        self._bare = char not in "{["
        self._depth = 0
        return self._inside(text, pos)

    def _inside(self, text: str, pos: int) -> int:
        if self._bare:
            found = _BARE_END.search(text, pos)
            stop = found.start() if found else len(text)
            self._keep(text[pos:stop])
            if found:
                self._finish()
            return stop
        return self._string(text, pos) if self._in_string else self._brackets(text, pos)

    def _brackets(self, text: str, pos: int) -> int:
        found = _STEP.search(text, pos)
        stop = found.end() if found else len(text)
        self._keep(text[pos:stop])
        if found:
            char = found[0]
            self._in_string = char == '"'
            self._depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(char, 0)
            if self._depth == 0:
                self._finish()
        return stop

    def _string(self, text: str, pos: int) -> int:
        if self._escaped:
            self._escaped = False
            self._keep(text[pos])
            return pos + 1
        found = _IN_STRING.search(text, pos)
        stop = found.end() if found else len(text)
        self._keep(text[pos:stop])
        if found:
            self._escaped = found[0] == "\\"
            self._in_string = self._escaped
            if found[0] in "\r\n":
                self._finish()
        return stop

    def _keep(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > self._max_event:
            self._value.clear()
        else:
            self._value.append(piece)

    def _finish(self) -> None:
        text, size = "".join(self._value), self._size
        self._value.clear()
        self._size = self._depth = 0
        self._in_string = self._escaped = self._bare = False
        if size > self._max_event:
            self._frames.append(framing.too_long(self._max_event))
        elif text.strip():
            self._frames.append(framing.load(text))
