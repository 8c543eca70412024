"""A part → its rows, a chunk at a time: by column where the part is flat, by record where it is not.

Lines that are one call each, with its arguments as text, are read by blocks (`flat`), or
one by one by a fast parser; that each of the members used stands once is shown by
counting them in the line. Everything else is read by the standard parser and `records`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import compute, parquet

from argwright.batch.columns import texts_of
from argwright.batch.lane import Column
from argwright.batch.log import flat, records
from argwright.batch.log.figures import Bad
from argwright.batch.log.parts import Part
from argwright.batch.log.records import BadRecordError, Found
from argwright.model import ToolCall

CHUNK = 20_000
"""Rows judged and written at once: some megabytes, and enough that what is done by column pays."""
_BLOCK = 256 * 1024  # bytes of lines that are read together; few, since one line that is not flat stops all of them
_MUCH = 32 * 1024 * 1024  # bytes of a row group that are read at once, where its rows are long

pc: Any = compute  # what type a column has is decided by the log

_ARGUMENTS, _NAMES = ("arguments", "raw_arguments"), ("name", "tool", "tool_name", "function")
_FINISHES, _IDS = ("finish_reason", "stop_reason"), ("id", "call_id", "tool_call_id")
_STAMP = pa.timestamp("ms", tz="UTC")
_BOM = b"\xef\xbb\xbf"


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


class _Gathered:
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
            times=_stamps(times),
            finishes=texts_of(finishes),
            arguments=texts_of(arguments),
            tools=tools if any(tools) else (),
            calls=self.calls,
            bad=self.bad,
            read=self.read,
        )


def rows(part: Part) -> Iterator[Rows]:
    """The rows of a part in their order."""
    match part.form:
        case "rows":
            yield from _table(part)
        case "document":
            yield _document(part)
        case "lines":
            yield from _text(part)
        case _:
            yield Rows(bad=[Bad(part.path, part.first, part.error or "")], read=part.lines)


def _text(part: Part) -> Iterator[Rows]:
    reader, flat_rows = _Reader(part.path), _FlatRows()
    number = part.first
    for block in _blocks(part):
        found = flat.read(block)
        if found is not None:
            if reader.gathered.read:
                yield reader.taken()
            number = flat_rows.add(number, found)
        else:
            if len(flat_rows):
                yield flat_rows.taken()
            number = reader.lines(number, block)
        if len(flat_rows) >= CHUNK:
            yield flat_rows.taken()
        if len(reader.gathered) >= CHUNK:
            yield reader.taken()
    yield flat_rows.taken() if len(flat_rows) else reader.taken()


def _blocks(part: Part) -> Iterator[bytes]:
    """The lines of a part, some hundred together."""
    if part.data is not None:
        data = part.data
    else:
        with Path(part.path).open("rb") as file:
            file.seek(part.start)
            data = file.read(part.end - part.start)
    if part.start == 0:
        data = data.removeprefix(_BOM)
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        yield data[start:end]
        start = end


class _FlatRows:
    """Blocks of flat lines, joined to chunks."""

    def __init__(self) -> None:
        self._lines: list[int] = []
        self._columns: list[list[pa.Array[Any]]] = []

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, number: int, found: flat.Flat) -> int:
        """The calls of a block whose first line has this number; the number of the line behind it."""
        behind = number + len(found.names)
        self._lines.extend(range(number, behind))
        found = found._replace(ids=_as_ids(found.ids), times=_as_stamps(found.times))
        self._columns.append(list(found))
        return behind

    def taken(self) -> Rows:
        """The rows so far; it goes on with none."""
        ids, names, models, times, finishes, arguments = map(pa.concat_arrays, zip(*self._columns, strict=True))
        made = Rows(
            lines=self._lines,
            places=[0] * len(self._lines),
            ids=ids,
            names=names,
            models=models,
            times=times,
            finishes=finishes,
            arguments=arguments,
            read=len(self._lines),
        )
        self._lines, self._columns = [], []
        return made


class _Reader:
    """Reads line after line into rows."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._time = records.TIMES[0]
        self.gathered = _Gathered()

    def taken(self) -> Rows:
        """The rows so far; it goes on with none."""
        made, self.gathered = self.gathered.rows(), _Gathered()
        return made

    def lines(self, number: int, block: bytes) -> int:
        """Lines, the first of which has this number; the number of the line behind them."""
        lines = block.removesuffix(b"\n").split(b"\n")
        for place, line in enumerate(lines, start=number):
            self.line(place, line)
        return number + len(lines)

    def line(self, number: int, line: bytes) -> None:
        """One line; a blank one is passed over."""
        if not line or line.isspace():
            return
        self.gathered.read += 1
        if not self._flat(number, line):
            self._record(number, line)

    def _flat(self, number: int, line: bytes) -> bool:
        """Read a line that is one call with its arguments as text, if it is one."""
        if line.count(b'"arguments"') != 1 or line.count(b'"name"') != 1 or line.count(b'"finish_reason"') > 1:
            return False
        if b"\\u00" in line and _hides_letters(line):
            return False
        try:
            record = orjson.loads(line)
        except ValueError:
            return False
        if type(record) is not dict:
            return False
        get = record.get
        name, text, finish, model, own = get("name"), get("arguments"), get("finish_reason"), get("model"), get("id")
        if type(text) is not str or type(name) is not str or not (finish is None or type(finish) is str):
            return False
        if type(own) is float:  # an integer that lost digits, maybe
            return False
        if "tools" in record or "functions" in record or "function" in record or "stop_reason" in record:
            return False
        at = get(self._time)
        if type(at) is not int:
            at = self._at(record)
        elif not 0 < at < records.MILLIS:
            at = records.seconds(at)
        own = own if type(own) is str or own is None else str(own)
        model = model if type(model) is str else None
        self.gathered.put((number, 0, own, name, model, at, finish, text, None))
        return True

    def _at(self, record: dict[str, Any]) -> float | None:
        """The time of a record; the member that had it is asked first of the next one."""
        for name in records.TIMES:
            at = records.seconds(record.get(name))
            if at is not None:
                self._time = name
                return at
        return None

    def _record(self, number: int, line: bytes) -> None:
        try:
            found = records.calls(records.load(line.decode("utf-8").strip()))
        except UnicodeDecodeError as error:
            self.gathered.bad.append(Bad(self._path, number, f"no UTF-8 at byte {error.start}"))
        except BadRecordError as error:
            self.gathered.bad.append(Bad(self._path, number, str(error)))
        else:
            for place, one in enumerate(found):
                self.gathered.add(number, place, one)


def _hides_letters(line: bytes) -> bool:
    r"""Whether a key may be written with letters as `\u0061`."""
    return any(sign in line for sign in (b"\\u004", b"\\u005", b"\\u006", b"\\u007"))


def _document(part: Part) -> Rows:
    """A file that is one JSON value: a record, or a list of records (or of messages)."""
    made = _Gathered()
    made.read = 1
    try:
        value = records.load(Path(part.path).read_bytes().removeprefix(_BOM).decode("utf-8").strip())
        for number, found in enumerate(_documented(value), start=1):
            for place, one in enumerate(found):
                made.add(number, place, one)
    except UnicodeDecodeError as error:
        made.bad.append(Bad(part.path, 0, f"no UTF-8 at byte {error.start}"))
    except BadRecordError as error:
        made.bad.append(Bad(part.path, 0, str(error)))
    return made.rows()


def _documented(value: Any) -> list[list[Found]]:
    """The calls by record."""
    if isinstance(value, list) and not all(isinstance(item, dict) and "role" in item for item in value):
        return [records.calls(item) for item in value]
    return [records.calls(value)]


def _table(part: Part) -> Iterator[Rows]:
    """Rows of a row group: by column if one holds arguments, else row by row."""
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
        ids=_as_ids(column(_IDS)),
        names=_as_texts(column(_NAMES)),
        models=_as_texts(column(("model",))),
        times=_as_stamps(column(records.TIMES)),
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


def _as_ids(column: Any) -> Column:
    """A column as text, whatever it holds."""
    if pa.types.is_string(column.type) or pa.types.is_integer(column.type):
        made: Column = column.cast(pa.string())
        return made
    return texts_of([None if own is None else str(own) for own in column.to_pylist()])


def _as_stamps(column: Any) -> pa.Array[Any]:
    """A column as times; one of whole seconds need not be looked at value by value."""
    if pa.types.is_integer(column.type) and column.null_count < len(column):
        bounds: Any = pc.min_max(column).as_py()
        if bounds["min"] > 0 and bounds["max"] <= records.MILLIS:
            made: pa.Array[Any] = pc.multiply(column.cast(pa.int64()), 1_000).cast(_STAMP)
            return made
    return _stamps(list(map(records.seconds, column.to_pylist())))


def _stamps(times: Sequence[float | None]) -> pa.Array[Any]:
    """Seconds since the epoch as times, cut off at milliseconds."""
    millis = pc.multiply(pa.array(times, pa.float64()), 1_000.0)
    made: pa.Array[Any] = pc.cast(millis, pa.int64(), safe=False).cast(_STAMP)
    return made


def _by_row(batch: pa.RecordBatch, first: int, path: str) -> Rows:
    made = _Gathered()
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
