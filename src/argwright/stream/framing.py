"""From the network's bytes to decoded events: which framing it is, and what all framings share.

A frame is an event's name, if the framing has names, and its data. The format says how
its streams are framed, but services and proxies answer otherwise too: a body that
begins with `{` or `[` is JSON whatever was asked for, so the first character decides.
No framing raises: what cannot be read is a `ViolationDelta` in the place of a frame, and
reading goes on with the next one.
"""

from __future__ import annotations

import codecs
import json
from typing import Any, Protocol, TypeAlias

from argwright.wire.deltas import ViolationDelta
from argwright.wire.format import Framing

Frame: TypeAlias = tuple[str | None, Any]

MAX_EVENT = 10 * 1024 * 1024  # characters of one event; a whole reply of the greatest length today is below 2 MB
DONE = "[DONE]"


class Decoder(Protocol):
    """Takes bytes, cut anywhere, and gives the frames that are complete."""

    def feed(self, data: bytes) -> list[Frame | ViolationDelta]:
        """Take the next bytes."""
        ...

    def close(self) -> list[Frame | ViolationDelta]:
        """There are no more bytes: what was left open."""
        ...


class TextDecoder(Protocol):
    """The same for text; made with the greatest length of an event."""

    def __init__(self, max_event: int) -> None: ...

    def feed(self, text: str) -> list[Frame | ViolationDelta]:
        """Take the next text."""
        ...

    def close(self) -> list[Frame | ViolationDelta]:
        """There is no more text: what was left open."""
        ...


def load(text: str, name: str | None = None) -> Frame | ViolationDelta:
    """One event's data."""
    try:
        return name, json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return ViolationDelta("not_json", f"the data of an event is no JSON: {error}")


def too_long(limit: int) -> ViolationDelta:
    """What stands in the place of an event beyond the limit."""
    return ViolationDelta("too_long", f"an event of more than {limit} characters is not read")


class Utf8:
    """Bytes to text, cut anywhere: what is no UTF-8 becomes U+FFFD, a byte order mark at the start goes."""

    def __init__(self) -> None:
        self._decoder: Any = codecs.getincrementaldecoder("utf-8")("strict")
        self._begun = False
        self.damaged = False

    def feed(self, data: bytes, *, final: bool = False) -> str:
        """The text of the next bytes; half a character waits for its rest."""
        try:
            text: str = self._decoder.decode(data, final)
        except UnicodeDecodeError:
            held = self._decoder.getstate()[0]
            self._decoder, self.damaged = codecs.getincrementaldecoder("utf-8")("replace"), True
            text = self._decoder.decode(held + data, final)
        if text and not self._begun:
            self._begun = True
            return text.removeprefix("\ufeff")
        return text


class TextFrames:
    """A decoder of bytes over one of text, chosen by the first character that is no blank."""

    def __init__(self, sniff: dict[str, type[TextDecoder]], otherwise: type[TextDecoder], max_event: int) -> None:
        self._utf8 = Utf8()
        self._max_event = max_event
        self._sniff = sniff
        self._otherwise = otherwise
        self._inner: TextDecoder | None = None
        self._reported = False

    def feed(self, data: bytes) -> list[Frame | ViolationDelta]:
        """Take the next bytes."""
        return self._pass(self._utf8.feed(data))

    def close(self) -> list[Frame | ViolationDelta]:
        """There are no more bytes: what was left open."""
        last = self._pass(self._utf8.feed(b"", final=True))
        return [*last, *(self._inner.close() if self._inner else ())]

    def _pass(self, text: str) -> list[Frame | ViolationDelta]:
        frames: list[Frame | ViolationDelta] = []
        if self._utf8.damaged and not self._reported:
            self._reported = True
            frames.append(ViolationDelta("encoding", "the stream is no UTF-8; what could not be read became U+FFFD"))
        if self._inner is None:
            text = text.lstrip(" \t\r\n")
            if not text:
                return frames
            self._inner = self._sniff.get(text[0], self._otherwise)(self._max_event)
        return frames + self._inner.feed(text)


def decoder(framing: Framing, *, max_event: int = MAX_EVENT) -> Decoder:
    """The decoder of a format's streams.

    Args:
        framing: how the format's streams are framed.
        max_event: characters of one event; a longer one is told and passed over.
    """
    from argwright.stream.event_stream import EventStream  # noqa: PLC0415  # they stand on this module
    from argwright.stream.json_values import JsonValues  # noqa: PLC0415
    from argwright.stream.prefixed import Prefixed  # noqa: PLC0415
    from argwright.stream.sse import Sse  # noqa: PLC0415

    match framing:
        case Framing.EVENT_STREAM:
            return EventStream(max_event)
        case Framing.PREFIXED:
            return TextFrames({"{": JsonValues}, Prefixed, max_event)
        case Framing.SSE | Framing.VALUES:
            return TextFrames({"{": JsonValues, "[": JsonValues}, Sse, max_event)
