"""An object whose keys all stand without quotes and that is strict JSON otherwise, read at once.

The keys are quoted and the C scanner reads the result. What looks like a key inside a
string does no harm: the quote put before it ends that string in front of a letter,
which is no JSON, and the text is read another way. So it is where some keys have
quotes, or a key comes twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from argwright import pointer
from argwright.decode import strict
from argwright.decode.scan import Scan
from argwright.model import Json

_START = re.compile(r"\{[ \t\n\r]*+[A-Za-z_$][\w$]*+[ \t\n\r]*+:")
_KEY = re.compile(r"([{,][ \t\n\r]*+)([A-Za-z_$][\w$]*+)(?=[ \t\n\r]*+:)")
_CONTAINERS = frozenset({dict, list})


def read(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The object at `pos` and its end, if it is one of bare keys throughout."""
    text = scan.text
    if scan.strict_left <= 0 or not _START.match(text, pos):
        return None
    parts = _KEY.split(text[pos:])  # between the keys, what leads to one, the key, and so on
    offsets = list(accumulate(map(len, parts), initial=pos))
    parts[2::3] = [f'"{name}"' for name in parts[2::3]]
    try:
        value, quoted_end = strict.scan_once("".join(parts), 0)
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= len(text) - pos
        return None
    places = sorted(_places(value))
    total = sum(place[2] for place in places)
    spans = list(zip(offsets[2::3], offsets[3::3], strict=False))
    end = pos + quoted_end - 2 * total
    if total > len(spans) or spans[total - 1][1] >= end or not text.startswith("}", end - 1):
        return None  # a quoted key among them
    if not strict.is_shallow(value, text, (pos, end), scan.limits.max_depth):
        return None
    for first, last, count, place in places:
        (start, first_end), (_, last_end) = spans[first], spans[last]
        scan.log.put("bare-key", place, [start, last_end, count, first_end], f'"{text[start:first_end]}"')
    return end, value


def _places(value: dict[str, Json]) -> Iterator[tuple[int, int, int, str]]:
    """The objects of the value: the number of the first key, of the last one, how many there are, and the pointer.

    Keys are numbered as they stand in the text; those of an object that holds no container stand in a row.
    """
    number = 0
    todo: list[tuple[str, list[int], Iterator[tuple[Any, Json]]]] = [("", [], iter(value.items()))]
    while todo:
        place, own, members = todo[-1]
        for name, child in members:
            if type(name) is str:
                own.append(number)
                number += 1
            if type(child) is dict and _CONTAINERS.isdisjoint(map(type, child.values())):
                if child:
                    yield number, number + len(child) - 1, len(child), f"{place}/{pointer.escape(str(name))}"
                number += len(child)
            elif type(child) is dict or type(child) is list:
                inside = iter(child.items() if type(child) is dict else enumerate(child))
                todo.append((f"{place}/{pointer.escape(str(name))}", [], inside))
                break
        else:
            todo.pop()
            if own:
                yield own[0], own[-1], len(own), place
