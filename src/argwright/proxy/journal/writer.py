"""The thread that writes. Whoever hands it a record never waits for it, and never learns of its troubles.

What waits is bounded in number and in characters; what does not fit is dropped and counted. A batch that cannot be
written is kept and tried again, later and later; meanwhile the queue fills up and drops.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread

from argwright.proxy.journal.database import open_to_write, transaction
from argwright.proxy.journal.ring import prune
from argwright.proxy.journal.rows import (
    CALL_COLUMNS,
    EXCHANGE_KEY,
    TALLY_KEY,
    Batch,
    Record,
    batch,
)
from argwright.proxy.journal.state import JournalState, Phase, Trouble, trouble_of
from argwright.proxy.settings import JournalSettings

_log = logging.getLogger("argwright.gateway")

_BATCH = 500  # records of one transaction
_LINGER = 0.05  # seconds to wait for more of them: a person who looks does not notice
_TIDY = 60.0  # seconds between two looks at the ring,
_TIDY_AFTER = 5_000  # or records: at a hundred KB each they are twice the default ring


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What a writer holds and how patient it is.

    Args:
        records: how many may wait.
        characters: of their texts together.
        retry: seconds until a stopped journal is tried again.
        patience: what these seconds grow to, doubling.
    """

    records: int = 10_000
    characters: int = 64 * 1024 * 1024
    retry: float = 1.0
    patience: float = 60.0


class Writer:
    """One file's writer in this process; the thread runs from the start until `close`."""

    def __init__(self, settings: JournalSettings, path: Path, bounds: Bounds) -> None:
        self._settings = settings
        self._path = path
        self._bounds = bounds
        self._queue: SimpleQueue[tuple[Record, int] | Event] = SimpleQueue()
        self._lock = Lock()
        self._waiting = 0
        self._characters = 0
        self._closing = Event()
        self._hurry = Event()
        self._state = JournalState(mode=settings.mode, phase="writing", since=time.time())
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._tidied = time.monotonic()
        self._since_tidied = 0
        self._thread = Thread(target=self._run, name="argwright-journal", daemon=True)
        self._thread.start()

    # --- for whoever has a record -------------------------------------------------------------------------------------

    def put(self, record: Record, characters: int) -> None:
        """Hand over a record, or drop it; either takes no time."""
        with self._lock:
            full = self._waiting >= self._bounds.records or self._characters + characters > self._bounds.characters
            if full or self._closing.is_set():
                self._state = replace(self._state, dropped=self._state.dropped + 1)
                return
            self._waiting += 1
            self._characters += characters
        self._queue.put((record, characters))

    def drop(self, records: int) -> None:
        """Count records that are not written."""
        with self._lock:
            self._state = replace(self._state, dropped=self._state.dropped + records)

    def state(self) -> JournalState:
        """How it is now."""
        with self._lock:
            return replace(self._state, waiting=self._waiting)

    def flush(self, timeout: float) -> bool:
        """Wait until everything handed over so far is committed; whether it is."""
        done = Event()
        self._queue.put(done)
        self._hurry.set()
        return done.wait(timeout) and self.state().phase == "writing"

    def close(self, timeout: float) -> None:
        """Commit what waits, if that is possible at once, and end."""
        self._closing.set()
        self._hurry.set()
        self._queue.put(Event())
        self._thread.join(timeout)

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._commit(Batch(), 0)
        while True:
            records, markers = self._take()
            if records:
                made, unfit = batch(records, details=self._settings.mode == "full")
                self._commit(made, len(records) - unfit)
                self.drop(unfit)
            for marker in markers:
                marker.set()
            if self._closing.is_set() and self._queue.empty():
                break
            self._tidy(len(records))
        self._disconnect()
        self._enter("closed", None)

    def _take(self) -> tuple[list[Record], list[Event]]:
        """The next records; none after a while in which none came."""
        records: list[Record] = []
        markers: list[Event] = []
        timeout: float | None = _TIDY
        while len(records) < _BATCH:
            try:
                item = self._queue.get(timeout=timeout) if timeout else self._queue.get_nowait()
            except Empty:
                break
            if isinstance(item, Event):
                markers.append(item)
                self._hurry.clear()
            else:
                records.append(item[0])
                self._taken(item[1])
            if timeout and not self._closing.is_set() and not markers:
                self._hurry.wait(_LINGER)
            timeout = None
        return records, markers

    def _taken(self, characters: int) -> None:
        with self._lock:
            self._waiting -= 1
            self._characters -= characters

    def _commit(self, made: Batch, records: int) -> None:
        """Write a batch, trying again until it is written or the journal is closed."""
        delay = self._bounds.retry
        while True:
            try:
                _write(self._connected(), made)
            except Exception as error:  # noqa: BLE001  # whatever it is, the thread goes on
                self._disconnect()
                if not _is_of_the_file(error):
                    self.drop(records)
                    return
                self._enter("stopped", trouble_of(error))
            else:
                self._enter("writing", None, committed=records)
                return
            if self._closing.wait(delay):
                self.drop(records)
                return
            delay = min(delay * 2, self._bounds.patience)

    def _connected(self) -> sqlite3.Connection:
        """The open file; a new one if somebody moved or deleted it."""
        if self._connection is not None and self._identity == _identity(self._path):
            return self._connection
        self._disconnect()
        self._connection = open_to_write(self._path)
        self._identity = _identity(self._path)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):  # it was given up anyway
                self._connection.close()
            self._connection = None

    def _enter(self, phase: Phase, trouble: Trouble | None, *, committed: int = 0) -> None:
        cause, reason = (None, None) if trouble is None else (trouble.cause, trouble.reason)
        with self._lock:
            same = (self._state.phase, self._state.reason) == (phase, reason)
            self._state = replace(
                self._state,
                phase=phase,
                cause=cause,
                reason=reason,
                since=self._state.since if same else time.time(),
                committed=self._state.committed + committed,
            )
        if not same and phase == "stopped":
            _log.warning("the journal stopped, the traffic goes on: %s", reason)
        elif not same and phase == "writing":
            _log.info("the journal is written")

    def _tidy(self, records: int) -> None:
        self._since_tidied += records
        if time.monotonic() - self._tidied < _TIDY and self._since_tidied < _TIDY_AFTER:
            return
        self._tidied, self._since_tidied = time.monotonic(), 0
        try:
            prune(self._connected(), time.time(), self._settings.max_days, self._settings.max_mb)
        except (sqlite3.Error, OSError):
            self._disconnect()  # the next batch says what is the matter


_ROW_ERRORS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.InterfaceError)


def _is_of_the_file(error: Exception) -> bool:
    """Whether trying again may help: what is wrong is the file, not a row."""
    return isinstance(error, (sqlite3.Error, OSError)) and not isinstance(error, _ROW_ERRORS)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _write(connection: sqlite3.Connection, made: Batch) -> None:
    with transaction(connection):
        connection.executemany(_INSERT_CALL, made.calls)
        connection.executemany(_COUNT_CALL, [(*key, count) for key, count in made.tallies.items()])
        connection.executemany(_COUNT_EXCHANGE, [(*key, *sums) for key, sums in made.exchanges.items()])


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608  # names from here


def _count(table: str, key: Sequence[str], sums: Sequence[str]) -> str:
    added = ", ".join(f"{one} = {one} + excluded.{one}" for one in sums)
    return f"{_insert(table, [*key, *sums])} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {added}"


_INSERT_CALL = _insert("calls", CALL_COLUMNS)
_COUNT_CALL = _count("tallies", TALLY_KEY, ["calls"])
_COUNT_EXCHANGE = _count("exchanges", EXCHANGE_KEY, ["requests", "retries", "stalled"])
