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
from argwright.batch.log.records import BadRecordError, Found

_MUCH = 32 * 1024 * 1024  # bytes of a row group that are read at once, where its rows are long

_ARGUMENTS, _NAMES = ("arguments", "raw_arguments"), ("name", "tool", "tool_name", "function")
_FINISHES, _IDS = ("finish_reason", "stop_reason"), ("id", "call_id", "tool_call_id")
_TEXTS = frozenset({*_ARGUMENTS, *_NAMES, *_FINISHES, "model"})
"""Columns whose bytes are text; those of another name may be anything."""


def read(part: Part) -> Iterator[Rows]:
    """The rows of a part of a row group."""
    with parquet.ParquetFile(part.path) as file:
        names = file.schema_arrow.names
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise pa.ArrowInvalid(f"two columns are called {twice!r}")
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
            yield _read(batch, number, part.path, flat=flat)
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


def _read(batch: pa.RecordBatch, first: int, path: str, *, flat: bool) -> Rows:
    """The rows of a batch; a text that is no UTF-8 makes its row one that cannot be read."""
    broken: dict[int, str] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        is_meant = name in _TEXTS or not _is_bytes(column.type)
        if is_meant and _is_text(column.type) and not _is_unicode(column):
            broken |= {row: f"{name}: no UTF-8 at byte {place}" for row, place in _broken(column)}
    numbers: Sequence[int] = range(first, first + batch.num_rows)
    bad = [Bad(path, numbers[row], why) for row, why in sorted(broken.items())]
    if broken:
        sound = [row for row in range(batch.num_rows) if row not in broken]
        batch, numbers = batch.take(pa.array(sound, pa.int64())), [numbers[row] for row in sound]
    made = _columns(batch, numbers) if flat else _by_row(batch, numbers, path)
    made.read += len(bad)
    made.bad = sorted([*made.bad, *bad], key=lambda one: one.line)
    return made


def _is_unicode(column: Any) -> bool:
    """Whether texts, or bytes, are UTF-8; Parquet's reader does not ask."""
    values = column.dictionary if isinstance(column, pa.DictionaryArray) else column
    try:
        if _is_bytes(values.type):
            values.cast(pa.string())
        else:
            values.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _broken(column: Any) -> Iterator[tuple[int, int]]:
    """The rows whose value is no UTF-8, with the byte where it is none."""
    values = column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
    for row, value in enumerate(values.cast(pa.large_binary()).to_pylist()):
        try:
            (value or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            yield row, error.start


def _columns(batch: pa.RecordBatch, numbers: Sequence[int]) -> Rows:
    count = batch.num_rows

    def column(choices: Sequence[str]) -> Any:
        name = _first(choices, batch.schema.names)
        return pa.nulls(count, pa.string()) if name is None else batch.column(name)

    tools = column(("tools",))
    return Rows(
        lines=numbers,
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
    """A column as text; what is neither that nor bytes has none."""
    if _is_text(column.type):
        made: Column = column.cast(pa.string())
        return made
    return texts_of([value if isinstance(value, str) else None for value in column.to_pylist()])


def _by_row(batch: pa.RecordBatch, numbers: Sequence[int], path: str) -> Rows:
    made = Gathered()
    made.read = batch.num_rows
    for place, column in enumerate(batch.columns):
        if _is_bytes(column.type) and _is_unicode(column):
            batch = batch.set_column(place, batch.schema.names[place], column.cast(pa.string()))
    for number, row in zip(numbers, batch.to_pylist(), strict=True):
        try:
            found = _calls(row)
        except BadRecordError as error:
            made.bad.append(Bad(path, number, str(error)))
            continue
        for place, one in enumerate(found):
            made.add(number, place, one)
    return made.rows()


def _calls(row: dict[str, Any]) -> list[Found]:
    """The calls of a row; what is null in it is mostly what other rows have, but not if nothing else is there."""
    told = {name: value for name, value in row.items() if value is not None}
    try:
        return records.calls(told)
    except BadRecordError:
        if "arguments" not in row or "arguments" in told:
            raise
        return records.calls(told | {"arguments": None})


def _first(choices: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in choices if name in names), None)


def _is_text(kind: Any) -> bool:
    """Whether values are texts, or bytes that may be."""
    return _is_bytes(kind) or any(
        test(_inner(kind)) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    )


def _is_bytes(kind: Any) -> bool:
    return any(test(_inner(kind)) for test in (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view))


def _inner(kind: Any) -> Any:
    return kind.value_type if isinstance(kind, pa.DictionaryType) else kind
