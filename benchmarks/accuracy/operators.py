"""What an operator is: a kind of damage, and whether it can be undone.

`recoverable` says that text and schema together leave one reading, and that this is the
value before the damage. Otherwise something is gone, or two readings are equally good,
or a mapping is needed that nobody declared: then the right answer is a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.accuracy.dice import Dice


@dataclass(frozen=True)
class Subject:
    """What is damaged: a call that is right."""

    tool: str
    schema: Mapping[str, Any]
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Damaged:
    """The text that arrives (or, of an operator on values, the value)."""

    result: Any
    recoverable: bool = True


Damage = Callable[[Dice, Subject], Damaged | None]
"""`None`: this kind of damage does not apply here."""


@dataclass(frozen=True)
class Operator:
    """One kind of damage.

    Args:
        name: as it stands in the table of results.
        family: valid, syntax, wrapping, transport or meaning.
        weight: how often it is drawn, after how often it is reported.
        damage: the function.
        needs: characters of which the arguments must hold one; a hard text with it is put in.
    """

    name: str
    family: str
    weight: int
    damage: Damage
    needs: str = ""

    @property
    def on_value(self) -> bool:
        """Whether it damages the value; such a text stays JSON."""
        return self.family == "meaning"


@dataclass(frozen=True)
class Slot:
    """One value inside the arguments, with its schema."""

    path: tuple[str | int, ...]
    value: Any
    schema: Mapping[str, Any]


def slots(subject: Subject, fits: Callable[[Any, Mapping[str, Any]], bool]) -> list[Slot]:
    """The places that an operator can work at."""
    return [
        slot for slot in _walk(subject.arguments, subject.schema, ()) if slot.path and fits(slot.value, slot.schema)
    ]


def _walk(value: Any, schema: Any, path: tuple[str | int, ...]) -> Iterator[Slot]:
    node = schema if isinstance(schema, dict) else {}
    yield Slot(path, value, node)
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _walk(item, node.get("properties", {}).get(name), (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, node.get("items"), (*path, index))


def put(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """A copy of the value with another one at a place."""
    if not path:
        return new
    head, *rest = path
    if isinstance(value, dict):
        return {name: put(item, tuple(rest), new) if name == head else item for name, item in value.items()}
    return [put(item, tuple(rest), new) if index == head else item for index, item in enumerate(value)]


def types(schema: Mapping[str, Any]) -> set[str]:
    """The types a schema names."""
    named = schema.get("type", [])
    return {named} if isinstance(named, str) else set(named)


def is_number(value: Any) -> bool:
    """A number that is no boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_free_text(value: Any, schema: Mapping[str, Any]) -> bool:
    """A string on which the schema puts no further condition."""
    return isinstance(value, str) and types(schema) == {"string"} and not set(schema) - {"type", "description", "title"}
