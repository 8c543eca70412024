"""What several workers know together: a folder with two files for each, so that whichever is asked answers for all.

Counters lie in a file mapped into memory: 8 bytes that say how much of it is used, then entries of a length, the line
as UTF-8, padding, and the number as a double on a multiple of 8. Adding costs no system call; an entry counts only when
its length of use has been written, so that a reader never sees half of one. A worker that is started again goes on with
the file of the one that died: counters never fall, gauges begin at 0.

Alerts are few: each worker writes its last ones to a file of JSON lines, which is replaced as a whole.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from argwright.model import ErrorKind, compact
from argwright.monitor.alerts import Alert
from argwright.proxy.metrics import METRICS, Store, metric_of
from argwright.proxy.watching import KEPT

_SIZE = 4 * 1024 * 1024  # bytes of the file; sparse, so that only what is used takes room
_USED = struct.Struct("=Q")
_LENGTH = struct.Struct("=I")
_NUMBER = struct.Struct("=d")


class SharedStore(Store):
    """The counters of one of several workers.

    Args:
        folder: known to all of them.
        slot: this one's number; a successor has the same.
    """

    def __init__(self, folder: Path, slot: int) -> None:
        self._folder = folder
        path = folder / f"{slot}.counters"
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(file, _SIZE)
            self._map = mmap.mmap(file, _SIZE)
        finally:
            os.close(file)
        self.numbers = self._view = memoryview(self._map).cast("d")
        self._nowhere = len(self._view) - 1  # the last number is no line's
        self._used = _USED.unpack_from(self._map)[0] or _USED.size
        self._places = {line: place // _NUMBER.size for line, place, _ in _entries(self._map[: self._used])}
        for line, place in self._places.items():
            if METRICS[metric_of(line)].kind == "gauge":
                self.numbers[place] = 0.0

    def place(self, line: str) -> int:
        """Where among the numbers that of a line is; one for which there is no room goes where nobody reads."""
        place = self._places.get(line)
        return self._append(line) if place is None else place

    def lines(self) -> Mapping[str, float]:
        """Every line with its number, those of all workers added up."""
        total: Counter[str] = Counter()
        for path in sorted(self._folder.glob("*.counters")):
            with path.open("rb") as file:
                head = file.read(_USED.size)
                used = _USED.unpack(head)[0]
                data = head + file.read(max(used - _USED.size, 0))
            for line, _, number in _entries(data):
                total[line] += number  # type: ignore[assignment]  # a counter of floats
        return total

    def close(self) -> None:
        """Give the memory back; the file stays for the others."""
        self._view.release()
        self._map.close()

    def _append(self, line: str) -> int:
        said = line.encode()
        place = _aligned(self._used + _LENGTH.size + len(said))
        if place >= self._nowhere * _NUMBER.size:
            return self._nowhere
        _LENGTH.pack_into(self._map, self._used, len(said))
        start = self._used + _LENGTH.size
        self._map[start : start + len(said)] = said
        number = place // _NUMBER.size
        self.numbers[number] = 0.0
        self._used = place + _NUMBER.size
        _USED.pack_into(self._map, 0, self._used)  # from here on it counts
        self._places[line] = number
        return number


def _entries(data: bytes) -> Iterator[tuple[str, int, float]]:
    """Line, place of the number, number."""
    at = _USED.size
    while at < len(data):
        start = at + _LENGTH.size
        end = start + _LENGTH.unpack_from(data, at)[0]
        place = _aligned(end)
        yield data[start:end].decode(), place, _NUMBER.unpack_from(data, place)[0]
        at = place + _NUMBER.size


def _aligned(place: int) -> int:
    return (place + 7) & ~7


class SharedBoard:
    """The alerts of one of several workers.

    Args:
        folder: known to all of them.
        slot: this one's number.
    """

    def __init__(self, folder: Path, slot: int) -> None:
        self._folder, self._path = folder, folder / f"{slot}.alerts"
        self._own: deque[Alert] = deque(_read(self._path), maxlen=KEPT)

    def post(self, alert: Alert) -> None:
        """Show an alert."""
        self._own.append(alert)
        new = self._path.with_suffix(".new")
        new.write_text("".join(f"{compact(one.to_dict())}\n" for one in self._own), "utf-8")
        new.replace(self._path)

    def recent(self) -> tuple[Alert, ...]:
        """The last ones of all workers, newest first."""
        found = [alert for path in self._folder.glob("*.alerts") for alert in _read(path)]
        return tuple(sorted(found, key=lambda alert: alert.first, reverse=True)[:KEPT])


def _read(path: Path) -> list[Alert]:
    try:
        lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError:
        return []
    return [_alert(json.loads(line)) for line in lines if line]


def _alert(data: dict[str, str]) -> Alert:
    return Alert(
        kind=ErrorKind(data["kind"]), tool=data["tool"], count=int(data["count"]),
        first=datetime.fromisoformat(data["first"]), action=data["action"],
    )  # fmt: skip
