"""What is done, on disk: one JSON line for each finished part, written after its file is there.

A run that was killed is taken up again by what stands here; half a line at the end, as a
kill leaves it, is cut off, and a file of answers that no line tells of is removed. The
first line says what was done with the parts: results of other tools, another version or
another form are never mixed, nor are files that another program put there. A file that
changed since is done anew, and what came of it before is removed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from argwright.batch.log.figures import Figures
from argwright.batch.log.inputs import Source
from argwright.batch.log.parts import Known, Part
from argwright.batch.log.work import Result
from argwright.errors import ArgwrightError

NAME = "_manifest"
"""What reads a folder of Parquet as one table passes over names that begin so."""

_ANSWERS = re.compile(r".*-[0-9a-f]{8}-\d{12}\.(parquet|jsonl)", re.DOTALL)
_HEAD = b'{"settings":'
_KINDS = ("*.parquet", "*.jsonl")


class OtherScanError(ArgwrightError):
    """The folder holds the results of another scan, or one is at work in it."""


class UnwrittenError(ArgwrightError):
    """Nothing can be written into the folder; what is finished is finished."""

    def __init__(self, folder: str | Path, why: str) -> None:
        super().__init__(
            f"{folder}: {why.lower()}; once it can be written to, the same command goes on where it stopped"
        )


class Manifest:
    """The list of finished parts in a folder.

    Args:
        folder: where the results go; it is made if need be.
        settings: what is done with the parts.
        anew: forget, and remove, what was done before.

    Raises:
        OtherScanError: the folder holds the results of other settings, or another scan writes into it.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any], *, anew: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        _check(folder, anew=anew)
        self._file: IO[bytes] = (folder / NAME).open("a+b")
        _lock(self._file, folder)
        self._entries: dict[tuple[str, int], tuple[int, dict[str, Any]]] = {}
        try:
            end = self._read(settings, anew=anew)
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(end)
        if end == 0:
            self._append({"settings": dict(settings)})
        self._sweep()

    def _read(self, settings: Mapping[str, Any], *, anew: bool) -> int:
        """Read what is there; how many bytes of it hold."""
        self._file.seek(0)
        head = self._file.readline()
        if not head.startswith(_HEAD[: len(head)]):
            raise OtherScanError(f"{self._folder}: its {NAME} is not that of a scan; name another folder")
        if not head.endswith(b"\n"):
            return 0
        try:
            return self._read_lines(_loaded(head)["settings"], settings, anew=anew)
        except (ValueError, LookupError, TypeError) as error:
            if anew:
                return 0
            raise OtherScanError(
                f"{self._folder}: its {NAME} is damaged; name another folder, or use --restart"
            ) from error

    def _read_lines(self, found: Any, settings: Mapping[str, Any], *, anew: bool) -> int:
        if found != dict(settings) and not anew:
            raise OtherScanError(
                f"{self._folder}: {_difference(found, settings)}; name another folder, or use --restart"
            )
        end = self._file.tell()
        while (line := self._file.readline()).endswith(b"\n"):
            entry = _loaded(line)
            if "forget" in entry:
                self._entries.pop(tuple(entry["forget"]), None)
            elif anew:
                self._remove(entry)
            else:
                slim = {key: entry[key] for key in ("end", "lines", "stamp", "file")}
                self._entries[entry["path"], entry["start"]] = (end, slim)
            end = self._file.tell()
        return 0 if anew else end

    def _sweep(self) -> None:
        """Remove what a kill left: files that were not finished, and those that are in no line."""
        told = {entry["file"] for _, entry in self._entries.values()}
        for stray in [*self._folder.glob(".*.*.[0-9]*"), *_answers(self._folder)]:
            if stray.name not in told:
                stray.unlink(missing_ok=True)

    def refresh(self, sources: Iterable[Source]) -> None:
        """Forget the parts of files that changed, and those whose results are gone."""
        stamps = {source.path: [source.size, source.changed] for source in sources if source.error is None}
        for key, (_, entry) in list(self._entries.items()):
            changed = key[0] in stamps and entry["stamp"] != stamps[key[0]]
            if changed or (entry["file"] is not None and not (self._folder / entry["file"]).exists()):
                self._remove(entry)
                del self._entries[key]
                self._append({"forget": list(key)})

    def known(self, source: Source) -> dict[int, Known]:
        """The parts of a file that earlier runs finished, by their beginning."""
        return self._before.get(source.path, {})

    @cached_property
    def _before(self) -> dict[str, dict[int, Known]]:
        found: dict[str, dict[int, Known]] = {}
        for (path, start), (_, entry) in self._entries.items():
            found.setdefault(path, {})[start] = Known(end=entry["end"], lines=entry["lines"])
        return found

    def has(self, part: Part) -> bool:
        """Whether a part is finished."""
        return part.key in self._entries

    def add(self, result: Result) -> None:
        """A part is finished."""
        entry: dict[str, Any] = {
            "path": result.path,
            "start": result.start,
            "end": result.end,
            "lines": result.lines,
            "stamp": list(result.stamp),
            "file": result.file,
        }
        self._file.seek(0, os.SEEK_END)
        place = self._file.tell()
        self._append(entry | {"figures": result.figures.to_dict()})
        self._entries[result.path, result.start] = (place, entry)

    def figures(self, paths: Iterable[str]) -> Iterator[Figures]:
        """The figures of all finished parts of these files, in the order of files and parts."""
        wanted = set(paths)
        for key, (place, _) in sorted(self._entries.items()):
            if key[0] in wanted:
                self._file.seek(place)
                yield Figures.from_dict(_loaded(self._file.readline())["figures"])

    def files(self) -> list[str]:
        """The files of answers."""
        return sorted(entry["file"] for _, entry in self._entries.values() if entry["file"] is not None)

    def close(self) -> None:
        """Let go of the folder."""
        with suppress(OSError):  # what could not be written was told then
            self._file.close()

    def _append(self, entry: Mapping[str, Any]) -> None:
        self._file.seek(0, os.SEEK_END)
        line = json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UnwrittenError(self._folder, error.strerror or str(error)) from error

    def _remove(self, entry: Mapping[str, Any]) -> None:
        if entry.get("file"):
            (self._folder / entry["file"]).unlink(missing_ok=True)


def _check(folder: Path, *, anew: bool) -> None:
    """Whoever reads the folder reads all of its files: answers stand there alone."""
    others = [path.name for kind in _KINDS for path in folder.glob(kind) if not _ANSWERS.fullmatch(path.name)]
    if others:
        raise OtherScanError(f"{folder}: holds {min(others)}, which is not of a scan; name another folder")
    if not anew and not (folder / NAME).exists() and any(_answers(folder)):
        raise OtherScanError(f"{folder}: holds answers, but no {NAME}; name another folder, or use --restart")


def _answers(folder: Path) -> Iterator[Path]:
    return (path for kind in _KINDS for path in folder.glob(kind) if _ANSWERS.fullmatch(path.name))


def _loaded(line: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    return found


def _lock(file: IO[bytes], folder: Path) -> None:
    """Keep others out, where the system can; the lock ends with the process, however that ends."""
    try:
        import fcntl  # noqa: PLC0415  # not everywhere
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise OtherScanError(f"{folder}: another scan writes into this folder") from error


def _difference(found: Any, settings: Mapping[str, Any]) -> str:
    names = [name for name in settings if not isinstance(found, dict) or found.get(name) != settings[name]]
    return f"holds the results of a scan with other {', '.join(names) or 'settings'}"
