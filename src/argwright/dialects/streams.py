"""Passing text through up to a marker, held back by no more than the marker's length."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from argwright.dialects.events import Event
from argwright.dialects.source import Source, Steps


def passage(src: Source, pos: int, closers: str | Sequence[str], event: Callable[[str], Event]) -> Steps[int]:
    """Report the text up to one of the closing markers, or to the end; the position behind the marker."""
    end, closer = yield from until(src, pos, (closers,) if isinstance(closers, str) else closers, event)
    return end + len(closer)


def until(src: Source, pos: int, marks: Sequence[str], event: Callable[[str], Event]) -> Steps[tuple[int, str]]:
    """Report the text up to one of the markers, or to the end: where the marker stands, and which it is."""
    pattern = _either(tuple(marks))
    longest = max(map(len, marks))
    scan = pos
    while True:
        stop = pattern.search(src.text, scan)
        end, mark, stop = (stop.start(), stop.group(), None) if stop else (len(src.text), "", None)
        scan = max(scan, len(src.text) - longest + 1)
        safe = end if mark or src.ended else scan
        if safe > pos:
            yield event(src.text[pos:safe])
            pos = safe
        if mark or src.ended:
            return end, mark
        yield None


@lru_cache(maxsize=64)
def _either(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(marks, key=len, reverse=True))))
