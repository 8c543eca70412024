"""What an answer is, by its first bytes, where a stream was asked for.

Servers call a stream of events text, JSON or nothing at all, and stock clients read it all the same, since they do not
look. Others answer a request for a stream with a whole reply. So nobody is believed: the first characters decide, of
which few are needed. Events go on at once, as they come; anything else is kept until it is whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from argwright.proxy.flow import Flow, flow
from argwright.proxy.job import Job
from argwright.proxy.upstream import Answer

_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\n"
_FIELDS = (b"data", b"event", b"id", b"retry")
_LONGEST = len(b"event") + 1
_FIELD = re.compile(rb"(?:data|event|id|retry)(?=[:\r\n])|:")


class Kind(Enum):
    """What a body is."""

    EVENTS = "events"
    JSON = "json"
    OTHER = "other"


def kind_of(data: bytes) -> Kind | None:
    """What a body is that begins so; `None`: that cannot be told yet."""
    if _BOM.startswith(data):
        return None
    said = data.removeprefix(_BOM).lstrip(_BLANKS)[:_LONGEST]
    if not said or said in _FIELDS:
        return None
    if said[:1] in (b"{", b"["):
        return Kind.JSON
    if _FIELD.match(said):
        return Kind.EVENTS
    return None if any(field.startswith(said) for field in _FIELDS) else Kind.OTHER


class Sight:
    """Sees what a body is as its pieces come; blanks in front are looked at once."""

    def __init__(self) -> None:
        self._kind: Kind | None = None
        self._begun = b""

    def of(self, data: bytes) -> Kind | None:
        """What the body is, with this piece of it; `None`: that cannot be told yet."""
        if self._kind is None:
            self._begun += data
            self._kind = kind_of(self._begun)
            if not self._begun.removeprefix(_BOM).strip(_BLANKS):
                self._begun = b""
        return self._kind


class Beginning:
    """Reads the beginning of a body, and lets it go on as what it is.

    Args:
        job: whose it is.
        answer: where it comes from.
        feed: what goes to the client for some bytes of a stream.
        most: how long what is no stream may be.

    Attributes:
        flow: the body's way.
    """

    def __init__(self, job: Job, answer: Answer, feed: Callable[[bytes], bytes], most: int) -> None:
        self.flow: Flow = flow(job, answer, self._feed)
        self._answer, self._events, self._most = answer, feed, most
        self._kept: bytearray | None = bytearray()
        self._sight = Sight()

    def _feed(self, data: bytes) -> bytes:
        kept = bytearray() if self._kept is None else self._kept
        kept += data
        kind = self._sight.of(data)
        if kind is Kind.EVENTS or (kind is Kind.OTHER and self._answer.streams):
            self._kept, self.flow.feed = None, self._events
            return self._events(bytes(kept))
        if len(kept) > self._most:
            raise self._answer.too_long(self._most)
        return b""

    def whole(self) -> bytes | None:
        """The body, at its end, if it is no stream."""
        return None if self._kept is None else bytes(self._kept)
