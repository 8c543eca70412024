"""When it was, as far as a log says so: seconds since the epoch.

A time is a number of seconds, or of a thousandth, a millionth or a billionth of one, told
apart by how large it is, or ISO 8601, or a date of Python's. Without a zone it is UTC.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

TIMES = ("at", "timestamp", "time", "ts", "created", "created_at", "date", "datetime")
MILLIS = 1e11  # a number of seconds above this is one of milliseconds: it would lie beyond the year 5000
_MOMENTS = (*TIMES, "startTime", "start_time", "request_created_at")


def time_of(record: Mapping[str, Any]) -> float | None:
    """When it was, in seconds since the epoch, if the record says so."""
    for key in _MOMENTS:
        value = record.get(key)
        if value is not None and (at := seconds(value)) is not None:
            return at
    return None


def seconds(value: Any) -> float | None:
    """A time as seconds since the epoch: a number of seconds, milli-, micro- or nanoseconds, or ISO 8601."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value) if abs(value) < 1e300 else 0.0  # noqa: PLR2004  # no time, and no float from there on
        while number > MILLIS:
            number /= 1_000
        return number if number > 0 else None
    if isinstance(value, dt.datetime):
        return _stamp(value)
    if isinstance(value, dt.date):
        return _stamp(dt.datetime.combine(value, dt.time()))
    if not isinstance(value, str) or not value[:4].isdigit():
        return None
    try:
        return _stamp(dt.datetime.fromisoformat(value))
    except ValueError:
        return None


def _stamp(moment: dt.datetime) -> float | None:
    """Times without a zone are taken for UTC."""
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()
    except (OverflowError, ValueError):
        return None
