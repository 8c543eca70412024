"""A whole reply, with the calls that leaked into its text: `wire.read` and the dialects together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from argwright import wire
from argwright.model import Turn
from argwright.stream.leaks import Leaks
from argwright.wire.deltas import TextDelta
from argwright.wire.finish import finished

_NORMAL = frozenset({"stop", "tool_calls", "unknown"})
"""Reasons of a body that is whole: nothing says that it was cut."""


def read(form: str, body: Any, *, tools: Any = None, dialects: Sequence[str] | None = None) -> Turn:
    """A whole reply in this format's form.

    Args:
        form: the format's name.
        body: a dict, JSON text, or an object of the provider's SDK: a response, or one assistant message. What
            holds no JSON gives a turn without calls whose finish is `error`, with the reason under `error` in
            its `extra`.
        tools: the declared tools (a `Toolbox`): without structured calls, the text is read for calls.
        dialects: which text dialects are looked for; `None` all, `()` none.

    Raises:
        UnknownFormatError: no format or dialect has this name.
    """
    turn = wire.read(form, body)
    leaks = Leaks(tools, dialects, [])
    if not leaks.reads:
        return turn
    leaks.text(TextDelta(turn.text))
    found = leaks.calls(turn.extra.get("error"), finished=turn.finish.reason in _NORMAL)
    reading = leaks.close(structured=bool(turn.calls))
    read_turn = replace(turn, text=reading.text, reasoning=turn.reasoning + reading.reasoning)
    if turn.calls or not found:
        return read_turn
    if leaks.salvaged:
        return replace(read_turn, calls=found)
    calls, end = finished(found, turn.finish.raw, error=turn.finish.reason == "error")
    return replace(read_turn, calls=calls, finish=end)
