"""One timer for everything that may take too long.

A timer for each wait would cost more than the wait: an event of a stream takes some ten microseconds. So one tick looks
at all that is open, and what is open only counts what moved; between two ticks nobody asks what time it is. A limit is
kept to within a tick, which is an eighth of the shortest limit, and at most a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

_PARTS = 8  # ticks in the shortest limit
_SHORTEST, _LONGEST = 0.01, 1.0  # seconds of a tick


class Timed(Protocol):
    """What may take too long."""

    def look(self, now: float) -> None:
        """See what time it is, by the loop's clock."""
        ...


One = TypeVar("One", bound=Timed)


class Clock(Generic[One]):
    """Looks at what is open.

    Args:
        limits: in seconds; 0 is none.
    """

    def __init__(self, limits: Iterable[float]) -> None:
        shortest = min((limit for limit in limits if limit), default=_LONGEST * _PARTS)
        self._tick = min(max(shortest / _PARTS, _SHORTEST), _LONGEST)
        self._open: set[One] = set()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, one: One) -> None:
        """Look at it from now on."""
        self._open.add(one)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._tick, self._look)

    def forget(self, one: One) -> None:
        """Look at it no more."""
        self._open.discard(one)

    @property
    def open(self) -> tuple[One, ...]:
        """What is looked at."""
        return tuple(self._open)

    def _look(self) -> None:
        if not self._open:
            self._timer = None
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for one in self.open:
            one.look(now)
        self._timer = loop.call_later(self._tick, self._look)
