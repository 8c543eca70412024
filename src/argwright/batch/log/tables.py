"""A row group of Parquet → its rows: by column if one holds arguments, else row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from argwright.batch.columns import texts_of
from argwright.batch.lane import Column
from argwright.batch.log import records
from argwright.batch.log.chunk import CHUNK, Gathered, Rows, as_ids, as_stamps
from argwright.batch.log.figures import Bad
from argwright.batch.log.parts import Part
from argwright.batch.log.records import BadRecordError

_MUCH = 32 * 1024 * 1024  # bytes of a row group that are read at once, where its rows are long

_ARGUMENTS, _NAMES = ("arguments", "raw_arguments"), ("name", "tool", "tool_name", "function")
_FINISHES, _IDS = ("finish_reason", "stop_reason"), ("id", "call_id", "tool_call_id")


def read(part: Part) -> Iterator[Rows]:
    """The rows of a part of a row group."""
    with parquet.ParquetFile(part.path) as file:
        names = file.schema_arrow.names
        arguments = _first(_ARGUMENTS, names)
        flat = arguments is not None and _is_text(file.schema_arrow.field(arguments).type)
        wanted = [*_ARGUMENTS, *_NAMES, *_FINISHES, *_IDS, "model", "tools", *records.TIMES] if flat else names
        group, before = _group_of(file.metadata, part.start)
        batches = file.iter_batches(
            batch_size=_at_once(file.metadata.row_group(group), CHUNK if flat else CHUNK // 10),
            row_groups=[group],
            use_threads=False,
            columns=[name for name in names if name in wanted],
        )
        number = part.first
        for batch in _between(batches, part.start - before, part.end - before):
            yield _columns(batch, number) if flat else _by_row(batch, number, part.path)
            number += batch.num_rows


def _group_of(metadata: Any, row: int) -> tuple[int, int]:
    """The row group in which a row is, and how many rows are before that group."""
    before = 0
    for number in range(metadata.num_row_groups):
        behind = before + metadata.row_group(number).num_rows
        if row < behind:
            return number, before
        before = behind
    raise pa.ArrowInvalid(f"there is no row {row + 1}")


def _between(batches: Iterable[pa.RecordBatch], start: int, end: int) -> Iterator[pa.RecordBatch]:
    """Of batches one after the other the rows from one place up to another."""
    place = 0
    for batch in batches:
        low, high = max(start - place, 0), min(end - place, batch.num_rows)
        if low < high:
            yield batch.slice(low, high - low)
        place += batch.num_rows
        if place >= end:
            return


def _at_once(group: Any, most: int) -> int:
    """How many rows of a row group are read at once."""
    fitting: int = _MUCH * group.num_rows // max(1, group.total_byte_size)
    return max(1, min(most, fitting))


def _columns(batch: pa.RecordBatch, first: int) -> Rows:
    count = batch.num_rows

    def column(choices: Sequence[str]) -> Any:
        name = _first(choices, batch.schema.names)
        return pa.nulls(count, pa.string()) if name is None else batch.column(name)

    tools = column(("tools",))
    return Rows(
        lines=range(first, first + count),
        places=[0] * count,
        ids=as_ids(column(_IDS)),
        names=_as_texts(column(_NAMES)),
        models=_as_texts(column(("model",))),
        times=as_stamps(column(records.TIMES)),
        finishes=_as_texts(column(_FINISHES)),
        arguments=_as_texts(column(_ARGUMENTS)),
        tools=() if tools.null_count == count else [records.written(declared) for declared in tools.to_pylist()],
        read=count,
    )


def _as_texts(column: Any) -> Column:
    """A column as text: of bytes what is UTF-8, and nothing of what is neither."""
    kind = column.type
    if isinstance(kind, pa.DictionaryType):
        kind = kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        made: Column = column.cast(pa.string())
        return made
    return texts_of([_text_of(value) for value in column.to_pylist()])


def _by_row(batch: pa.RecordBatch, first: int, path: str) -> Rows:
    made = Gathered()
    made.read = batch.num_rows
    for number, row in enumerate(batch.to_pylist(), start=first):
        try:
            found = records.calls({name: value for name, value in row.items() if value is not None})
        except BadRecordError as error:
            made.bad.append(Bad(path, number, str(error)))
            continue
        for place, one in enumerate(found):
            made.add(number, place, one)
    return made.rows()


def _first(choices: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in choices if name in names), None)


def _text_of(value: Any) -> str | None:
    """Bytes as text, where they are UTF-8; what is no text has none."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else None


def _is_text(kind: pa.DataType) -> bool:
    if isinstance(kind, pa.DictionaryType):
        kind = kind.value_type
    return any(
        test(kind)
        for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    )
