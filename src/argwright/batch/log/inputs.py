"""What was named on the command line → files to read.

A folder is searched through for the names that logs have; a file that was named itself,
or by a pattern, is read whatever its name is. What a file holds is known by its first
bytes, not by its name. A file is read once, however often and by whatever links it is
named; what cannot be read is in the list as well, with the reason.
"""

from __future__ import annotations

import codecs
import glob
import gzip
import json
import os
import stat
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, cast

Form = Literal["lines", "gzip", "parquet", "document"]

_NAMES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".parquet", ".pq")
_UNREAD = (
    (codecs.BOM_UTF16_LE, "UTF-16; logs are read as UTF-8"),
    (codecs.BOM_UTF16_BE, "UTF-16; logs are read as UTF-8"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd; of compressed files, those of gzip are read"),
    (b"BZh", "compressed by bzip2; of compressed files, those of gzip are read"),
    (b"\xfd7zXZ\x00", "compressed by xz; of compressed files, those of gzip are read"),
    (b"PK\x03\x04", "a zip archive; of compressed files, those of gzip are read"),
    (b"ARROW1", "an Arrow file; of columns, those of Parquet are read"),
    (b"Obj\x01", "an Avro file; of columns, those of Parquet are read"),
    (b"ORC", "an ORC file; of columns, those of Parquet are read"),
)
_SEPARATED = (".csv", ".tsv")
_TABLE = "a table of separated values; of tables, those of Parquet are read, with the arguments as text"
_DAMAGE = (OSError, EOFError, zlib.error)
_NOWHERE = "there is no such file, or no log in the folder"
_OWN = "the answers go into this folder: name another for them"
_HEAD = 4_096
DOCUMENT = 16 * 1024 * 1024
"""Bytes up to which a file of one JSON document, laid out over lines, is read at once."""
_LARGE = f"one JSON document of more than {DOCUMENT >> 20} MiB; logs of that size are read as one record a line"


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file to read.

    Args:
        path: as it was named or found.
        size: its bytes.
        changed: when it was written last, in nanoseconds.
        form: what it holds.
        error: why it cannot be read, if so.
    """

    path: str
    size: int = 0
    changed: int = 0
    form: Form = "lines"
    error: str | None = None


def find(named: Iterable[str], *, without: Path | None = None) -> list[Source]:
    """The files that are meant, each once, in the order of their names.

    Args:
        named: files, folders and patterns (`logs/**/*.jsonl`).
        without: a folder that is not searched: where the results go.
    """
    hidden = None if without is None else without.resolve()
    paths: dict[str, None] = {}
    missing: list[Source] = []
    for name in named:
        found = sorted(_matching(name, hidden, missing))
        paths.update(dict.fromkeys(found))
        if not found:
            inside = hidden is not None and _is_folder(name) and _is_in(Path(name), hidden)
            missing.append(Source(path=name, error=_OWN if inside else _NOWHERE))
    once: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (_is_link(path), path)):
        once.setdefault(os.path.realpath(path), path)
    return [*missing, *map(_source, sorted(once.values()))]


def _matching(name: str, hidden: Path | None, missing: list[Source]) -> Iterator[str]:
    if _is_folder(name):
        yield from _logs(Path(name), hidden, missing)
    elif _is_there(name):
        yield name  # if it cannot be read, then it is said why
    else:
        for match in glob.iglob(name, recursive=True):  # noqa: PTH207  # an absolute pattern has no folder of its own
            if _is_in(Path(match), hidden):
                continue
            if _is_folder(match):
                yield from _logs(Path(match), hidden, missing)
            else:
                yield str(Path(match))


def _is_folder(name: str) -> bool:
    try:
        return stat.S_ISDIR(Path(name).stat().st_mode)
    except OSError:
        return False


def _is_there(name: str) -> bool:
    """Whether there is something of this name, as far as we may know."""
    try:
        Path(name).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_link(name: str) -> bool:
    try:
        return stat.S_ISLNK(Path(name).lstat().st_mode)
    except OSError:
        return False


def _logs(folder: Path, hidden: Path | None, missing: list[Source]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        missing.append(Source(path=str(error.filename), error=error.strerror or str(error)))

    for place, folders, files in os.walk(folder, onerror=failed):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if _is_in(Path(place), hidden):
            folders.clear()
            continue
        for name in files:
            if name.lower().endswith(_NAMES) and not name.startswith("."):
                yield str(Path(place, name))


def _is_in(path: Path, folder: Path | None) -> bool:
    """Whether a path is a folder, or in it."""
    return folder is not None and path.resolve().is_relative_to(folder)


def _source(path: str) -> Source:
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            return Source(path=path, error="no file, but a pipe or a device: write what comes from it to a file")
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        return Source(path=path, error=error.strerror or str(error))
    form, wrong = _form(path, head, status.st_size)
    return Source(path=path, size=status.st_size, changed=status.st_mtime_ns, form=form, error=wrong)


def _form(path: str, head: bytes, size: int) -> tuple[Form, str | None]:
    """What a file holds, and why it cannot be read."""
    wrong = next((why for sign, why in _UNREAD if head.startswith(sign)), None)
    if wrong is not None:
        return "lines", wrong
    if head.startswith(b"PAR1"):
        return "parquet", None
    if path.lower().endswith(_SEPARATED) and not _first_line(head).startswith((b"{", b"[", b"\x1f\x8b")):
        return "lines", _TABLE
    if head.startswith(b"\x1f\x8b"):
        return ("document" if size <= DOCUMENT and _is_document(path, _beginning(head)) else "gzip"), None
    begins_document = _first_line(head) in (b"{", b"[")
    if size > DOCUMENT:
        return "lines", _LARGE if begins_document else None
    return ("document" if begins_document or _is_document(path, head) else "lines"), None


def _is_document(path: str, head: bytes) -> bool:
    """Whether a file is one value as a whole: laid out over lines, or a list in the only line."""
    if not _first_line(head).startswith((b"[", b"{")):
        return False
    try:
        with _unpacked(path) as file:
            line = file.readline(DOCUMENT + 1)
            if _is_json(line):
                return line.strip().startswith(b"[") and not file.read(_HEAD).strip()
            data = line + file.read(DOCUMENT + 1 - len(line))
    except _DAMAGE:
        return False
    return len(data) <= DOCUMENT and _is_json(data)


def read_document(path: str) -> bytes:
    """The bytes of a file that is one document, unpacked, without the mark of UTF-8.

    Raises:
        ValueError: it is too large for that.
        OSError, EOFError, zlib.error: it cannot be read.
    """
    with _unpacked(path) as file:
        data = file.read(DOCUMENT + 1)
    if len(data) > DOCUMENT:
        raise ValueError(_LARGE)
    return data.removeprefix(codecs.BOM_UTF8)


@contextmanager
def _unpacked(path: str) -> Generator[IO[bytes]]:
    with Path(path).open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw


def _beginning(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(packed, _HEAD)
    except zlib.error:
        return b""


def _first_line(data: bytes) -> bytes:
    return data.removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n").split(b"\n", 1)[0].rstrip()


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.removeprefix(codecs.BOM_UTF8))
    except (ValueError, RecursionError):
        return False
    return True
