"""Where a bracketed body ends, found without reading what it says.

A scan that knows strings and brackets, and nothing else: a closing tag inside a string
is content, damage inside the body is left for `argwright.decode` to judge. Outside
strings a dialect's own markers end the body, whole or not. That also keeps the time
linear over many broken bodies: a scan that runs on into the next body finds itself inside
a string there, at most two can, and the third meets a marker.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from argwright.dialects.events import Event
from argwright.dialects.source import Source, Steps, expect
from argwright.possessive import compiled

T = TypeVar("T")

CLOSER = {"{": "}", "[": "]", "(": ")"}
_QUOTE_END = {'"': compiled(r'["\\]'), "'": compiled(r"['\\]")}
_BEFORE_STRING = frozenset("{[(,:=")


@dataclass(frozen=True)
class Notation:
    """How a body is written.

    Args:
        stops: markers that end the body when they stand outside a string.
        brackets: the opening brackets that count.
        tokens: strings that stand between two equal tokens instead of quotes.
        python: an apostrophe opens a string wherever it stands, and quotes may be tripled.
    """

    stops: tuple[str, ...] = ()
    brackets: str = "{["
    tokens: tuple[str, ...] = ()
    python: bool = False

    @cached_property
    def outside(self) -> re.Pattern[str]:
        """What need not be looked at outside a string: other signs, and whole strings where nothing else opens one."""
        signs = {*self.heads, *self.brackets, *(CLOSER[bracket] for bracket in self.brackets), '"', "'"}
        others = "[^" + re.escape("".join(sorted(signs))) + "]++"
        return compiled(others if self.python else rf'(?:{others}|"(?:[^"\\]|\\.)*+")*+', re.DOTALL)

    @cached_property
    def markers(self) -> tuple[str, ...]:
        """Stops and tokens."""
        return (*self.stops, *self.tokens)

    @cached_property
    def heads(self) -> frozenset[str]:
        """What they begin with."""
        return frozenset(mark[0] for mark in self.markers)


JSON = Notation()
PYTHON = Notation(brackets="{[(", python=True)


@dataclass(slots=True)
class _Open:
    """The brackets that are open, by the closers they wait for."""

    closers: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: {"}": 0, "]": 0, ")": 0})

    def push(self, bracket: str) -> None:
        closer = CLOSER[bracket]
        self.closers.append(closer)
        self.counts[closer] += 1

    def close(self, closer: str) -> bool:
        """Close down to this closer's bracket, if one is open; whether nothing is open any more."""
        while self.counts[closer]:
            last = self.closers.pop()
            self.counts[last] -= 1
            if last == closer:
                break
        return not self.closers


def body_end(src: Source, pos: int, notation: Notation = JSON) -> Steps[tuple[int, bool]]:
    """The end of the body whose opening bracket stands at `pos`, and whether it is whole.

    A body that is not whole ends at a marker, or at the end of the text.
    """
    opened = _Open()
    while True:
        passed = notation.outside.match(src.text, pos)
        pos, passed = (passed.end() if passed else pos), None
        if pos >= len(src.text):
            if src.ended:
                return len(src.text), False
            yield None
            continue
        sign = src.text[pos]
        marker = (yield from expect(src, pos, notation.markers)) if sign in notation.heads else None
        if marker in notation.stops:
            return pos, False
        if marker is not None:
            pos = yield from _token_end(src, pos + len(marker), marker)
        elif sign in CLOSER and sign in notation.brackets:
            opened.push(sign)
            pos += 1
        elif sign in opened.counts:
            pos += 1
            if opened.close(sign):
                return pos, True
        else:
            pos = yield from _string(src, pos, notation)


def _string(src: Source, pos: int, notation: Notation) -> Steps[int]:
    """Past the string or the stray sign at `pos`."""
    sign = src.text[pos]
    if sign not in _QUOTE_END:
        return pos + 1
    if notation.python:
        quote = yield from expect(src, pos, (sign, sign * 3))
        if quote is not None and quote != sign:
            return (yield from _token_end(src, pos + 3, quote))
    elif sign == "'" and not _opens_string(src.text, pos):
        return pos + 1
    return (yield from string_end(src, pos))


def _opens_string(text: str, pos: int) -> bool:
    """Whether an apostrophe stands where a string may begin."""
    before = pos - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    return before < 0 or text[before] in _BEFORE_STRING


def string_end(src: Source, pos: int) -> Steps[int]:
    """The end of the quoted string that begins at `pos`; the end of the text if it is not closed."""
    pattern = _QUOTE_END[src.text[pos]]
    pos += 1
    while True:
        hit = pattern.search(src.text, pos)
        if hit is None:
            pos = max(pos, len(src.text))
            if src.ended:
                return len(src.text)
            yield None
            continue
        escaped, pos, hit = hit.group() == "\\", hit.end(), None
        if not escaped:
            return pos
        pos += 1


def _token_end(src: Source, pos: int, token: str) -> Steps[int]:
    """Past the next occurrence of the token; the end of the text if there is none."""
    while True:
        found = src.text.find(token, pos)
        if found >= 0:
            return found + len(token)
        if src.ended:
            return len(src.text)
        pos = max(pos, len(src.text) - len(token) + 1)
        yield None


def settle(steps: Generator[Event | None, None, T]) -> T:
    """The answer of a reader over a text that has ended."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            answer: T = stop.value
            return answer


def whole(text: str) -> Source:
    """A source of a text that has ended."""
    src = Source()
    src.append(text)
    src.ended = True
    return src
