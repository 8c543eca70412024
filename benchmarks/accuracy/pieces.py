"""A JSON value written out as pieces, so that an operator can damage one place and leave the rest alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

SPACED, COMPACT, INDENTED = "spaced", "compact", "indented"
LAYOUTS = (SPACED, SPACED, COMPACT, INDENTED)


@dataclass(frozen=True)
class Piece:
    """One token; `inside` is the bracket of the container it belongs to, `blank` the white space behind it."""

    kind: str  # one of { } [ ] , : key text number word
    text: str
    value: Any = None
    inside: str = ""
    blank: str = ""


def write(value: Any, layout: str = SPACED, *, ascii_only: bool = False) -> list[Piece]:
    """The pieces of a value."""
    return _write(value, _Style(layout, ascii_only))


@dataclass(frozen=True)
class _Style:
    """How to write, and where: inside which bracket, how deep."""

    layout: str
    ascii_only: bool
    inside: str = ""
    level: int = 0

    def text(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=self.ascii_only)

    def line(self, level: int) -> str:
        return "\n" + "  " * level if self.layout == INDENTED else ""


def _write(value: Any, style: _Style) -> list[Piece]:
    if isinstance(value, (dict, list)):
        return _container(value, style)
    if isinstance(value, str):
        return [Piece("text", style.text(value), value, style.inside)]
    word = isinstance(value, bool) or value is None
    return [Piece("word" if word else "number", style.text(value), value, style.inside)]


def _container(value: Any, style: _Style) -> list[Piece]:
    opener, closer = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if not value:
        return [Piece(opener, opener, None, style.inside), Piece(closer, closer, None, style.inside)]
    within = replace(style, inside=opener, level=style.level + 1)
    blank = "" if style.layout == COMPACT else " "
    pieces = [Piece(opener, opener, None, style.inside, style.line(within.level))]
    members = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for number, (key, item) in enumerate(members):
        if number:
            pieces.append(Piece(",", ",", None, opener, style.line(within.level) or blank))
        if key is not None:
            pieces += [Piece("key", style.text(key), key, opener), Piece(":", ":", None, opener, blank)]
        pieces += _write(item, within)
    pieces[-1] = replace(pieces[-1], blank=style.line(style.level))
    return [*pieces, Piece(closer, closer, None, style.inside)]


def join(pieces: Iterable[Piece]) -> str:
    """The pieces as text."""
    return "".join(piece.text + piece.blank for piece in pieces)


def places(pieces: Sequence[Piece], *kinds: str) -> list[int]:
    """Where pieces of these kinds stand."""
    return [index for index, piece in enumerate(pieces) if piece.kind in kinds]


def change(pieces: Sequence[Piece], index: int, text: str) -> list[Piece]:
    """The pieces with another text at one place."""
    return [*pieces[:index], replace(pieces[index], text=text), *pieces[index + 1 :]]
