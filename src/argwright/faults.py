"""A validator's errors as values, in one form whichever way they were found.

A fault has the violated keyword, its operand, the place in the value and the place in
the schema as it was declared. The branches of a union are faults as well, looked at
only when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from jsonschema_rs import ValidationError

from argwright import pointer
from argwright.making import quick
from argwright.recursive_unions import PREFIX, UNIONS, RecursiveUnions, declared_path

Path: TypeAlias = tuple[str | int, ...]
Branches: TypeAlias = Sequence[Sequence["Fault"]]


@quick
@dataclass(frozen=True, kw_only=True)
class Fault:
    """One violation.

    Args:
        keyword: the violated keyword; `falseSchema` where the schema is `false`.
        operand: what the keyword expects; of `propertyNames`, the fault of the name.
        path: where in the value.
        where: where in the schema, the keyword included.
        home: the embedded resource from which `where` counts, if it is not the document.
        unexpected: the keys that are not declared.
        open: looks into the branches of a union.
    """

    keyword: str
    operand: Any
    path: Path
    where: Path
    home: str = ""
    unexpected: tuple[str, ...] | None = None
    open: Callable[[], Branches] = field(default=tuple)

    @cached_property
    def branches(self) -> Branches:
        """What each branch of a union has against the value; nothing, if it fits."""
        return self.open()

    @property
    def is_union(self) -> bool:
        """Whether it is about the branches of a union."""
        return self.keyword in UNIONS


def whole(errors: Iterable[ValidationError], value: Any) -> Iterator[Fault]:
    """The faults of a validator that reports on everything at once."""
    return (_fault(error, value, (), None) for error in errors)


def layered(unions: RecursiveUnions, value: Any) -> Iterator[Fault]:
    """The faults of a schema whose unions contain themselves, level by level."""
    return (_fault(error, value, (), unions) for error in unions.errors(value))


def _fault(error: ValidationError, value: Any, base: Path, unions: RecursiveUnions | None) -> Fault:
    """A fault whose error counts its places from `base`, where `value` stands."""
    keyword: str = error.kind.name
    own = _own(value, error.instance_path)
    path = base + own
    if unions is not None and keyword.startswith(PREFIX):
        return _closed_union(error, _part(value, own), path, unions)
    operand: Any = error.kind.value
    branches: Callable[[], Branches] = tuple
    if keyword == "propertyNames":
        name = operand.instance
        path, operand = (*path, name), _fault(operand, name, (), unions)
    elif keyword in UNIONS:
        context, operand = operand, None
        branches = lambda: [[_fault(inner, value, base, unions) for inner in branch] for branch in context]  # noqa: E731  # a view of what is at hand
    return Fault(
        keyword=keyword,
        operand=operand,
        path=path,
        where=tuple(error.schema_path if unions is None else declared_path(error.schema_path)),
        home="" if unions is not None else (error.absolute_keyword_location or "").split("#")[0],
        unexpected=_unexpected(error),
        open=branches,
    )


def _closed_union(error: ValidationError, part: Any, path: Path, unions: RecursiveUnions) -> Fault:
    """The fault of a union that has not been looked into."""
    union = error.message
    return Fault(
        keyword=error.kind.name.removeprefix(PREFIX),
        operand=None,
        path=path,
        where=pointer.split(union),
        open=lambda: [
            [_fault(inner, part, path, unions) for inner in branch] for branch in unions.branches(union, part)
        ],
    )


def _own(value: Any, path: Iterable[str | int]) -> Path:
    """The path in the value's own keys: the validator takes one that looks like a number, `"007"`, for an index.

    There is none in a name, though the validator says where the name stands.
    """
    found: list[str | int] = []
    for token in path:
        if not isinstance(value, (dict, list)):
            break
        key = _key(value, token) if isinstance(token, int) and isinstance(value, dict) else token
        found.append(key)
        value = _part(value, (key,))
    return tuple(found)


def _key(value: dict[str, Any], number: int) -> str:
    plain = str(number)
    if plain in value:
        return plain
    return next(key for key in value if (key.removeprefix("+").lstrip("0") or "0") == plain)


def _part(value: Any, path: Iterable[str | int]) -> Any:
    for token in path:
        value = value[token]
    return value


def _unexpected(error: ValidationError) -> tuple[str, ...] | None:
    names = getattr(error.kind, "unexpected", None)
    return None if names is None else tuple(map(str, names))
