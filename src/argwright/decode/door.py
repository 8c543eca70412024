"""The door of the decoder: strict first, tolerant where strict stopped, the policy's word last."""

from __future__ import annotations

from dataclasses import dataclass

from argwright.decode import strict
from argwright.decode.root import root
from argwright.decode.scan import Log, Scan, Unreadable
from argwright.making import quick
from argwright.model import Json, Repair, Value
from argwright.policy import Certainty, Limits, Policy
from argwright.shape import ANY, Shape

_LIMITS = Limits()
_STRICT_LOOKS = 4  # times the text's length: nested containers that fail at one place are each looked at once


@quick
@dataclass(frozen=True, kw_only=True)
class Decoded(Value):
    """A text that has one reading.

    Args:
        value: the value, any JSON.
        repairs: every change that led to it, in order; empty if it was strict JSON.
    """

    value: Json
    repairs: tuple[Repair, ...] = ()

    __match_args__ = ("value", "repairs")


@quick
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


def decode(  # keyword-only
    raw: str | bytes,
    *,
    shape: Shape = ANY,
    tool: str | None = None,
    policy: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    ended: bool = False,
    stopped: int | None = None,
) -> Decoded | Undecodable:
    """Read one call's arguments.

    Args:
        raw: the text as the model wrote it; bytes are UTF-8.
        shape: what the tool's schema says, as a hint.
        tool: the name of the called tool, for a call written out inside its own arguments.
        policy: repairs below its certainty make the text undecodable.
        limits: length, depth and number of choices.
        ended: the provider reported a normal end, so that a missing final `}` is no cut.
        stopped: the text is known not to be strict JSON, and where it stops to be that (-1: not where).
    """
    text, broken = (raw, None) if isinstance(raw, str) else _text(raw)
    if len(text) > limits.max_chars:
        return Undecodable(
            reason="too_long", position=limits.max_chars, message=f"{len(text)} characters, at most {limits.max_chars}"
        )
    if broken is None and stopped is None:
        try:
            return Decoded(value=strict.load(text, limits.max_depth))
        except ValueError as fault:
            stopped = getattr(fault, "pos", -1)
    scan = Scan(text, shape, limits, Log(text, limits), ended=ended, guess=policy.allows(Certainty.GUESS))
    scan.stopped = -1 if stopped is None else stopped
    scan.strict_left = 0 if strict.may_hold_surrogates(text) else _STRICT_LOOKS * len(text)
    if broken is not None:
        scan.log.note("invalid-utf8", (broken, text.rindex("\ufffd") + 1), "\ufffd")
    try:
        value = root(scan, tool)
    except Unreadable as fault:
        return _refused(scan, fault)
    return _judged(scan, value, policy)


def _text(raw: bytes) -> tuple[str, int | None]:
    """The text of UTF-8 bytes, and the first character that stands for bytes which are none."""
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as fault:
        return raw.decode("utf-8", "replace"), len(raw[: fault.start].decode("utf-8"))


def _refused(scan: Scan, fault: Unreadable) -> Undecodable:
    return Undecodable(
        reason=fault.reason,
        position=fault.position,
        message=fault.message,
        pointer=scan.where(),
        readings=fault.readings,
        repairs=scan.log.repairs(),
    )


def _judged(scan: Scan, value: Json, policy: Policy) -> Decoded | Undecodable:
    """The value, unless a repair is less certain than the policy wants."""
    repairs = scan.log.repairs()
    if not repairs or policy.allows(min(repair.certainty for repair in repairs)):
        return Decoded(value=value, repairs=repairs)
    doubtful = next(repair for repair in repairs if not policy.allows(repair.certainty))
    return Undecodable(
        reason="not_json",
        position=doubtful.span[0] if doubtful.span else 0,
        message=f"reading it needs {doubtful.rule}, which is {doubtful.certainty.name}",
        pointer=doubtful.pointer,
        repairs=repairs,
    )
