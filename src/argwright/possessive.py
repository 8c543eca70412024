"""Regular expressions with possessive groups, that mean the same on every Python.

Up to Python 3.11.4 a possessive repeat of a group (`(?:…)*+`) is wrong where its last try fails in the middle: what
that try had read counts as matched (CPython's issue 106052), so that a text would be read otherwise there. An atomic
group around a common repeat (`(?>(?:…)*)`) has the same meaning and is right; it takes more memory, and is written
only for those versions.
"""

from __future__ import annotations

import re
import sys
from typing import AnyStr

_IS_WRONG = sys.version_info < (3, 11, 5)
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")
_POSSESSIVE = re.compile(r"([*+?]|\{[0-9,]+\})\+")


def compiled(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`."""
    if not _IS_WRONG:
        return re.compile(pattern, flags)
    verbose = bool(flags & re.VERBOSE)
    if isinstance(pattern, bytes):
        return re.compile(atomic(pattern.decode("latin-1"), verbose=verbose).encode("latin-1"), flags)
    return re.compile(atomic(pattern, verbose=verbose), flags)


def atomic(pattern: str, *, verbose: bool = False) -> str:
    """The pattern with an atomic group for every possessive one."""
    pieces: list[str] = []
    opened: list[int] = []  # where in the pieces each open group begins
    pos = 0
    while pos < len(pattern):
        end = _token_end(pattern, pos, verbose=verbose)
        piece = pattern[pos:end]
        if piece == "(":
            opened.append(len(pieces))
        pieces.append(piece)
        if piece == ")":
            start = opened.pop()
            repeat = _POSSESSIVE.match(pattern, end)
            if repeat:
                pieces.insert(start, "(?>")
                pieces.append(f"{repeat[1]})")
                end = repeat.end()
        pos = end
    return "".join(pieces)


def _token_end(pattern: str, pos: int, *, verbose: bool) -> int:
    """Behind an escape, a class of characters, a comment, or one sign."""
    char = pattern[pos]
    if char == "\\":
        return pos + 2
    if char == "[" and (match := _CLASS.match(pattern, pos)):
        return match.end()
    if char == "#" and verbose and (match := _COMMENT.match(pattern, pos)):
        return match.end()
    return pos + 1
