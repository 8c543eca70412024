"""Where each value of a JSON text stands in it, to the character; `json` itself keeps no positions.

A text that is not JSON, or is nested more deeply than any schema, has no answer. Of a key that stands twice each
occurrence is told.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

Path = tuple[str | int, ...]

_DEPTH = 100  # far from every stack limit
_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Place(NamedTuple):
    """One value.

    Args:
        path: its keys and indices.
        start: of the value.
        end: of the value.
        key: where its key begins and ends, quotes included; `None` in a list and at the root.
    """

    path: Path
    start: int
    end: int
    key: tuple[int, int] | None = None


def places(text: str) -> list[Place] | None:
    """Every value, what is inside before what holds it; `None` if the text is not JSON."""
    found: list[Place] = []
    try:
        end = _blanks(text, _value(text, _blanks(text, 0), (), found))
    except (ValueError, RecursionError):
        return None
    return found if end == len(text) else None


def _value(text: str, start: int, path: Path, found: list[Place]) -> int:
    """The end of the value that begins at `start`."""
    is_container = text.startswith(("{", "["), start)
    end = _container(text, start, path, found) if is_container else _DECODER.raw_decode(text, start)[1]
    found.append(Place(path, start, end))
    return end


def _container(text: str, start: int, path: Path, found: list[Place]) -> int:
    if len(path) >= _DEPTH:
        raise ValueError("nested too deeply")
    closer = "}" if text[start] == "{" else "]"
    at = _blanks(text, start + 1)
    if text.startswith(closer, at):
        return at + 1
    index = 0
    while True:
        name, key = _key(text, at) if closer == "}" else (index, None)
        at = at if key is None else _sign(text, _blanks(text, key[1]), ":")
        at = _blanks(text, _value(text, at, (*path, name), found))
        found[-1] = found[-1]._replace(key=key)
        if text.startswith(closer, at):
            return at + 1
        at = _sign(text, at, ",")
        index += 1


def _key(text: str, at: int) -> tuple[str, tuple[int, int]]:
    name, end = _DECODER.raw_decode(text, at)
    if not isinstance(name, str):
        raise ValueError("a key is a string")  # noqa: TRY004  # about the text, like the others
    return name, (at, end)


def _blanks(text: str, at: int) -> int:
    """The next place that is no blank."""
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()


def _sign(text: str, at: int, sign: str) -> int:
    if not text.startswith(sign, at):
        raise ValueError(f"{sign!r} expected")
    return _blanks(text, at + 1)
