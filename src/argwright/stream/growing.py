"""Values that grow, and moments of them that do not change.

The arguments of a call grow only at their end: the containers that are still open get
members, the string that is still open gets text, and what is closed stays as it is. So
one moment of a growing value is told by how long each open container and the open
string were; the value is put together from just that, when it is asked for, and shares
every closed part with all other moments.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, TypeAlias

Container: TypeAlias = "dict[str, Any] | list[Any]"
Frame: TypeAlias = "tuple[Container, int, str | None]"
"""An open container, how many members it had, and the key under which the next open one stands in it."""

_PIECES = 4096  # pieces kept apart at most: they cost some 60 bytes each, joining them a copy of the text


class Rope:
    """Text that grows by pieces and is joined only when it is read."""

    __slots__ = ("_pieces", "size")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.size = 0

    def append(self, piece: str) -> None:
        """Add a piece at the end."""
        self._pieces.append(piece)
        self.size += len(piece)
        if len(self._pieces) > _PIECES:
            self.text()

    def text(self, size: int | None = None) -> str:
        """The first `size` characters; all of them by default."""
        if len(self._pieces) != 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if size is None else self._pieces[0][:size]


def value_of(frames: tuple[Frame, ...], rope: Rope | None, size: int) -> dict[str, Any]:
    """One moment of a growing value, in containers of its own as far as they were open.

    Args:
        frames: the containers that were open, from the root.
        rope: the string that was open in the last of them, if any.
        size: how long that string was.
    """
    child: Any = None if rope is None else rope.text(size)
    below = rope is not None
    for container, length, key in reversed(frames):
        child = _with_child(container, length, key, child) if below else _first(container, length)
        below = True
    return child if isinstance(child, dict) else {}


def _first(container: Container, size: int) -> Container:
    if isinstance(container, list):
        return container[:size]
    return container.copy() if len(container) == size else dict(islice(container.items(), size))


def _with_child(container: Container, size: int, key: str | None, child: Any) -> Container:
    copy = _first(container, size)
    if isinstance(copy, list):
        copy.append(child)
    elif key is not None:
        copy[key] = child
    return copy
