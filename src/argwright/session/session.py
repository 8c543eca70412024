"""One conversation: budgets by cause, repeats, the final answer, and everything counted.

A session judges the calls of each turn once they are resolved: which run, which are
answered without, and whether the run ends. It runs nothing and asks nobody; a loop of
one's own uses it as ours does:

    verdict = session.judge(box.resolve_turn(turn))
    ran = [box.run(outcome) for outcome in verdict.run]
    session.ran(verdict.run, ran)
    messages += aw.write(form, turn, verdict.outcomes, verdict.results(ran))

It belongs to one run and is used from one thread.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Any

from argwright.final import FinalTool
from argwright.model import InvalidCall, Json, Outcome, ToolResult, ValidCall
from argwright.observing import Counted, Counter, Hooks, counted, labels
from argwright.session import repeats
from argwright.session.budget import Budget, Cause, allowed, cause_of
from argwright.session.repeats import Repeat, Repeats
from argwright.session.verdict import Stop, Verdict

_BUDGET = Budget()
_TEXT = ""  # what stands for the tool where a failure concerns none: unknown names, a text that was cut


class Session:
    """One conversation.

    Args:
        budget: how often the model may fail.
        final: the tool by which it submits its answer.
        monitor: who watches; see `Observer`.
        model: the model's name, for counters.
    """

    def __init__(
        self,
        budget: Budget = _BUDGET,
        *,
        final: FinalTool | None = None,
        monitor: Any = None,
        model: str | None = None,
    ) -> None:
        self.budget = budget
        self.final = final
        self.hooks = Hooks(monitor, model)
        self._model = model or ""
        self._counters: collections.Counter[Counter] = collections.Counter()
        self._failures: collections.Counter[tuple[str, Cause]] = collections.Counter()
        self._spent: set[tuple[str, Cause]] = set()
        self._done: set[str] = set()
        self._repeats = Repeats()
        self._reminded = 0

    @property
    def counters(self) -> Mapping[Counter, int]:
        """Everything counted so far."""
        return dict(self._counters)

    def judge(self, outcomes: Sequence[Outcome]) -> Verdict:
        """What to do about the calls of one turn."""
        for outcome in outcomes:
            self._observe(outcome)
        over = self._fail(outcomes)
        accepted = self._accepted(outcomes)
        repeated = self._repeated(outcomes, skipped=accepted is not None and self._beside == "early")
        answers = tuple(self._answer(outcome, accepted, repeated) for outcome in outcomes)
        stop = None if accepted is not None else "budget" if over else self._stuck(outcomes, repeated)
        if stop is None and accepted is None:
            for outcome in outcomes:
                self._retried(outcome)
        return Verdict(
            outcomes=tuple(outcomes),
            answers=answers,
            final=accepted,
            stop=stop,
            cut=any(isinstance(outcome, InvalidCall) and outcome.reason == "truncated" for outcome in outcomes),
        )

    def ran(self, calls: Sequence[ValidCall], results: Sequence[ToolResult]) -> None:
        """Calls ran, with these results."""
        for outcome, result in zip(calls, results, strict=True):
            self._repeats.ran(outcome, result)
            if not result.is_error:
                self._done.add(outcome.tool.name)

    def may_submit(self) -> bool:
        """Whether the final tool may be called now: what it requires has run, and its budget is not spent."""
        return self.final is not None and not self._gave_up(self.final) and self.missing is None

    @property
    def missing(self) -> str | None:
        """The tool that has to run before the final one is called; `None` if there is none."""
        return None if self.final is None else self.final.missing(self._done)

    def _gave_up(self, final: FinalTool) -> bool:
        """Whether the model was told not to call the final tool any more."""
        return bool(self._spent & {(final.name, Cause.FINAL), (final.name, Cause.TRUNCATED)})

    def remind(self) -> bool:
        """Whether the model is reminded of the final tool, once it has answered in text."""
        if self.final is None or self._gave_up(self.final) or self._reminded >= self.final.reminders:
            return False
        self._reminded += 1
        self.notice(Counted.REMINDED, self.final.name)
        return True

    def cut_text(self) -> bool:
        """A text was cut off: whether the model is asked again."""
        key = (_TEXT, Cause.TRUNCATED)
        self._failures[key] += 1
        return self._failures[key] <= self.budget.truncated

    def notice(self, what: Counted, tool: str) -> None:
        """Count something that is no call, and tell the monitor."""
        self._counters[Counter(what.value, tool=tool, model=self._model)] += 1
        self.hooks.call("noticed", what, tool=tool)

    # --- budgets

    def _is_final(self, outcome: Outcome) -> bool:
        return self.final is not None and getattr(outcome.tool, "name", None) == self.final.name

    def _missing(self, outcome: Outcome) -> str | None:
        """The tool that has to run before this submission, if it is one, and early."""
        early = self.final is not None and isinstance(outcome, ValidCall) and self._is_final(outcome)
        return self.missing if early else None

    def _key(self, outcome: Outcome) -> tuple[str, Cause] | None:
        """The budget that a call draws on; `None` for one that did not fail."""
        if isinstance(outcome, InvalidCall):
            return getattr(outcome.tool, "name", _TEXT), cause_of(outcome, final=self._is_final(outcome))
        return None if self._missing(outcome) is None else (outcome.tool.name, Cause.PREMATURE)

    def _fail(self, outcomes: Sequence[Outcome]) -> bool:
        """Draw on the budgets, once for each in a turn; whether a tool fails whose budget was spent before."""
        keys = {key: outcome for outcome in outcomes if (key := self._key(outcome)) is not None}
        spent = {tool for tool, _ in self._spent}
        over = any(tool in spent for tool, _ in keys)
        self._failures.update(keys.keys())
        self._spent |= {key for key, outcome in keys.items() if self._left(key, outcome) == 0}
        return over

    def _left(self, key: tuple[str, Cause], outcome: Outcome) -> int:
        """How often the call may still be made again."""
        own = getattr(outcome.tool, "budget", None)
        return max(0, allowed(key[1], self.budget, own) + 1 - self._failures[key])

    # --- answers

    @property
    def _beside(self) -> str:
        return "" if self.final is None else self.final.beside

    def _accepted(self, outcomes: Sequence[Outcome]) -> ValidCall | None:
        """The submission that counts, of several: the first valid one, or the last."""
        fitting = [
            outcome
            for outcome in outcomes
            if isinstance(outcome, ValidCall) and self._is_final(outcome) and self._missing(outcome) is None
        ]
        if not fitting:
            return None
        return fitting[-1] if self._beside == "exhaustive" else fitting[0]

    def _repeated(self, outcomes: Sequence[Outcome], *, skipped: bool) -> Mapping[int, Repeat]:
        """What each real call repeats, by its identity; nothing is looked at where none of them runs."""
        real = [outcome for outcome in outcomes if isinstance(outcome, ValidCall) and not self._is_final(outcome)]
        if skipped:
            return {}
        return {id(outcome): repeat for outcome, repeat in zip(real, self._repeats.judge(real), strict=True)}

    def _stuck(self, outcomes: Sequence[Outcome], repeated: Mapping[int, Repeat]) -> Stop | None:
        """Whether the turn holds nothing but calls that were answered as repeats before."""
        told = [repeated.get(id(outcome)) is Repeat.AN_ANSWER for outcome in outcomes]
        return "repeat" if told and all(told) else None

    def _answer(
        self, outcome: Outcome, accepted: ValidCall | None, repeated: Mapping[int, Repeat]
    ) -> ToolResult | None:
        """The result of a call that does not run; `None` for one that does."""
        if isinstance(outcome, InvalidCall):
            return self._refused(outcome)
        if self._is_final(outcome):
            return self._submission(outcome, accepted)
        if accepted is not None and self._beside == "early":
            return _error(outcome, {"error": "not run: the final answer stands beside it", "kind": "not_run"})
        if repeated[id(outcome)] is Repeat.NOTHING:
            return None
        self.notice(Counted.REPEAT, outcome.tool.name)
        return _error(outcome, repeats.told(outcome))

    def _refused(self, outcome: InvalidCall) -> ToolResult:
        key = (getattr(outcome.tool, "name", _TEXT), cause_of(outcome, final=self._is_final(outcome)))
        left = self._left(key, outcome)
        result = outcome.result(attempts_left=left)
        if not any(tool == key[0] for tool, _ in self._spent):
            return result
        return _error(outcome, {**result.content, "attempts_left": 0, "instruction": self._spent_told(key[0])})

    def _spent_told(self, tool: str) -> str:
        """What to do about a tool whose budget is spent."""
        if tool == _TEXT:
            return "call no function that is not available; answer in another way"
        if self.final is not None and tool == self.final.name:
            return f"do not call {tool} again; answer in text"
        return f"do not call {tool} again; answer in another way"

    def _submission(self, outcome: ValidCall, accepted: ValidCall | None) -> ToolResult:
        if outcome is accepted:
            return ToolResult(outcome.call.id, outcome.tool.name, {"status": "accepted"})
        missing = self._missing(outcome)
        if missing is None or self.final is None:
            return _error(outcome, {"error": "another final answer of this turn counts", "kind": "not_run"})
        self.notice(Counted.PREMATURE, outcome.tool.name)
        left = self._left((outcome.tool.name, Cause.PREMATURE), outcome)
        return _error(outcome, {**self.final.premature(missing), "attempts_left": left})

    # --- counters

    def _observe(self, outcome: Outcome) -> None:
        self._counters.update(counted(outcome, self._model))
        self.hooks.call("observe", outcome)

    def _retried(self, outcome: Outcome) -> None:
        """The model is asked to make this call again, if it failed."""
        key = self._key(outcome)
        if key is None or not isinstance(outcome, InvalidCall):
            return
        self._counters[Counter(Counted.RETRIES.value, **labels(outcome, self._model))] += 1
        self.hooks.call("retried", outcome, attempts_left=self._left(key, outcome))


def _error(outcome: Outcome, told: dict[str, Json]) -> ToolResult:
    name = getattr(outcome.tool, "name", outcome.call.name)
    return ToolResult(outcome.call.id, name, told, is_error=True)
