"""`clean`: a record batch of logged calls in, the same batch with the answers out.

One function, pure and picklable, so that any engine can run it anywhere. Rows stay in
their order and number, the columns that came stay as they are. Each row gets the answer
that `Toolbox.resolve` gives to its call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from argwright.batch import lanes
from argwright.batch.columns import Columns, answered, listed, output_schema, texts
from argwright.batch.lane import Column, Lane
from argwright.batch.lanes import Schemas
from argwright.batch.verdict import Verdict, error
from argwright.policy import Policy
from argwright.toolbox import Toolbox

_UNDECLARED = error("no tools are given, and the row brings no schema")


def clean(
    batch: pa.RecordBatch,
    *,
    tools: Toolbox | None = None,
    schemas: Schemas | None = None,
    columns: Columns | None = None,
    policy: Policy | None = None,
) -> pa.RecordBatch:
    """Judge the calls of a batch, one a row.

    Args:
        batch: with a column of arguments, and of tools, finish reasons and schemas where there are any.
        tools: the declared tools, for rows without a schema of their own.
        schemas: what references in the column of schemas lead to.
        columns: the names of the columns.
        policy: which repairs are accepted; goes before that of tools and toolbox.

    Returns:
        The batch with further columns: `status` (valid, mended, refused, or error where there is no schema to judge
        by), `kind`, `reason`, `effective_arguments` (compact JSON text), `rules` and `issues`.

    Raises:
        DeclarationError: a column is missing, is no text, or exists already.
    """
    names = columns or Columns()
    schema = output_schema(batch.schema, names)
    answers = _Answers(batch.num_rows)
    calls = [texts(batch, name) for name in (names.tool, names.arguments, names.finish_reason)]
    groups = _groups(batch, names, calls[0])
    for (cell, name), rows in groups.items():
        lane = _lane(cell, name, (tools, schemas or {}, policy))
        part = calls if len(groups) == 1 else [_taken(column, rows) for column in calls]
        if cell is not None and lanes.is_text(cell):
            part[0] = [lanes.NAMELESS if tool is None else tool for tool in listed(part[0])]
        answers.fill(rows, lane, part)
    return pa.record_batch([*batch.columns, *answers.arrays(schema)], schema=schema)


def _taken(column: Column, rows: Sequence[int]) -> Column:
    return column.take(pa.array(rows)) if isinstance(column, pa.Array) else [column[row] for row in rows]


def _groups(
    batch: pa.RecordBatch, names: Columns, called: Column
) -> dict[tuple[str | None, str | None], Sequence[int]]:
    """Rows by what declares their tool: the cell of the schema, and the tool's name where that matters."""
    if names.schema not in batch.schema.names:
        return {(None, None): range(batch.num_rows)}
    tools = listed(called)
    found: defaultdict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for row, cell in enumerate(listed(texts(batch, names.schema))):
        text = cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell
        found[text or None, tools[row] if text and isinstance(tools[row], str) else None].append(row)
    return dict(found)


def _lane(cell: str | None, name: str | None, given: tuple[Toolbox | None, Schemas, Policy | None]) -> Lane | Verdict:
    tools, schemas, policy = given
    if cell is None:
        return _UNDECLARED if tools is None else lanes.lane_of_box(tools, policy)
    if lanes.is_text(cell):
        lane = lanes.lane_of_text(cell, name, policy)
    else:
        lane = lanes.lane_of_reference(schemas, cell, name, policy)
    return error(lane) if isinstance(lane, str) else lane


class _Answers:
    """The columns out, filled group by group."""

    def __init__(self, rows: int) -> None:
        self._number = rows
        self._rows: list[int] = []
        self._arguments: list[pa.Array[Any]] = []
        self._odd: dict[int, Verdict] = {}

    def fill(self, rows: Sequence[int], lane: Lane | Verdict, calls: Sequence[Column]) -> None:
        """Judge some of the rows."""
        self._rows.extend(rows)
        if isinstance(lane, Verdict):
            self._odd.update(dict.fromkeys(rows, lane))
            self._arguments.append(pa.nulls(len(rows), pa.string()))
            return
        judged = lane.judge(*calls)
        self._arguments.append(judged.arguments)
        self._odd.update((rows[place], found.verdict) for place, found in judged.odd.items())

    def arrays(self, schema: pa.Schema) -> list[pa.Array[Any]]:
        """The columns, in the order of the schema's end."""
        status, kind, reason, ruled, issues = answered(self._odd, self._number)
        text = schema.field(len(schema) - 3).type
        arguments: pa.Array[Any] = pa.concat_arrays(
            [part.cast(text) for part in self._arguments] or [pa.nulls(0, text)]
        )
        if len(self._arguments) > 1:
            arguments = arguments.take(pc.sort_indices(pa.array(self._rows)))
        return [status, kind, reason, arguments, ruled, issues]
