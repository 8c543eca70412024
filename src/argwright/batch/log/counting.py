"""How many calls there are of each tool, model and outcome, and when: by whole columns, then the odd ones set apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import compute

from argwright.batch.log.figures import HOUR, Figures, Group
from argwright.batch.log.lessons import short
from argwright.batch.verdict import VALID, Verdict

pc: Any = compute  # what type a column has is decided by the log

_PLAIN = Verdict(VALID)


class Called(NamedTuple):
    """The columns to count by: names and models as texts, times as timestamps in milliseconds."""

    names: pa.Array[Any]
    models: pa.Array[Any]
    times: pa.Array[Any]


class Odd(NamedTuple):
    """What became of a call that was not plainly valid, and the name of its tool if that is known."""

    tool: str | None
    verdict: Verdict


def count(figures: Figures, called: Called, odd: Mapping[int, Odd]) -> None:
    """Count calls by tool, model, status, kind and reason, and by hour and status.

    Args:
        figures: where they are added.
        called: all of them.
        odd: by row, those that were not plainly valid.
    """
    hours = pc.divide(called.times.cast(pa.int64()), HOUR * 1_000)
    calls, seen = _pairs(called.names, called.models), _counted(hours)
    groups: Counter[Group] = Counter()
    by_hour: Counter[tuple[int, str]] = Counter()
    rows = pa.array(odd, pa.int64())
    columns = (column.take(rows).to_pylist() for column in (called.names, called.models, hours))
    for (tool, verdict), name, model, hour in zip(odd.values(), *columns, strict=True):
        calls[name, model] -= 1
        groups[_group(tool or name, model, verdict)] += 1
        if hour is not None:
            seen[hour] -= 1
            by_hour[hour, verdict.status] += 1
    for (name, model), number in calls.items():
        groups[_group(name, model, _PLAIN)] += number
    by_hour.update({(hour, VALID): number for hour, number in seen.items() if hour is not None})
    figures.count(+groups)
    figures.count_hours(+by_hour)


def _pairs(one: pa.Array[Any], other: pa.Array[Any]) -> Counter[tuple[Any, Any]]:
    """How often each value of one column stands beside each of the other."""
    first, second = (column.dictionary_encode(null_encoding="encode") for column in (one, other))
    values, others = first.dictionary.to_pylist(), second.dictionary.to_pylist()
    codes = pc.add(pc.multiply(first.indices.cast(pa.int64()), len(others)), second.indices)
    found: Counter[tuple[Any, Any]] = Counter()
    for code, number in _counted(codes).items():
        found[values[code // len(others)], others[code % len(others)]] = number
    return found


def _counted(column: pa.Array[Any]) -> Counter[Any]:
    """How often each value stands in a column."""
    found = pc.value_counts(column)
    return Counter(dict(zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True)))


def _group(name: str | None, model: str | None, verdict: Verdict) -> Group:
    kind, reason = verdict.kind or "", verdict.reason or ""
    return Group(short(name), short(model) if model else "", verdict.status, kind, reason)
