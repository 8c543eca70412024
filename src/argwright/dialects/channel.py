"""One channel of a reply, the answer or the reasoning, while markup is taken out of it.

White space around what was taken out goes with it: the larger of the two runs is left if
text stands on both sides, nothing if on one. A text from which nothing was taken is not
changed. White space is therefore held back until something visible follows, up to a bound.
"""

from __future__ import annotations

from argwright.dialects.source import SPACE

_HELD = 64  # white space held back; more of it than that is part of the text


class Channel:
    """Text in, text that may be shown out."""

    __slots__ = ("_gap", "_pending", "_shown")

    def __init__(self) -> None:
        self._pending = ""
        self._gap: str | None = None
        self._shown = False

    @property
    def after_cut(self) -> bool:
        """Whether nothing visible has come since something was taken out."""
        return self._gap is not None

    def add(self, piece: str) -> str:
        """Take the next piece of text; what may be shown by now."""
        text = self._pending + piece
        visible = text.strip(SPACE)
        if not visible:
            self._pending = text[-_HELD:]
            return "" if self._gap is not None else text[:-_HELD]
        body = text.rstrip(SPACE)
        self._pending = text[len(body) :][-_HELD:]
        overlong = text[len(body) :][:-_HELD]
        if self._gap is not None:
            lead = body[: len(body) - len(visible)]
            body = (max(self._gap, lead, key=len) if self._shown else "") + visible
            self._gap = None
        self._shown = True
        return body + overlong

    def cut(self, separator: str = "") -> None:
        """Something is taken out here; the separator stays in its place at least."""
        if self._pending or separator:
            self._gap = max(self._gap or "", self._pending, separator, key=len)
            self._pending = ""
        elif self._gap is None:
            self._gap = ""

    def finish(self) -> str:
        """The text has ended; what was held back."""
        return "" if self._gap is not None else self._pending
