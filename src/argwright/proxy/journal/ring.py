"""What goes when the days are over or the file is full: the oldest first, a little at a time.

Each step is a transaction of its own, so that no other process waits long for its turn; what one round leaves, the next
one takes. Tallies go with the calls that they count.
"""

from __future__ import annotations

import sqlite3

from argwright.proxy.journal.database import transaction, used_bytes

_STEP = 2_000  # rows of one transaction: some ten milliseconds
_STEPS = 100  # of one round, so that writing goes on; it deletes faster than anything is written
_ROOM = 0.9  # of the limit that is left filled, so that not every batch has to make room
_DAY = 86_400
_MB = 1024 * 1024
_VACUUM = 2_000  # pages given back at once


def prune(connection: sqlite3.Connection, now: float, max_days: float, max_mb: float) -> int:
    """Let the oldest go; how many calls there were."""
    gone = _by_age(connection, now - max_days * _DAY) + _by_size(connection, max_mb * _MB)
    if gone:
        connection.execute(f"PRAGMA incremental_vacuum({_VACUUM})").fetchall()
    return gone


def _by_age(connection: sqlite3.Connection, oldest: float) -> int:
    with transaction(connection):
        for table in ("tallies", "exchanges"):
            connection.execute(f"DELETE FROM {table} WHERE minute < ?", (int(oldest) // 60 * 60,))  # noqa: S608  # a name from here
    gone = 0
    for _ in range(_STEPS):
        with transaction(connection):
            step = connection.execute(
                "DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE at < ? ORDER BY at LIMIT ?)", (oldest, _STEP)
            ).rowcount
        gone += step
        if step < _STEP:
            break
    return gone


def _by_size(connection: sqlite3.Connection, most: float) -> int:
    if used_bytes(connection) <= most:
        return 0
    gone = 0
    for _ in range(_STEPS):
        with transaction(connection):
            step = connection.execute(
                "DELETE FROM calls WHERE id IN (SELECT id FROM calls ORDER BY id LIMIT ?)", (_step(connection),)
            ).rowcount
            _forget(connection)
        gone += step
        if not step or used_bytes(connection) <= most * _ROOM:
            break
    return gone


def _step(connection: sqlite3.Connection) -> int:
    """A twentieth of the calls: those with long texts are few, and the rest of the file should stay."""
    first, last = connection.execute("SELECT min(id), max(id) FROM calls").fetchone()
    return 0 if first is None else min(_STEP, max(1, (last - first + 1) // 20))


def _forget(connection: sqlite3.Connection) -> None:
    """Tallies of minutes from which no call is left."""
    (oldest,) = connection.execute("SELECT min(at) FROM calls").fetchone()
    if oldest is not None:
        for table in ("tallies", "exchanges"):
            connection.execute(f"DELETE FROM {table} WHERE minute < ?", (int(oldest) // 60 * 60,))  # noqa: S608  # a name from here
