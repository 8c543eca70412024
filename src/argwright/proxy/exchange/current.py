"""What runs through a reply: events known by their bytes, of which nothing is read.

Text runs while nothing is held, and goes out as it comes; pieces of a call run while the call is held, behind those
before them. Transcript and writer are told of all that ran as of one event, when something else comes: the reply is the
same, and they read one event in place of hundreds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from argwright.proxy.exchange.frames import ENDED, Frame
from argwright.proxy.exchange.held import Held
from argwright.proxy.exchange.protocol import Body
from argwright.proxy.exchange.proving import opening, pattern, piece
from argwright.proxy.exchange.running import Pattern, Run, frames, shapes
from argwright.wire import find

if TYPE_CHECKING:
    from argwright.proxy.exchange.attempt import Attempt


class _Once:
    """What an event says, read when it is asked for the first time."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Body]) -> None:
        self._make = make
        self._made: Body | None = None

    def __call__(self) -> Body:
        if self._made is None:
            self._made = self._make()
        return self._made


class Current:
    """What runs through one reply."""

    def __init__(self, attempt: Attempt) -> None:
        course = attempt.course
        self._attempt = attempt
        self._gate, self._queue = attempt.gate, attempt.queue
        self._see = course.protocol.see
        self._deltas = find(course.protocol.form).deltas
        self._course = course
        self._shapes = shapes(course.protocol.form, course.upstream)
        self._like: Pattern | None = None
        self._last: tuple[Frame, Held] | None = None  # the event that was read last, of which nothing was learned yet
        self._number = -1  # of the call whose pieces run, in the order of first appearance
        self._open: bool | None = None  # whether more may run; unknown once anything else came
        self._place = 0  # of the shape that may come next
        self._ran: list[tuple[Pattern, Run]] = []

    # what is known

    def read(self, frame: Frame, item: Held) -> None:
        """An event was read: those to come may be like it."""
        self._last = frame, item
        self._open = None

    # what runs

    def run(self, data: bytes, pos: int) -> tuple[int, bytes]:
        """Take the events from here on that are known: where they end, and what goes out now."""
        if self._open is None:
            self._open = self._opened()
        if not self._open:
            self._learned_end()
            return pos, b""
        like = self._like
        found = like.run(data, pos) if like is not None else None
        if found is None and data.startswith(ENDED, pos):
            self._learned()  # for streams to come
            return self._over(data, pos)
        if found is None:
            like = self._shaped(data, pos) or self._learned()
            found = like.run(data, pos) if like is not None else None
        if like is None or found is None:
            return pos, b""
        end = pos + found.size
        said = data[pos:end] if pos or end < len(data) else data
        if like.opens or (like.ends is not None and self._number >= 0):
            self._keep(like, said, found)
            return end, b""
        if like.index is not None:
            self._attempt.stock.calls[self._number].pieces.append(found.text)
            self._queue.items[-1].frames += frames(said)
            self._like = None if like.begins else like
            said = b""
        elif found.text and like.seen.text and not self._gate.passes(found.text):
            return self._one_by_one(like, said, pos)
        self._ran.append((like, found))
        return end, said

    def _shaped(self, data: bytes, pos: int) -> Pattern | None:
        """The pattern of an event that is like those of other streams."""
        found = self._shapes.find(data, pos, self._place)
        if found is None or not self._suits(found[0]):
            return None
        like, self._place = found
        self._last = None
        if like.ends is not None and self._number < 0:
            self._attempt.finished, self._attempt.ends = True, like.ends
        self._like = like
        return like

    def _keep(self, like: Pattern, raw: bytes, found: Run) -> None:
        """Take an event that is held: it opens a call, or gives the reason for the end behind one."""
        attempt, seen = self._attempt, like.seen
        attempt.tell()
        deltas = like.says(found.text)
        attempt.noted(like.name, partial(like.body, found.text, found.pieces), seen, deltas)
        attempt.reads = True
        opened = attempt.stock.take(deltas[0], seen.item)
        self._course.opened(attempt.stock, seen, call=opened is not None)
        calls = frozenset[int]() if opened is None else frozenset((opened,))
        self._queue.add(Held([raw], seen, like.name, calls=calls, unread=opened is None))
        attempt.finished = attempt.finished or seen.finish
        self._like, self._number = None, -1 if opened is None else opened
        self._open = opened is not None and self._holds_call()

    def _suits(self, like: Pattern) -> bool:
        """Whether events of this pattern may come where the stream stands."""
        attempt, held = self._attempt, self._number >= 0
        if like.opens:
            return not held and attempt.optimist is None
        if like.ends is not None:
            return not attempt.finished and (held or not attempt.holds())
        if not held or like.index is None:
            return not held and like.index is None
        return attempt.stock.number(like.index) == self._number and like.begins != self._begun()

    def _learned(self) -> Pattern | None:
        """The pattern of the event that was read last, now that it is needed."""
        if self._last is None:
            return None
        (frame, item), self._last = self._last, None
        if self._like is None or not self._like.fits(frame.raw):
            made = pattern if not item.calls else piece if self._begun() else opening
            shape = made(frame, item.seen, self._see, self._deltas)
            if shape is not None:
                self._like = self._added(shape, frame)
        return self._like

    def _added(self, shape: Pattern, frame: Frame) -> Pattern | None:
        """The pattern in this reply, if more such events may follow."""
        if shape.index is not None:
            self._shapes.add(shape.first())
        self._shapes.add(shape)
        return None if shape.opens else shape.named(frame.raw, 0)

    def _learned_end(self) -> None:
        """The reason for the end was read, behind a call: streams to come have it, too."""
        if self._last is not None and self._last[1].seen.finish:
            self._learned()

    def _begun(self) -> bool:
        """Whether the arguments of the call that is open have begun."""
        return self._number >= 0 and any(self._attempt.stock.calls[self._number].pieces)

    def _over(self, data: bytes, pos: int) -> tuple[int, bytes]:
        """The reply is over: it goes out as it came, if it was text and nothing else."""
        if len(data) > pos + len(ENDED) or not self._attempt.is_plain():
            return pos, b""
        self._attempt.ended = True
        return len(data), ENDED

    def _opened(self) -> bool:
        """Whether more may run behind what came last."""
        if self._last is not None:
            calls = self._last[1].calls
            [self._number] = calls if len(calls) == 1 else (-1,)
            self._like = None if self._like is None or (self._like.index is None) == bool(calls) else self._like
        return self._is_open() if self._number < 0 else self._holds_call()

    def _is_open(self) -> bool:
        """Whether text goes out as it comes: nothing waits."""
        attempt = self._attempt
        waits = self._queue or attempt.begins or attempt.stock.calls or attempt.openings.waiting
        return not waits and self._gate.raw and self._course.output.even()

    def _holds_call(self) -> bool:
        """Whether the pieces that come next are held, behind others of their call."""
        attempt, number = self._attempt, self._number
        if attempt.optimist is not None or not attempt.released <= number == len(attempt.stock.calls) - 1:
            return False
        last = self._queue.items[-1] if self._queue else None
        if last is None or not last.pure or last.calls != frozenset((number,)):
            return False
        return next(filter(None, attempt.stock.calls[number].pieces), "{").startswith("{")

    def _one_by_one(self, like: Pattern, said: bytes, pos: int) -> tuple[int, bytes]:
        """Text of which some may belong to a call: events that wait, until one does."""
        out: list[bytes] = []
        for raw, text, pieces in like.apart(said):
            if not self._is_open():
                break
            pos += len(raw)
            if self._gate.goes(text):
                self._ran.append((like, Run(len(raw), text, pieces)))
                out.append(raw)
                if self._gate.fed == len(text):
                    break  # the beginning of the text is looked at in any case: the rest may be one
                continue
            self._open = None
            self._attempt.tell()
            body = like.body(text, pieces)
            out.append(self._attempt.hold(Held([raw], replace(like.seen, text=text), like.name, body, text=text)))
        return pos, b"".join(out)

    # what is told

    def said(self) -> str:
        """The text of what ran since it was last told."""
        return "".join([run.text for like, run in self._ran if like.seen.text])

    def tell(self) -> str:
        """Tell transcript and writer what ran; the text of it that is the reply's."""
        text = ""
        ran, self._ran = self._ran, []
        while ran:
            like = ran[0][0]
            alike = next((at for at, (other, _) in enumerate(ran) if other is not like), len(ran)) if like.adds else 1
            said = "".join([run.text for _, run in ran[:alike]])
            body = _Once(partial(like.body, said, ran[alike - 1][1].pieces))
            self._attempt.noted(like.name, body, like.seen, like.says(said))
            if like.index is None:
                self._course.untold.append((like.name, body))
            text += said if like.seen.text else ""
            ran = ran[alike:]
        return text
