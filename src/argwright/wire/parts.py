"""Parts of a reply that must go back as they came, in their order.

Several providers answer with a list of parts, texts and thoughts and calls among others of
their own, some signed. Text, reasoning and calls stand in the turn's own fields; where that
says all, nothing more is kept and the parts are made anew when the turn is written. Where it
does not (a signature, an unknown kind, an order out of the usual), the whole list is kept
under one key of `Turn.extra`, a mark standing in it for each call, whose effective
arguments take its place again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

from argwright.model import Turn
from argwright.wire.format import Answer
from argwright.wire.plain import text

Part: TypeAlias = dict[str, Any]

CALL: Final = 10
"""The place of calls in the usual order: after everything else, and any number of them."""
UNUSUAL: Final = 11
"""The place of a part that the turn's own fields do not tell."""


def runs(parts: Iterable[Part], continues: Callable[[Part, Part], bool]) -> list[list[Part]]:
    """The parts in groups of neighbours that continue each other."""
    groups: list[list[Part]] = []
    for part in parts:
        if groups and continues(groups[-1][-1], part):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def apart(_last: Part, _part: Part) -> bool:
    """No part continues another."""
    return False


def one_text(group: Sequence[Part], key: str = "text") -> Part:
    """The first part with the text of all."""
    return {**group[0], key: "".join(text(part.get(key)) for part in group)}


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How one provider's parts are kept.

    Args:
        key: the key in `Turn.extra`.
        mark: what stands for a call.
        tidy: a part in the form in which it is kept; `None` for one that says nothing.
        continues: whether a part goes on with the one before it.
        joined: a run of parts that continue each other as one.
        rank: the place of a part in the usual order, in which each place is taken once; `CALL`, `UNUSUAL`.
    """

    key: str
    mark: Part
    tidy: Callable[[Part], Part | None]
    rank: Callable[[Part], int]
    continues: Callable[[Part, Part], bool] = apart
    joined: Callable[[Sequence[Part]], Part] = one_text

    def settle(self, turn: Turn) -> Turn:
        """The turn with its parts tidy and joined, or without them where its own fields say all."""
        given = (self.tidy(part) for part in turn.extra.get(self.key, ()))
        groups = runs([part for part in given if part is not None], self.continues)
        kept = [self.joined(group) if len(group) > 1 else group[0] for group in groups]
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
