"""The calls of one turn, and what has become of each so far.

Whatever happens to those who run them, `settled` has a result for every call, in the
model's order: a call that never started says so, one that was running does not claim to
know what it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argwright.execution import results
from argwright.model import ToolResult, ValidCall


class Batch:
    """Calls that run together; used by one run, from its own thread or tasks.

    Args:
        calls: valid calls, in the model's order.
    """

    def __init__(self, calls: Sequence[ValidCall]) -> None:
        self.calls = tuple(calls)
        self._started: set[int] = set()
        self._results: dict[int, ToolResult] = {}

    def start(self, number: int) -> ValidCall:
        """The call of this number, from now on running."""
        self._started.add(number)
        return self.calls[number]

    def put(self, number: int, result: ToolResult) -> None:
        """The call of this number is done."""
        self._results[number] = result

    def groups(self) -> Iterator[list[int]]:
        """The calls' numbers in the order of running: those that may run beside each other, others alone."""
        group: list[int] = []
        for number, outcome in enumerate(self.calls):
            if outcome.tool.parallel:
                group.append(number)
                continue
            if group:
                yield group
            yield [number]
            group = []
        if group:
            yield group

    def settled(self) -> tuple[ToolResult, ...]:
        """A result for each call, whether it ran or not."""
        return tuple(map(self._result, range(len(self.calls))))

    def _result(self, number: int) -> ToolResult:
        if number in self._results:
            return self._results[number]
        outcome = self.calls[number]
        return results.broken_off(outcome) if number in self._started else results.not_started(outcome)
