"""Parts of a reply that hold text: one goes out with its first text, and not at all if nothing is left of it.

A text that turns out to be nothing but calls leaves an empty part behind, which some providers refuse when it comes
back to them. So a part's opening waits for its first text, with whatever else comes before that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from argwright.proxy.exchange.held import Held
from argwright.proxy.exchange.protocol import Place

Send = Callable[[Held], bytes]


class Openings:
    """Keeps the opening of the part that has said nothing yet.

    Args:
        send: makes the bytes of an event that goes out.
        drop: takes note of one that does not.
    """

    def __init__(self, send: Send, drop: Callable[[Held], None]) -> None:
        self._send = send
        self._drop = drop
        self._waiting: list[Held] = []
        self._part: Hashable = None

    @property
    def waiting(self) -> bool:
        """Whether a part has said nothing yet."""
        return bool(self._waiting)

    def out(self, item: Held, *, raw: bool) -> Iterator[bytes]:
        """An event's turn has come: what goes out. `raw`: the text goes out as it came, so that nothing is empty."""
        if self._waits(item, raw=raw):
            if item.seen.place is Place.OPEN and item.seen.part != self._part:
                yield from self.dropped()
                self._part = item.seen.part
            self._waiting.append(item)
        elif item.seen.place is Place.TEXT and item.rewritten and not item.text and self._waiting:
            self._drop(item)
        else:
            yield from self._opened(item, raw=raw)
            yield self._send(item)

    def _waits(self, item: Held, *, raw: bool) -> bool:
        """Whether an event goes with the part that has said nothing yet."""
        if item.calls or item.seen.finish or item.seen.end:
            return False
        match item.seen.place:
            case Place.OPEN:
                return True
            case Place.CLOSE:
                return bool(self._waiting) and not raw and item.seen.part == self._part
            case Place.OTHER:
                return bool(self._waiting)
            case Place.TEXT:
                return False

    def _opened(self, item: Held, *, raw: bool) -> Iterator[bytes]:
        """What waited goes out, or, if its part is closed already, not."""
        if raw or item.seen.place is Place.TEXT:
            waiting, self._waiting = self._waiting, []
            for one in waiting:
                if one.seen.place is not Place.CLOSE:
                    yield self._send(one)
        else:
            yield from self.closed()

    def closed(self) -> Iterator[bytes]:
        """Something follows: a part that closed without a word does not go out."""
        if any(one.seen.place is Place.CLOSE for one in self._waiting):
            yield from self.dropped()

    def dropped(self) -> Iterator[bytes]:
        """The part says nothing: it does not go out, but what came between does."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.seen.place is Place.OTHER:
                yield self._send(one)
            else:
                self._drop(one)
