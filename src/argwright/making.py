"""Frozen dataclasses that are quickly made.

A frozen dataclass sets each field through `object.__setattr__`, so that a value of ten
fields takes longer to make than most of what is done with it. `quick` gives such a class
an `__init__` with the same parameters that writes into the instance's own dict, and
`changed` is `dataclasses.replace` without a second `__init__`. Both are for classes
without slots and without `__post_init__`, whose fields are all parameters. `later` leaves
a field to be made when somebody reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
L = TypeVar("L", bound="Later")

_LATER = "_later"


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


class Later:
    """Base of values of which a field may be made when it is first read; see `later`."""

    if not TYPE_CHECKING:  # else every name would be an attribute

        def __getattr__(self, name: str) -> Any:
            """What is not there yet."""
            make = self.__dict__.get(_LATER, {}).get(name)
            if make is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = self.__dict__[name] = make()
            return value

    def __getstate__(self) -> dict[str, Any]:
        for name in self.__dict__.get(_LATER, {}):
            getattr(self, name)
        return {name: value for name, value in self.__dict__.items() if name != _LATER}


def later(value: L, name: str, make: Callable[[], Any]) -> L:
    """A value just made, whose field (one without a default at the class) is made when somebody reads it, if ever."""
    own = value.__dict__
    del own[name]
    own[_LATER] = {name: make}
    return value


def changed(value: T, /, **changes: Any) -> T:
    """The same value with other fields; what it found out about itself is not taken along."""
    made = object.__new__(type(value))
    old, own = value.__dict__, made.__dict__
    for name in value.__dataclass_fields__:  # type: ignore[attr-defined]
        own[name] = old[name] if name in old else getattr(value, name)
    own.update(changes)
    return made
