"""Whole texts: `read_text` finds the calls in one, `without_echo` leaves out those that came structured as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from argwright.decode import Decoded, decode
from argwright.dialects.context import INCOMPLETE, bare_name
from argwright.dialects.events import ToolNames, add_up
from argwright.dialects.scanner import TextScanner
from argwright.model import Finish, ToolCall, Turn


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


def without_echo(text: str, tools: ToolNames, calls: Sequence[ToolCall]) -> str:
    """The text of a reply whose structured calls stand in it once more, without them.

    Args:
        text: the reply's text.
        tools: the declared tools.
        calls: the reply's structured calls, which are the ones that count.

    Returns:
        The text without the markup of its calls, if each of them is one of the structured calls; else the text.
    """
    turn = read_text(text, tools)
    known = [_said(call) for call in calls]
    echoed = bool(turn.calls) and not turn.reasoning and all(_said(call) in known for call in turn.calls)
    return turn.text if echoed else text


def _said(call: ToolCall) -> tuple[str, Any]:
    """What a call says, however it was written."""
    written = call.arguments
    if isinstance(written, (str, bytes)):
        read = decode(written)
        written = read.value if isinstance(read, Decoded) else written
    return bare_name(call.name or ""), written
