"""A part → its rows, a chunk at a time: by column where the part is flat, by record where it is not.

A line that is one call with its arguments as text is read by a fast parser; that each of
the members used stands once is shown by counting them in the line. Everything else is
read by the standard parser and `records`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import compute, parquet

from argwright.batch.log import records
from argwright.batch.log.figures import Bad
from argwright.batch.log.parts import Part
from argwright.batch.log.records import BadRecordError, Found
from argwright.model import ToolCall

CHUNK = 10_000
"""Rows judged and written at once: some megabytes, and enough that what is done by column pays."""

_ARGUMENTS, _NAMES = ("arguments", "raw_arguments"), ("name", "tool", "tool_name", "function")
_FINISHES, _IDS = ("finish_reason", "stop_reason"), ("id", "call_id", "tool_call_id")
_AS_TEXT = {"id": _IDS, "name": _NAMES, "model": ("model",), "finish_reason": _FINISHES, "arguments": _ARGUMENTS}
_NOTHING: Any = pa.nulls(0)
_BOM = b"\xef\xbb\xbf"


@dataclass
class Rows:
    """Some rows of a part, by column.

    `calls` holds, by row, what has to be judged as a whole: a call with more to it than name, text and finish reason;
    `arrays`, by name of the column that is written, those that are in Arrow's form already.
    """

    lines: Sequence[int] = ()
    places: Sequence[int] = ()
    ids: Sequence[str | None] = ()
    names: Sequence[str | None] = ()
    models: Sequence[str | None] = ()
    times: Sequence[float | None] = ()
    finishes: Sequence[str | None] = ()
    arguments: Sequence[str | None] = ()
    tools: Sequence[str | None] = ()
    calls: dict[int, ToolCall] = field(default_factory=dict)
    arrays: dict[str, pa.Array[Any]] = field(default_factory=dict)
    bad: list[Bad] = field(default_factory=list)
    read: int = 0

    def __len__(self) -> int:
        return len(self.lines)


_COLUMNS = ("lines", "places", "ids", "names", "models", "times", "finishes", "arguments", "tools")


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
        columns: Any = dict(zip(_COLUMNS, zip(*self._rows, strict=True), strict=False))  # none, of no rows
        return Rows(**columns, calls=self.calls, bad=self.bad, read=self.read)


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
    reader = _Reader(part.path)
    for number, line in enumerate(_lines(part), start=part.first):
        reader.line(number, line)
        if len(reader.gathered) >= CHUNK:
            yield reader.taken()
    yield reader.taken()


def _lines(part: Part) -> Iterator[bytes]:
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
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield data[start:end]
        start = end + 1


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
    """A row group: by column if one holds arguments, else row by row."""
    with parquet.ParquetFile(part.path) as file:
        names = file.schema_arrow.names
        arguments = _first(_ARGUMENTS, names)
        flat = arguments is not None and _is_text(file.schema_arrow.field(arguments).type)
        wanted = [*_ARGUMENTS, *_NAMES, *_FINISHES, *_IDS, "model", "tools", *records.TIMES] if flat else names
        number = part.first
        for batch in file.iter_batches(
            batch_size=CHUNK if flat else CHUNK // 10,
            row_groups=[part.start],
            columns=[name for name in names if name in wanted],
        ):
            yield _columns(batch, number) if flat else _by_row(batch, number, part.path)
            number += batch.num_rows


def _columns(batch: pa.RecordBatch, first: int) -> Rows:
    count = batch.num_rows

    def column(choices: Sequence[str]) -> list[Any]:
        name = _first(choices, batch.schema.names)
        return [None] * count if name is None else batch.column(name).to_pylist()

    arrays = dict(_as_they_are(batch))
    times = arrays.pop("times", None)
    return Rows(
        lines=range(first, first + count),
        places=[0] * count,
        ids=() if "id" in arrays else [None if own is None else str(own) for own in column(_IDS)],
        names=_texts(column(_NAMES)),
        models=_texts(column(("model",))),
        times=list(map(records.seconds, column(records.TIMES))) if times is None else times.to_pylist(),
        finishes=_texts(column(_FINISHES)),
        arguments=_texts(column(_ARGUMENTS)),
        tools=[records.written(tools) for tools in column(("tools",))],
        arrays=arrays,
        read=count,
    )


def _as_they_are(batch: pa.RecordBatch) -> Iterator[tuple[str, Any]]:
    """The columns that can be written as they came: text, integers that are ids, and times in whole seconds."""
    columns: dict[str, Any] = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name, choices in _AS_TEXT.items():
        column = columns.get(_first(choices, batch.schema.names) or "", _NOTHING)
        if pa.types.is_string(column.type) or (name == "id" and pa.types.is_integer(column.type)):
            yield name, column.cast(pa.string())
    times = columns.get(_first(records.TIMES, batch.schema.names) or "", _NOTHING)
    if pa.types.is_integer(times.type) and times.null_count < len(times):
        bounds: Any = compute.min_max(times).as_py()
        if bounds["min"] > 0 and bounds["max"] <= records.MILLIS:
            yield "times", times
            yield "at", compute.multiply(times.cast(pa.int64()), 1_000).cast(pa.timestamp("ms", tz="UTC"))


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


def _texts(values: list[Any]) -> list[str | None]:
    return [value if value is None or type(value) is str else _text_of(value) for value in values]


def _text_of(value: Any) -> str | None:
    """Bytes as text, where they are UTF-8; what is no text has none."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else None


def _is_text(kind: pa.DataType) -> bool:
    if isinstance(kind, pa.DictionaryType):
        kind = kind.value_type
    return any(
        test(kind)
        for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    )
