"""What was named on the command line → files to read.

A folder is searched through for the names that logs have; a file that was named itself,
or by a pattern, is read whatever its name is. What a file holds is known by its first
bytes, not by its name.
"""

from __future__ import annotations

import codecs
import glob
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Form = Literal["lines", "gzip", "parquet", "document"]

_NAMES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".parquet", ".pq")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEAD = 4_096
_DOCUMENT = 16 * 1024 * 1024  # bytes up to which a file of one JSON document, laid out over lines, is read at once


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
        found = sorted(_matching(name, hidden))
        paths.update(dict.fromkeys(found))
        if not found:
            missing.append(Source(path=name, error="there is no such file, or no log in the folder"))
    return [*missing, *map(_source, sorted(paths))]


def _matching(name: str, hidden: Path | None) -> Iterator[str]:
    path = Path(name)
    if path.is_dir():
        yield from _logs(path, hidden)
    elif path.exists():
        yield name
    else:
        for match in glob.iglob(name, recursive=True):  # noqa: PTH207  # an absolute pattern has no folder of its own
            if Path(match).is_file():
                yield match


def _logs(folder: Path, hidden: Path | None) -> Iterator[str]:
    for path in folder.rglob("*"):
        if not path.name.lower().endswith(_NAMES) or not path.is_file():
            continue
        inside = path.relative_to(folder).parts
        if any(part.startswith(".") for part in inside) or (hidden and hidden in path.resolve().parents):
            continue
        yield str(path)


def _source(path: str) -> Source:
    try:
        status = Path(path).stat()
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        return Source(path=path, error=error.strerror or str(error))
    form = _form(head, status.st_size)
    wrong = "UTF-16; logs are read as UTF-8" if head.startswith(_UTF16) else None
    return Source(path=path, size=status.st_size, changed=status.st_mtime_ns, form=form, error=wrong)


def _form(head: bytes, size: int) -> Form:
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0].rstrip()
    return "document" if first in (b"{", b"[") and size <= _DOCUMENT else "lines"
