"""Ratios of two ways to do the same work, measured turn by turn so that a busy machine slows both."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Work = Callable[[], Any]


@dataclass(frozen=True)
class Ratio:
    """How much longer (above 1) or shorter the first takes; median, and the middle half of the rounds."""

    median: float
    low: float
    high: float
    first_micros: float
    second_micros: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


def compare(first: Work, second: Work, *, rounds: int = 21, times: int = 1) -> Ratio:
    """Time(first) / time(second), over rounds of so many runs each."""
    firsts, seconds = [], []
    for _ in range(rounds):
        firsts.append(_timed(first, times))
        seconds.append(_timed(second, times))
    ratios = sorted(one / other for one, other in zip(firsts, seconds, strict=True))
    quarter = len(ratios) // 4
    return Ratio(
        median=statistics.median(ratios),
        low=ratios[quarter],
        high=ratios[-1 - quarter],
        first_micros=statistics.median(firsts) / times * 1e6,
        second_micros=statistics.median(seconds) / times * 1e6,
    )


def _timed(work: Work, times: int) -> float:
    gc.collect()
    started = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - started


def one_each(function: Callable[[str], Any], texts: Sequence[str]) -> Work:
    """Work that takes the next text every time, so that nothing is read twice in a round."""
    return lambda: [function(text) for text in texts]
