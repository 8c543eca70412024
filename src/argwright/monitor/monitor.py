"""`Monitor`: one object that sees every call, shared by toolboxes, sessions and runs.

    monitor = aw.Monitor(on_alert=page_me)
    aw.run(client, messages, model="…", tools=box, monitor=monitor)
    monitor.counters, monitor.prometheus()

It may be used from any number of threads. A copy of it, in another process or not, counts
for itself, from zero.
"""

from __future__ import annotations

import collections
import inspect
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from argwright.errors import DeclarationError
from argwright.model import ErrorKind, InvalidCall, Outcome, ToolResult, ValidCall
from argwright.monitor import telling
from argwright.monitor.alerts import Alert, Streaks, action_of
from argwright.monitor.exposition import exposition
from argwright.observing import Counted, Counter, counted, labels

if TYPE_CHECKING:
    from argwright.monitor.telemetry import Telemetry

_log = logging.getLogger("argwright")


def _now() -> datetime:
    return datetime.now(UTC)


class Monitor:
    """Counts every call, tells of failures in a row, and writes logs, spans and metrics.

    Args:
        on_alert: is called once for every streak, from the thread that saw it; must not block.
        after: how many failures in a row make a streak that is told.
        content: arguments may be told: in logs and spans, sensitive fields masked.
        tracer_provider: where OpenTelemetry's spans go; `None`: the process's own provider.
        meter_provider: the same for metrics.
        now: the clock, for `Alert.first`.

    Raises:
        DeclarationError: `after` is below 1, or `on_alert` is async.
        ImportError: a provider is given and `opentelemetry-api` is not installed.
    """

    def __init__(
        self,
        on_alert: Callable[[Alert], Any] | None = None,
        after: int = 3,
        *,
        content: bool = False,
        tracer_provider: Any = None,
        meter_provider: Any = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        if after < 1:
            raise DeclarationError(f"a streak has at least 1 failure, not {after}")
        if inspect.iscoroutinefunction(on_alert):
            raise DeclarationError("on_alert is async, and alerts come from any thread: hand over a plain function")
        self._given: dict[str, Any] = {
            "on_alert": on_alert, "after": after, "content": content, "tracer_provider": tracer_provider,
            "meter_provider": meter_provider, "now": now,
        }  # fmt: skip
        self._on_alert, self._content, self._now = on_alert, content, now
        self._lock = threading.Lock()
        self._counters: collections.Counter[Counter] = collections.Counter()
        self._streaks = Streaks(after)
        wanted = tracer_provider is not None or meter_provider is not None
        self._telemetry = _telemetry(tracer_provider, meter_provider, content=content, wanted=wanted)

    @property
    def counters(self) -> Mapping[Counter, int]:
        """Everything counted so far, by tool, kind, reason, rule and model."""
        with self._lock:
            return dict(self._counters)

    @property
    def streaks(self) -> Mapping[tuple[str, ErrorKind], int]:
        """The failures in a row that no valid call has ended, by tool and kind; `""` for unknown tools."""
        with self._lock:
            return self._streaks.running()

    def prometheus(self) -> str:
        """The counters as Prometheus reads them: text to be served as `text/plain; version=0.0.4`."""
        return exposition(self.counters)

    # --- hooks

    def observe(self, outcome: Outcome, *, model: str | None = None) -> None:
        """Count a resolved call, and tell what is to be told of it."""
        now = self._now()
        with self._lock:
            alert = self._streaks.see(outcome, now)
        self._count(*counted(outcome, model))
        self._log(outcome, model)
        if isinstance(outcome, InvalidCall) and self._telemetry is not None:
            self._telemetry.refused(outcome, model)
        if alert is not None:
            self._alert(alert, model)

    def retried(self, outcome: InvalidCall, *, model: str | None = None, attempts_left: int | None = None) -> None:
        """Count a failing call that the model is asked to make again."""
        self._count(Counter(Counted.RETRIES.value, **labels(outcome, model)))
        _log.debug("%s: asked again, %s attempts left", telling.name_of(outcome), attempts_left)

    def noticed(self, what: Counted, *, tool: str | None = None, model: str | None = None) -> None:
        """Count something that is no call."""
        self._count(Counter(what.value, tool=tool or "", model=model or ""))
        _log.info("%s: %s", tool, what.value)

    def executing(
        self, outcome: ValidCall, *, model: str | None = None
    ) -> AbstractContextManager[Callable[[ToolResult], None]]:
        """The span around a tool that runs."""
        return nullcontext(_nothing) if self._telemetry is None else self._telemetry.executing(outcome, model)

    # --- what comes of it

    def _count(self, *counters: Counter) -> None:
        with self._lock:
            self._counters.update(counters)
        if self._telemetry is not None:
            for counter in counters:
                self._telemetry.count(counter)

    def _log(self, outcome: Outcome, model: str | None) -> None:
        extra = {"argwright": labels(outcome, model)}
        more = f"; arguments: {telling.content(outcome)!r}" if self._content else ""
        if isinstance(outcome, ValidCall):
            rules = ", ".join(dict.fromkeys(repair.rule for repair in outcome.repairs))
            if rules:
                _log.debug("%s: mended by %s%s", outcome.tool.name, rules, more, extra=extra)
            return
        level = logging.INFO if outcome.kind is ErrorKind.UNKNOWN_TOOL else logging.WARNING
        _log.log(level, "%s: %s%s", telling.line(outcome), action_of(outcome), more, extra=extra)

    def _alert(self, alert: Alert, model: str | None) -> None:
        self._count(Counter(Counted.ALERTS.value, tool=alert.tool or "", kind=alert.kind.value, model=model or ""))
        level = logging.WARNING if alert.kind is ErrorKind.UNKNOWN_TOOL else logging.ERROR
        _log.log(
            level,
            "%d failures in a row, %s of %s: %s",
            alert.count,
            alert.kind.value,
            alert.tool or "tools that are not declared",
            alert.action,
            extra={"argwright": alert.to_dict()},
        )
        if self._on_alert is None:
            return
        try:
            self._on_alert(alert)
        except Exception as error:  # noqa: BLE001  # whoever is told may raise anything; the call goes on
            _log.error("on_alert raised %s", type(error).__name__)  # its text may hold anything

    def __repr__(self) -> str:
        total = sum(count for counter, count in self.counters.items() if counter.name == Counted.CALLS)
        return f"Monitor(after={self._given['after']}, calls={total})"

    def __getstate__(self) -> dict[str, Any]:
        return self._given

    def __setstate__(self, state: dict[str, Any]) -> None:
        Monitor.__init__(self, **state)  # a copy begins anew


def _telemetry(tracer_provider: Any, meter_provider: Any, *, content: bool, wanted: bool) -> Telemetry | None:
    """The instruments; none where OpenTelemetry is not installed and nobody has asked for it.

    Raises:
        ImportError: somebody has.
    """
    try:
        from argwright.monitor.telemetry import Telemetry  # noqa: PLC0415  # an extra
    except ImportError:
        if wanted:
            raise
        return None
    return Telemetry(tracer_provider, meter_provider, content=content)


def _nothing(_result: ToolResult) -> None:
    """Nobody wants to know."""
