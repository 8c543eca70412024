"""Consoles, and text of unknown origin made safe to show.

What a model wrote may hold control sequences, marks that turn the reading direction,
and characters that take no room: none of them reaches a terminal as it is.
"""

from __future__ import annotations

import sys
import unicodedata

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from argwright.policy import Certainty

STYLES = {Certainty.EXACT: "green", Certainty.LIKELY: "yellow", Certainty.GUESS: "magenta"}
REFUSAL_STYLE = "bold red"
NOTHING = "(nothing)"

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_NAMED = {"\n": "⏎", "\t": "⇥"}
_PLAIN_WIDTH = 140  # for tables that go to a file


class Output(Console):
    """A console that leaves a broken pipe to the entry point."""

    def on_broken_pipe(self) -> None:
        """Called by rich while it handles the error."""
        raise  # noqa: PLE0704  # rich calls this inside its except clause


def out(*, width: int | None = None) -> Output:
    """The console of standard output: nothing is read as markup, nothing is highlighted."""
    console = Output(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal or width is not None:
        console.width = width or _PLAIN_WIDTH
    return console


def err() -> Output:
    """The console of standard error."""
    return Output(file=sys.stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def visible(text: str) -> str:
    r"""The text with everything that cannot be seen written out: `\x1b`, `\u200b`, `⏎`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if unicodedata.category(character) not in _HIDDEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


def clip(text: str, cells: int) -> str:
    """The text made visible, in one line of at most so many terminal cells."""
    shown = visible(text[: cells + 1])
    if cell_len(shown) <= cells and len(text) <= cells + 1:
        return shown
    return set_cell_size(shown, cells - 1).rstrip() + "…"
