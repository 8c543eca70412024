"""How the journal is, as health, metrics and page tell it."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass
from typing import Any, Literal

from argwright.proxy.journal.database import NotAJournalError
from argwright.proxy.settings import JournalMode

Phase = Literal["off", "writing", "stopped", "closed"]

_BY_CODE = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the file may not be written",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_PERM": "the file may not be opened",
    "SQLITE_BUSY": "another process holds the file locked",
    "SQLITE_LOCKED": "another process holds the file locked",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is no database",
    "SQLITE_IOERR": "the disk cannot be read or written",
}


@dataclass(frozen=True, kw_only=True)
class JournalState:
    """What there is to know.

    Args:
        mode: what is kept of a call.
        phase: whether it is kept; `stopped` is tried again by itself.
        reason: why it stopped.
        since: when it came into this phase, in seconds since the epoch.
        committed: records that this process wrote, each in a transaction that is done.
        dropped: records that this process did not write: the queue was full, or the journal stopped or closed.
        waiting: records in the queue.
    """

    mode: JournalMode
    phase: Phase
    reason: str | None = None
    since: float = 0.0
    committed: int = 0
    dropped: int = 0
    waiting: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON data."""
        return asdict(self)


def reason_of(error: Exception) -> str:
    """Why the journal stopped, in words that say what to look at; paths and data stay out."""
    if isinstance(error, NotAJournalError):
        return str(error)
    if isinstance(error, sqlite3.Error):
        name = getattr(error, "sqlite_errorname", None) or ""
        words = name.split("_")  # extended codes go on behind the primary one
        return _BY_CODE.get("_".join(words[:2])) or str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return type(error).__name__
