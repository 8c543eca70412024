"""`application/vnd.amazon.eventstream`: binary frames with typed headers and two checksums.

A frame is its length and its headers' length (32 bits each), their CRC, the headers, the
payload, and a CRC of all. The event is the payload under the name of its type, which is
how the SDK hands it out. A frame with a wrong checksum cannot be trusted, nor can where
it ends: reading stops there.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

from argwright.stream import framing
from argwright.stream.framing import Frame
from argwright.wire.deltas import ViolationDelta

_PRELUDE, _CRC = 12, 4
_FIXED = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}  # sizes of the header types without a length of their own
_TEXT = 7


class EventStream:
    """Takes bytes, cut anywhere, and gives the frames that are complete."""

    def __init__(self, max_event: int = framing.MAX_EVENT) -> None:
        self._max_event = max_event
        self._bytes = bytearray()
        self._broken = False

    def feed(self, data: bytes) -> list[Frame | ViolationDelta]:
        """Take the next bytes."""
        if self._broken:
            return []
        self._bytes += data
        frames: list[Frame | ViolationDelta] = []
        while len(self._bytes) >= _PRELUDE and not self._broken:
            total, headers, crc = struct.unpack_from(">III", self._bytes)
            sound = zlib.crc32(self._bytes[: _PRELUDE - _CRC]) == crc and headers + _PRELUDE + _CRC <= total
            if not sound or total > self._max_event:
                frames.append(self._give_up())
            elif len(self._bytes) < total:
                break
            else:
                frame = bytes(self._bytes[:total])
                del self._bytes[:total]
                frames.append(self._frame(frame, headers))
        return frames

    def close(self) -> list[Frame | ViolationDelta]:
        """There are no more bytes."""
        cut = bool(self._bytes) and not self._broken
        return [ViolationDelta("not_json", "the stream ends inside a frame")] if cut else []

    def _give_up(self) -> ViolationDelta:
        self._broken = True
        self._bytes.clear()
        return ViolationDelta("encoding", "a frame with a wrong checksum or length: nothing after it is read")

    def _frame(self, frame: bytes, headers: int) -> Frame | ViolationDelta:
        (crc,) = struct.unpack_from(">I", frame, len(frame) - _CRC)
        if zlib.crc32(frame[:-_CRC]) != crc:
            return self._give_up()
        named = _headers(frame[_PRELUDE : _PRELUDE + headers])
        payload = frame[_PRELUDE + headers : -_CRC].decode("utf-8", "replace")
        loaded = framing.load(payload or "{}")
        kind = named.get(":event-type") or named.get(":exception-type") or named.get(":error-code")
        if isinstance(loaded, ViolationDelta) or kind is None:
            return loaded
        return None, {kind: loaded[1]}


def _headers(data: bytes) -> dict[str, Any]:
    """The headers that are text, by name; what cannot be read ends them."""
    found: dict[str, Any] = {}
    pos = 0
    try:
        while pos < len(data):
            size = data[pos]
            name = data[pos + 1 : pos + 1 + size].decode("utf-8", "replace")
            kind = data[pos + 1 + size]
            pos += 2 + size
            if kind in _FIXED:
                pos += _FIXED[kind]
                continue
            (length,) = struct.unpack_from(">H", data, pos)
            value = data[pos + 2 : pos + 2 + length]
            pos += 2 + length
            if kind == _TEXT:
                found[name] = value.decode("utf-8", "replace")
    except (IndexError, struct.error):
        return found
    return found
