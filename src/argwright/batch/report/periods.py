"""Calls by hour → bars over time: hours, days or weeks, so that there are neither three nor three thousand."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_HOURS, _DAYS = 72, 120  # up to so many hours, then so many days
_WEEK = 7
_MOST = 400  # bars: a log of some years in weeks, or one with a stray date far away

Unit = Literal["hour", "day", "week"]


@dataclass(frozen=True, kw_only=True)
class Bar:
    """The calls of one period, by status."""

    label: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All calls of the period."""
        return sum(self.counts.values())


def bars(hours: Mapping[tuple[int, str], int]) -> tuple[Unit, list[Bar]]:
    """The bars from the first period with calls to the last, empty ones included."""
    if not hours:
        return "day", []
    first, last = min(hour for hour, _ in hours), max(hour for hour, _ in hours)
    unit = _unit(last - first + 1)
    counted: dict[int, Counter[str]] = {}
    for (hour, status), number in hours.items():
        counted.setdefault(_period(hour, unit), Counter())[status] += number
    begin, end = min(counted), max(counted)
    periods = range(begin, end + 1) if end - begin < _MOST else sorted(counted)[-_MOST:]
    return unit, [Bar(label=_label(period, unit), counts=counted.get(period, Counter())) for period in periods]


def _unit(hours: int) -> Unit:
    if hours <= _HOURS:
        return "hour"
    return "day" if hours <= _DAYS * 24 else "week"


def _period(hour: int, unit: Unit) -> int:
    match unit:
        case "hour":
            return hour
        case "day":
            return hour // 24
        case "week":
            return (hour // 24 + 3) // _WEEK  # the epoch was a Thursday; weeks begin on Monday


def _label(period: int, unit: Unit) -> str:
    epoch = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    match unit:
        case "hour":
            return f"{epoch + dt.timedelta(hours=period):%Y-%m-%d %H:00}"
        case "day":
            return f"{epoch + dt.timedelta(days=period):%Y-%m-%d}"
        case "week":
            return f"{epoch + dt.timedelta(days=period * _WEEK - 3):%Y-%m-%d}"
