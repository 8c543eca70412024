"""What a reply said, event by event, read at its end.

Most replies are text and nothing else, and of those only the reason for the end counts. So the events are kept, and an
`Accumulator` reads them only if there is more to them; or if they become many, so that no more is kept than it keeps.
"""

from __future__ import annotations

from argwright.model import Turn
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.protocol import Body
from argwright.stream import Accumulator
from argwright.wire import find
from argwright.wire.deltas import FinishDelta, MetaDelta, ReasoningDelta, TextDelta
from argwright.wire.finish import finished

_MOST = 64  # events that are kept unread
_PLAIN = (TextDelta, ReasoningDelta, MetaDelta)


class Transcript:
    """Takes the events of one reply."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._unread: list[tuple[str | None, Body]] = []
        self._log: Accumulator | None = None

    def add(self, name: str | None, body: Body) -> None:
        """One event."""
        self._unread.append((name, body))
        if len(self._unread) > _MOST:
            self._read()

    def close(self) -> Turn:
        """The reply is over: all of it."""
        return self._read().close()

    def plain(self) -> Turn | None:
        """The turn of a reply that was text and nothing else, without the text; `None` if it may be more."""
        if self._log is not None:
            return None
        deltas = find(self._course.protocol.form).deltas
        reason: FinishDelta | None = None
        try:
            for name, body in self._unread:
                for delta in deltas(name, body):
                    if isinstance(delta, FinishDelta) and reason is None:
                        reason = delta
                    elif not isinstance(delta, _PLAIN):
                        return None
        except Exception:  # noqa: BLE001  # the last line of defence: what a server sends never raises
            return None
        if reason is None:
            return None
        return Turn((), "", "", finished((), reason.raw, reason=reason.reason, streamed=True)[1])

    def _read(self) -> Accumulator:
        course = self._course
        if self._log is None:
            self._log = Accumulator(course.protocol.form, course.asked.box, dialects=(), limits=course.mending.limits)
        for name, body in self._unread:
            self._log.feed(body, event=name)
        self._unread.clear()
        return self._log
