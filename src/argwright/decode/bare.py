"""An object whose keys all stand without quotes and that is strict JSON otherwise, read at once.

The keys are quoted and the C scanner reads the result. What looks like a key inside a
string does no harm: the quote put before it ends that string in front of a letter,
which is no JSON, and the text is read piece by piece instead. So it is where some
keys have quotes, or a key comes twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from argwright.decode import strict
from argwright.decode.scan import ARRAY, OBJECT, Frame, Scan
from argwright.model import Json
from argwright.shape import ANY

_START = re.compile(r"\{[ \t\n\r]*+[A-Za-z_$][\w$]*+[ \t\n\r]*+:")
_KEY = re.compile(r"[{,][ \t\n\r]*+([A-Za-z_$][\w$]*+)(?=[ \t\n\r]*+:)")


def read(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The object at `pos` and its end, if it is one of bare keys throughout."""
    text = scan.text
    if scan.strict_left <= 0 or not _START.match(text, pos):
        return None
    spans = [match.span(1) for match in _KEY.finditer(text, pos)]
    try:
        value, quoted_end = strict.scan_once(_quoted(text, pos, spans), 0)
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= len(text) - pos
        return None
    end = pos + quoted_end - 2 * sum(1 for span in spans if span[1] <= pos + quoted_end)
    inside = [span for span in spans if span[1] <= end]
    end = pos + quoted_end - 2 * len(inside)
    frames = list(_keys(value, pos))
    if len(frames) != len(inside) or strict.depth(value) > scan.limits.max_depth or not text.startswith("}", end - 1):
        return None
    _note(scan, frames, inside)
    return end, value


def _quoted(text: str, pos: int, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    for start, end in spans:
        parts += (text[pos:start], '"', text[start:end], '"')
        pos = end
    parts.append(text[pos:])
    return "".join(parts)


def _keys(value: Json, start: int) -> Iterator[Frame]:
    """The container of each key, in the order in which the keys stand in the text."""
    todo: list[tuple[Frame, Iterator[tuple[Any, Json]]]] = [_opened(value, None, None, start)]
    while todo:
        frame, members = todo[-1]
        for name, child in members:
            if frame.kind is OBJECT:
                yield frame
            if isinstance(child, (dict, list)):
                todo.append(_opened(child, frame, name, start))
                break
        else:
            todo.pop()


def _opened(
    value: Any, parent: Frame | None, name: str | int | None, start: int
) -> tuple[Frame, Iterator[tuple[Any, Json]]]:
    is_object = isinstance(value, dict)
    frame = Frame(OBJECT if is_object else ARRAY, value, ANY, "}" if is_object else "]", parent, name, start)
    return frame, iter(value.items() if is_object else enumerate(value))


def _note(scan: Scan, frames: list[Frame], spans: list[tuple[int, int]]) -> None:
    places: dict[int, list[int]] = {}
    for number, frame in enumerate(frames):
        places.setdefault(id(frame), []).append(number)
    for numbers in places.values():
        (start, first), (_, end) = spans[numbers[0]], spans[numbers[-1]]
        frame, name = frames[numbers[0]], scan.text[start:first]
        scan.frames.append(frame)
        scan.log.note("bare-key", (start, end), f'"{name}"', at=frame, count=len(numbers), first=first)
