"""Calls worth showing: what the model wrote, and what was done to it or why it was refused.

The worst of each kind are kept: those with the most repairs and issues, and of these the
ones that are neither a stump nor a screen full. A tool with sensitive fields is told of without its text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from argwright.batch.verdict import ERROR, MENDED, REFUSED, Verdict
from argwright.model import InvalidCall, Outcome, Repair, Value, compact

LONGEST = 1_500  # characters of a text that is shown: a screen of it
MAX_KINDS = 24  # kinds of examples that are kept of one part, and as many more of a scan
EACH = 2
"""Of a kind."""
_BEST = 200  # characters that show a fault best: more than a stump, less than a screen
_SHOWN = 160  # characters of a value before and after
_REPAIRS = 12
_ISSUES = 6


@dataclass(frozen=True, kw_only=True)
class Example(Value):
    """One call to show.

    Args:
        weight: how much was wrong with it.
        where: file and line.
        call: the place in the line.
        cause: the kind and reason of a refused call, the first rule of a mended one.
        text: what the model wrote; `None` if it is not to be shown.
        cut: how many characters are left out at its end.
        effective: what runs, if it does.
        repairs: rule, certainty, pointer, span, before, after, count of each.
        issues: pointer and message of each.
        position: where in the text reading stopped.
    """

    tool: str
    model: str
    status: str
    cause: str
    weight: int
    where: tuple[str, int]
    call: int = 0
    text: str | None = None
    cut: int = 0
    effective: str | None = None
    repairs: tuple[dict[str, Any], ...] = ()
    issues: tuple[tuple[str, str], ...] = ()
    position: int | None = None

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Example:
        """The example that `to_dict` told."""
        fields: dict[str, Any] = {name: tuple(data[name]) for name in ("where", "repairs")}
        fields["issues"] = tuple((pointer, message) for pointer, message in data["issues"])
        return cls(**data | fields)


def made(
    outcome: Outcome, verdict: Verdict, where: tuple[str, int], call: tuple[int, str], *, texts: bool = True
) -> Example:
    """The example of a call.

    Args:
        outcome: what became of it.
        verdict: the same as a row.
        where: file and line.
        call: its place in the line, and the model that made it.
        texts: whether what the model wrote may be shown.
    """
    written = outcome.call.arguments
    text = written if isinstance(written, str) else ""
    secret = is_secret(outcome, texts=texts)
    return Example(
        tool=_short(outcome.tool.name if outcome.tool is not None else outcome.call.name or ""),
        model=_short(call[1]),
        status=verdict.status,
        cause=cause(verdict),
        weight=weight(outcome, verdict),
        where=where,
        call=call[0],
        text=None if secret else text[:LONGEST],
        cut=max(0, len(text) - LONGEST),
        effective=None if secret or verdict.arguments is None else verdict.arguments[:LONGEST],
        repairs=tuple(_repair(repair, secret=secret) for repair in outcome.repairs[:_REPAIRS]),
        issues=tuple((issue["pointer"], issue["message"][:400]) for issue in verdict.issues[:_ISSUES]),
        position=outcome.position if isinstance(outcome, InvalidCall) else None,
    )


def is_secret(outcome: Outcome, *, texts: bool) -> bool:
    """Whether what the model wrote is not shown."""
    return not texts or (outcome.tool is not None and bool(outcome.tool.sensitive))


def cause(verdict: Verdict) -> str:
    """The kind of an example: why it was refused, or what mended it."""
    if verdict.kind:
        return f"{verdict.kind}/{verdict.reason}"
    return verdict.rules[0] if verdict.rules else ""


def weight(outcome: Outcome, verdict: Verdict) -> int:
    """How much was wrong with a call."""
    return sum(repair.count for repair in outcome.repairs) + len(verdict.issues)


def distance(length: int) -> int:
    """How far a text is from the length that shows best."""
    return abs(length - _BEST)


def worst(examples: Iterable[Example], kinds: int = MAX_KINDS) -> list[Example]:
    """The examples to keep: a few of each kind, of so many kinds, in an order that is always the same.

    Refused ones come first, and neither crowd out the others; what was sent again is shown once.
    """
    found: defaultdict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in sorted(examples, key=_order):
        same = found[example.status, example.cause]
        if len(same) < EACH and all(example.text != other.text for other in same):
            same.append(example)
    kept: list[Example] = []
    for status in (REFUSED, MENDED, ERROR):
        groups = [group for (found_status, _), group in found.items() if found_status == status]
        ranked = sorted(groups, key=lambda group: _order(group[0]))
        kept += [example for group in ranked[: kinds // 2] for example in group]
    return kept


def _order(example: Example) -> tuple[Any, ...]:
    return -example.weight, distance(len(example.text or "") + example.cut), example.where, example.call


def _repair(repair: Repair, *, secret: bool) -> dict[str, Any]:
    return {
        "rule": repair.rule,
        "certainty": repair.certainty.name,
        "pointer": repair.pointer,
        "span": None if repair.span is None else list(repair.span),
        "before": None if secret else _told(repair.before),
        "after": None if secret else _told(repair.after),
        "count": repair.count,
    }


def _told(value: Any) -> str:
    text = value if isinstance(value, str) else compact(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _short(name: str) -> str:
    return name if len(name) <= 80 else name[:79] + "…"  # noqa: PLR2004  # no provider takes a longer name
