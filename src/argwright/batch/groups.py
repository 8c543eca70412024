"""Rows that are judged group by group, and put together again in their order.

A batch has as many groups as there are declarations in it: one as a rule, hundreds where each row brings its own. What
a group of a few rows costs beside its calls is kept small: columns become lists once, and parts are put in their place
when the last of them is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from argwright.batch.columns import listed
from argwright.batch.lane import Column, Judged, Lane
from argwright.batch.verdict import Verdict

_FEW = 200  # rows of a group; the columns of fewer take longer to make than their calls to judge


class Groups:
    """The answers to the rows of a batch.

    Args:
        names: of the tools.
        texts: the arguments as they came.
        finishes: the provider's words for the end.
    """

    def __init__(self, names: Column, texts: Column, finishes: Column) -> None:
        self._columns = (names, texts, finishes)
        self._number = len(texts)
        self._rows: list[int] = []
        self._arguments: list[pa.Array[Any]] = []
        self._few: dict[int, str | bytes | None] = {}
        self._overruled: dict[int, Judged] = {}
        self.odd: dict[int, Judged] = {}
        """By row, every call that was not plainly valid."""
        self.unjudged: dict[int, Verdict] = {}
        """By row, why nobody could judge."""

    def judge(self, rows: Sequence[int], lane: Lane | Verdict) -> None:
        """Judge some of the rows, or say why nobody can."""
        if isinstance(lane, Verdict):
            self.unjudged.update(dict.fromkeys(rows, lane))
            self._few.update(dict.fromkeys(rows))
            return
        if len(rows) < min(_FEW, self._number):
            arguments, odd = lane.by_row(*([column[row] for row in rows] for column in self._lists))
            self._few.update(zip(rows, arguments, strict=True))
        else:
            answers = lane.judge(*(_taken(column, rows) for column in self._columns))
            self._arguments.append(answers.arguments)
            self._rows.extend(rows)
            odd = answers.odd
        self.odd.update((rows[place], found) for place, found in odd.items())

    def overrule(self, row: int, judged: Judged) -> None:
        """Another answer to a row that was judged."""
        self.odd[row] = self._overruled[row] = judged

    def arguments(self, kind: pa.DataType) -> pa.Array[Any]:
        """The effective arguments of every row as JSON text, once all of them are judged."""
        parts = [*self._arguments, pa.array(list(self._few.values()), pa.string())]
        made: pa.Array[Any] = pa.concat_arrays([part.cast(kind) for part in parts])
        if len(self._arguments) > 1 or self._few:
            made = made.take(pc.sort_indices(pa.array([*self._rows, *self._few])))
        if self._overruled:
            texts: list[Any] = made.to_pylist()
            for row, judged in self._overruled.items():
                texts[row] = judged.verdict.arguments
            made = pa.array(texts, kind)
        return made

    def verdicts(self) -> dict[int, Verdict]:
        """By row, every verdict that says more than that the call is valid."""
        return self.unjudged | {row: found.verdict for row, found in self.odd.items()}

    @cached_property
    def _lists(self) -> list[Sequence[Any]]:
        return [listed(column) for column in self._columns]


def _taken(column: Column, rows: Sequence[int]) -> Column:
    if len(rows) == len(column):
        return column
    return column.take(pa.array(rows)) if isinstance(column, pa.Array) else [column[row] for row in rows]
