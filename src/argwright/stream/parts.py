"""The opaque parts of a reply, put together from a stream: thinking with its signature, a provider's own tool calls.

They are kept only to be sent back unchanged, so every member grows by its own rule:
set, or lengthened by what was said to be appended; nothing is merged by its type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from argwright.model import Json
from argwright.wire.deltas import PartDelta


class _Part:
    __slots__ = ("arguments", "members", "pieces")

    def __init__(self) -> None:
        self.members: dict[str, Json] = {}
        self.pieces: dict[str, list[Any]] = {}
        self.arguments: str | None = None

    def value(self) -> dict[str, Json]:
        grown = {name: _grown(self.members.get(name), pieces) for name, pieces in self.pieces.items()}
        if self.arguments in grown:
            grown[self.arguments] = _parsed(grown[self.arguments], self.members.get(self.arguments, {}))
        return {**self.members, **grown}


def _grown(first: Json, pieces: list[Any]) -> Json:
    if pieces and isinstance(pieces[0], list):
        return [*(first if isinstance(first, list) else []), *(item for piece in pieces for item in piece)]
    return (first if isinstance(first, str) else "") + "".join(piece for piece in pieces if isinstance(piece, str))


def _parsed(text: Json, otherwise: Json) -> Json:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return otherwise


class Parts:
    """`Turn.extra` as far as it is lists of parts."""

    def __init__(self) -> None:
        self._lists: dict[str, list[_Part]] = {}
        self._numbered: dict[tuple[str, int], _Part] = {}
        self.size = 0

    def take(self, delta: PartDelta) -> None:
        """Work a change in."""
        part = None if delta.index is None else self._numbered.get((delta.key, delta.index))
        if part is None:
            part = _Part()
            self._lists.setdefault(delta.key, []).append(part)
            if delta.index is not None:
                self._numbered[delta.key, delta.index] = part
        part.members.update(delta.put or {})
        part.arguments = delta.arguments or part.arguments
        for name, piece in (delta.append or {}).items():
            part.pieces.setdefault(name, []).append(piece)
            self.size += len(piece)

    def take_arguments(self, index: int, piece: str) -> bool:
        """Give a piece of arguments to the provider's own call with this index; whether there is one."""
        for part in self._with_index(index):
            if part.arguments is not None:
                part.pieces.setdefault(part.arguments, []).append(piece)
                self.size += len(piece)
                return True
        return False

    def _with_index(self, index: int) -> Iterator[_Part]:
        return (part for (_, number), part in self._numbered.items() if number == index)

    def value(self) -> dict[str, list[dict[str, Json]]]:
        """Every list by its key."""
        return {key: [part.value() for part in parts] for key, parts in self._lists.items()}
