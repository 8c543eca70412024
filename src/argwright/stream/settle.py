"""From the fragments of a call's arguments to their text, and to the text so far.

Most servers send pieces that join. Some repeat all so far in every piece, some send the
whole again at the end, some begin with a placeholder `{}`. Which of them it is can only
be told at the end, by what parses: pieces that are equal, or that begin like those
before them, occur in honest streams. So `settle` looks at all fragments at the end, and
the plain join is tried first. `Live` shows the text meanwhile, holding back only a piece
that begins with everything before it, until the next one tells what it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from argwright.model import compact
from argwright.stream.progress import Change, Progress


def settle(pieces: Sequence[str]) -> str:
    """The text that the fragments amount to: none of them is empty."""
    joined = "".join(pieces)
    if len(pieces) < 2:  # noqa: PLR2004  # one piece has one reading
        return joined
    last, others = pieces[-1], joined[: len(joined) - len(pieces[-1])]
    grows = pieces[0].lstrip().startswith("{") and all(later.startswith(earlier) for earlier, later in pairwise(pieces))
    again, held = last == others, pieces[0].strip() == "{}"
    if not (grows or again or held) or _value(joined) is not _NONE:
        return joined
    if grows or (again and isinstance(_value(last), dict)):
        return last
    rest = joined[len(pieces[0]) :]
    return rest if held and isinstance(_value(rest), dict) else joined


_NONE = object()
_read = json.JSONDecoder(strict=False).decode  # made once: `json.loads` would make one each time


def _value(text: str) -> Any:
    try:
        return _read(text)
    except (ValueError, RecursionError):
        return _NONE


class Live:
    """The fragments of one call, and the value so far."""

    __slots__ = ("_held", "_pieces", "_shown", "_snapshot", "progress", "size")

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.size = 0
        self._pieces: list[str | dict[str, Any]] = []
        self._shown = 0  # characters that the progress has seen
        self._held: str | None = None
        self._snapshot: str | None = None  # all so far, once the fragments have turned out to be cumulative

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add(self, piece: str | dict[str, Any]) -> list[Change]:
        """Keep a fragment that is not empty; what it changed."""
        self._pieces.append(piece)
        text = piece if isinstance(piece, str) else compact(piece)
        size = len(text)
        self.size += size
        if size < self._shown and self._held is None and self._snapshot is None:
            self._shown += size
            return self.progress.feed(text)
        return self._suspicious(text)

    def _suspicious(self, text: str) -> list[Change]:
        """A fragment that may repeat all before it, or that follows one which may have."""
        before = self._snapshot if self._snapshot is not None else self._held
        if before is not None:
            if text.startswith(before):
                self._held, self._snapshot = None, text
                return self._show(text[self._shown :])
            if self._snapshot is not None:
                return []  # neither one nor the other: the end will tell
            self._held = None
            return [*self._show(before), *self._show(text)]
        if self._shown and text.startswith(self._text_before()):
            self._held = text
            return []
        return self._show(text)

    def _show(self, text: str) -> list[Change]:
        self._shown += len(text)
        return self.progress.feed(text)

    def _text_before(self) -> str:
        return "".join(map(_text, self._pieces[:-1]))

    def text(self) -> str:
        """The fragments as they came, joined."""
        return "".join(map(_text, self._pieces))

    def settled(self) -> str | dict[str, Any]:
        """The arguments: one object stays an object, everything else is text."""
        if len(self._pieces) == 1 and isinstance(self._pieces[0], dict):
            return self._pieces[0]
        return settle([_text(piece) for piece in self._pieces])


def _text(piece: str | dict[str, Any]) -> str:
    return piece if isinstance(piece, str) else compact(piece)
