"""What a part teaches beside its counts: rules at work, hints, and the examples worth showing.

Only calls that were not plainly valid are looked at, and of these most are like one seen
before: what is learned from one of a kind is kept, and examples are made in the end, of
the calls that no other took the place of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from argwright.batch.columns import listed
from argwright.batch.lane import Judged
from argwright.batch.log import examples
from argwright.batch.log.chunk import Rows
from argwright.batch.log.examples import Example
from argwright.batch.log.figures import Figures, Hint
from argwright.batch.log.hints import hints, is_telling
from argwright.batch.verdict import VALID
from argwright.model import InvalidCall, ValidCall

_UNNAMED = "(none)"  # how a call without a name is counted
_LONGEST = 80  # of a name that is counted by itself
_MOST = 4_096  # kinds of calls of which it is kept what one learns
_KNOWN: dict[Any, tuple[Hint, ...]] = {}  # of this process: parts of a log have the same faults


class _Candidate(NamedTuple):
    """A call that may be shown: where it stands among others, its text if that is shown, and what makes the example."""

    order: tuple[int, ...]
    text: str | None
    made: Callable[[], Example]


class Lessons:
    """What is learned from one part.

    Args:
        path: the file.
        texts: whether examples may show what the model wrote.
    """

    def __init__(self, path: str, *, texts: bool) -> None:
        self.path = path
        self._texts = texts
        self._hints: Counter[Hint] = Counter()
        self._rules: Counter[tuple[str, str]] = Counter()
        self._shown: dict[tuple[str, str], list[_Candidate]] = {}

    def take(self, made: Rows, odd: dict[int, Judged]) -> None:
        """Look at the calls that were not plainly valid.

        Args:
            made: the rows.
            odd: what became of those calls, by row.
        """
        for place, found in odd.items():
            outcome, verdict = found
            if verdict.rules:
                name = outcome.tool.name if outcome.tool is not None else short(outcome.call.name)
                for rule in verdict.rules:
                    self._rules[name, rule] += 1
            for hint in _hints_of(found) if is_telling(outcome) else ():
                self._hints[hint] += 1
            if verdict.status != VALID:
                self._show(made, place, found)

    def tell(self, figures: Figures) -> None:
        """Put all of it into the figures of the part."""
        figures.rules.update(self._rules)
        figures.hint(self._hints)
        figures.examples = examples.worst(one.made() for best in self._shown.values() for one in best)

    def _show(self, made: Rows, place: int, found: Judged) -> None:
        outcome, verdict = found
        weight = examples.weight(outcome, verdict)
        best = self._shown.setdefault((verdict.status, examples.cause(verdict)), [])
        full = len(best) == examples.EACH
        if full and -weight > best[-1].order[0]:
            return
        written = outcome.call.arguments
        text = written if isinstance(written, str) else outcome.call.input or ""
        order = (-weight, examples.distance(len(text)), made.lines[place], made.places[place])
        if full and order > best[-1].order:
            return
        shown = text[: examples.LONGEST]
        if any(one.text == shown for one in best):
            return
        where = (self.path, made.lines[place])
        call = (made.places[place], listed(made.models[place : place + 1])[0] or "")
        best.append(
            _Candidate(
                order=order,
                text=None if examples.is_secret(outcome, texts=self._texts) else shown,
                made=partial(examples.made, outcome, verdict, where, call, texts=self._texts),
            )
        )
        best.sort(key=lambda one: one.order)
        del best[examples.EACH :]


def _hints_of(found: Judged) -> tuple[Hint, ...]:
    """What is learned from a call; of one like it, it is known."""
    signature = _signature(found)
    known = _KNOWN.get(signature)
    if known is None:
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        known = _KNOWN[signature] = tuple(hints(found.outcome))
    return known


def _signature(found: Judged) -> Any:
    """What calls of which one learns the same have in common."""
    outcome, verdict = found
    return (
        outcome.call.name if outcome.tool is None else outcome.tool.shape,
        outcome.suggestion if isinstance(outcome, InvalidCall) else None,
        verdict.reason,
        verdict.rules,
        tuple((issue["pointer"], issue["keyword"], issue["found"]) for issue in verdict.issues),
        tuple(warning.pointer for warning in outcome.warnings),
        frozenset(outcome.arguments) if outcome.warnings and isinstance(outcome, ValidCall) else None,
    )


def short(name: str | None) -> str:
    """A name to count by."""
    if not name:
        return _UNNAMED
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
