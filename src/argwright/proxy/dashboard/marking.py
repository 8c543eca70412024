"""A text and the spans of its repairs → pieces that follow one another, each with the marks that lie on it.

Positions are counted in characters here and in UTF-16 units in a browser, so the cutting is done here. Spans may
overlap and lie in one another; an empty one is a place where something was put in, or where reading stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from argwright.proxy.dashboard.placing import Finder

MAX_MARKS = 400  # more are not told apart by anybody; the list of repairs has them all


@dataclass(frozen=True)
class Mark:
    """What is marked: the number of a repair, from 1; of a violation, from -1 down; 0 is where reading stopped.

    A `wide` one reaches from the first to the last of several places, so that not all of it was changed.
    """

    number: int
    start: int
    end: int
    wide: bool = False


def marks(text: str, repairs: Sequence[Any], issues: Sequence[Any] = (), position: int | None = None) -> list[Mark]:
    """The marks of the repairs and violations that have a place in the text, and of where reading stopped."""
    finder = Finder(text)
    found: list[Mark] = []
    for number, repair in enumerate(repairs, start=1):
        span = repair["span"] if repair.get("span") else finder.repair(repair)
        found += _mark(number, span, len(text), wide=bool(repair.get("span")) and repair.get("count", 1) > 1)
    for number, issue in enumerate(issues, start=1):
        found += _mark(-number, finder.issue(issue), len(text))
    return (found + _mark(0, None if position is None else (position, position), len(text)))[:MAX_MARKS]


def _mark(number: int, span: Sequence[int] | None, length: int, *, wide: bool = False) -> list[Mark]:
    if span is None or span[0] > span[1]:
        return []
    start, end = (max(0, min(edge, length)) for edge in span)
    return [Mark(number, start, end, wide=wide)]


def pieces(text: str, marked: Iterable[Mark]) -> list[dict[str, Any]]:
    """The text in order.

    Returns:
        For each piece its `text`, the numbers of the marks `on` it (the narrowest first), those that begin here,
        whether it is a `point`, which has no text, and whether all the marks on it are `wide`.
    """
    marked = list(marked)
    spans = [mark for mark in marked if mark.start < mark.end]
    edges = sorted({0, len(text), *(edge for mark in marked for edge in (mark.start, mark.end))})
    made: list[dict[str, Any]] = _points(0, marked)
    for start, end in pairwise(edges):
        on = sorted((mark for mark in spans if mark.start <= start < mark.end), key=lambda mark: mark.end - mark.start)
        made.append({
            "text": text[start:end],
            "on": [mark.number for mark in on],
            "begins": [mark.number for mark in spans if mark.start == start],
            "point": False,
            "wide": bool(on) and all(mark.wide for mark in on),
        })  # fmt: skip
        made += _points(end, marked)
    return made


def _points(at: int, marked: Sequence[Mark]) -> list[dict[str, Any]]:
    here = [mark.number for mark in marked if mark.start == mark.end == at]
    return [{"text": "", "on": [number], "begins": [number], "point": True, "wide": False} for number in here]
