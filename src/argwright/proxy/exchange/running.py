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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from argwright.proxy.exchange.frames import BLANK, Frame, Says
from argwright.proxy.exchange.protocol import Body, Place, Seen
from argwright.wire.deltas import (
    ArgumentsDelta,
    Delta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
)

_STRING = re.compile(rb'(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})++')
"""What stands in a string that is not empty; half a surrogate pair is left to the reader of events."""
_LATER = re.compile(rb"(?!\{|\\u007[bB])" + _STRING.pattern)
"""A piece that does not begin as the arguments do: one that does may be all of them once more."""
_SEVERAL = {one: re.compile(one.pattern + b"(?:\n" + one.pattern + b")*+") for one in (_STRING, _LATER)}
_BREAK = b"\n"
_PADDING = re.compile(rb'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(rb"(?:[1-9][0-9]{0,15}|0)(?=[,}])")
_GAPS = re.compile(rb'"sequence_number": ?(?P<number>[0-9]+)|"obfuscation": ?"(?P<padding>[^"\\]*)"')
_NAMES = re.compile(rb'"created": ?(?P<number>[0-9]+)|"(?:id|model)": ?"(?P<padding>[^"\\]*)"')
_TIME, _NAME = re.compile(_NUMBER.pattern + b"()"), re.compile(_PADDING.pattern + b"()")
"""What names a reply, and is the same in all of its events."""
_MOST = 6  # shapes of one upstream
_REASONING = re.compile(rb'"(?:thinking|reasoning_content|reasoning)": ?"([^"\\\x00-\x1f]+)"')
_PROOF = "proof"
_read = json.JSONDecoder(strict=False).decode  # made once: `json.loads` would make one each time
_DATA = b"data: "


_Text: TypeAlias = "tuple[tuple[int, int] | None, re.Pattern[bytes]]"  # where the text stands, and what it may be
See = Callable[[str | None, Body], Seen]
Deltas = Callable[[str | None, Body], Iterable[Delta]]


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


@dataclass(frozen=True, slots=True)
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
    """

    seen: Seen
    name: str | None
    parts: tuple[tuple[bytes, re.Pattern[bytes]], ...]
    end: bytes
    text: int
    index: int | None = None
    ends: FinishDelta | None = None
    adds: bool = False

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
        return (TextDelta(text),) if self.seen.text else ()

    def body(self, text: str, pieces: tuple[bytes, ...]) -> Body:
        """What an event says that has this text, and these pieces in the other gaps."""
        filled = list(pieces)
        if self.text >= 0:
            filled[self.text] = json.dumps(text).encode()[1:-1]
        raw = b"".join(literal + piece for (literal, _), piece in zip(self.parts, filled, strict=True)) + self.end
        body: Body = _read(raw[raw.index(_DATA) + len(_DATA) :].decode("utf-8", "replace"))
        return body

    def fixed(self, pieces: tuple[bytes, ...]) -> Pattern:
        """The pattern in the one reply that has these names."""
        parts, literal = list[tuple[bytes, re.Pattern[bytes]]](), b""
        text = self.text
        for number, ((before, gap), found) in enumerate(zip(self.parts, pieces, strict=True)):
            literal += before
            if gap is _TIME or gap is _NAME:
                literal += found
                continue
            text = len(parts) if number == self.text else text
            parts.append((literal, gap))
            literal = b""
        parts_made, end = tuple(parts), literal + self.end
        return Pattern(self.seen, self.name, parts_made, end, text, self.index, self.ends, self.adds)


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
        for at in (*range(place, len(known)), *range(min(place, len(known)))):
            found = known[at].named(data, pos)
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


def pattern(frame: Frame, seen: Seen, see: See, deltas: Deltas) -> Pattern | None:
    """The pattern of an event that says text, or nothing that counts, if its bytes show where; names are gaps in it.

    Args:
        frame: the event.
        seen: what it is.
        see: tells what an event is.
        deltas: tells what an event says.
    """
    if not _may_run(seen) or not _is_plain(frame):
        return None
    told = list(deltas(frame.name, frame.data)) if seen.finish else []
    ends = told[0] if len(told) == 1 and isinstance(told[0], FinishDelta) else None
    if seen.finish and ends is None:
        return None
    said = replace(seen, text=_PROOF if seen.text else "")
    texts = ((span, _STRING) for span in _spans(frame.raw, seen))
    proved = _proved(frame, seen, texts, lambda body: see(frame.name, body) == said)
    if proved is None:
        return None
    made, body = proved
    return replace(made, ends=ends, adds=all(map(_is_proof, deltas(made.name, body))))


def _may_run(seen: Seen) -> bool:
    """Whether an event is text, or the reason for the end, or counts for nothing."""
    if seen.usage or seen.odd or seen.begins or seen.calls or seen.error or seen.end:
        return False
    return not seen.reads or (seen.finish and not seen.text)


def piece(frame: Frame, seen: Seen, see: See, deltas: Deltas) -> Pattern | None:
    """The pattern of an event that says a piece of a call's arguments, and nothing else, if its bytes show where.

    The arguments begin with `{`; a piece that does so again is none of the pattern.

    Args:
        frame: the event.
        seen: what it is.
        see: tells what an event is.
        deltas: tells what an event says.
    """
    if seen.finish or seen.usage or seen.odd or seen.begins or not (seen.pure and _is_plain(frame)):
        return None
    told = list(deltas(frame.name, frame.data))
    if len(told) != 1 or not isinstance(told[0], ArgumentsDelta):
        return None
    proof = [replace(told[0], text=_PROOF)]
    texts = ((span, _LATER) for span in _places(frame.raw, told[0].text))
    proved = _proved(
        frame, seen, texts, lambda body: see(frame.name, body) == seen and [*deltas(frame.name, body)] == proof
    )
    return None if proved is None else replace(proved[0], index=told[0].index, adds=True)


def _proved(
    frame: Frame, seen: Seen, texts: Iterable[_Text], proves: Callable[[Body], bool]
) -> tuple[Pattern, Body] | None:
    """The first pattern, with names as gaps if it can be, all of whose other events prove it; one of them beside it."""
    for text in texts:
        for names in (_NAMES, None):
            made = _cut(frame, seen, text, names)
            bodies = _said_otherwise(made)
            if bodies and all(map(proves, bodies)):
                return made, bodies[0]
    return None


def _is_plain(frame: Frame) -> bool:
    """Whether the event is one line of data, behind its name if it has one."""
    head = b"" if frame.name is None else b"event: %b\n" % frame.name.encode("utf-8", "replace")
    line = frame.raw.removeprefix(head)
    return (
        frame.says is Says.DATA and line.startswith(_DATA) and b"\r" not in line and line.find(b"\n") == len(line) - 2
    )


def _spans(raw: bytes, seen: Seen) -> Iterator[tuple[int, int] | None]:
    """Where the text may stand; `None` for an event that has none."""
    if seen.place is Place.TEXT:
        yield from _places(raw, seen.text)
    elif seen.place is Place.OTHER:
        found = _REASONING.search(raw)
        yield found.span(1) if found else None


def _places(raw: bytes, text: str) -> Iterator[tuple[int, int]]:
    """Where this text may stand, as servers write it."""
    for ascii_only in (False, True):
        said = json.dumps(text, ensure_ascii=ascii_only).encode("utf-8", "replace")
        start = raw.find(said)
        if start >= 0 and _STRING.fullmatch(said, 1, len(said) - 1):
            yield start + 1, start + len(said) - 1


def _cut(frame: Frame, seen: Seen, text: _Text, names: re.Pattern[bytes] | None) -> Pattern:
    raw, span = frame.raw, text[0]
    gaps = [*_gaps(raw, _GAPS, _NUMBER, _PADDING), *(_gaps(raw, names, _TIME, _NAME) if names else ())]
    if span is not None:
        gaps = [*((place, fits) for place, fits in gaps if place[1] <= span[0] or place[0] >= span[1]), (span, text[1])]
    gaps.sort(key=lambda gap: gap[0])
    pos, parts = 0, list[tuple[bytes, re.Pattern[bytes]]]()
    for (start, end), fits in gaps:
        parts.append((raw[pos:start], fits))
        pos = end
    at = -1 if span is None else [place for place, _ in gaps].index(span)
    return Pattern(seen, frame.name, tuple(parts), raw[pos:], at)


def _gaps(
    raw: bytes, where: re.Pattern[bytes], number: re.Pattern[bytes], padding: re.Pattern[bytes]
) -> Iterator[tuple[tuple[int, int], re.Pattern[bytes]]]:
    for found in where.finditer(raw):
        yield (found.span("number"), number) if found["number"] else (found.span("padding"), padding)


def _said_otherwise(made: Pattern) -> list[Body]:
    """What events of the pattern say that have another text, and other names, empty ones among them."""
    try:
        return [
            made.body(_PROOF, tuple(number if gap in (_NUMBER, _TIME) else name for _, gap in made.parts))
            for number, name in ((b"7", b"name"), (b"0", b""))
        ]
    except ValueError:
        return []


def _is_proof(delta: Delta) -> bool:
    """Whether a delta of the event that proves a pattern tells its text, and nothing else that adds up."""
    match delta:
        case TextDelta(text=text) | ReasoningDelta(text=text):
            return text == _PROOF
        case PartDelta(put=None, arguments=None, append=append):
            return append is not None and all(value == _PROOF for value in append.values())
        case _:
            return isinstance(delta, MetaDelta)
