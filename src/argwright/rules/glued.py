"""Several objects in one arguments text, where the caller wants each to be a call of its own.

Only whole, strictly written objects with nothing but blanks and commas between them are
taken apart; each keeps its own text, so that it is read and recorded like any call's. A
repetition is no second call, nor is an empty object in front of others, which is what
some servers send first.
"""

from __future__ import annotations

import json
import re

from argwright.model import Json
from argwright.rules.places import equal

_BETWEEN = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_MOST = 64  # calls in one text; the longest run seen is 7


def split(text: str) -> tuple[str, ...]:
    """The texts of the different objects; empty unless there are at least two of them and nothing else."""
    parts: list[tuple[str, Json]] = []
    pos = _blank(text, 0)
    while pos < len(text):
        if text[pos] != "{" or len(parts) == _MOST:
            return ()
        try:
            value, end = _DECODER.raw_decode(text, pos)
        except (ValueError, RecursionError):
            return ()
        if not any(equal(value, known) for _, known in parts):
            parts.append((text[pos:end], value))
        pos = _blank(text, end)
    if parts and parts[0][1] == {}:
        parts = parts[1:]
    return tuple(part for part, _ in parts) if len(parts) > 1 else ()


def _blank(text: str, pos: int) -> int:
    match = _BETWEEN.match(text, pos)
    return match.end() if match else pos
