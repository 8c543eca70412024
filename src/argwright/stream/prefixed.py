"""Lines of `PREFIX:JSON`, as the AI SDK's data stream writes them; the prefix is the event's name."""

from __future__ import annotations

from argwright.stream import framing
from argwright.stream.framing import Frame
from argwright.wire.deltas import ViolationDelta


class Prefixed:
    """Takes text, cut anywhere, and gives the lines that are complete."""

    def __init__(self, max_event: int = framing.MAX_EVENT) -> None:
        self._max_event = max_event
        self._line: list[str] = []
        self._size = 0

    def feed(self, text: str) -> list[Frame | ViolationDelta]:
        """Take the next text."""
        *lines, rest = text.split("\n")
        frames: list[Frame | ViolationDelta] = []
        for line in lines:
            self._keep(line)
            frames += self._take()
        self._keep(rest)
        return frames

    def close(self) -> list[Frame | ViolationDelta]:
        """There is no more text: the last line, if its end is missing."""
        return self._take()

    def _keep(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > self._max_event:
            self._line.clear()
        elif piece:
            self._line.append(piece)

    def _take(self) -> list[Frame | ViolationDelta]:
        line, size = "".join(self._line).strip(" \t\r"), self._size
        self._line.clear()
        self._size = 0
        if size > self._max_event:
            return [framing.too_long(self._max_event)]
        if not line:
            return []
        prefix, colon, data = line.partition(":")
        if not colon:
            return [ViolationDelta("not_json", "a line without a prefix")]
        return [framing.load(data, prefix)]
