"""What runs through a reply: the pattern that the last event had, and what was taken by it.

Log and writer are told of all that ran as of one event, when something else comes: the reply is the same, and they read
one event in place of hundreds.
"""

from __future__ import annotations

from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.frames import Frame
from argwright.proxy.exchange.held import Held
from argwright.proxy.exchange.running import Pattern, Run, pattern, piece
from argwright.proxy.exchange.stock import Stock
from argwright.stream import Accumulator
from argwright.wire import find


class Current:
    """What runs through one reply.

    Args:
        course: what holds for the exchange.
        log: reads the reply.
        stock: reads its calls.
        logs_text: it is told of text as well, not of calls only.

    Attributes:
        like: the pattern of the event that was read last, if it has one.
        number: of the call that it is a piece of, in the order of first appearance.
    """

    def __init__(self, course: Course, log: Accumulator, stock: Stock, *, logs_text: bool) -> None:
        self._see = course.protocol.see
        self._deltas = find(course.protocol.form).deltas
        self._writer = course.writer
        self._log = log
        self._stock = stock
        self._logs_text = logs_text
        self._ran: list[Run] = []
        self.like: Pattern | None = None
        self.number = -1

    def learn(self, frame: Frame, item: Held) -> None:
        """An event was read: those to come may be like it."""
        if self.like is not None and item.calls == self._calls and self.like.fits(frame.raw):
            return
        if not item.calls:
            self.like = pattern(frame, item.seen, self._see) or (self.like if self.number < 0 else None)
            self.number = -1
        elif item.pure and len(item.calls) == 1:
            [self.number] = item.calls
            begun = next(filter(None, self._stock.calls[self.number].pieces), "").startswith("{")
            self.like = piece(frame, item.seen, self._see, self._deltas) if begun else None

    @property
    def _calls(self) -> frozenset[int]:
        return frozenset() if self.number < 0 else frozenset((self.number,))

    def take(self, found: Run) -> None:
        """These events ran through."""
        self._ran.append(found)

    def tell(self) -> str:
        """Tell log and writer what ran, as one event; the text of it that is the reply's."""
        if not self._ran or self.like is None:
            return ""
        ran, self._ran = self._ran, []
        like, said = self.like, "".join([run.text for run in ran])
        body = like.body(said, ran[-1].pieces)
        if self._logs_text or like.index is not None:
            self._log.feed(body, event=like.name)
        if like.index is None:
            self._writer.passed(like.name, body)
        return said if like.seen.text else ""
