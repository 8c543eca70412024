"""What may be said of a call where anybody may read it: in a log line, as an attribute of a span.

A place is said as far as the schema declares it: `/labels/*` for a member that only the
model's arguments know. A name that no tool has is said if it looks like a name. Texts of
an outcome are not said, since they quote what was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from argwright import pointer
from argwright.model import InvalidCall, Json, Outcome, ValidCall, compact, sayable
from argwright.shape import ANY, Shape
from argwright.wording import shorten

_MOST = 5  # places of one call that are said; more are seldom read
_TEXT = 4_000  # characters of content that somebody asked for


def name_of(outcome: Outcome) -> str:
    """The tool's name; for an unknown tool, the one that the model wrote, if it looks like a name."""
    declared = getattr(outcome.tool, "name", None)
    return declared or sayable(outcome.call.name) or "(unreadable name)"


def places(outcome: InvalidCall) -> tuple[str, ...]:
    """Where a call violates its schema, as far as the schema declares the place; each said once."""
    shape = getattr(outcome.tool, "shape", ANY)
    found = dict.fromkeys(_declared(issue.pointer, shape) or "(root)" for issue in outcome.issues)
    return tuple(found)[:_MOST]


def _declared(place: str, shape: Shape) -> str:
    return pointer.join([*_tokens(pointer.split(place), shape)])


def _tokens(tokens: Sequence[str], shape: Shape) -> Iterator[str]:
    for token in tokens:
        if token in shape.properties:
            shape = shape.member(token)
            yield token
        elif token.isdecimal() and "array" in shape.types:
            shape = shape.item
            yield token
        else:
            shape = shape.member(token)
            yield "*"


def line(outcome: InvalidCall) -> str:
    """One line for a log: what failed, and where."""
    where = places(outcome)
    at = f" at {', '.join(where)}" if where else "" if outcome.position is None else f" at character {outcome.position}"
    return f"{name_of(outcome)}: {outcome.kind.value}/{outcome.reason}{at}"


def content(outcome: Outcome) -> str:
    """The arguments as text, shortened, sensitive fields masked: only for who asked for it."""
    if isinstance(outcome, ValidCall):
        return shorten(compact(outcome.tool.mask.mask(outcome.arguments)), _TEXT)
    return shorten(_written(outcome.call.arguments, outcome.tool), _TEXT)


def _written(arguments: Json, tool: Any) -> str:
    """What the model wrote; nothing of it where a sensitive field may stand in it unread."""
    mask = getattr(tool, "mask", None)
    if isinstance(arguments, dict):
        return compact(mask.mask(arguments) if mask else arguments)
    if mask:
        return ""
    return arguments.decode("utf-8", "replace") if isinstance(arguments, bytes) else arguments or ""
