"""Text as it runs: an event that differs from one already read in nothing but its text is known by its bytes.

Nearly all of a stream is such events, and reading the JSON of each costs more than all the rest. So the bytes of the
last one that was read are kept as a pattern: what stands before its text and behind it, with gaps for the members that
count or pad. Bytes that have the pattern, and in the gaps nothing that ends a JSON string, are the same JSON with other
text. A pattern is proved before it is used: with another word in the gap, the event must say that word. What does not
have the pattern is read as ever; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from argwright.proxy.exchange.frames import Frame, Says
from argwright.proxy.exchange.protocol import Body, Place, Seen

_STRING = re.compile(rb'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})+')
"""What stands in a string that is not empty; half a surrogate pair is left to the reader of events."""
_PADDING = re.compile(rb'[^"\\\x00-\x1f]*')
_SIGN = re.compile(rb"[<{\[(]")
_NUMBER = re.compile(rb"(?:[1-9][0-9]{0,15}|0)(?=[,}])")
_GAPS = re.compile(rb'"sequence_number": ?(?P<number>[0-9]+)|"obfuscation": ?"(?P<padding>[^"\\]*)"')
_REASONING = re.compile(rb'"(?:thinking|reasoning_content|reasoning)": ?"([^"\\\x00-\x1f]+)"')
_PROOF = "proof"
_read = json.JSONDecoder(strict=False).decode  # made once: `json.loads` would make one each time
_DATA = b"data: "

See = Callable[[str | None, Body], Seen]


@dataclass(frozen=True, slots=True)
class Run:
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
        text: which of the gaps is the text.
    """

    seen: Seen
    name: str | None
    parts: tuple[tuple[bytes, re.Pattern[bytes]], ...]
    end: bytes
    text: int

    def fits(self, raw: bytes) -> bool:
        """Whether an event is of this pattern."""
        found = self._one(raw, 0)
        return found is not None and found[0] == len(raw)

    def run(self, data: bytes, pos: int = 0) -> Run | None:
        """The events of this pattern that stand from here on, one behind the other."""
        end, texts = pos, list[bytes]()
        last: tuple[bytes, ...] = ()
        while (found := self._one(data, end)) is not None and not self._may_call(found[1]):
            end, last = found
            texts.append(last[self.text])
        said = b"".join(texts)
        try:
            text = json.loads(b'"%b"' % said) if b"\\" in said else said.decode()
        except UnicodeDecodeError:
            return None
        return Run(end - pos, text, last) if texts else None

    def _may_call(self, pieces: tuple[bytes, ...]) -> bool:
        """Whether a call may begin or end in the text: such an event is read by itself."""
        return bool(self.seen.text) and _SIGN.search(pieces[self.text]) is not None

    def apart(self, data: bytes) -> Iterator[tuple[bytes, str, tuple[bytes, ...]]]:
        """The events of a run, one by one: the bytes, the text, and what the gaps hold."""
        pos = 0
        while (found := self._one(data, pos)) is not None:
            text: str = json.loads(b'"%b"' % found[1][self.text])
            yield data[pos : found[0]], text, found[1]
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

    def body(self, text: str, pieces: tuple[bytes, ...]) -> Body:
        """What an event says that has this text, and these pieces in the other gaps."""
        filled = [*pieces[: self.text], json.dumps(text).encode()[1:-1], *pieces[self.text + 1 :]]
        raw = b"".join(literal + piece for (literal, _), piece in zip(self.parts, filled, strict=True)) + self.end
        body: Body = _read(raw[raw.index(_DATA) + len(_DATA) :].decode("utf-8", "replace"))
        return body


def pattern(frame: Frame, seen: Seen, see: See) -> Pattern | None:
    """The pattern of an event that says text, or reasoning, and nothing else, if its bytes show where.

    Args:
        frame: the event.
        seen: what it is.
        see: tells what an event is.
    """
    if seen.reads or seen.finish or seen.usage or seen.odd or seen.begins or not _is_plain(frame):
        return None
    for start, end in _spans(frame.raw, seen):
        made = _cut(frame, seen, (start, end))
        if _is_proved(made, see):
            return made
    return None


def _is_plain(frame: Frame) -> bool:
    """Whether the event is one line of data, behind its name if it has one."""
    head = b"" if frame.name is None else b"event: %b\n" % frame.name.encode("utf-8", "replace")
    line = frame.raw.removeprefix(head)
    return (
        frame.says is Says.DATA and line.startswith(_DATA) and b"\r" not in line and line.find(b"\n") == len(line) - 2
    )


def _spans(raw: bytes, seen: Seen) -> Iterator[tuple[int, int]]:
    """Where the text may stand."""
    if seen.place is Place.TEXT:
        for ascii_only in (False, True):
            said = json.dumps(seen.text, ensure_ascii=ascii_only).encode("utf-8", "replace")
            start = raw.find(said)
            if start >= 0 and _STRING.fullmatch(said, 1, len(said) - 1):
                yield start + 1, start + len(said) - 1
    elif seen.place is Place.OTHER and (found := _REASONING.search(raw)):
        yield found.span(1)


def _cut(frame: Frame, seen: Seen, span: tuple[int, int]) -> Pattern:
    gaps = [
        (span, _STRING),
        *((found.span("number"), _NUMBER) for found in _GAPS.finditer(frame.raw) if found["number"]),
        *((found.span("padding"), _PADDING) for found in _GAPS.finditer(frame.raw) if not found["number"]),
    ]
    gaps.sort(key=lambda gap: gap[0])
    pos, parts = 0, list[tuple[bytes, re.Pattern[bytes]]]()
    for (start, end), gap in gaps:
        parts.append((frame.raw[pos:start], gap))
        pos = end
    return Pattern(seen, frame.name, tuple(parts), frame.raw[pos:], [place for place, _ in gaps].index(span))


def _is_proved(made: Pattern, see: See) -> bool:
    """Whether an event of the pattern with another text says that text, and is nothing else."""
    try:
        body = made.body(_PROOF, tuple(b"7" if gap is _NUMBER else b"" for _, gap in made.parts))
    except ValueError:
        return False
    said = _PROOF if made.seen.text else ""
    return see(made.name, body) == replace(made.seen, text=said)
