"""Work that would hold up the streams of a process goes to a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

_IN_PLACE = 256 * 1024  # bytes that are read in a few milliseconds
_Made = TypeVar("_Made")


async def aside(size: int, work: Callable[[], _Made]) -> _Made:
    """What the work makes of so many bytes."""
    return work() if size <= _IN_PLACE else await asyncio.to_thread(work)
