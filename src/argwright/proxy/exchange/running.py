"""Text as it runs: an event that differs from one already read in nothing but its text is known by its bytes.

Nearly all of a stream is such events, and reading the JSON of each costs more than all the rest. So the bytes of the
last one that was read are kept as a pattern: what stands before its text and behind it, with gaps for the members that
count or pad. Bytes that have the pattern, and in the gaps nothing that ends or escapes a JSON string, are the same JSON
with other text. What has not the pattern is read as ever; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from argwright.proxy.exchange.frames import Frame, Says
from argwright.proxy.exchange.protocol import Body, Place, Seen

_TEXT = re.compile(rb'[^"\\\x00-\x1f]+')
_NUMBER = re.compile(rb"(?:0|[1-9][0-9]{0,15})(?![0-9.eE])")
_PADDING = re.compile(rb'[^"\\\x00-\x1f]*')
_GAPS = re.compile(rb'(?<!\\)"(?:sequence_number": ?(?P<number>[0-9]{1,16})(?=[,} ])|obfuscation": ?"(?P<padding>[^"\\]*)")')
_REASONING = re.compile(rb'(?<!\\)"(?:thinking|reasoning_content|reasoning)": ?"([^"\\\x00-\x1f]+)"')
_BEFORE_VALUE = (b":", b": ")
_TELLING = re.compile(r"[^\s:,{}\[\]0-9.+\-truefalsnE]")
"""A character that stands in no JSON outside strings: a text that has one and is found in quotes is a string."""


@dataclass(frozen=True, slots=True)
class Run:
    """Events of one pattern, one behind the other.

    Args:
        size: how many bytes they are.
        text: what they say together.
        pieces: what each gap of the last of them holds.
    """

    size: int
    text: str
    pieces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """The bytes of an event with gaps.

    Args:
        seen: what the event is.
        name: its name.
        parts: literal bytes and what may stand behind them, in order.
        end: the bytes behind the last gap.
        text: which of the gaps is the text.
    """

    seen: Seen
    name: str | None
    parts: tuple[tuple[bytes, re.Pattern[bytes]], ...]
    end: bytes
    text: int

    def match(self, data: bytes) -> Run | None:
        """The events of this pattern with which the bytes begin."""
        size, said, last = 0, [], ()
        while (found := self._one(data, size)) is not None:
            size, last = found
            said.append(last[self.text])
        try:
            return Run(size, b"".join(said).decode(), last) if said else None
        except UnicodeDecodeError:
            return None

    def _one(self, data: bytes, pos: int) -> tuple[int, tuple[bytes, ...]] | None:
        pieces: list[bytes] = []
        for literal, gap in self.parts:
            if not data.startswith(literal, pos):
                return None
            found = gap.match(data, pos + len(literal))
            if found is None:
                return None
            pieces.append(found.group())
            pos = found.end()
        return (pos + len(self.end), tuple(pieces)) if data.startswith(self.end, pos) else None

    def body(self, text: str, pieces: tuple[bytes, ...]) -> Body:
        """What an event of this pattern says."""
        filled = [*pieces[: self.text], text.encode(), *pieces[self.text + 1 :]]
        raw = b"".join(literal + piece for (literal, _), piece in zip(self.parts, filled, strict=True)) + self.end
        body: Body = json.loads(raw[raw.index(b"data:") + len(b"data:") :])
        return body


def pattern(frame: Frame, seen: Seen) -> Pattern | None:
    """The pattern of an event that says text and nothing else, if its bytes show where."""
    if seen.reads or seen.finish or seen.usage or seen.odd or seen.begins or not _is_one_line(frame):
        return None
    if seen.place is Place.TEXT:
        span = _span_of(frame.raw, seen.text)
    elif seen.place is Place.OTHER:
        found = _REASONING.findall(frame.raw)
        span = _span_of(frame.raw, found[0].decode("utf-8", "replace")) if len(found) == 1 else None
    else:
        span = None
    return None if span is None else _cut(frame, seen, span)


def _is_one_line(frame: Frame) -> bool:
    lines = frame.raw.split(b"\n")
    named = [] if frame.name is None else [f"event: {frame.name}".encode()]
    *heads, data, first, last = [b"", b"", b"", *lines][-len(named) - 3 :]
    return frame.says is Says.DATA and heads == named and data.startswith(b"data: {") and not first and not last


def _span_of(raw: bytes, text: str) -> tuple[int, int] | None:
    """Where in the bytes the text stands as the value of a member; `None` unless that is certain."""
    token = b'"' + text.encode("utf-8", "replace") + b'"'
    start = raw.find(token)
    if start < 0 or raw.find(token, start + 1) >= 0 or not _TELLING.search(text) or not _TEXT.fullmatch(token[1:-1]):
        return None
    return (start + 1, start + len(token) - 1) if raw[:start].endswith(_BEFORE_VALUE) else None


def _cut(frame: Frame, seen: Seen, span: tuple[int, int]) -> Pattern:
    gaps = [(*span, _TEXT)]
    for found in _GAPS.finditer(frame.raw):
        kind = "number" if found["number"] is not None else "padding"
        gaps.append((*found.span(kind), _NUMBER if kind == "number" else _PADDING))
    gaps.sort(key=lambda gap: gap[0])
    parts: list[tuple[bytes, re.Pattern[bytes]]] = []
    pos = 0
    for start, end, gap in gaps:
        parts.append((frame.raw[pos:start], gap))
        pos = end
    return Pattern(seen, frame.name, tuple(parts), frame.raw[pos:], [start for start, *_ in gaps].index(span[0]))
