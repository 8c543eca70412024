"""A row group of Parquet → its rows: by column if one holds arguments, else row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from argwright.batch.columns import bare, is_binary, is_text, texts_of
from argwright.batch.lane import Column
from argwright.batch.log import moments, records, values
from argwright.batch.log.chunk import CHUNK, Gathered, Rows, as_ids, as_stamps, pc
from argwright.batch.log.figures import Bad
from argwright.batch.log.parts import Part
from argwright.batch.log.records import Found
from argwright.batch.log.values import BadRecordError, Lost

_MUCH = 32 * 1024 * 1024  # bytes of a row group that are read at once, where its rows are long

_TEXTS = frozenset({*records.ARGUMENTS, *records.NAMES, *records.FINISHES, "model"})
"""Columns whose bytes are text; those of another name may be anything."""
_WANTED = frozenset({*_TEXTS, *records.CALL_IDS, *moments.TIMES, "tools"})
"""Columns that are read where each row is one call."""


def read(part: Part) -> Iterator[Rows]:
    """The rows of a part of a row group."""
    with parquet.ParquetFile(part.path) as file:
        names = file.schema_arrow.names
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise pa.ArrowInvalid(f"two columns are called {twice!r}")
        group, before = _group_of(file.metadata, part.start)
        flat = _is_flat(file, group)
        batches = file.iter_batches(
            batch_size=_at_once(file.metadata.row_group(group), CHUNK if flat else CHUNK // 10),
            row_groups=[group],
            use_threads=False,
            columns=[name for name in names if name in _WANTED or not flat],
        )
        number = part.first
        for batch in _between(batches, part.start - before, part.end - before):
            yield _read(batch, number, part.path, flat=flat)
            number += batch.num_rows


def _is_flat(file: parquet.ParquetFile, group: int) -> bool:
    """Whether each row of a row group is one call, with its arguments as text.

    Where there are further columns, a row without arguments may have a call in one of them.
    """
    schema = file.schema_arrow
    arguments = next((name for name in records.ARGUMENTS if name in schema.names), None)
    if arguments is None or not is_text(schema.field(arguments).type):
        return False
    return _WANTED.issuperset(schema.names) or _has_no_null(file.metadata.row_group(group), arguments)


def _has_no_null(group: Any, name: str) -> bool:
    columns = (group.column(place) for place in range(group.num_columns))
    told = next((column.statistics for column in columns if column.path_in_schema == name), None)
    return told is not None and told.has_null_count and told.null_count == 0


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
    """The rows of a batch; a value that is not known any more makes its row one that cannot be read."""
    columns = {name: _opened(column) for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    broken: dict[int, str] = {}
    for name, column in columns.items():
        is_meant = name in _TEXTS or not is_binary(column.type)
        if is_meant and is_text(column.type) and not _is_unicode(column):
            broken |= {row: f"{name}: no UTF-8 at byte {place}" for row, place in _broken(column)}
        elif flat:
            columns[name], odd = _of_type(name, column)
            broken |= odd
    numbers: Sequence[int] = range(first, first + batch.num_rows)
    bad = [Bad(path, numbers[row], why) for row, why in sorted(broken.items())]
    if broken:
        sound = [row for row in range(batch.num_rows) if row not in broken]
        columns = {name: column.take(pa.array(sound, pa.int64())) for name, column in columns.items()}
        numbers = [numbers[row] for row in sound]
    made = _columns(columns, numbers) if flat else _by_row(columns, numbers, path)
    made.read += len(bad)
    made.bad = sorted([*made.bad, *bad], key=lambda one: one.line)
    return made


def _opened(column: Any) -> Any:
    """A column of text or bytes as nothing else."""
    return bare(column) if is_text(column.type) else column


def _of_type(name: str, column: Any) -> tuple[Any, dict[int, str]]:
    """A column beside arguments as it is read, and why rows cannot be read for what it holds."""
    if is_text(column.type) or pa.types.is_null(column.type):
        return column, {}
    if name == "tools":
        return _declared(column)
    if name not in (*records.NAMES, *records.FINISHES):
        return column, {}
    why = f"a call's {name} is text, not {column.type}"
    return column, {row: why for row, is_there in enumerate(column.is_valid().to_pylist()) if is_there}


def _declared(column: Any) -> tuple[Any, dict[int, str]]:
    """Parsed declarations as text."""
    read, texts, broken = values.reader(column.type), list[str | None](), dict[int, str]()
    for row, value in enumerate(values.listed(column)):
        try:
            tools = value if value is None or read is None else read(value)
            texts.append(values.declared(tools) if isinstance(tools, list) else values.written(tools))
        except BadRecordError as error:
            texts.append(None)
            broken[row] = str(error)
    return pa.array(texts, pa.string()), broken


def _is_unicode(column: Any) -> bool:
    """Whether texts, or bytes, are UTF-8; Parquet's reader does not ask."""
    try:
        if is_binary(column.type):
            column.cast(pa.string())
        else:
            column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _broken(column: Any) -> Iterator[tuple[int, int]]:
    """The rows whose value is no UTF-8, with the byte where it is none."""
    for row, value in enumerate(column.cast(pa.large_binary()).to_pylist()):
        try:
            (value or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            yield row, error.start


def _columns(columns: Mapping[str, Any], numbers: Sequence[int]) -> Rows:
    count = len(numbers)

    def column(choices: Sequence[str], made: Callable[[Any], Any]) -> Any:
        """What the first column says, and where that is null, the next one."""
        there = [columns[name] for name in choices if name in columns] or [pa.nulls(count, pa.string())]
        found = made(there[0])
        for next_one in there[1:]:
            if found.null_count:
                found = pc.coalesce(found, made(next_one))
        return found

    tools = column(("tools",), _as_texts)
    return Rows(
        lines=numbers,
        places=[0] * count,
        ids=column(records.CALL_IDS, as_ids),
        names=column(records.NAMES, _as_texts),
        models=column(("model",), _as_texts),
        times=column(moments.TIMES, as_stamps),
        finishes=column(records.FINISHES, _as_texts),
        arguments=column(records.ARGUMENTS, _as_texts),
        tools=() if tools.null_count == count else tools.to_pylist(),
        read=count,
    )


def _as_texts(column: Any) -> Column:
    """A column as text; what is neither that nor bytes has none."""
    if is_text(column.type):
        made: Column = column.cast(pa.string())
        return made
    return texts_of([value if isinstance(value, str) else None for value in column.to_pylist()])


def _by_row(columns: Mapping[str, Any], numbers: Sequence[int], path: str) -> Rows:
    made = Gathered()
    made.read = len(numbers)
    cells = [_cells(column) for column in columns.values()]
    readers = [values.reader(column.type) for column in columns.values()]
    for place, number in enumerate(numbers):
        try:
            row = {
                name: cell[place] if read is None or cell[place] is None else read(cell[place])
                for name, cell, read in zip(columns, cells, readers, strict=True)
            }
            found = _calls(row)
        except BadRecordError as error:
            made.bad.append(Bad(path, number, str(error)))
            continue
        for nth, one in enumerate(found):
            made.add(number, nth, one)
    return made.rows()


def _cells(column: Any) -> list[Any]:
    is_readable = is_binary(column.type) and _is_unicode(column)
    return values.listed(column.cast(pa.string()) if is_readable else column)


def _calls(row: dict[str, Any]) -> list[Found]:
    """The calls of a row; what is null in it is mostly what other rows have, but not if nothing else is there."""
    told = {name: value for name, value in row.items() if value is not None}
    try:
        return records.calls(told)
    except BadRecordError:
        lost = next((f"{name}: {value.why}" for name, value in told.items() if isinstance(value, Lost)), None)
        if lost is not None:
            raise BadRecordError(lost) from None
        telling = {*records.RESPONSES, *(records.ARGUMENTS if any(name in told for name in records.NAMES) else ())}
        nulls = {name: None for name in row if name not in told and name in telling}
        if not nulls:
            raise
        return records.calls(told | nulls)
