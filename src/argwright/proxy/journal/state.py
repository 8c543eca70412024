"""How the journal is, as health, metrics and page tell it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from argwright.proxy.journal.database import NotAJournalError
from argwright.proxy.settings import JournalMode

Phase = Literal["off", "writing", "stopped", "closed"]

Cause = Literal["off", "full", "read_only", "no_access", "locked", "damaged", "foreign", "broken"]

_CAUSES: Mapping[str, Cause] = {
    "SQLITE_FULL": "full",
    "SQLITE_READONLY": "read_only",
    "SQLITE_CANTOPEN": "no_access",
    "SQLITE_PERM": "no_access",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_NOTADB": "damaged",
}
_REASONS: Mapping[Cause, str] = {
    "off": "the journal is off",
    "full": "the disk is full",
    "read_only": "the file may not be written",
    "no_access": "the file cannot be opened",
    "locked": "another process holds the file locked",
    "damaged": "the file is damaged, or no database",
    "foreign": "the file is no journal of this argwright",
    "broken": "the disk cannot be read or written",
}


@dataclass(frozen=True)
class Trouble:
    """Why the journal cannot be written or read.

    Args:
        cause: a slug.
        reason: for people, with what is known beyond that; paths and data stay out.
    """

    cause: Cause
    reason: str


OFF = Trouble("off", _REASONS["off"])


@dataclass(frozen=True, kw_only=True)
class JournalState:
    """What there is to know.

    Args:
        mode: what is kept of a call.
        phase: whether it is kept; `stopped` is tried again by itself.
        cause: why it stopped, as a slug.
        reason: the same for people.
        since: when it came into this phase, in seconds since the epoch.
        committed: records that this process wrote, each in a transaction that is done.
        dropped: records that this process did not write: the queue was full, or the journal stopped or closed.
        waiting: records in the queue.
    """

    mode: JournalMode
    phase: Phase
    cause: Cause | None = None
    reason: str | None = None
    since: float = 0.0
    committed: int = 0
    dropped: int = 0
    waiting: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON data."""
        return asdict(self)


def trouble_of(error: Exception) -> Trouble:
    """What an error means."""
    if isinstance(error, NotAJournalError):
        return Trouble("foreign", str(error))
    if isinstance(error, sqlite3.Error):
        words = (getattr(error, "sqlite_errorname", None) or "").split("_")
        cause = _CAUSES.get("_".join(words[:2]), "broken")
        return Trouble(cause, _REASONS[cause])
    if isinstance(error, OSError):
        cause = "full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "no_access"
        return Trouble(cause, f"{_REASONS[cause]}: {(error.strerror or 'no reason given').lower()}")
    return Trouble("damaged", _REASONS["damaged"])  # a detail that cannot be unpacked
