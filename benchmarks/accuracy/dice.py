"""Random choices that are the same on every version of Python: only `Random.random()` is used."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A source of choices, started from a text."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random.random() < probability

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, not including, the limit."""
        return int(self._random.random() * limit)

    def one(self, choices: Iterable[T]) -> T:
        """One of several."""
        listed = choices if isinstance(choices, Sequence) else list(choices)
        return listed[self.below(len(listed))]

    def weighted(self, choices: Sequence[tuple[T, int]]) -> T:
        """One of several, each with its weight."""
        left = self._random.random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            left -= weight
            if left < 0:
                return choice
        return choices[-1][0]
