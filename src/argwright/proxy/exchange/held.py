"""What is held of a stream: events in their order, until it is known what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from argwright.proxy.exchange.frames import Frame, Says, parsed, written
from argwright.proxy.exchange.protocol import UNCHANGED, Body, Change, Seen, Writer


@dataclass(slots=True)
class Held:
    """One event, or several in a row that hold nothing but pieces of one call.

    Args:
        frames: the events' bytes.
        seen: what the event is.
        name: the event's name.
        data: what it says; left out for pieces of calls, of which there are many.
        calls: the numbers of the calls that it belongs to.
        text: what of its text has not gone out.
        end: where its text ends, counted over the whole reply.
        rewritten: its text is not that which came.
        ready: its text may go out.
        change: what else is different in it.
        said: how much of its call has come with it.
        ends: it says that its call is at its end.
        unread: it is known by its bytes, and `data` is left out until its turn comes.
    """

    frames: list[bytes]
    seen: Seen
    name: str | None = None
    data: Body | None = None
    calls: frozenset[int] = frozenset()
    text: str = ""
    end: int = 0
    rewritten: bool = False
    ready: bool = False
    change: Change = UNCHANGED
    said: int = 0
    ends: bool = False
    unread: bool = False

    def read(self) -> Held:
        """The same, with what it says."""
        if self.unread:
            self.data, self.unread = _said(self.frames[0])[1], False
        return self

    @property
    def pure(self) -> bool:
        """Whether it holds nothing but pieces of calls."""
        return bool(self.calls) and self.seen.pure

    def follows(self, before: Held) -> bool:
        """Whether it can be kept with the one before it."""
        return self.pure and before.pure and self.calls == before.calls

    def passed(self, writer: Writer) -> bytes:
        """The event as it goes to the client: its own bytes, if nothing is different."""
        change = replace(self.change, text=self.text) if self.rewritten else self.change
        if change is UNCHANGED and writer.even():
            self._noted(writer)
            return b"".join(self.frames)
        return b"".join(self._events(writer, change))

    def _noted(self, writer: Writer) -> None:
        if self.data is not None:
            writer.passed(self.name, self.data)
        elif self.calls:
            last = len(self.frames) - 1
            for at, raw in enumerate(self.frames):
                if at in (0, last) or (writer.marks and writer.marks in raw):
                    name, data = _said(raw)
                    writer.passed(name, data or {})

    def _events(self, writer: Writer, change: Change) -> Iterator[bytes]:
        for raw in self.frames:
            name, data = (self.name, self.data) if self.data is not None else _said(raw)
            yield raw if data is None else _written(writer, name, data, change)

    def apart(self) -> list[Held]:
        """The last event by itself, with what it says, if it is kept with others that say nothing but pieces."""
        if not self.pure:
            return [self]
        name, data = _said(self.frames[-1])
        last = replace(self, frames=self.frames[-1:], name=name, data=data)
        return [replace(self, frames=self.frames[:-1]), last] if len(self.frames) > 1 else [last]

    def first(self) -> Body | None:
        """What its first event says."""
        return self.data if self.data is not None else _said(self.frames[0])[1]


def _written(writer: Writer, name: str | None, data: Body, change: Change) -> bytes:
    """An event with what is different; as the upstream sent it, if its members are not what they should be."""
    try:
        return writer.event(name, data, change)
    except (AttributeError, KeyError, TypeError, ValueError):  # the last line of defence: nothing that comes raises
        return written(data, name)


def _said(raw: bytes) -> tuple[str | None, Body | None]:
    frame = parsed(raw)
    return frame.name, frame.data if isinstance(frame.data, dict) else None


def held(frame: Frame, seen: Seen, calls: frozenset[int]) -> Held:
    """One event, to be held."""
    body: Any = frame.data if frame.says is Says.DATA and isinstance(frame.data, dict) else None
    made = Held([frame.raw], seen, frame.name, body, calls, seen.text)
    if made.pure:
        made.data = None
    return made


@dataclass
class Queue:
    """The events that are held, in their order."""

    items: list[Held] = field(default_factory=list)
    start: int = 0

    def __iter__(self) -> Iterator[Held]:
        return iter(self.items[self.start :])

    def __bool__(self) -> bool:
        return self.start < len(self.items)

    def add(self, one: Held) -> None:
        """Hold one more."""
        last = self.items[-1] if self else None
        if last is not None and one.follows(last):
            last.frames += one.frames
        else:
            self.items.append(one)

    @property
    def head(self) -> Held:
        """The one that came first."""
        return self.items[self.start]

    def pop(self) -> Held:
        """Take out the one that came first."""
        one = self.items[self.start]
        self.start += 1
        if self.start == len(self.items):
            self.items.clear()
            self.start = 0
        return one.read()

    def drained(self) -> list[Held]:
        """Take out all."""
        return [one.read() for one in self.taken()]

    def taken(self) -> list[Held]:
        """Take out all, for their bytes only."""
        rest = self.items[self.start :]
        self.items, self.start = [], 0
        return rest
