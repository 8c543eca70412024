"""Which branch of a union a value means.

Two things tell: the type (the branches that do not fail for the type of the value as a
whole), and the tag (a member whose `const` or `enum` differs between the branches and
of which the value carries one). Read from the faults of each branch and, for tags, from
the schema; nothing here decides validity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from argwright.faults import Branches, Fault, Path
from argwright.shape import Shape, json_type
from argwright.wording import listed, shorten, shown


def misses(fault: Fault, at: Path, value: Any) -> bool:
    """Whether a fault of a branch says that the value at the union is of the wrong type altogether."""
    if fault.path != at:
        return False
    match fault.keyword:
        case "type":
            return True
        case "falseSchema":
            return not (fault.where and fault.where[-1] == "additionalProperties")
        case "const":
            return _family(fault.operand) != _family(value)
        case "enum":
            return all(_family(option) != _family(value) for option in fault.operand)
        case "anyOf" | "oneOf":
            return all(any(misses(sub, at, value) for sub in branch) for branch in fault.branches)
        case _:
            return False


def _family(value: Any) -> str:
    name = json_type(value)
    return "number" if name == "integer" else name


def options(branches: Branches, at: Path) -> list[Any] | None:
    """All values listed by these branches, if each fails for nothing but its own list."""
    found: list[Any] = []
    for branch in branches:
        for fault in branch:
            if fault.keyword not in ("const", "enum") or fault.path != at:
                return None
            found += [fault.operand] if fault.keyword == "const" else fault.operand
    return found if len(found) > 1 else None


def types(branches: Branches, at: Path) -> list[str]:
    """The types that the branches of a union expect."""
    found: dict[str, None] = {}
    for branch in branches:
        for fault in branch:
            if fault.path == at:
                found |= dict.fromkeys(_named_types(fault, at))
    return list(found)


def _named_types(fault: Fault, at: Path) -> list[str]:
    match fault.keyword:
        case "type":
            return list(fault.operand)
        case "const":
            return [json_type(fault.operand)]
        case "enum":
            return [json_type(option) for option in fault.operand]
        case "anyOf" | "oneOf":
            return types(fault.branches, at)
        case _:
            return []


Tags = Mapping[str, Sequence[tuple[Any, ...]]]
"""By member name, what each branch lists for it; an empty tuple where a branch does not say."""


def tags(shapes: Sequence[Shape], value: Mapping[str, Any]) -> Tags:
    """The members that tell these branches apart: `const` members alone if there are any, else `enum` members too."""
    listing = {
        name: lists
        for name in value
        if any(lists := [shape.member(name).enum if name in shape.properties else () for shape in shapes])
        and not all(_alike(options, lists[0]) for options in lists)
    }
    constants = {name: lists for name, lists in listing.items() if all(len(options) < 2 for options in lists)}  # noqa: PLR2004  # one value is a constant
    return constants or listing


def meant(tags: Tags, value: Mapping[str, Any]) -> list[bool]:
    """For each branch, whether the value carries a tag of it and none that it refuses."""
    columns = list(zip(*tags.values(), strict=True))
    names = list(tags)
    return [
        any(options for options in column)
        and all(not options or _among(value[name], options) for name, options in zip(names, column, strict=True))
        for column in columns
    ]


def unknown_tag(tags: Tags, value: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """The one tag that every branch declares and whose value no branch knows."""
    found = [
        (name, [option for options in lists for option in options])
        for name, lists in tags.items()
        if all(lists) and not any(_among(value[name], options) for options in lists)
    ]
    return found[0] if len(found) == 1 else None


def _alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(_among(value, other) for value in one)


def _among(value: Any, options: Sequence[Any]) -> bool:
    """Membership by JSON's equality, in which `true` is not `1`."""
    return any(value == option and isinstance(value, bool) == isinstance(option, bool) for option in options)


@lru_cache(maxsize=1024)  # of a shape, which never changes and is known by identity
def summary(shape: Shape) -> str:
    """A place of the schema in a few words: `string`, `object with kind 'circle', radius`, `array of string`."""
    if shape.enum:
        return shown(shape.enum[0]) if len(shape.enum) == 1 else f"one of {listed(shape.enum)}"
    if shape.only("array"):
        inner = shape.item
        return f"array of {' or '.join(sorted(inner.types))}" if inner.types else "array"
    if shape.required or shape.only("object"):
        names = [name for name in shape.properties if name in shape.required]
        names += sorted(shape.required.difference(names))
        told = ", ".join(_member(shape, name) for name in names[:6])
        return f"object with {told}" if told else "object"
    return " or ".join(sorted(shape.types)) or "any value"


def _member(shape: Shape, name: str) -> str:
    enum = shape.member(name).enum
    return f"{shorten(name)} {shown(enum[0])}" if len(enum) == 1 else shorten(name)
