"""What a session says about the calls of one turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from argwright.model import Outcome, ToolResult, ValidCall, Value

Stop: TypeAlias = Literal["final", "text", "budget", "steps", "repeat", "cancelled"]
"""Why a run ended."""


@dataclass(frozen=True, kw_only=True)
class Verdict(Value):
    """What to do about the calls of one turn.

    Args:
        outcomes: what the calls were resolved to, in the model's order.
        answers: for each, its result, if it does not run; `None`, if it is to run.
        final: the submitted answer that counts.
        stop: why the run ends after this turn, if the answer does not end it.
        cut: a call was cut off: the next request needs more room for output.
    """

    outcomes: tuple[Outcome, ...]
    answers: tuple[ToolResult | None, ...]
    final: ValidCall | None = None
    stop: Stop | None = None
    cut: bool = False

    @property
    def run(self) -> tuple[ValidCall, ...]:
        """The calls to run, in the model's order."""
        return tuple(self._run())

    def _run(self) -> Iterator[ValidCall]:
        for outcome, answer in zip(self.outcomes, self.answers, strict=True):
            if answer is None and isinstance(outcome, ValidCall):
                yield outcome

    def results(self, ran: Sequence[ToolResult]) -> tuple[ToolResult, ...]:
        """The results of all calls, in the model's order.

        Args:
            ran: the results of those in `run`.
        """
        given = iter(ran)
        return tuple(next(given) if answer is None else answer for answer in self.answers)
