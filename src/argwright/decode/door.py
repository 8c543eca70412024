"""The door of the decoder."""

from __future__ import annotations

from dataclasses import dataclass

from argwright.model import Json, Repair, Value
from argwright.policy import Limits, Policy
from argwright.shape import ANY, Shape


@dataclass(frozen=True, kw_only=True)
class Decoded(Value):
    """A text that has one reading: the value, and every change that led to it."""

    value: Json
    repairs: tuple[Repair, ...] = ()

    __match_args__ = ("value", "repairs")


@dataclass(frozen=True, kw_only=True)
class Undecodable(Value):
    """A text without exactly one reading.

    Args:
        reason: a slug of `JsonReason`.
        position: the character where reading stopped.
        message: what stands there and what was expected, without quoting the text at length.
        pointer: the field in which it stopped, as a JSON Pointer.
        readings: the values of an ambiguous text, where they can be named.
        repairs: what had been mended up to there.
    """

    reason: str
    position: int = 0
    message: str = ""
    pointer: str = ""
    readings: tuple[Json, ...] = ()
    repairs: tuple[Repair, ...] = ()

    __match_args__ = ("reason", "position")


def decode(
    raw: str | bytes,
    *,
    shape: Shape = ANY,
    tool: str | None = None,
    policy: Policy = Policy.STANDARD,
    limits: Limits = Limits(),  # noqa: B008  # a frozen value
    ended: bool = False,
) -> Decoded | Undecodable:
    """Read one call's arguments.

    Args:
        raw: the text as the model wrote it; bytes are UTF-8.
        shape: what the tool's schema says, as a hint.
        tool: the name of the called tool, for a call written out inside its own arguments.
        policy: repairs below its certainty make the text undecodable.
        limits: length, depth and number of choices.
        ended: the provider reported a normal end, so that a missing final `}` is no cut.
    """
    import json

    try:
        return Decoded(value=json.loads(raw))
    except ValueError as error:
        return Undecodable(reason="not_json", message=str(error))
