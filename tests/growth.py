"""Does the work grow as the input does? A ratio of two processor times, asked again while the machine is in the way.

A disturbance makes one measurement longer, never shorter, and goes by; work that is quadratic stays so however often
it is measured. So a ratio below the bound settles the question, and one above it is measured again before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

TRIES = 12


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def growth(small: Callable[[], object], large: Callable[[], object], *, bound: float, floor: float = 0.001) -> float:
    """How many times the processor time of `small` the one of `large` takes: the first ratio under `bound`, or the
    least of all. Below `floor` seconds the clock decides and not the work."""
    least = float("inf")
    for _ in range(TRIES):
        once = min(_seconds(small) for _ in range(3))
        least = min(least, _seconds(large) / max(once, floor))
        if least < bound:
            break
    return least
