"""How an event becomes a pattern: where its bytes show its text, and the proof that it stands there.

What stands in the gap is told by the event that was read. With other words in it, and other names of the reply, the
event must say just that, or there is no pattern.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from argwright.model import CallDelta
from argwright.proxy.exchange.frames import Frame, Says
from argwright.proxy.exchange.protocol import Body, Place, Seen
from argwright.proxy.exchange.running import DATA, LATER, NAME, NUMBER, OWN, PADDING, STRING, TIME, Pattern, renamed
from argwright.wire.deltas import (
    ArgumentsDelta,
    Delta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
)

_GAPS = re.compile(rb'"sequence_number": ?(?P<number>[0-9]+)|"obfuscation": ?"(?P<padding>[^"\\]*)"')
_NAMES = re.compile(rb'"created": ?(?P<number>[0-9]+)|"(?:id|model)": ?"(?P<padding>[^"\\]*)"')
_REASONING = re.compile(rb'"(?:thinking|reasoning_content|reasoning)": ?"([^"\\\x00-\x1f]+)"')
_PROOF = "proof1"

_Text: TypeAlias = "tuple[tuple[int, int] | None, re.Pattern[bytes]]"  # where the text stands, and what it may be
See = Callable[[str | None, Body], Seen]
Deltas = Callable[[str | None, Body], Iterable[Delta]]


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
    texts = ((span, STRING) for span in _spans(frame.raw, seen))
    proved = _proved(frame, seen, texts, lambda body: see(frame.name, body) == said)
    if proved is None:
        return None
    made, body = proved
    return replace(made, ends=ends, adds=all(map(_is_proof, deltas(made.name, body))))


def _may_run(seen: Seen) -> bool:
    """Whether an event is text, or the reason for the end, or counts for nothing."""
    if seen.usage or seen.odd or seen.begins or seen.calls or seen.error or seen.end or seen.opens is not None:
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
    texts = ((span, LATER) for span in _places(frame.raw, told[0].text))
    proved = _proved(
        frame, seen, texts, lambda body: see(frame.name, body) == seen and [*deltas(frame.name, body)] == proof
    )
    return None if proved is None else replace(proved[0], index=told[0].index, adds=True)


def opening(frame: Frame, seen: Seen, see: See, deltas: Deltas) -> Pattern | None:
    """The pattern of an event that opens a call, and says nothing else, if its bytes show where its id stands.

    Args:
        frame: the event.
        seen: what it is.
        see: tells what an event is.
        deltas: tells what an event says.
    """
    if seen.finish or seen.usage or seen.odd or seen.begins or seen.text or not (seen.pure and _is_plain(frame)):
        return None
    told = tuple(deltas(frame.name, frame.data))
    call = told[0] if told else None
    if not (isinstance(call, CallDelta) and call.id and call.name) or call.arguments or call.item or call.extra:
        return None
    if not all(isinstance(one, (PartDelta, MetaDelta)) for one in told[1:]):
        return None
    proof = renamed(told, _PROOF)
    texts = ((span, OWN) for span in _places(frame.raw, call.id))
    proved = _proved(
        frame, seen, texts, lambda body: see(frame.name, body) == seen and (*deltas(frame.name, body),) == proof
    )
    return None if proved is None else replace(proved[0], opens=told)


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
    return frame.says is Says.DATA and line.startswith(DATA) and b"\r" not in line and line.find(b"\n") == len(line) - 2


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
        if start >= 0 and STRING.fullmatch(said, 1, len(said) - 1):
            yield start + 1, start + len(said) - 1


def _cut(frame: Frame, seen: Seen, text: _Text, names: re.Pattern[bytes] | None) -> Pattern:
    raw, span = frame.raw, text[0]
    gaps = [*_gaps(raw, _GAPS, NUMBER, PADDING), *(_gaps(raw, names, TIME, NAME) if names else ())]
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
            made.body(_PROOF, tuple(number if gap in (NUMBER, TIME) else name for _, gap in made.parts))
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
