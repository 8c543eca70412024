"""Which places of a value are sensitive.

A tool names its sensitive fields by plain name (a member of that name at any depth)
or by JSON Pointer, in which `*` stands for any one token and the level of a list may
be left out: `/users/*/token` and `/users/token` name the same fields. Everything below
a sensitive place is sensitive too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from argwright import pointer
from argwright.model import MASK


class Mask:
    """The sensitive places of one tool.

    Args:
        sensitive: names, or JSON Pointers with `*` for any token.
    """

    __slots__ = ("_names", "_paths")

    def __init__(self, sensitive: Collection[str] = ()) -> None:
        self._names = frozenset(entry for entry in sensitive if not entry.startswith("/"))
        self._paths = tuple(pointer.split(entry) for entry in sensitive if entry.startswith("/"))

    def __bool__(self) -> bool:
        return bool(self._names) or bool(self._paths)

    def covers(self, path: Sequence[str | int]) -> bool:
        """Whether the place, or one above it, is sensitive."""
        return self._root(path) is not None

    def hide(self, place: str) -> str:
        """A pointer with the tokens below a sensitive place masked: they may be keys of a secret map."""
        if not self:
            return place
        tokens = pointer.split(place)
        root = self._root(tokens)
        return place if root is None else pointer.join([*tokens[:root], *([MASK] if len(tokens) > root else [])])

    def mask(self, value: Any, path: tuple[str | int, ...] = ()) -> Any:
        """A copy of the value in which every sensitive place is the mask."""
        if self.covers(path):
            return MASK
        match value:
            case dict():
                return {key: self.mask(item, (*path, key)) for key, item in value.items()}
            case list() | tuple():
                return [self.mask(item, (*path, index)) for index, item in enumerate(value)]
            case _:
                return value

    def _root(self, path: Sequence[str | int]) -> int | None:
        """How many tokens lead to the uppermost sensitive place on the path."""
        if not self:
            return None
        ends = list(self._ends([str(token) for token in path]))
        return min(ends) if ends else None

    def _ends(self, tokens: Sequence[str]) -> Iterator[int]:
        yield from (index + 1 for index, token in enumerate(tokens) if token in self._names)
        for pattern in self._paths:
            end = _match(pattern, tokens)
            if end is not None:
                yield end


def _match(pattern: Sequence[str], tokens: Sequence[str]) -> int | None:
    """Where the pattern ends in the tokens; indices of lists that the pattern leaves out are skipped."""
    position = 0
    for wanted in pattern:
        while position < len(tokens) and tokens[position] != wanted != "*" and tokens[position].isdecimal():
            position += 1
        if position == len(tokens) or wanted not in ("*", tokens[position]):
            return None
        position += 1
    return position
