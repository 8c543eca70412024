"""Valid calls that were made before: noticed by what they effectively say.

A model that is stuck makes the same call again and again, and each time it runs. A call
that equals one of the turn before, with no other call in between, is answered instead of
run; made once more, it ends the run. Where the result may differ the next time (a tool
that only reads, a call that failed) it may run a few times in a row. A tool that is
declared to change something that cannot be changed twice (`destructiveHint`, or
`readOnlyHint` or `idempotentHint` set to false) runs the same call once in a run,
whatever stands between.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from argwright.model import Json, ToolResult, ValidCall

_IN_A_ROW = 3  # runs of one call that reads or failed: enough for a fault that passes, too few to wait with

Key: TypeAlias = tuple[str, str]


class Repeat(Enum):
    """What a call repeats."""

    NOTHING = "nothing"
    A_RUN = "a run"
    AN_ANSWER = "an answer"
    """It was answered as a repeat already."""


@dataclass(frozen=True)
class _Seen:
    """One call as it was made in a row."""

    runs: int = 0
    failed: bool = False
    answered: bool = False


def key_of(outcome: ValidCall) -> Key:
    """What a call effectively says: equal for equal tools and arguments."""
    return outcome.tool.name, json.dumps(outcome.arguments, sort_keys=True)


def told(outcome: ValidCall) -> dict[str, Json]:
    """What the model is told of a repeated call."""
    return {
        "error": f"{outcome.tool.name} was called before with the same arguments",
        "kind": "repeat",
        "instruction": "it was not run again: use the result it had, or go on in another way",
    }


class Repeats:
    """The valid calls of one run, as far as they matter."""

    def __init__(self) -> None:
        self._row: dict[Key, _Seen] = {}
        self._once: set[Key] = set()

    def judge(self, calls: Sequence[ValidCall]) -> tuple[Repeat, ...]:
        """What each of the calls of one turn repeats; those that repeat nothing are about to run."""
        earlier, row = self._row, dict[Key, _Seen]()
        judged: list[Repeat] = []
        for outcome in calls:
            key = key_of(outcome)
            seen = row.get(key) or earlier.get(key) or _Seen()
            repeats = self._repeats(outcome, key, seen)
            row[key] = replace(seen, answered=True) if repeats else replace(seen, runs=seen.runs + 1)
            judged.append(seen_before(seen) if repeats else Repeat.NOTHING)
        if calls:
            moved = any(not earlier.get(key) for key in row)
            self._row = row if moved else {**earlier, **row}
        return tuple(judged)

    def _repeats(self, outcome: ValidCall, key: Key, seen: _Seen) -> bool:
        if key in self._once:
            return True
        if seen.runs == 0:
            return False
        may_differ = seen.failed or outcome.tool.annotations.get("readOnlyHint") is True
        return seen.answered or not may_differ or seen.runs >= _IN_A_ROW

    def ran(self, outcome: ValidCall, result: ToolResult) -> None:
        """A call ran, with this result."""
        key = key_of(outcome)
        if key in self._row:
            self._row[key] = replace(self._row[key], failed=result.is_error)
        if not result.is_error and _only_once(outcome):
            self._once.add(key)


def seen_before(seen: _Seen) -> Repeat:
    """Whether a repeated call was answered as one already."""
    return Repeat.AN_ANSWER if seen.answered else Repeat.A_RUN


def _only_once(outcome: ValidCall) -> bool:
    hints = outcome.tool.annotations
    if hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True:
        return False
    return hints.get("destructiveHint") is True or hints.get("readOnlyHint") is False or "idempotentHint" in hints
