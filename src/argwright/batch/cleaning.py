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

from argwright.batch import lanes
from argwright.batch.columns import Columns, answered, listed, output_schema, texts
from argwright.batch.groups import Groups
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
    calls = [texts(batch, name) for name in (names.tool, names.arguments, names.finish_reason)]
    cells = _cells(batch, names)
    called = calls[0] if cells is None else _called(calls[0], cells)
    groups = Groups(called, *calls[1:])
    for (cell, name), rows in _grouped(cells, called).items():
        groups.judge(rows, _lane(cell, name, (tools, schemas or {}, policy)))
    kind = schema.field(f"{names.prefix}effective_arguments").type
    status, error_kind, reason, ruled, issues = answered(groups.verdicts(), batch.num_rows)
    made = [status, error_kind, reason, groups.arguments(kind), ruled, issues]
    return pa.record_batch([*batch.columns, *made], schema=schema)


def _cells(batch: pa.RecordBatch, names: Columns) -> list[str | None] | None:
    """What each row brings as its schema, if there is such a column."""
    if names.schema not in batch.schema.names:
        return None
    found = listed(texts(batch, names.schema))
    return [(cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell) or None for cell in found]


def _called(column: Column, cells: Sequence[str | None]) -> Sequence[Any]:
    """The tools' names; one that is missing beside a schema is made up."""
    return [
        lanes.NAMELESS if name is None and cell is not None and lanes.is_text(cell) else name
        for name, cell in zip(listed(column), cells, strict=True)
    ]


def _grouped(cells: Sequence[str | None] | None, called: Column) -> dict[tuple[str | None, str | None], Sequence[int]]:
    """Rows by what declares their tool: the cell of the schema, and the tool's name where that matters."""
    if cells is None:
        return {(None, None): range(len(called))}
    found: defaultdict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for row, (cell, name) in enumerate(zip(cells, called, strict=True)):
        found[cell, name if cell is not None and isinstance(name, str) else None].append(row)
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
