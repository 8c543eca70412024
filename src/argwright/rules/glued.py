"""Several objects in one arguments text, where the caller wants each to be a call of its own.

Only whole, strictly written objects with nothing but blanks and commas between them are
taken apart; each keeps its own text, so that it is read and recorded like any call's.
"""

from __future__ import annotations

import json
import re

_BETWEEN = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_MOST = 64  # calls in one text; the longest run seen is 7


def split(text: str) -> tuple[str, ...]:
    """The texts of the objects; empty unless there are at least two and nothing else."""
    parts: list[str] = []
    pos = _blank(text, 0)
    while pos < len(text):
        if text[pos] != "{" or len(parts) == _MOST:
            return ()
        try:
            _, end = _DECODER.raw_decode(text, pos)
        except (ValueError, RecursionError):
            return ()
        parts.append(text[pos:end])
        pos = _blank(text, end)
    return tuple(parts) if len(parts) > 1 else ()


def _blank(text: str, pos: int) -> int:
    match = _BETWEEN.match(text, pos)
    return match.end() if match else pos
