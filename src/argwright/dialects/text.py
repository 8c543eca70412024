"""`read_text`: a whole text's calls, the text around them and the reasoning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from argwright.dialects.context import INCOMPLETE
from argwright.dialects.events import ToolNames, add_up
from argwright.dialects.scanner import TextScanner
from argwright.model import Finish, Turn


def read_text(
    text: str,
    tools: ToolNames,
    *,
    dialect: str | None = None,
    dialects: Sequence[str] | None = None,
    reasoning: bool = False,
    finish: Finish | None = None,
) -> Turn:
    """Read the calls that a model wrote as text.

    Args:
        text: the reply's text.
        tools: the declared tools, a `Toolbox`.
        dialect: the one dialect to read; `None` finds it by its markers.
        dialects: the dialects to read; `None` reads them all.
        reasoning: whether calls that end a reasoning block, with nothing after it, are taken.
        finish: how the reply ended, if that is known; the last call carries the provider's word.

    Returns:
        The calls in order, with `origin` `text:<dialect>`; the text without their markup; the reasoning. A call that
        is not whole or cannot be read has the `finish_reason` `incomplete`.

    Raises:
        UnknownFormatError: no dialect has this name.
    """
    scanner = TextScanner(tools, dialects=dialects if dialect is None else (dialect,), reasoning=reasoning)
    normal = finish is not None and not finish.truncated
    events = [*scanner.feed(text), *scanner.close(finished=normal)]
    reading = add_up(events)
    calls = reading.calls
    if calls and finish is not None and calls[-1].finish_reason != INCOMPLETE:
        calls = (*calls[:-1], replace(calls[-1], finish_reason=finish.raw))
    return Turn(calls, reading.text, reading.reasoning, finish or Finish())
