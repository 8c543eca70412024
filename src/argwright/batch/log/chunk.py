"""Some rows of a part, by column, and how columns are made of what a log holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyarrow import compute

from argwright.batch.columns import texts_of
from argwright.batch.lane import Column
from argwright.batch.log import moments
from argwright.batch.log.figures import Bad
from argwright.batch.log.records import Found
from argwright.batch.log.values import listed
from argwright.model import ToolCall

CHUNK = 20_000
"""Rows judged and written at once: some megabytes, and enough that what is done by column pays."""

pc: Any = compute  # what type a column has is decided by the log

_STAMP = pa.timestamp("ms", tz="UTC")


@dataclass
class Rows:
    """Some rows of a part, by column.

    Columns of text are Arrow's, or lists where half a surrogate pair stands in them; times are Arrow's timestamps in
    milliseconds. `tools` is empty if no line declares any. `calls` holds, by row, what has to be judged as a whole: a
    call with more to it than name, text and finish reason.
    """

    lines: Sequence[int] = ()
    places: Sequence[int] = ()
    ids: Column = ()
    names: Column = ()
    models: Column = ()
    times: Column = ()
    finishes: Column = ()
    arguments: Column = ()
    tools: Sequence[str | None] = ()
    calls: dict[int, ToolCall] = field(default_factory=dict)
    bad: list[Bad] = field(default_factory=list)
    read: int = 0

    def __len__(self) -> int:
        return len(self.lines)


class Gathered:
    """Rows as they come, one after the other; `put` takes one in the order of the columns of `Rows`."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self.put = self._rows.append
        self.calls: dict[int, ToolCall] = {}
        self.bad: list[Bad] = []
        self.read = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, line: int, place: int, found: Found) -> None:
        """One call."""
        call = found.call
        if call.input is not None or call.blocked or call.origin != "structured":
            self.calls[len(self._rows)] = call
        text = call.arguments if isinstance(call.arguments, str) else call.input
        self.put((line, place, call.id, call.name, found.model, found.at, call.finish_reason, text, found.tools))

    def rows(self) -> Rows:
        """All of them, by column."""
        if not self._rows:
            return Rows(bad=self.bad, read=self.read)
        lines, places, ids, names, models, times, finishes, arguments, tools = zip(*self._rows, strict=True)
        return Rows(
            lines=lines,
            places=places,
            ids=texts_of(ids),
            names=texts_of(names),
            models=texts_of(models),
            times=stamps(times),
            finishes=texts_of(finishes),
            arguments=texts_of(arguments),
            tools=tools if any(tools) else (),
            calls=self.calls,
            bad=self.bad,
            read=self.read,
        )


def as_ids(column: Any) -> Column:
    """A column as text, whatever it holds."""
    if pa.types.is_string(column.type) or pa.types.is_integer(column.type):
        made: Column = column.cast(pa.string())
        return made
    return texts_of([None if own is None else str(own) for own in listed(column)])


def as_stamps(column: Any) -> pa.Array[Any]:
    """A column as times; one of whole seconds need not be looked at value by value."""
    if pa.types.is_integer(column.type) and column.null_count < len(column):
        bounds: Any = pc.min_max(column).as_py()
        if bounds["min"] > 0 and bounds["max"] <= moments.MILLIS:
            made: pa.Array[Any] = pc.multiply(column.cast(pa.int64()), 1_000).cast(_STAMP)
            return made
    return stamps(list(map(moments.seconds, listed(column))))


def stamps(times: Sequence[float | None]) -> pa.Array[Any]:
    """Seconds since the epoch as times, cut off at milliseconds."""
    millis = pc.multiply(pa.array(times, pa.float64()), 1_000.0)
    made: pa.Array[Any] = pc.cast(millis, pa.int64(), safe=False).cast(_STAMP)
    return made
