"""What a reply said, event by event, read at its end.

Most replies are text, or text and calls of the documented form. Such a one is put together here; an `Accumulator` reads
all others, and whatever becomes so long that no more may be kept than it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argwright.model import CallDelta, ToolCall, Turn
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.protocol import Body
from argwright.stream import Accumulator
from argwright.stream.settle import settle
from argwright.wire.deltas import (
    ArgumentsDelta,
    CallEnd,
    Delta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
)
from argwright.wire.finish import finished

_MOST = 64  # events that are kept unread
_SILENT = (TextDelta, ReasoningDelta, MetaDelta, PartDelta, CallEnd)


class _NotPlain(Exception):  # noqa: N818  # no error: another way to read it
    """The reply is not as simple as that."""


class Transcript:
    """Takes the events of one reply."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._unread: list[tuple[str | None, Callable[[], Body], Sequence[Delta]]] = []
        self._log: Accumulator | None = None

    def add(self, name: str | None, body: Callable[[], Body], deltas: Sequence[Delta]) -> None:
        """One event.

        Args:
            name: its name.
            body: gives its data.
            deltas: what it says.
        """
        self._unread.append((name, body, deltas))
        if len(self._unread) > _MOST:
            self._read()

    def close(self) -> Turn:
        """The reply is over: all of it."""
        return self._read().close()

    def plain(self) -> Turn | None:
        """The turn without its texts and its cost, if its calls are of the documented form; else `None`."""
        if self._log is not None:
            return None
        reply = _Plain()
        try:
            for _, _, deltas in self._unread:
                for delta in deltas:
                    reply.take(delta)
            return reply.turn(self._course.mending.limits.max_chars)
        except _NotPlain:
            return None

    def _read(self) -> Accumulator:
        course = self._course
        if self._log is None:
            self._log = Accumulator(course.protocol.form, course.asked.box, dialects=(), limits=course.mending.limits)
        for name, body, _ in self._unread:
            self._log.feed(body(), event=name)
        self._unread.clear()
        return self._log


class _Plain:
    """A reply as long as it is plain."""

    def __init__(self) -> None:
        self._reason: FinishDelta | None = None
        self._calls: dict[int, tuple[str, str, list[str]]] = {}

    def take(self, delta: Delta) -> None:
        """What an event says."""
        match delta:
            case ArgumentsDelta(text=text, index=int(index)) if index in self._calls:
                self._calls[index][2].append(text)
            case CallDelta():
                self._open(delta)
            case FinishDelta() if self._reason is None:
                self._reason = delta
            case _ if not isinstance(delta, _SILENT):
                raise _NotPlain
            case _:
                pass

    def _open(self, delta: CallDelta) -> None:
        begun, index = delta.arguments or "", delta.index
        odd = delta.item or delta.input is not None or delta.blocked or delta.extra or delta.stage == "final"
        if odd or index is None or not delta.id or not delta.name or not isinstance(begun, str):
            raise _NotPlain
        if any(index <= other or delta.id == call[0] for other, call in self._calls.items()):
            raise _NotPlain
        self._calls[index] = delta.id, delta.name, [begun] if begun else []

    def turn(self, most: int) -> Turn:
        """The reply at its end."""
        if self._reason is None or not all(pieces for _, _, pieces in self._calls.values()):
            raise _NotPlain
        calls = [ToolCall(own, name, settle(pieces)) for own, name, pieces in self._calls.values()]
        if any(len(str(call.arguments)) > most for call in calls):
            raise _NotPlain
        made, end = finished(calls, self._reason.raw, reason=self._reason.reason, streamed=True)
        return Turn(made, "", "", end)
