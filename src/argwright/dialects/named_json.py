"""The arguments of a call whose name stood before them: one object, as written.

They end where the object ends. A closer behind an object that is not whole stays with
the text, since it shows that nothing more would have come; what follows an object and
can only belong to it shows that its end was misjudged, and the call cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from argwright.dialects.brackets import Notation, body_end
from argwright.dialects.context import found
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_blanks, skip_space

_FENCES = ("```json", "```")
_STRAY = frozenset("\"':,")


@dataclass(frozen=True)
class Head:
    """What is known of a call before its arguments."""

    dialect: str
    name: str
    id: str | None = None


@dataclass(frozen=True)
class Ends:
    """The markers that close the arguments, and those that show that they have ended without being closed."""

    closers: tuple[str, ...]
    others: tuple[str, ...] = ()

    @cached_property
    def notation(self) -> Notation:
        """JSON, ended by these markers."""
        return Notation(stops=(*self.closers, *self.others))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All of them."""
        return re.compile("|".join(map(re.escape, (*self.closers, *self.others))) or r"(?!)")

    @property
    def longest(self) -> int:
        """The length of the longest."""
        return max(map(len, (*self.closers, *self.others, "<")))


def json_arguments(src: Source, pos: int, head: Head, ends: Ends) -> Steps[int]:
    """The arguments that begin at `pos`, or nothing if the call is closed at once; reports the call."""
    pos = yield from skip_space(src, pos)
    fence = yield from expect(src, pos, _FENCES)
    if fence:
        pos = yield from skip_space(src, pos + len(fence))
    sign = yield from peek(src, pos)
    if sign != "{":
        return (yield from _without_object(src, pos, head, ends))
    end, complete = yield from body_end(src, pos, ends.notation)
    if complete and not (yield from _runs_on(src, end)):
        end = yield from _extra_closers(src, end)
        yield found(head.dialect, head.name, src.text[pos:end], id=head.id)
        return (yield from _closed(src, end, ends, fenced=bool(fence)))
    if complete:
        return (yield from _unreadable(src, pos, head, ends))
    tail = "" if end == len(src.text) else (yield from expect(src, end, ends.closers or ("\0",))) or ""
    yield found(head.dialect, head.name, src.text[pos:end] + tail, id=head.id, cut=not tail)
    return end + len(tail)


def _without_object(src: Source, pos: int, head: Head, ends: Ends) -> Steps[int]:
    """A call without arguments, if its closer stands here; else one whose arguments cannot be read."""
    closer = (yield from expect(src, pos, ends.closers)) if ends.closers else None
    if closer and (yield from peek(src, pos + len(closer))) != "{":
        yield found(head.dialect, head.name, "", id=head.id)
        return pos + len(closer)
    return (yield from _unreadable(src, pos, head, ends))


def _unreadable(src: Source, pos: int, head: Head, ends: Ends) -> Steps[int]:
    closer = (yield from expect(src, pos, ends.closers)) if ends.closers else None
    mark = yield from find(src, pos + len(closer or ""), ends.pattern, ends.longest)
    end = mark[0] if mark else len(src.text)
    yield found(head.dialect, head.name, src.text[pos:end].rstrip(SPACE), id=head.id, cut=True)
    closer = (yield from expect(src, end, ends.closers)) if ends.closers else None
    return end + len(closer or "")


def _runs_on(src: Source, pos: int) -> Steps[bool]:
    """Whether what follows on the line shows that the object did not end here."""
    ahead = yield from skip_blanks(src, pos)
    return (yield from peek(src, ahead)) in _STRAY


def _extra_closers(src: Source, pos: int) -> Steps[int]:
    """Past braces too many, which stay with the arguments."""
    while (yield from peek(src, pos)) == "}":
        pos += 1
    return pos


def _closed(src: Source, pos: int, ends: Ends, *, fenced: bool) -> Steps[int]:
    ahead = yield from skip_space(src, pos)
    if fenced and (yield from expect(src, ahead, ("```",))):
        pos = ahead + 3
        ahead = yield from skip_space(src, pos)
    if ends.closers and (closer := (yield from expect(src, ahead, ends.closers))):
        return ahead + len(closer)
    return pos
