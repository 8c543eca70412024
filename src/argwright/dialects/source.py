"""The text as it arrives, and the small readers that wait for more of it.

A grammar is a generator: it yields `None` where it needs a character that is not there
yet, and events as they become certain. Each reader here decides only on characters that
no later text can change, so that the answer cannot depend on how the text was cut, and
none goes back over what it has read, so that the time is linear in the text.

The whole text is kept and positions count from its beginning. Nothing may keep `text`
(nor a match object, which keeps it too) while it waits: the string grows in place only
as long as nobody else holds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

from argwright.dialects.events import Event

T = TypeVar("T")
Steps: TypeAlias = Generator[Event | None, None, T]
"""A reader at work: events, `None` for "more text, please", and at last its answer."""

SPACE = " \t\r\n"
MAX_OPTION = 64  # no marker is longer
_SPACES = re.compile(r"[ \t\r\n]*+")
_BLANKS = re.compile(r"[ \t]*+")


class Source:
    """The text so far.

    Attributes:
        text: what has arrived.
        ended: nothing more will.
        finished: the provider said that the reply ended normally.
    """

    __slots__ = ("ended", "finished", "text")

    def __init__(self) -> None:
        self.text = ""
        self.ended = False
        self.finished = False

    def append(self, more: str) -> None:
        """Take the next piece.

        A local name with no other holder lets the interpreter grow the string in place.
        """
        text = self.text
        self.text = ""
        text += more
        self.text = text


def _run(src: Source, pos: int, pattern: re.Pattern[str]) -> Steps[int]:
    while True:
        match = pattern.match(src.text, pos)
        pos = match.end() if match else pos
        match = None
        if pos < len(src.text) or src.ended:
            return pos
        yield None


def skip_space(src: Source, pos: int) -> Steps[int]:
    """Past white space, to a character or the end of the text."""
    return _run(src, pos, _SPACES)


def skip_blanks(src: Source, pos: int) -> Steps[int]:
    """Past blanks and tabs, to a line break, a character or the end of the text."""
    return _run(src, pos, _BLANKS)


def peek(src: Source, pos: int) -> Steps[str]:
    """The character at `pos`; the empty string at the end of the text."""
    while pos >= len(src.text):
        if src.ended:
            return ""
        yield None
    return src.text[pos]


def expect(src: Source, pos: int, options: tuple[str, ...]) -> Steps[str | None]:
    """Which of the options, none longer than `MAX_OPTION`, stands at `pos`; the longest if several do."""
    while True:
        text = src.text
        stands = text.startswith(options, pos)
        if src.ended or len(text) - pos >= MAX_OPTION:
            return _longest(text, pos, options) if stands else None
        rest = text[pos:]
        if not any(len(option) > len(rest) and option.startswith(rest) for option in options):
            return _longest(text, pos, options) if stands else None
        del text
        yield None


def _longest(text: str, pos: int, options: tuple[str, ...]) -> str | None:
    longest: str | None = None
    for option in options:
        if text.startswith(option, pos) and (longest is None or len(option) > len(longest)):
            longest = option
    return longest


def repeated(src: Source, pos: int, text: str) -> Steps[bool]:
    """Whether this text stands at `pos` once more."""
    while len(src.text) - pos < len(text) and not src.ended:
        if src.text[pos:] != text[: len(src.text) - pos]:
            return False
        yield None
    return src.text.startswith(text, pos)


def word(
    src: Source, pos: int, pattern: re.Pattern[str], limit: int, *, hopeless: Callable[[str], bool] | None = None
) -> Steps[int | None]:
    """The end of the run of characters that the pattern matches; `None` if it is longer than the limit.

    Args:
        src: the text.
        pos: where the run begins.
        pattern: matches a run of any length, the empty one too.
        limit: the most characters of a run.
        hopeless: of a run that is not at its end yet, whether nobody wants to know it any more; then it is `None`.
    """
    while True:
        match = pattern.match(src.text, pos, pos + limit + 1)
        end = match.end() if match else pos
        match = None
        if end - pos > limit:
            return None
        if end < len(src.text) or src.ended:
            return end
        if hopeless is not None and end > pos and hopeless(src.text[pos:end]):
            return None
        yield None


def find(
    src: Source, pos: int, pattern: re.Pattern[str], longest: int, *, within: int | None = None
) -> Steps[tuple[int, int] | None]:
    """Where the pattern is found next: start and end, or `None`.

    Args:
        src: the text.
        pos: from where on.
        pattern: no match of it may be the beginning of another, longer one.
        longest: the length of its longest match.
        within: how many characters are looked at; a search that may fail, with its place tried again, needs a bound.
    """
    last = None if within is None else pos + within
    while True:
        match = pattern.search(src.text, pos) if last is None else pattern.search(src.text, pos, last)
        if match:
            return match.span()
        if (last is not None and len(src.text) >= last) or src.ended:
            return None
        pos = max(pos, len(src.text) - longest + 1)
        yield None
