"""What `check` counts: calls per tool, model, kind and reason, and in how many of them each rule was at work.

Names come from the log, so there may be as many as there are lines; past `MAX_GROUPS`
further ones are counted together, and of the broken lines only the first are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from argwright.model import InvalidCall, Outcome

MAX_GROUPS = 10_000
MAX_NAMED = 100
OTHER = "(other)"

VALID = "valid"
MENDED = "mended"
BROKEN = "broken"
KINDS = (VALID, MENDED, "unknown_tool", "json_error", "schema_error", BROKEN)
"""In the order of the table; the words of `--fail-on`."""


class Group(NamedTuple):
    """What is counted apart; `rule` is empty for the calls themselves."""

    tool: str
    model: str
    kind: str
    reason: str
    rule: str


@dataclass
class Tally:
    """Counters of one run; the one value here that changes."""

    groups: Counter[Group] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    named: list[tuple[int, str]] = field(default_factory=list)
    """The first broken lines, with what is wrong with each."""

    def add(self, outcome: Outcome, model: str | None) -> None:
        """Count one call."""
        kind, reason = MENDED if outcome.repairs else VALID, ""
        if isinstance(outcome, InvalidCall):
            kind, reason = outcome.kind.value, outcome.reason
        name = outcome.tool.name if outcome.tool is not None else (outcome.call.name or "")
        self.kinds[kind] += 1
        for rule in ("", *sorted({repair.rule for repair in outcome.repairs})):
            group = Group(name, model or "", kind, reason, rule)
            if group not in self.groups and len(self.groups) >= MAX_GROUPS:
                group = Group(OTHER, OTHER, kind, reason, rule)
            self.groups[group] += 1

    def broken(self, number: int, why: str) -> None:
        """Count one line that is no record."""
        self.kinds[BROKEN] += 1
        if len(self.named) < MAX_NAMED:
            self.named.append((number, why))

    @property
    def calls(self) -> int:
        """How many calls were resolved."""
        return self.kinds.total() - self.kinds[BROKEN]

    def rows(self) -> Iterator[tuple[Group, int]]:
        """The groups in the order of the table: by tool, model and kind, the calls before their rules."""
        order = {kind: place for place, kind in enumerate(KINDS)}

        def key(item: tuple[Group, int]) -> tuple[Any, ...]:
            group, count = item
            return group.tool, group.model, order[group.kind], group.reason, bool(group.rule), -count, group.rule

        yield from sorted(self.groups.items(), key=key)

    def to_dict(self) -> dict[str, Any]:
        """Everything counted, as JSON data."""
        return {
            "lines": self.lines,
            "calls": self.calls,
            "kinds": {kind: self.kinds[kind] for kind in KINDS},
            "groups": [{**group._asdict(), "count": count} for group, count in self.rows()],
            "broken": [{"line": number, "error": why} for number, why in self.named],
        }
