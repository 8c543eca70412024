"""The end of a streamed reply: what became of its calls, and what goes out of all that was held.

Valid calls that a client reads as the gateway does go out as they came; a mended one is written anew in its place; if
the form itself is at fault, all of them are. A refused call goes out as it came (`pass`), or the model is asked again
(`retry`), or the stream ends in the protocol's own error. Asking again drops every call of the reply, the valid ones
too: they are sent again with the corrected one, or added at the end if they are not, so that none is lost and none runs
twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from argwright.model import InvalidCall, ToolCall, Turn
from argwright.proxy.exchange.attempt import Attempt
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.held import Held
from argwright.proxy.exchange.judging import Judged, Written, written
from argwright.proxy.exchange.protocol import INVALID_CALL, UNCHANGED, Change, Fault, Place
from argwright.proxy.exchange.stock import Stock
from argwright.wire.plain import mapping, objects, text

CLOSED = "upstream_closed"
FAILED = "upstream_failed"


@dataclass(frozen=True, kw_only=True)
class Read:
    """A reply at its end.

    Args:
        turn: what the model said.
        judged: what became of its calls, those that went out before included.
        released: how many did.
        left: refused calls that stay in its text.
        leaked: the calls stood in its text.
        begun: pieces of a call went out before it was whole.
        broke_promise: a call that went out before is another one now.
    """

    turn: Turn
    judged: tuple[Judged, ...]
    released: int = 0
    left: tuple[Judged, ...] = ()
    leaked: bool = False
    begun: bool = False
    broke_promise: bool = False

    @property
    def refused(self) -> bool:
        """Whether a call must not run."""
        return any(one.refused for one in self.judged)

    def is_as_read(self, stock: Stock) -> bool:
        """Whether a client reads the calls as the gateway does."""
        whole = all(one.refused or call.whole for one, call in zip(self.judged, stock.calls, strict=False))
        return stock.agrees(self.turn.calls) and whole and len(self.judged) == len(self.turn.calls)


def read(course: Course, attempt: Attempt, *, broken: bool) -> Read:
    """The reply, and what became of its calls."""
    turn = attempt.close()
    judged = attempt.judged(turn.calls)
    if broken or any(one.refused for one in judged):
        turn = attempt.read_whole()
        if broken and turn.calls and not attempt.ended:
            turn = replace(turn, calls=(*turn.calls[:-1], replace(turn.calls[-1], finish_reason="incomplete")))
        judged = attempt.judged(turn.calls)
    leaked = bool(turn.calls) and not attempt.structured
    taken_out = not (attempt.gate.raw or leaked)
    if taken_out or (attempt.structured and not attempt.stock.agrees(turn.calls)):
        course.ledger.reformed = True
    return Read(
        turn=turn,
        judged=judged,
        released=attempt.released,
        leaked=leaked,
        left=attempt.judged(attempt.gate.left),
        begun=attempt.optimist is not None and bool(attempt.optimist.sent),
        broke_promise=attempt.broke_promise(turn.calls, judged),
    )


@dataclass
class Emission:
    """Writes what was held.

    Args:
        course: what holds for the exchange.
        attempt: the reply.
        read: the same at its end.
        added: calls of earlier replies that this one did not repeat.
        usage: of all attempts, if there were several.
    """

    course: Course
    attempt: Attempt
    read: Read
    added: Sequence[Written] = ()
    usage: dict[str, object] | None = None
    _done: set[int] = field(default_factory=set)
    _made: bool = False
    _extra: bool = False
    _noted: bool = False

    def all(self) -> Iterator[bytes]:
        """Everything: the reply is the client's."""
        changed = self.course.ledger.told or self.added or self.usage is not None or self.attempt.failed
        changed = changed or self.read.leaked or not self._as_read or len(self._reasons) > 1
        said = None if changed else self.attempt.unchanged()
        yield from self._rewritten() if said is None else (said,)

    @cached_property
    def _reasons(self) -> list[Held]:
        """The events that give a reason for the end: all but the last one lose it."""
        return [item for item in self.attempt.queue if item.seen.finish]

    def _rewritten(self) -> Iterator[bytes]:
        several = self._reasons[1:]
        yield from self.attempt.begin()
        items = self._told_apart(self.attempt.queue.drained())
        last = self._last(items)
        for item in items:
            if self._behind_text(item):
                yield from self._rest()
            change = self._change(item, told=item is last)
            if several and item.seen.finish:
                change = self._last_reason(change, goes_on=item is not several[-1])
            if item.seen.end and last is None:
                yield from self._told()
            if item.calls:
                yield from self._calls(item, change)
            elif item.seen.error:
                yield from self._new()
                yield from self._failed(item) if item.seen.odd else self.attempt.out(item, change)
            elif item.seen.finish or item.seen.end:
                yield from self._ended(item, change)
            else:
                yield from self.attempt.out(item, change)
        yield from self._rest()
        yield from self.attempt.openings.dropped()
        yield from self._new()
        if last is None:
            yield from self._told()

    def _last_reason(self, change: Change, *, goes_on: bool) -> Change:
        """The reason that holds stands in the last event that gives one, and in no other."""
        if goes_on:
            return replace(change, goes_on=True)
        return replace(change, reason=self.read.turn.finish.raw, calls_made=bool(self.read.judged))

    def _rest(self) -> Iterator[bytes]:
        """Text that turned out to be text only at the end."""
        rest = self.attempt.gate.taken()
        if rest:
            yield from self._text(rest)

    def _text(self, said: str) -> Iterator[bytes]:
        yield from self.attempt.begin()
        yield self.course.writer.text(said)

    def _told_apart(self, items: list[Held]) -> list[Held]:
        """The events, the last one apart from others that it is held with: it may have to tell the note."""
        return [*items[:-1], *items[-1].apart()] if items and self._as_read else items

    def _told(self) -> Iterator[bytes]:
        """The note, where no event can hold it."""
        if self.course.ledger.told and not self._noted:
            self._noted = True
            yield self.course.writer.last(self.course.ledger.note())

    def _behind_text(self, item: Held) -> bool:
        """Whether the text is over where this event stands."""
        return (
            (item.seen.place is Place.CLOSE and not item.calls) or item.seen.finish or item.seen.end or item.seen.error
        )

    def said(self) -> Iterator[bytes]:
        """What the model said, without its calls and its end: the reply is not the client's."""
        for item in self.attempt.queue.drained():
            if self._behind_text(item):
                yield from self._rest()
            if item.pure or item.seen.end or (item.seen.usage and not item.text):
                self.attempt.drop(item)
            elif item.seen.finish or item.calls:
                if item.text:
                    yield from self._text(item.text)
            else:
                yield from self.attempt.out(item)
        yield from self._rest()
        yield from self.attempt.openings.dropped()

    def failed(self, fault: Fault | None) -> Iterator[bytes]:
        """What the model said, and the error: the gateway's, or the one that the provider told."""
        told = None
        for item in self.attempt.queue.drained():
            if item.seen.error:
                told = item
            elif item.calls or item.seen.finish or item.seen.end or item.data is None:
                self.attempt.drop(item)
            else:
                yield from self.attempt.out(item)
        yield from self.attempt.openings.dropped()
        if told is not None and not told.seen.odd:
            yield from self.attempt.out(told, Change(without_calls=True) if self.read.judged else UNCHANGED)
        elif told is not None:
            yield from self._failed(told)
            fault = None
        if fault is not None:
            yield from self.attempt.begin()
            yield self.course.writer.failed(fault)

    def _failed(self, item: Held) -> Iterator[bytes]:
        """An error that a stock client would not notice, as one that it does."""
        self._noted = True
        yield from self._text(item.text) if item.text else self.attempt.begin()
        yield self.course.writer.failed(Fault(FAILED, _reported(item), self.course.ledger.note()))

    def _last(self, items: Sequence[Held]) -> Held | None:
        """The event that tells the note."""
        if not self.course.ledger.told:
            return None
        return next((item for item in reversed(items) if item.data is not None), None)

    def _change(self, item: Held, *, told: bool) -> Change:
        """What is different in an event that ends the reply."""
        usage = self.usage if item.seen.usage else None
        note = self.course.ledger.note() if told else None
        return UNCHANGED if usage is None and note is None else Change(usage=usage, note=note)

    # calls

    @cached_property
    def _as_read(self) -> bool:
        """Whether a client reads the calls as the gateway does."""
        return self.read.is_as_read(self.attempt.stock)

    def _calls(self, item: Held, change: Change) -> Iterator[bytes]:
        """An event that holds pieces of calls."""
        numbers = self._anew(item)
        if numbers is None:
            yield from self.attempt.out(item, change)
            return
        yield from self.attempt.openings.closed()
        rest = [] if item.pure else [self.attempt.out(item, replace(change, without_calls=True))]
        if rest and not (item.seen.finish or item.seen.usage):
            yield from rest.pop()
        if not self._as_read:
            self.attempt.drop(item)
        for number in numbers:
            if number not in self._done:
                self._done.add(number)
                yield self._written(number, item if self._as_read else None)
        for more in rest:
            yield from more

    def _anew(self, item: Held) -> list[int] | None:
        """The calls to be written anew in the place of this event; `None`, if it goes out as it came."""
        if not self._as_read:
            self._made = True
            return self._missing()
        return [number for number in sorted(item.calls) if self.read.judged[number].mended] or None

    def _missing(self) -> list[int]:
        """The calls that have not been written, where none goes out as it came."""
        if self._as_read:
            return []
        return [number for number in range(self.read.released, len(self.read.judged)) if number not in self._done]

    def _written(self, number: int, item: Held | None = None) -> bytes:
        judged = self.read.judged[number]
        call, data = written(judged, judged.call.id or ""), item.first() if item else None
        said = self.attempt.said_of(number)
        if said is not None:
            rest = self.attempt.continuation(number, judged) or ""
            return self.course.writer.rest(replace(call, text=said + rest), rest, data)
        return self.course.writer.call(call, data)

    def _unsaid(self) -> Iterator[bytes]:
        """Calls of which everything that came went out, and that are not at their end."""
        if not self._as_read:
            return
        for number, judged in enumerate(self.read.judged):
            if judged.mended and number not in self._done and self.attempt.said_of(number) is not None:
                self._done.add(number)
                yield self._written(number)

    def _ended(self, item: Held, change: Change) -> Iterator[bytes]:
        """An event that gives the reason for the end: calls that the reply did not have as calls stand before it."""
        yield from self.attempt.openings.dropped()
        yield from self._unsaid()
        if self._missing() or self.added:
            if item.text:
                yield from self._text(item.text)
                item.text, item.rewritten = "", True
            yield from self._new()
        if self._made and not change.goes_on:
            lost = not (self.read.judged or self._extra)
            change = replace(change, calls_made=not lost, calls_lost=lost)
        yield from self.attempt.out(item, change)

    def _new(self) -> Iterator[bytes]:
        """Calls that no event of the reply holds."""
        for number in self._missing():
            self._done.add(number)
            self._made = True
            yield self._written(number)
        for call in self.added:
            self._made = self._extra = True
            yield self.course.writer.call(call)
        self.added = ()


def fault_of(judged: Sequence[Judged], note: dict[str, object]) -> Fault:
    """The error that stands for refused calls."""
    refused = [one.outcome for one in judged if isinstance(one.outcome, InvalidCall)]
    if not refused:
        return Fault(INVALID_CALL, "a tool call had to be mended, but its beginning had gone out", note)
    said = "; ".join(f"{_called(one.call)}: {one.kind.value}/{one.reason}: {one.summary}" for one in refused[:3])
    return Fault(INVALID_CALL, f"the model's tool call was refused: {said}", note)


def _reported(item: Held) -> str:
    """What a provider says of its error."""
    data = item.data or {}
    response = mapping(data.get("response"))
    told = [mapping(one.get("error")) for one in (data, response, *objects(data.get("choices")))]
    said = [text(one.get("message")) for one in (*told, data)]
    return next(filter(None, said), "the provider reported an error")


def _called(call: ToolCall) -> str:
    return (call.name or "a call without a name")[:64]


BROKEN_OFF = Fault(CLOSED, "the upstream's stream broke off before the reply was over", {})
"""The error of a stream of which no more is known than that it broke off."""
