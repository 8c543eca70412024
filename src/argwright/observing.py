"""Who watches calls and runs: the hooks, and the names of what is counted.

A monitor is any object with the hooks of `Observer` that it wants to have: a hook it
lacks is not called. Hooks are called from the thread that does the work, tools' hooks
from several at once. A hook that raises is the monitor's fault: it is logged, and the
run goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from argwright.model import InvalidCall, Outcome, ToolResult, ValidCall

_log = logging.getLogger("argwright.monitor")


class Counted(StrEnum):
    """What is counted; the value is the counter's name."""

    CALLS = "calls"
    """Every resolved call, by kind and reason."""
    REPAIRS = "repairs"
    """Every repair of a valid or invalid call, by rule."""
    RETRIES = "retries"
    """Every failing call that the model is asked to make again."""
    PREMATURE = "premature"
    """A final answer that was submitted before a tool it requires had run."""
    REMINDED = "reminded"
    """Plain text in place of the final tool, answered by a reminder."""
    FALLBACK = "fallback"
    """Plain text, or an exhausted run, that became the answer by `Fallback`."""
    REPEAT = "repeat"
    """A valid call that equals an earlier one and was not run again."""
    ALERTS = "alerts"
    """Failures in a row that somebody was told of; a monitor's own count."""


class Counter(NamedTuple):
    """What one number counts; what does not apply is `""`.

    Args:
        name: a value of `Counted`.
        tool: the declared tool's name; for an unknown tool `""`, since a model may write any number of names.
        kind: `valid`, or an `ErrorKind`.
        reason: the slug of an invalid call.
        rule: the name of a repair's rule.
        model: the model's name, where it is known.
    """

    name: str
    tool: str = ""
    kind: str = ""
    reason: str = ""
    rule: str = ""
    model: str = ""


def labels(outcome: Outcome, model: str | None) -> dict[str, str]:
    """What a call is counted under."""
    kind, reason = (outcome.kind.value, outcome.reason) if isinstance(outcome, InvalidCall) else ("valid", "")
    return {"tool": getattr(outcome.tool, "name", ""), "kind": kind, "reason": reason, "model": model or ""}


def counted(outcome: Outcome, model: str | None) -> Iterator[Counter]:
    """What one resolved call adds to, each by 1."""
    under = labels(outcome, model)
    yield Counter(Counted.CALLS.value, **under)
    for repair in outcome.repairs:
        yield Counter(Counted.REPAIRS.value, rule=repair.rule, **under)


class Observer(Protocol):
    """The hooks of a monitor."""

    def observe(self, outcome: Outcome, *, model: str | None = None) -> None:
        """A call was resolved, valid or not; comes once for every call, in the model's order."""
        ...

    def retried(self, outcome: InvalidCall, *, model: str | None = None, attempts_left: int | None = None) -> None:
        """The model is asked to make a failing call again; follows its `observe`."""
        ...

    def noticed(self, what: Counted, *, tool: str | None = None, model: str | None = None) -> None:
        """Something that is no call happened.

        Args:
            what: `PREMATURE`, `REMINDED`, `FALLBACK` or `REPEAT`.
            tool: the tool that it concerns.
            model: the model's name, where it is known.
        """
        ...

    def executing(
        self, outcome: ValidCall, *, model: str | None = None
    ) -> AbstractContextManager[Callable[[ToolResult], None]]:
        """Surrounds the run of one tool; what it gives is called with the result before it ends.

        Entered in the thread or task in which the tool runs.
        """
        ...


class Hooks:
    """A monitor's hooks, those that it has, called so that none of them can stop a run."""

    def __init__(self, monitor: Any, model: str | None) -> None:
        self._monitor = monitor
        self._model = model

    def call(self, hook: str, *given: Any, **more: Any) -> None:
        """Call a hook, if the monitor has it."""
        function = getattr(self._monitor, hook, None)
        if function is None:
            return
        try:
            function(*given, model=self._model, **more)
        except Exception as error:  # noqa: BLE001  # a monitor may raise anything
            _told(hook, error)

    def executing(self, outcome: ValidCall) -> AbstractContextManager[Callable[[ToolResult], None]]:
        """The monitor's surroundings of one tool's run; none, if it has none or fails to make them."""
        function = getattr(self._monitor, "executing", None)
        return nullcontext(_nothing) if function is None else _Guarded(function, outcome, self._model)


class _Guarded(AbstractContextManager[Callable[[ToolResult], None]]):
    """A foreign context manager whose own failures end in the log."""

    def __init__(self, function: Any, outcome: ValidCall, model: str | None) -> None:
        self._function, self._outcome, self._model = function, outcome, model
        self._inner: Any = None
        self._done: Callable[[ToolResult], None] = _nothing

    def __enter__(self) -> Callable[[ToolResult], None]:
        try:
            self._inner = self._function(self._outcome, model=self._model)
            self._done = self._inner.__enter__()
        except Exception as error:  # noqa: BLE001  # a monitor may raise anything
            self._inner = None
            _told("executing", error)
        return self._finished

    def _finished(self, result: ToolResult) -> None:
        try:
            self._done(result)
        except Exception as error:  # noqa: BLE001  # as above
            _told("executing", error)

    def __exit__(self, *raised: object) -> None:
        if self._inner is None:
            return
        try:
            self._inner.__exit__(*raised)
        except Exception as error:  # noqa: BLE001  # as above
            if error is not raised[1]:
                _told("executing", error)


def _nothing(_result: ToolResult) -> None:
    """Nobody wants to know."""


def _told(hook: str, error: Exception) -> None:
    _log.warning("the monitor's %s raised %s", hook, type(error).__name__)
