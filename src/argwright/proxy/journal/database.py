"""The file: made with its tables, proven to be a journal of this schema, opened to write or to read.

`application_id` says that the file is a journal, `user_version` which schema it has: a stranger's database and a newer
argwright's journal are refused, never written to. WAL lets many read while one writes, and leaves a sound file whenever
a process is killed. The file is readable by its owner only.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

APPLICATION = 0x61726777  # "argw"
SCHEMA = 1
WAL_BYTES = 8 * 1024 * 1024  # what the log is cut back to
_BUSY = 5.0  # seconds to wait for another process's transaction; one takes milliseconds

_TABLES = """
CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL, request_id TEXT NOT NULL, protocol TEXT NOT NULL, upstream TEXT NOT NULL, model TEXT NOT NULL,
    tool TEXT NOT NULL, status TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, rules TEXT NOT NULL,
    origin TEXT NOT NULL, attempt INTEGER NOT NULL, streamed INTEGER NOT NULL, detail BLOB
);
CREATE INDEX calls_at ON calls (at);
CREATE INDEX calls_faulty ON calls (id) WHERE status <> 'valid';
CREATE TABLE tallies (
    minute INTEGER NOT NULL, protocol TEXT NOT NULL, upstream TEXT NOT NULL, model TEXT NOT NULL, tool TEXT NOT NULL,
    status TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, rules TEXT NOT NULL, calls INTEGER NOT NULL,
    PRIMARY KEY (minute, protocol, upstream, model, tool, status, kind, reason, rules)
) WITHOUT ROWID;
CREATE TABLE exchanges (
    minute INTEGER NOT NULL, protocol TEXT NOT NULL, upstream TEXT NOT NULL, model TEXT NOT NULL,
    status INTEGER NOT NULL, requests INTEGER NOT NULL, retries INTEGER NOT NULL, stalled INTEGER NOT NULL,
    PRIMARY KEY (minute, protocol, upstream, model, status)
) WITHOUT ROWID;
"""


class NotAJournalError(sqlite3.DatabaseError):
    """The file is a database, and not one that this argwright may write to."""


def open_to_write(path: Path) -> sqlite3.Connection:
    """The journal, made if there is none.

    Raises:
        NotAJournalError: the file is somebody else's, or a newer argwright's.
        sqlite3.Error: it cannot be opened or written, or is damaged.
        OSError: it cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = sqlite3.connect(path, timeout=_BUSY, isolation_level=None)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    if _is_empty(connection):
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    else:
        check(connection)  # before anything in it is changed
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; a power cut the last batches
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    with transaction(connection):
        if _is_empty(connection):
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        check(connection)


def check(connection: sqlite3.Connection) -> None:
    """Prove that the file is a journal of this schema.

    Raises:
        NotAJournalError: it is not.
    """
    if _pragma(connection, "application_id") != APPLICATION:
        raise NotAJournalError("the file is a database, but no journal of argwright")
    version = _pragma(connection, "user_version")
    if version != SCHEMA:
        raise NotAJournalError(f"the journal has schema {version}, this argwright reads {SCHEMA}")


def open_to_read(path: Path) -> sqlite3.Connection:
    """The journal, which is not changed; a closed one in a directory that nobody may write to can be read as well.

    Raises:
        NotAJournalError: the file is something else.
        sqlite3.Error: there is none, or it cannot be read.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=_BUSY, uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA query_only = ON")
        check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def reading(path: Path, seconds: float) -> Generator[sqlite3.Connection]:
    """A connection for one question, which is given up after some seconds."""
    with closing(open_to_read(path)) as connection:
        over = time.monotonic() + seconds
        connection.set_progress_handler(lambda: int(time.monotonic() > over), 10_000)  # steps: under a millisecond
        connection.row_factory = sqlite3.Row
        yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing, with the right to write from its start, so that no other writer can come between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    return tables == 0 and _pragma(connection, "application_id") == 0


def used_bytes(connection: sqlite3.Connection) -> int:
    """What the file holds; free pages in it are not counted, since they are used before it grows."""
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")
