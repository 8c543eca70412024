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
        match item.seen.place:
            case Place.OPEN:
                if self._waiting and item.seen.part != self._part:
                    yield from self.dropped()
                self._part = item.seen.part
                self._waiting.append(item)
                return
            case Place.CLOSE if self._waiting and not raw and item.seen.part == self._part and not item.calls:
                self._waiting.append(item)
                return
            case Place.OTHER if self._waiting and not item.calls and not item.seen.finish and not item.seen.end:
                self._waiting.append(item)
                return
            case Place.TEXT if item.rewritten and not item.text and self._waiting:
                self._drop(item)
                return
            case _:
                pass
        if self._waiting and (raw or item.seen.place is Place.TEXT):
            waiting, self._waiting = self._waiting, []
            for one in waiting:
                if one.seen.place is not Place.CLOSE:
                    yield self._send(one)
        yield self._send(item)

    def dropped(self) -> Iterator[bytes]:
        """The part says nothing: it does not go out, but what came between does."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.seen.place is Place.OTHER:
                yield self._send(one)
            else:
                self._drop(one)
