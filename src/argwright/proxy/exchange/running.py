"""Events known by their bytes: one that differs from one already read in nothing but its text need not be read.

Nearly all of a stream is such events, and reading the JSON of each costs more than all the rest. So the bytes of the
last one that was read are kept as a pattern: what stands before its text (or its piece of a call's arguments) and
behind it, with gaps for the members that count or pad. Bytes that have the pattern, and in the gaps nothing that ends a
JSON string, are the same JSON with other text. A pattern is proved before it is used: with another word in the gap, the
event must say that word. What does not have the pattern is read as ever; nothing is guessed.

Where the names of the reply (its id, its time, its model) are gaps as well, the pattern is that of every stream of the
same upstream: `Shapes` keeps the last of them, so that the next stream's events need not be read from the first on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from argwright.making import quick
from argwright.model import CallDelta
from argwright.possessive import compiled
from argwright.proxy.exchange.frames import BLANK
from argwright.proxy.exchange.protocol import Body, Seen
from argwright.wire.deltas import (
    ArgumentsDelta,
    Delta,
    FinishDelta,
    TextDelta,
)

STRING = compiled(rb'(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})++')
"""What stands in a string that is not empty; half a surrogate pair is left to the reader of events."""
LATER = compiled(rb"(?!\{|\\u007[bB])" + STRING.pattern)
"""A piece that does not begin as the arguments do: one that does may be all of them once more."""
_FIRST = compiled(rb"(?=\{)" + STRING.pattern)
"""The piece with which the arguments begin."""
OWN = compiled(rb"(?=[A-Za-z_-]*+[0-9])[A-Za-z0-9_-]++")
"""The id of a call, as servers make them; none of the words that mean none."""
_SEVERAL = {one: compiled(one.pattern + b"(?:\n" + one.pattern + b")*+") for one in (STRING, LATER)}
_BREAK = b"\n"
PADDING = compiled(rb'[^"\\\x00-\x1f]*')
NUMBER = compiled(rb"(?:[1-9][0-9]{0,15}|0)(?=[,}])")
TIME, NAME = compiled(NUMBER.pattern + b"()"), compiled(PADDING.pattern + b"()")
"""What names a reply, and is the same in all of its events."""
_MOST = 12  # shapes of one upstream
_read = json.JSONDecoder(strict=False).decode  # made once: `json.loads` would make one each time
DATA = b"data: "


class Run(NamedTuple):
    """Events of one pattern, one behind the other.

    Args:
        size: how many bytes they are.
        text: what they say together.
        pieces: what the gaps of the last of them hold.
    """

    size: int
    text: str
    pieces: tuple[bytes, ...]


@quick
@dataclass(frozen=True)
class Pattern:
    """The bytes of an event, with gaps.

    Args:
        seen: what the event is.
        name: its name.
        parts: bytes, and what may stand in the gap behind them; in order.
        end: the bytes behind the last gap.
        text: which of the gaps is the text; -1: it says none.
        index: of the call of whose arguments the text is a piece, if it is one.
        ends: the reason for the reply's end, if the event gives it.
        adds: several events say what one with their joined texts says; else each counts by itself.
        opens: what it says of the call that it opens, first of all its id and name; its text is the call's id.
    """

    seen: Seen
    name: str | None
    parts: tuple[tuple[bytes, re.Pattern[bytes]], ...]
    end: bytes
    text: int
    index: int | None = None
    ends: FinishDelta | None = None
    adds: bool = False
    opens: tuple[Delta, ...] = ()

    @property
    def begins(self) -> bool:
        """Whether its text is the piece with which a call's arguments begin."""
        return self.index is not None and not self.adds

    def first(self) -> Pattern:
        """Of a piece that goes on: the one that begins."""
        parts = tuple((literal, _FIRST if gap is LATER else gap) for literal, gap in self.parts)
        return replace(self, parts=parts, adds=False)

    def fits(self, raw: bytes) -> bool:
        """Whether an event is of this pattern."""
        found = self._one(raw, 0)
        return found is not None and found[0] == len(raw)

    def run(self, data: bytes, pos: int = 0) -> Run | None:
        """The events of this pattern that stand from here on, one behind the other."""
        if self.text < 0:
            found = self._one(data, pos)
            return found and Run(found[0] - pos, "", found[1])
        if self.adds and len(self.parts) == 1 and (end := data.rfind(self.end, pos)) >= 0:
            stop = end + len(self.end)
            if (whole := self._all(data[pos:stop] if pos or stop < len(data) else data)) is not None:
                return whole
        texts, end = list[str](), pos
        last: tuple[bytes, ...] = ()
        while (found := self._one(data, end)) is not None and (said := _text(found[1][self.text])):
            end, last = found
            texts.append(said)
            if not self.adds:
                break
        return Run(end - pos, "".join(texts), last) if texts else None

    def _all(self, data: bytes) -> Run | None:
        """All events, if there is nothing else; a line break stands in no text, so that it may stand between two."""
        [(head, gap)] = self.parts
        if not (data.startswith(head) and data.endswith(self.end)):
            return None
        said = data[len(head) : -len(self.end)]
        if _BREAK in said:
            end = self.end.removesuffix(BLANK)
            events = data.split(BLANK)[:-1]
            texts = [one[len(head) : -len(end)] for one in events if one.startswith(head) and one.endswith(end)]
            said = _BREAK.join(texts)
            if len(texts) != len(events) or said.count(_BREAK) != len(events) - 1:
                return None
        text = _text(said) if _SEVERAL[gap].fullmatch(said) else ""
        return Run(len(data), text, (b"",)) if text else None

    def apart(self, data: bytes) -> Iterator[tuple[bytes, str, tuple[bytes, ...]]]:
        """The events of a run, one by one: the bytes, the text, and what the gaps hold."""
        pos = 0
        while (found := self._one(data, pos)) is not None:
            yield data[pos : found[0]], _text(found[1][self.text]), found[1]
            pos = found[0]

    def _one(self, data: bytes, pos: int) -> tuple[int, tuple[bytes, ...]] | None:
        pieces: list[bytes] = []
        for literal, gap in self.parts:
            found = gap.match(data, pos + len(literal)) if data.startswith(literal, pos) else None
            if found is None:
                return None
            pieces.append(found.group())
            pos = found.end()
        return (pos + len(self.end), tuple(pieces)) if data.startswith(self.end, pos) else None

    def named(self, data: bytes, pos: int) -> Pattern | None:
        """The pattern in the reply to which the event that begins here belongs, if it is of this shape."""
        found = self._one(data, pos)
        return None if found is None else self.fixed(found[1])

    def says(self, text: str) -> tuple[Delta, ...]:
        """What an event says that counts and has this text; reasoning does not."""
        if self.index is not None:
            return (ArgumentsDelta(text, self.index),)
        if self.ends is not None:
            return (self.ends,)
        if self.opens:
            return renamed(self.opens, text)
        return (TextDelta(text),) if self.seen.text else ()

    def body(self, text: str, pieces: tuple[bytes, ...]) -> Body:
        """What an event says that has this text, and these pieces in the other gaps."""
        filled = list(pieces)
        if self.text >= 0:
            filled[self.text] = json.dumps(text).encode()[1:-1]
        raw = b"".join(literal + piece for (literal, _), piece in zip(self.parts, filled, strict=True)) + self.end
        body: Body = _read(raw[raw.index(DATA) + len(DATA) :].decode("utf-8", "replace"))
        return body

    def fixed(self, pieces: tuple[bytes, ...]) -> Pattern:
        """The pattern in the one reply that has these names."""
        parts, literal = list[tuple[bytes, re.Pattern[bytes]]](), b""
        text = self.text
        for number, ((before, gap), found) in enumerate(zip(self.parts, pieces, strict=True)):
            literal += before
            if gap is TIME or gap is NAME:
                literal += found
                continue
            text = len(parts) if number == self.text else text
            parts.append((literal, gap))
            literal = b""
        parts_made, end = tuple(parts), literal + self.end
        return Pattern(self.seen, self.name, parts_made, end, text, self.index, self.ends, self.adds, self.opens)


def renamed(opens: tuple[Delta, ...], own: str) -> tuple[Delta, ...]:
    """What opens a call, with another id."""
    call, *others = opens
    return (replace(call, id=own), *others) if isinstance(call, CallDelta) else opens


class Shapes:
    """The patterns that the last streams of an upstream had, without what names a reply in them."""

    def __init__(self) -> None:
        self._known: list[Pattern] = []

    def add(self, shape: Pattern) -> None:
        """A stream has had it, behind the others."""
        self._known = [*self._known[1 - _MOST :], shape]

    def find(self, data: bytes, pos: int, place: int = 0) -> tuple[Pattern, int] | None:
        """The pattern of the event that begins here, if one is known, and the place of the one that may follow it.

        Args:
            data: the bytes.
            pos: where the event begins.
            place: of the pattern that is tried first.
        """
        known = self._known
        stop = data.find(BLANK, pos) + len(BLANK)
        if stop < len(BLANK):
            return None
        for at in (*range(place, len(known)), *range(min(place, len(known)))):
            found = known[at].named(data, pos) if data.endswith(known[at].end, pos, stop) else None
            if found is not None:
                return found, at + 1
        return None


@lru_cache(maxsize=256)
def shapes(form: str, upstream: str) -> Shapes:
    """What is known of an upstream's streams."""
    del form, upstream
    return Shapes()


def _text(said: bytes) -> str:
    """What the insides of JSON strings, a line break between them, say together; nothing, if they are no UTF-8."""
    try:
        text = said.decode().replace("\n", "")
    except UnicodeDecodeError:
        return ""
    return _read(f'"{text}"') if "\\" in text else text


def frames(run: bytes) -> list[bytes]:
    """The events of a run, one by one."""
    return [run] if run.find(BLANK) == len(run) - len(BLANK) else [one + BLANK for one in run.split(BLANK)[:-1]]
