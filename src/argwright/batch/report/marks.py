"""A text with the repairs marked in place, as pieces for the page.

Spans may nest and overlap, so the text is cut at every edge and a piece carries the
least certain repair that covers it. What is hidden in a text (control characters, marks
that turn the reading direction) is written out, since a page would obey it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from argwright.batch.log.examples import Example

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = "\n\t"
_RANK = {"GUESS": 0, "LIKELY": 1, "EXACT": 2}


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Some characters that are shown alike.

    Args:
        text: what is shown.
        mark: `exact`, `likely`, `guess`, `stop` where reading stopped, or nothing.
        numbers: the repairs that end here, as they are numbered below the text.
    """

    text: str
    mark: str = ""
    numbers: tuple[int, ...] = ()


def pieces(example: Example) -> list[Piece]:
    """The text of an example, cut at the edges of its repairs."""
    text = example.text or ""
    spans = _spans(example.repairs, len(text))
    stop = example.position if example.position is not None and example.position <= len(text) else None
    edges = {0, len(text), *(edge for start, end, _, _ in spans for edge in (start, end))}
    if stop is not None:
        edges.add(stop)
    made: list[Piece] = []
    for edge, after in pairwise(sorted(edges)):
        made += [*_points(spans, edge, stop), _piece(text[edge:after], spans, (edge, after))]
    made += _points(spans, len(text), stop)
    return [piece for piece in made if piece.text or piece.numbers or piece.mark]


def _spans(repairs: Sequence[dict[str, object]], length: int) -> list[tuple[int, int, str, int]]:
    """Start, end, certainty and number of each repair that has a place in what is shown."""
    found: list[tuple[int, int, str, int]] = []
    for number, repair in enumerate(repairs, start=1):
        match repair["span"]:
            case [int(start), int(end)] if start <= length:
                found.append((start, min(end, length), str(repair["certainty"]), number))
            case _:
                pass
    return found


def _points(spans: Sequence[tuple[int, int, str, int]], edge: int, stop: int | None) -> list[Piece]:
    """What stands between two characters: repairs that put something in, and where reading stopped."""
    made = [
        Piece(text="", mark=certainty.lower(), numbers=(number,))
        for start, end, certainty, number in spans
        if start == end == edge
    ]
    return [*made, Piece(text="", mark="stop")] if stop == edge else made


def _piece(text: str, spans: Sequence[tuple[int, int, str, int]], place: tuple[int, int]) -> Piece:
    covering = [span for span in spans if span[0] <= place[0] and place[1] <= span[1] and span[0] < span[1]]
    mark = min(covering, key=lambda span: _RANK[span[2]])[2].lower() if covering else ""
    ending = tuple(number for _, end, _, number in covering if end == place[1])
    return Piece(text=visible(text), mark=mark, numbers=ending)


def visible(text: str) -> str:
    r"""The text with what cannot be seen written out, as `\u200b`; line breaks and tabs stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        character
        if character in _KEPT or unicodedata.category(character) not in _HIDDEN
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
