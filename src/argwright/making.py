"""Frozen dataclasses that are quickly made.

A frozen dataclass sets each field through `object.__setattr__`, so that a value of ten
fields takes longer to make than most of what is done with it. `quick` gives such a class
an `__init__` with the same parameters that writes into the instance's own dict, and
`changed` is `dataclasses.replace` without a second `__init__`. Both are for classes
without slots and without `__post_init__`, whose fields are all parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """The frozen dataclass, its instances made without `object.__setattr__`."""
    made: dict[str, Any] = {}
    declared = fields(cls)  # type: ignore[arg-type]  # a dataclass
    values = {f"_{field.name}": field for field in declared}
    body = "".join(f"\n own[{field.name!r}] = {_value(field)}" for field in declared)
    source = f"def __init__({', '.join(_parameters(declared))}):\n own = self.__dict__{body}"
    exec(source, {name: _default(field) for name, field in values.items()}, made)  # noqa: S102  # as `dataclasses` does; the source holds the names of fields alone
    made["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    made["__init__"].__annotations__ = cls.__init__.__annotations__
    setattr(cls, "__init__", made["__init__"])  # noqa: B010  # to a type checker nothing changes
    return cls


def _parameters(declared: tuple[Field[Any], ...]) -> Iterator[str]:
    yield "self"
    named = False
    for field in sorted(declared, key=lambda field: field.kw_only is True):
        if field.kw_only is True and not named:
            named = True
            yield "*"
        yield field.name if _is_needed(field) else f"{field.name}=_{field.name}"


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory


def _value(field: Field[Any]) -> str:
    """What is written into the field: the argument, or what the factory makes if it stands there for none given."""
    name = field.name
    return name if field.default_factory is MISSING else f"_{name}() if {name} is _{name} else {name}"


def changed(value: T, **changes: Any) -> T:
    """The same value with other fields; what it found out about itself is not taken along."""
    made = object.__new__(type(value))
    old, own = value.__dict__, made.__dict__
    for name in value.__dataclass_fields__:  # type: ignore[attr-defined]
        own[name] = old[name]
    own.update(changes)
    return made
