"""What can no longer become valid, told while the arguments arrive.

A call is doomed only if no rule that argwright has could still mend it: a finished
scalar of a type that the place does not take and that is never converted, a value that
is none of those listed in any spelling, a key that a closed object does not declare in
any spelling and no alias maps. Where the schema says more than `Shape` can tell, nothing
is called doomed. This only saves tokens; whether a call is valid is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from argwright.pointer import split
from argwright.rules.keys import fold
from argwright.shape import ANY, Shape, json_type
from argwright.stream.growing import Container

_BEYOND = frozenset({
    "patternProperties", "unevaluatedProperties", "if", "then", "else", "dependentSchemas", "not", "$dynamicRef",
    "$recursiveRef", "propertyNames",
})  # fmt: skip
"""Keywords by which a place takes more, or other things, than `Shape` shows."""
_MAX_NODES = 5000  # a schema beyond that is not looked at: doom is a saving, and must cost less
_MAX_BRANCHES = 16  # of one union, or members of one enum's shape: fewer than `Shape` looks at
_NOTHING = frozenset({"", "null", "none"})
_SCALARS = ("string", "number", "integer", "boolean", "null")
_WORDS = frozenset({"true", "false"})


def is_plain(schema: Any) -> bool:
    """Whether `Shape` tells all of what the schema says of names, types and listed values."""
    todo, seen = [schema], 0
    while todo:
        node = todo.pop()
        seen += 1
        if seen > _MAX_NODES or (isinstance(node, dict) and not _is_plain_node(node)):
            return False
        if isinstance(node, (dict, list)):
            todo += node.values() if isinstance(node, dict) else node
    return True


def _is_plain_node(node: Mapping[str, Any]) -> bool:
    unions = (node.get("anyOf"), node.get("oneOf"), node.get("allOf"))
    if any(isinstance(union, list) and len(union) > _MAX_BRANCHES for union in unions):
        return False
    remote = isinstance(node.get("$ref"), str) and not node["$ref"].startswith("#/")
    return not remote and _BEYOND.isdisjoint(node)


class Doom:
    """Watches one call's arguments (`progress.Watch`).

    Args:
        tool: a declared tool; its schema, aliases and value aliases are looked at.
        report: takes the pointer, the reason and the message of the first place that cannot be right.
    """

    def __init__(self, tool: Any, report: Callable[[str, str, str], None], *, undeclared: bool = False) -> None:
        self._shape: Shape = getattr(tool, "shape", None) or Shape(dict(tool.schema))
        self._report = report
        self._undeclared = undeclared
        self._shapes: list[Shape] = []
        self._strangers: list[str] = []  # undeclared names at the top, as long as they may be a wrapper
        self._at_home = False  # a declared name stands at the top
        self._words = frozenset(_words(getattr(tool, "value_aliases", None) or {}))
        self._aliases = frozenset(_names(getattr(tool, "aliases", None) or {}))

    def opened(self, key: str | None, container: Container, pointer: str) -> None:
        """A container begins."""
        if not self._shapes:
            self._shapes.append(self._shape)
            return
        place = self._place(key)
        if isinstance(container, dict) and place.only(*_SCALARS):
            self._report(pointer, "type", "an object stands where a single value is expected")
        self._shapes.append(place)

    def closed(self) -> None:
        """The container opened last is at its end."""
        if self._shapes:
            self._shapes.pop()

    def named(self, key: str, pointer: str) -> None:
        """A key is complete."""
        shape = self._shapes[-1]
        top = len(self._shapes) == 1
        if key in shape.properties:
            self._at_home = self._at_home or top
            if top and self._strangers:
                self._unexpected(self._strangers[0])
        elif self._undeclared or not shape.closed or self._may_mean(key, shape):
            return
        elif top and not self._at_home:
            self._strangers.append(pointer)
        else:
            self._unexpected(pointer)

    def _unexpected(self, pointer: str) -> None:
        self._report(pointer, "unexpected", "the tool declares no field of this name")

    def _may_mean(self, key: str, shape: Shape) -> bool:
        return key in self._aliases or fold(key) in {fold(name) for name in shape.properties}

    def scalar(self, key: str | None, value: Any, pointer: str) -> None:
        """A scalar is complete."""
        place = self._place(key)
        if place is ANY or not (place.types or place.enum) or str(value) in self._words:
            return
        optional = isinstance(key, str) and key not in self._shapes[-1].required
        found = json_type(value)
        if place.types and not _may_become(value, found, place, optional=optional):
            self._report(pointer, "type", f"found {found}, expected {' or '.join(sorted(place.types))}")
        elif place.enum and isinstance(value, str) and not self._may_be_listed(value, place, optional=optional):
            self._report(pointer, "enum", "the value is none of those that are allowed")

    def _may_be_listed(self, value: str, place: Shape, *, optional: bool) -> bool:
        if value in place.enum or (optional and value.strip().lower() in _NOTHING):
            return True
        if not place.only("string", "null") or not all(
            isinstance(item, str) for item in place.enum if item is not None
        ):
            return True
        return fold(value) in {fold(item) for item in place.enum if isinstance(item, str)}

    def _place(self, key: str | None) -> Shape:
        """What the schema says of the place of a member or item of the container opened last."""
        if not self._shapes:
            return ANY
        shape = self._shapes[-1]
        if key is None:
            return shape.item
        if key in shape.properties:
            return shape.member(key)
        return ANY if len(self._shapes) == 1 or not shape.properties else shape.member(key)


def _may_become(value: Any, found: str, place: Shape, *, optional: bool) -> bool:
    """Whether a scalar fits the place, or could be made to fit it by a rule."""
    if place.allows(found, "array") or (found == "integer" and place.allows("number")):
        return True
    if value is None:
        return optional
    if isinstance(value, str):
        return not place.only("integer", "number", "boolean", "null") or _spells(value)
    return isinstance(value, float) and value.is_integer() and place.allows("integer")


def _spells(text: str) -> bool:
    """Whether a text could be a number, a word or nothing."""
    word = text.strip().lower()
    return word in _NOTHING or word in _WORDS or any(char.isdigit() for char in word)


def _names(aliases: Mapping[str, str]) -> Iterator[str]:
    for old in aliases:
        yield old
        if old.startswith("/"):
            yield from split(old)


def _words(aliases: Mapping[str, Any] | Iterable[Any]) -> Iterator[str]:
    if isinstance(aliases, Mapping):
        for key, value in aliases.items():
            yield str(key)
            if isinstance(value, Mapping):
                yield from _words(value)
