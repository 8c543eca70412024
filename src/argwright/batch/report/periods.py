"""Calls by hour → bars over time: hours, days, weeks, months or years; neither three of them nor three thousand."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_HOURS, _DAYS, _WEEKS, _MONTHS = 72, 120, 260, 240  # up to so many of each
_WEEK, _YEAR = 7, 12
_MOST = 400  # bars: what lies between is left out if a stray date is far away
_EPOCH = dt.date(1970, 1, 1)
_FIRST, _LAST = ((day - _EPOCH).days for day in (dt.date.min, dt.date.max))

Unit = Literal["hour", "day", "week", "month", "year"]


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
    periods = range(begin, end + 1) if end - begin < _MOST else sorted(counted)
    return unit, [Bar(label=_label(period, unit), counts=counted.get(period, Counter())) for period in periods]


def _unit(hours: int) -> Unit:
    days = hours / 24
    if hours <= _HOURS:
        return "hour"
    if days <= _DAYS:
        return "day"
    if days <= _WEEKS * 7:
        return "week"
    return "month" if days <= _MONTHS * 31 else "year"


def _period(hour: int, unit: Unit) -> int:
    match unit:
        case "hour":
            return hour
        case "day":
            return hour // 24
        case "week":
            return (hour // 24 + 3) // _WEEK  # the epoch was a Thursday; weeks begin on Monday
        case "month":
            day = _day(hour // 24)
            return day.year * _YEAR + day.month - 1
        case "year":
            return _day(hour // 24).year


def _label(period: int, unit: Unit) -> str:
    match unit:
        case "hour":
            return f"{_day(period // 24)} {period % 24:02}:00"
        case "day":
            return f"{_day(period)}"
        case "week":
            return f"{_day(period * _WEEK - 3)}"
        case "month":
            return f"{period // _YEAR:04}-{period % _YEAR + 1:02}"
        case "year":
            return f"{period:04}"


def _day(number: int) -> dt.date:
    """The day by its number since the epoch; what lies outside of the calendar at its end."""
    return _EPOCH + dt.timedelta(days=min(max(number, _FIRST), _LAST))
