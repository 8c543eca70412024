"""The journal of one process: what is put in, and what the page asks; made after a fork, since it has a thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from argwright.proxy.journal import reading
from argwright.proxy.journal.reading import Filter
from argwright.proxy.journal.rows import Record
from argwright.proxy.journal.state import OFF, JournalState, Trouble, trouble_of
from argwright.proxy.journal.writer import Bounds, Writer
from argwright.proxy.record import CallRecord
from argwright.proxy.settings import JournalSettings

_BOUNDS = Bounds()
_ALL = Filter()
_Answer = TypeVar("_Answer")


class UnreadableError(Exception):
    """The journal cannot be read now; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.reason)


class Journal:
    """Records in, answers out.

    Args:
        settings: what is kept and where; mode `off`, or no path, keeps nothing.
        bounds: what waits in memory, and how long a stopped journal waits to be tried again.
    """

    def __init__(self, settings: JournalSettings, *, bounds: Bounds = _BOUNDS) -> None:
        self.settings = settings
        on = settings.mode != "off" and settings.path is not None
        self._path = settings.path if on else None
        self._writer = Writer(settings, settings.path, bounds) if on and settings.path is not None else None

    @property
    def is_on(self) -> bool:
        """Whether anything is kept at all."""
        return self._writer is not None

    @property
    def state(self) -> JournalState:
        """How it is now."""
        if self._writer is None:
            return JournalState(mode="off", phase="off")
        return self._writer.state()

    def put(self, record: Record) -> None:
        """Keep a record. Takes microseconds, never waits, never raises; from any thread."""
        if self._writer is None:
            return
        try:
            if isinstance(record, CallRecord) and self.settings.mode != "full":
                record = record.without_detail()
            detail = record.detail if isinstance(record, CallRecord) else None
            characters = 0 if detail is None else len(detail.arguments_text)
        except Exception:  # noqa: BLE001  # an odd record must not cost a reply
            self._writer.drop(1)
        else:
            self._writer.put(record, characters)

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until everything put in so far is committed; whether it is."""
        return self._writer is None or self._writer.flush(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Commit what waits, if that is possible, and let the file go."""
        if self._writer is not None:
            self._writer.close(timeout)

    # --- what the page asks; each may take a moment, so not in an event loop ------------------------------------------

    def rates(self, wanted: Filter = _ALL, *, step: int = 3600) -> dict[str, Any]:
        """How many calls were valid, mended and refused, over time and by facet; see `reading.rates`.

        Raises:
            UnreadableError: it cannot be read.
        """
        return self._ask(lambda path: reading.rates(path, wanted, step))

    def recent(self, wanted: Filter = _ALL, *, before: int | None = None, limit: int = 50) -> dict[str, Any]:
        """Faulty calls, the newest first; see `reading.recent`.

        Raises:
            UnreadableError: it cannot be read.
        """
        return self._ask(lambda path: reading.recent(path, wanted, before=before, limit=limit))

    def call(self, number: int) -> dict[str, Any] | None:
        """One call with its detail; `None` if there is none of this number.

        Raises:
            UnreadableError: it cannot be read.
        """
        return self._ask(lambda path: reading.call(path, number))

    def _ask(self, question: Callable[[Path], _Answer]) -> _Answer:
        if self._path is None:
            raise UnreadableError(OFF)
        try:
            return question(self._path)
        except (sqlite3.Error, OSError, ValueError) as error:  # also a detail that a newer argwright packed
            raise UnreadableError(trouble_of(error)) from error
