"""A file → parts that can be done one by one, anywhere, and again.

A part of lines is a range of whole lines, about `BLOCK` bytes; of Parquet, a row group,
or some rows of a large one; a document is one part. The cuts depend on the file alone, so that a run that goes on
after a kill meets the same parts. Nothing is kept but the part at hand: a line longer
than `MAX_LINE` is passed over piece by piece and becomes a part that says so. The parts
of a compressed file carry their bytes, since nobody could begin to read in its middle.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import IO, Literal, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from argwright.batch.log.inputs import Source

BLOCK = 8 * 1024 * 1024
"""Bytes of a part: some seconds of work, so that little is lost, and large enough to be worth a file."""
MAX_LINE = 16 * 1024 * 1024
"""Four times the longest arguments that are read, for a reply that holds several calls."""
ROWS = 25_000
"""Rows of Parquet, at least, of a row group that is done in several parts."""
PIECES = 8
"""Parts of a row group, at most: to read one, the rows before it are read, too."""

DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error)
"""What is raised where compressed data is damaged or ends too early."""
_READ = 256 * 1024

Stream: TypeAlias = gzip.GzipFile | BufferedReader


@dataclass(frozen=True, kw_only=True)
class Part:
    """One piece of work.

    Args:
        path: the file.
        form: lines, rows (of one row group of Parquet), document, or fault (nothing is there to read; `error` says
            why).
        start: the first byte or row, from 0.
        end: the byte or row behind the last.
        first: the number of the first line or row, from 1; 0 for the file as a whole.
        lines: how many lines or rows there are.
        weight: bytes of the file that are done with it.
        data: the lines themselves, if they cannot be read from the file.
        stamp: size and time of the file, by which a changed one is known.
    """

    path: str
    form: Literal["lines", "rows", "document", "fault"]
    start: int = 0
    end: int = 0
    first: int = 1
    lines: int = 0
    weight: int = 0
    error: str | None = None
    stamp: tuple[int, int] = (0, 0)
    data: bytes | None = field(default=None, repr=False)

    @property
    def key(self) -> tuple[str, int]:
        """What no other part has."""
        return self.path, self.start


@dataclass(frozen=True, kw_only=True)
class Known:
    """Where a finished part ended: byte and number of lines."""

    end: int
    lines: int


def cut(source: Source, known: Mapping[int, Known]) -> Iterator[Part]:
    """The parts of a file in order; of those that are known, nothing is read."""
    if source.error is not None:
        yield _fault(source, source.error)
        return
    try:
        match source.form:
            case "parquet":
                yield from _row_groups(source)
            case "document":
                yield _part(source, form="document", end=source.size, weight=source.size)
            case _:
                yield from _lines(source, known)
    except (OSError, pa.ArrowException) as error:
        yield _fault(source, f"cannot be read: {error}")


def _part(source: Source, **fields: object) -> Part:
    return Part(path=source.path, stamp=(source.size, source.changed), **fields)  # type: ignore[arg-type]


def _fault(source: Source, error: str, *, start: int = 0, first: int = 0) -> Part:
    return _part(source, form="fault", error=error, start=start, end=start, first=first)


def _row_groups(source: Source) -> Iterator[Part]:
    start = 0
    with parquet.ParquetFile(source.path) as file:
        whole = file.metadata
        for rows in (whole.row_group(number).num_rows for number in range(whole.num_row_groups)):
            behind = start + rows
            piece = -(-rows // max(1, min(PIECES, rows // ROWS)))
            while start < behind:
                end = min(start + piece, behind)
                weight = source.size * (end - start) // whole.num_rows
                yield _part(
                    source, form="rows", start=start, end=end, first=start + 1, lines=end - start, weight=weight
                )
                start = end


def _lines(source: Source, known: Mapping[int, Known]) -> Iterator[Part]:
    with Path(source.path).open("rb") as raw:
        zipped = source.form == "gzip"
        stream = gzip.GzipFile(fileobj=raw) if zipped else raw
        cutter = _Cutter(source, stream, raw, known)
        try:
            yield from cutter.parts()
        except DAMAGE as error:
            yield _fault(source, _damage(error), start=cutter.start, first=cutter.first)


def _damage(error: Exception) -> str:
    """What is said of compressed data that cannot be read on."""
    unsure = isinstance(error, zlib.error) or str(error).startswith(("CRC", "Incorrect length"))
    return f"damaged gzip data: {error}" + ("; lines before it may not be as they were written" if unsure else "")


class _Cutter:
    """Walks through the lines of one file; `start` and `first` say where it stands."""

    def __init__(self, source: Source, stream: Stream, raw: IO[bytes], known: Mapping[int, Known]) -> None:
        self._source, self._stream, self._raw, self._known = source, stream, raw, known
        self._rest = b""  # read, and part of no part yet
        self._told = 0
        self._damage: Exception | None = None
        self.start, self.first = 0, 1

    def parts(self) -> Iterator[Part]:
        """The parts in order."""
        while True:
            done = self._known.get(self.start)
            if done is not None:
                self._pass(done.end)
                yield self._made(done.end, done.lines)
                continue
            block = self._block()
            if not block:
                return
            cut_at = block.rfind(b"\n") + 1
            if cut_at == 0 and len(block) >= MAX_LINE:
                end = self.start + len(block) + self._skipped()
                yield self._made(end, 1, error=f"longer than {MAX_LINE >> 20} MiB")
                continue
            data = block[: cut_at or len(block)]
            self._rest = block[len(data) :]
            yield self._made(self.start + len(data), data.count(b"\n") + (not data.endswith(b"\n")), data=data)

    def _block(self) -> bytes:
        """The next bytes: up to a block, or more if that holds no line break.

        Of damaged data, what stands before the damage is given first, in whole lines.
        """
        if self._damage is not None:
            raise self._damage
        pieces = [self._rest]
        try:
            self._fill(pieces)
        except DAMAGE as error:
            self._damage = error
        block = b"".join(pieces)
        self._rest = b""
        if self._damage is None:
            return block
        block = block[: block.rfind(b"\n") + 1]
        return block or self._block()

    def _fill(self, pieces: list[bytes]) -> None:
        size, broken = len(pieces[0]), b"\n" in pieces[0]
        while size < BLOCK and (piece := self._stream.read1(min(_READ, BLOCK - size))):
            pieces.append(piece)
            size, broken = size + len(piece), broken or b"\n" in piece
        while not broken and size < MAX_LINE and (piece := self._stream.readline(min(_READ, MAX_LINE - size))):
            pieces.append(piece)
            size, broken = size + len(piece), piece.endswith(b"\n")

    def _skipped(self) -> int:
        """Pass over the rest of a line of any length; how long it was."""
        seen = 0
        while piece := self._stream.readline(BLOCK):
            seen += len(piece)
            if piece.endswith(b"\n"):
                break
        return seen

    def _pass(self, end: int) -> None:
        """Go on behind a part that is known."""
        ahead = end - self.start
        if ahead < len(self._rest):
            self._rest = self._rest[ahead:]
        else:
            self._rest = b""
            self._stream.seek(end)

    def _made(self, end: int, lines: int, *, data: bytes = b"", error: str | None = None) -> Part:
        zipped = self._source.form == "gzip"
        position = max(self._told, self._raw.tell() if zipped else end)
        part = _part(
            self._source,
            form="lines" if error is None else "fault",
            start=self.start,
            end=end,
            first=self.first,
            lines=lines,
            weight=position - self._told,
            error=error,
            data=data if zipped else None,
        )
        self._told, self.start, self.first = position, end, self.first + lines
        return part
