"""Parts of a reply that must go back as they came, in their order.

Several providers answer with a list of parts, texts and thoughts and calls among others of
their own, some signed. Text, reasoning and calls stand in the turn's own fields; where that
says all, nothing more is kept and the parts are made anew when the turn is written. Where it
does not (a signature, an unknown kind, an order out of the usual), the whole list is kept
under one key of `Turn.extra`, a mark standing in it for each call, whose effective
arguments take its place again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

from argwright.model import Turn
from argwright.wire.format import Answer

Part: TypeAlias = dict[str, Any]

CALL: Final = 10
"""The place of calls in the usual order: after everything else, and any number of them."""
UNUSUAL: Final = 11
"""The place of a part that the turn's own fields do not tell."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How one provider's parts are kept.

    Args:
        key: the key in `Turn.extra`.
        mark: what stands for a call.
        tidy: a part in the form in which it is kept; `None` for one that says nothing.
        join: two neighbours as one part; `None` if they are to stay apart.
        rank: the place of a part in the usual order, in which each place is taken once; `CALL`, `UNUSUAL`.
    """

    key: str
    mark: Part
    tidy: Callable[[Part], Part | None]
    join: Callable[[Part, Part], Part | None]
    rank: Callable[[Part], int]

    def settle(self, turn: Turn) -> Turn:
        """The turn with its parts tidy and joined, or without them where its own fields say all."""
        kept: list[Part] = []
        for given in turn.extra.get(self.key, ()):
            part = self.tidy(given)
            joined = self.join(kept[-1], part) if kept and part is not None else None
            if joined is not None:
                kept[-1] = joined
            elif part is not None:
                kept.append(part)
        ranks = [self.rank(part) for part in kept]
        usual = all(a < b or a == b == CALL for a, b in pairwise(ranks)) and UNUSUAL not in ranks
        others = {key: value for key, value in turn.extra.items() if key != self.key}
        return replace(turn, extra=others if usual else others | {self.key: kept})

    def written(
        self, turn: Turn, usual: Sequence[Part], answers: Sequence[Answer], made: Callable[[Answer], Part]
    ) -> list[Part]:
        """The parts to send: those kept, else the usual ones, with each call in its place and all others at the end."""
        waiting = iter(answers)
        kept = turn.extra.get(self.key)
        parts = [*self._filled(kept if isinstance(kept, list) else usual, waiting, made)]
        return [*parts, *(made(answer) for answer in waiting)]

    def _filled(
        self, parts: Sequence[Mapping[str, Any]], waiting: Iterator[Answer], made: Callable[[Answer], Part]
    ) -> Iterator[Part]:
        for part in parts:
            if part != self.mark:
                yield dict(part)
            elif (answer := next(waiting, None)) is not None:
                yield made(answer)
