"""Failures in a row: when somebody has to know, and what there is to do.

A streak is counted per tool and kind; unknown tools make one streak, whatever their
names. A valid call of the tool ends its streaks, a valid call of any tool ends that of
unknown ones. Other failures and other tools' calls end nothing. A streak is told once,
when it has grown long enough; the next one is told anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from argwright.model import ErrorKind, InvalidCall, Outcome, ValidCall, Value

_ACTIONS = {
    ErrorKind.JSON_ERROR: (
        "check the model and the server behind it: its tool-call parser, its chat template, a smaller or newer model"
    ),
    ErrorKind.SCHEMA_ERROR: (
        "check the tool's definition: is what the schema asks for said in names and descriptions; declare old names as "
        "aliases"
    ),
    ErrorKind.UNKNOWN_TOOL: (
        "check the configuration: are the tools sent to the model those that are declared here; declare a renamed "
        "tool's old name as an alias"
    ),
}
_BY_REASON = {
    "truncated": "raise the request's output limit, or let the tool take less at once",
    "blocked": "the provider blocked the call: check its filters and its own error",
    "alias_conflict": "the model sends a field under its old and its new name: remove the old one from prompts",
    "rule_conflict": "two rules of your own contradict each other: run `argwright rules check`",
}


@dataclass(frozen=True, kw_only=True)
class Alert(Value):
    """Failures of one kind in a row.

    Args:
        kind: which of the three.
        tool: the declared tool; `None` for unknown tools, whatever their names.
        count: how many there were when this was told.
        first: when the first of them came.
        action: what to look at.
    """

    kind: ErrorKind
    tool: str | None
    count: int
    first: datetime
    action: str


def action_of(outcome: InvalidCall) -> str:
    """What to do about a failing call."""
    return action_for(outcome.kind, outcome.reason)


def action_for(kind: ErrorKind, reason: str) -> str:
    """What to do about calls that fail so."""
    return _BY_REASON.get(reason, _ACTIONS[kind])


class Streaks:
    """All streaks; whoever shares them among threads holds a lock."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._running: dict[tuple[str, ErrorKind], tuple[int, datetime]] = {}

    def see(self, outcome: Outcome, now: datetime) -> Alert | None:
        """What the call makes of the streaks; an alert if it is the one that makes one long enough."""
        name = getattr(outcome.tool, "name", "")
        if isinstance(outcome, ValidCall):
            self.ended(name)
            return None
        return self.failed(name, outcome.kind, outcome.reason, now)

    def ended(self, name: str) -> None:
        """A valid call of this tool ends its streaks."""
        for kind in ErrorKind:
            self._running.pop((name, kind), None)
        self._running.pop(("", ErrorKind.UNKNOWN_TOOL), None)

    def failed(self, name: str, kind: ErrorKind, reason: str, now: datetime) -> Alert | None:
        """A failing call of this tool, `""` if it is unknown, is one more; an alert if that makes a streak."""
        before, first = self._running.get((name, kind), (0, now))
        self._running[name, kind] = before + 1, first
        if before + 1 != self._after:
            return None
        return Alert(kind=kind, tool=name or None, count=before + 1, first=first, action=action_for(kind, reason))

    def running(self) -> dict[tuple[str, ErrorKind], int]:
        """How long each streak is, by tool and kind."""
        return {key: count for key, (count, _) in self._running.items()}
