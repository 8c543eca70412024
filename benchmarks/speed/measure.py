"""Ratios of two ways to do the same work, measured turn by turn so that a busy machine slows both.

What is measured is the processor's time of this thread, so that what else runs on the machine is not counted.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

Work = Callable[[], Any]

_IN_A_ROW = 20  # texts, so that neither finds the processor's caches as the other left them


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
        gc.collect()
        firsts.append(_timed(first, times))
        seconds.append(_timed(second, times))
    return _ratio(firsts, seconds)


def compare_on(first: Callable[[str], Any], second: Callable[[str], Any], texts: Sequence[str]) -> Ratio:
    """Time(first) / time(second), over texts that each of them reads once: some in a row, then the other the same."""
    firsts: list[float] = []
    seconds: list[float] = []
    gc.collect()
    for start in range(0, len(texts), _IN_A_ROW):
        row = texts[start : start + _IN_A_ROW]
        turns = [(first, firsts), (second, seconds)]
        for read, times in turns if start // _IN_A_ROW % 2 else reversed(turns):
            times += [_timed(partial(read, text), 1) for text in row]
    return _ratio(firsts, seconds)


def _ratio(firsts: Sequence[float], seconds: Sequence[float]) -> Ratio:
    ratios = sorted(one / other for one, other in zip(firsts, seconds, strict=True))
    quarter = len(ratios) // 4
    return Ratio(
        median=statistics.median(ratios),
        low=ratios[quarter],
        high=ratios[-1 - quarter],
        first_micros=statistics.median(firsts) * 1e6,
        second_micros=statistics.median(seconds) * 1e6,
    )


def _timed(work: Work, times: int) -> float:
    """Seconds of one run."""
    started = time.thread_time()
    for _ in range(times):
        work()
    return (time.thread_time() - started) / times
