"""The part of a value that the validator is shown when it has to name every violation.

Naming violations costs a thousand times more than finding that there is one, and the
validator takes neither half surrogate pairs nor deep nesting there. So the value is
copied up to a number of nodes and a depth; what was left out, and what is no JSON at
all, is on record. A value of ordinary size is shown whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from argwright.wording import encodable

MAX_NODES = 10_000  # about a second of work if every node violates a union
MAX_DEPTH = 200  # the validator's reports stop at 255
_FEW, _FLAT = MAX_NODES // 2, MAX_DEPTH // 2  # what is ordinary
_SCALARS = frozenset({type(None), bool, int})

Path = tuple[str | int, ...]


@dataclass
class Excerpt:
    """A copy in the making.

    Args:
        left: nodes that may still be copied.
        cut: places of containers that were not copied whole.
        odd: places that hold no JSON, and what is wrong there.
    """

    left: int = MAX_NODES
    cut: set[Path] = field(default_factory=set)
    odd: list[tuple[Path, str]] = field(default_factory=list)

    def of(self, value: Any) -> Any:
        """The value as the validator is shown it: itself, if there is nothing to leave out."""
        return value if _is_ordinary(value) else self.copy(value)

    def copy(self, value: Any, path: Path = ()) -> Any:
        """The value, or the part of it that is shown."""
        self.left -= 1
        match value:
            case str():
                return self._text(value, path)
            case None | bool() | int():
                return value
            case float():
                return value if math.isfinite(value) else self._odd(path, "not a JSON number")
            case list() | tuple():
                return self._items(value, path)
            case dict():
                return self._members(value, path)
            case _:
                return self._odd(path, f"not JSON: a Python {type(value).__name__}")

    def _items(self, value: list[Any] | tuple[Any, ...], path: Path) -> list[Any]:
        made: list[Any] = []
        for index, item in enumerate(value):
            if not self._room(path):
                break
            made.append(self.copy(item, (*path, index)))
        return made

    def _members(self, value: dict[Any, Any], path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, item in value.items():
            if not self._room(path):
                break
            if isinstance(key, str):
                made[self._text(key, path)] = self.copy(item, (*path, key))
            else:
                self._odd(path, "not JSON: a field name is no string")
        return made

    def _room(self, path: Path) -> bool:
        if self.left > 0 and len(path) < MAX_DEPTH:
            return True
        self.cut.add(path)
        return False

    def _text(self, text: str, path: Path) -> str:
        whole = encodable(text)
        if whole != text:
            self._odd(path, "half a surrogate pair, which no text can hold")
        return whole

    def _odd(self, path: Path, what: str) -> None:
        self.odd.append((path, what))


def _is_ordinary(value: Any) -> bool:
    """Whether a value is JSON, and of a size and depth that are shown whole."""
    level, seen = [value], 0
    for _ in range(_FLAT):
        inner: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict and all(map(_is_text, item)):
                inner += item.values()
            elif kind is list:
                inner += item
            elif not (kind in _SCALARS or _is_text(item) or (kind is float and math.isfinite(item))):
                return False
        if not inner:
            return True
        level, seen = inner, seen + len(inner)
        if seen > _FEW:
            return False
    return False


def _is_text(value: Any) -> bool:
    """Whether it is text without half a surrogate pair."""
    return type(value) is str and (value.isascii() or encodable(value) == value)
