"""A part → its rows, a chunk at a time: by column where the part is flat, by record where it is not.

Lines that are one call each, with its arguments as text, are read by blocks (`flat`), or
one by one by a fast parser; that each of the members used stands once is shown by
counting them in the line. Everything else is read by the standard parser and `records`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from argwright.batch.log import flat, inputs, moments, records, replies, tables
from argwright.batch.log.chunk import CHUNK, Gathered, Rows, as_ids, as_stamps
from argwright.batch.log.figures import Bad
from argwright.batch.log.parts import Part
from argwright.batch.log.values import BadRecordError, load

_BLOCK = 256 * 1024  # bytes of lines that are read together; few, since one line that is not flat stops all of them
_BOM = b"\xef\xbb\xbf"


def rows(part: Part) -> Iterator[Rows]:
    """The rows of a part in their order."""
    match part.form:
        case "rows":
            yield from tables.read(part)
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
        if len(data) < part.end - part.start:
            raise OSError("the file has become shorter since it was cut")
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
        found = found._replace(ids=as_ids(found.ids), times=as_stamps(found.times))
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
        self._time = moments.TIMES[0]
        self.gathered = Gathered()

    def taken(self) -> Rows:
        """The rows so far; it goes on with none."""
        made, self.gathered = self.gathered.rows(), Gathered()
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
        elif not 0 < at < moments.MILLIS:
            at = moments.seconds(at)
        own = own if type(own) is str or own is None else str(own)
        model = model if type(model) is str else None
        self.gathered.put((number, 0, own, name, model, at, finish, text, None))
        return True

    def _at(self, record: dict[str, Any]) -> float | None:
        """The time of a record; the member that had it is asked first of the next one."""
        for name in moments.TIMES:
            at = moments.seconds(record.get(name))
            if at is not None:
                self._time = name
                return at
        return None

    def _record(self, number: int, line: bytes) -> None:
        try:
            found = records.calls(load(line.decode("utf-8").strip()))
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
    made = Gathered()
    try:
        found = _records(load(inputs.read_document(part.path).decode("utf-8").strip()))
    except UnicodeDecodeError as error:
        return Rows(bad=[Bad(part.path, 0, f"no UTF-8 at byte {error.start}")], read=1)
    except BadRecordError as error:
        return Rows(bad=[Bad(part.path, 0, str(error))], read=1)
    made.read = len(found)
    for number, record in enumerate(found, start=1):
        try:
            for place, one in enumerate(records.calls(record)):
                made.add(number, place, one)
        except BadRecordError as error:
            made.bad.append(Bad(part.path, number, str(error)))
    return made.rows()


def _records(value: Any) -> list[Any]:
    """The records of a document; a list of messages, or of a stream's events, is one."""
    if isinstance(value, list) and not all(isinstance(item, dict) and _is_part(item) for item in value):
        return value
    return [value]


def _is_part(item: dict[str, Any]) -> bool:
    return "role" in item or replies.is_event(item)
