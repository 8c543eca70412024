"""Cases: a true call, damaged by one operator or by one of meaning inside one of notation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.accuracy import meaning, syntax, transport, wrapping
from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Damaged, Operator, Subject, is_free_text, put, slots
from benchmarks.accuracy.pairs import Pair
from benchmarks.accuracy.payloads import with_one_of
from benchmarks.accuracy.pieces import LAYOUTS, join, write

OPERATORS: tuple[Operator, ...] = (*syntax.OPERATORS, *wrapping.OPERATORS, *transport.OPERATORS, *meaning.OPERATORS)

_TRIES = 500  # pairs tried for one operator before it is taken not to apply to any
_HARD = 0.3  # of the calls carry a hard text
_CLOSED = 0.25  # of the schemas refuse undeclared fields
_DOUBLE = 0.12  # of the damage to meaning comes inside damage to notation

_OUTER = tuple(
    operator
    for operator in OPERATORS
    if operator.family in ("syntax", "wrapping")
    and not operator.needs
    and operator.name
    not in ("no_number", "repeated_key", "call_syntax", "tagged_parameters", "undefined_member", "missing_closer")
)


@dataclass(frozen=True)
class Case:
    """One arguments text, and what is right."""

    operator: str
    family: str
    tool: str
    schema: dict[str, Any]
    raw: str
    recoverable: bool
    expected: dict[str, Any]


def generate(pairs: Sequence[Pair], *, seed: str, count: int) -> list[Case]:
    """As many cases; the same for the same seed."""
    weights = [(operator, operator.weight) for operator in OPERATORS]
    return [_case(Dice(f"{seed}/{number}"), pairs, weights) for number in range(count)]


def _case(dice: Dice, pairs: Sequence[Pair], weights: Sequence[tuple[Operator, int]]) -> Case:
    operator = dice.weighted(weights)
    for _ in range(_TRIES):
        subject = _subject(dice, dice.one(pairs), operator)
        damaged = subject and operator.damage(dice, subject)
        if not subject or not damaged:
            continue
        name = operator.name
        raw = damaged.result
        if operator.on_value:
            raw, damaged, name = _written(dice, subject, damaged, name)
        if operator.family != "valid" and _unharmed(raw, subject):
            continue
        return Case(
            name, operator.family, subject.tool, dict(subject.schema), raw, damaged.recoverable, dict(subject.arguments)
        )
    raise LookupError(f"no pair to damage by {operator.name}")


def _subject(dice: Dice, pair: Pair, operator: Operator) -> Subject | None:
    subject = Subject(pair.tool, pair.schema, pair.arguments)
    if dice.chance(_CLOSED) or operator.name == "undeclared_key":
        subject = replace(subject, schema={**subject.schema, "additionalProperties": False})
    if operator.name == "nothing" and not subject.schema.get("required"):
        subject = replace(subject, arguments={})
    if not operator.needs and not dice.chance(_HARD):
        return subject
    found = slots(subject, is_free_text)
    if not found:
        return None if operator.needs else subject
    text = dice.one(with_one_of(operator.needs))
    return replace(subject, arguments=put(subject.arguments, dice.one(found).path, text))


def _written(dice: Dice, subject: Subject, damaged: Damaged, name: str) -> tuple[str, Damaged, str]:
    """Damaged arguments as text, now and then with a damaged notation."""
    if dice.chance(_DOUBLE) and isinstance(damaged.result, dict):
        outer = dice.weighted([(operator, operator.weight) for operator in _OUTER])
        again = outer.damage(dice, replace(subject, arguments=damaged.result))
        if again:
            return again.result, Damaged(None, damaged.recoverable and again.recoverable), f"{name} in {outer.name}"
    return join(write(damaged.result, dice.one(LAYOUTS))), damaged, name


def _unharmed(raw: str, subject: Subject) -> bool:
    """Whether the text still says the same; repeated keys and nothing at all are damage all the same."""
    try:
        value = json.loads(raw, object_pairs_hook=_without_repeats)
    except ValueError:
        return False
    return same(value, subject.arguments) and bool(subject.arguments)


def _without_repeats(members: list[tuple[str, Any]]) -> dict[str, Any] | None:
    return dict(members) if len({name for name, _ in members}) == len(members) else None


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 equals 1.0, true does not equal 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
