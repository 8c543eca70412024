"""Who is told of what came through: counters, journal, alerts, OpenTelemetry.

All of it happens beside the bytes: nothing here waits, and whatever fails is logged and forgotten.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Protocol

from argwright.model import ErrorKind
from argwright.monitor.alerts import Alert, Streaks
from argwright.observing import Counted, Counter
from argwright.proxy.metrics import Metrics
from argwright.proxy.record import CallRecord, ExchangeRecord
from argwright.proxy.webhook import said

_log = logging.getLogger("argwright.gateway")

KEPT = 50
"""Alerts that the page shows."""


class Journal(Protocol):
    """What a journal takes."""

    def put(self, record: CallRecord | ExchangeRecord) -> None:
        """Keep a record; never blocks, never raises."""
        ...


class Board(Protocol):
    """Where alerts are shown."""

    def post(self, alert: Alert) -> None:
        """Show an alert."""
        ...

    def recent(self) -> tuple[Alert, ...]:
        """The last ones, newest first."""
        ...


class MemoryBoard:
    """The board of a single process."""

    def __init__(self) -> None:
        self._recent: deque[Alert] = deque(maxlen=KEPT)

    def post(self, alert: Alert) -> None:
        """Show an alert."""
        self._recent.appendleft(alert)

    def recent(self) -> tuple[Alert, ...]:
        """The last ones, newest first."""
        return tuple(self._recent)


class Alerts:
    """Failures in a row, as this worker sees them.

    Args:
        after: how many make an alert.
        board: where alerts are shown.
        tell: are called with each alert.
        now: the clock.
    """

    def __init__(
        self,
        after: int,
        board: Board,
        tell: Iterable[Callable[[Alert], None]] = (),
        *,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._streaks = Streaks(after)
        self._board = board
        self._tell = tuple(tell)
        self._now = now or (lambda: datetime.now(UTC))

    def see(self, record: CallRecord) -> None:
        """What a call makes of the streaks."""
        if record.kind is None:
            self._streaks.ended(record.tool)
            return
        kind = ErrorKind(record.kind)
        name = "" if kind is ErrorKind.UNKNOWN_TOOL else record.tool
        alert = self._streaks.failed(name, kind, record.reason or "", self._now())
        if alert is None:
            return
        self._board.post(alert)
        _log.log(logging.WARNING if kind is ErrorKind.UNKNOWN_TOOL else logging.ERROR, "%s", said(alert))
        for tell in self._tell:
            tell(alert)

    def recent(self) -> tuple[Alert, ...]:
        """The last ones, newest first."""
        return self._board.recent()


class Watch:
    """Everybody who is told.

    Args:
        metrics: the counters.
        alerts: failures in a row.
        journal: what keeps records; `None`: nothing does.
        telemetry: OpenTelemetry's instruments; `None`: nobody has asked for them.
    """

    def __init__(self, metrics: Metrics, alerts: Alerts, journal: Journal | None, telemetry: Any = None) -> None:
        self.metrics, self.alerts, self.journal, self._telemetry = metrics, alerts, journal, telemetry

    def calls(self, records: Iterable[CallRecord]) -> None:
        """Calls were resolved."""
        for record in records:
            self._told(record, self.metrics.call, self.alerts.see, self._count)

    def exchange(self, record: ExchangeRecord) -> None:
        """A request with tools was answered."""
        self._told(record, self.metrics.exchange)

    def _told(self, record: Any, *tell: Callable[[Any], None]) -> None:
        for one in (*tell, *([self.journal.put] if self.journal is not None else [])):
            try:
                one(record)
            except Exception as error:  # noqa: BLE001  # a watcher that fails must not stop the traffic
                _log.error("a record was not told: %s", type(error).__name__)  # its text may hold anything

    def _count(self, record: CallRecord) -> None:
        if self._telemetry is None:
            return
        kind = record.kind or "valid"
        tool = "" if kind == ErrorKind.UNKNOWN_TOOL.value else record.tool
        under = {"tool": tool, "kind": kind, "reason": record.reason or "", "model": record.model}
        self._telemetry.count(Counter(Counted.CALLS.value, **under))
        for rule in record.rules:
            self._telemetry.count(Counter(Counted.REPAIRS.value, rule=rule, **under))
