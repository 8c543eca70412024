"""Declared aliases of fields and values: checked when declared, kept in one form.

The old name of a field is a plain name at the top of the arguments, or a JSON Pointer
to it. In a pointer `*` stands for every item of a list and every key of a map, an index
for that item alone, and the level of a list may be left out: `/items/*/article` and
`/items/article` are the same. What is kept is the plain name at the top, and below it
the pointer with every level written out. The new name stands beside the old one.

Nothing here maps anything; the rule that does reads these tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from argwright import pointer
from argwright.errors import DeclarationError
from argwright.shape import Shape, json_type
from argwright.wording import likely, listed, shown

Tokens = tuple[str, ...]


def field_aliases(tool: str, shape: Shape, aliases: Mapping[str, str]) -> dict[str, str]:
    """The table of old names to new ones, in the form that is kept.

    Raises:
        DeclarationError: an alias is declared itself, leads on to another one, or to nothing.
    """
    found = [_place(f"tool {tool!r}: alias {old!r}", old, new, shape) for old, new in aliases.items()]
    known = {_kept((*place.parent, place.old)) for place in found}
    table: dict[str, str] = {}
    for place in found:
        if _kept((*place.parent, place.new)) in known:
            raise DeclarationError(f"{place.where} leads to {place.new!r}, which is an alias itself")
        _check_field(place)
        key = _kept((*place.parent, place.old))
        if table.setdefault(key, place.new) != place.new:
            raise DeclarationError(f"{place.where} leads to two fields: {table[key]!r} and {place.new!r}")
    return table


def value_aliases(tool: str, schema: Any, aliases: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tables of old values to new ones, by field, in the form that is kept.

    Raises:
        DeclarationError: the field is not declared, the old value is declared itself, or the new one does not fit.
    """
    root = Shape(schema)
    table: dict[str, dict[str, Any]] = {}
    for field, values in aliases.items():
        where = f"tool {tool!r}: value alias of {field!r}"
        path, shape = _into_item(*_walk(root, _path(field, where), where))
        for old, new in values.items():
            _check_value((old, new), shape, where)
        table.setdefault(_kept(path), {}).update(values)
    return table


@dataclass(frozen=True)
class _Place:
    """One alias, with the object it is for."""

    where: str
    old: str
    new: str
    parent: Tokens
    holder: Shape


def _place(where: str, old: str, new: Any, shape: Shape) -> _Place:
    path = _path(old, where)
    parent, holder = _into_item(*_walk(shape, path[:-1], where))
    return _Place(where, path[-1], _target(new, parent, shape, where), parent, holder)


def _path(old: str, where: str) -> Tokens:
    if not old:
        raise DeclarationError(f"{where}: the name is empty")
    return pointer.split(old) if old.startswith("/") else (old,)


def _kept(path: Tokens) -> str:
    return path[0] if len(path) == 1 and not path[0].startswith("/") else pointer.join(path)


def _walk(shape: Shape, path: Sequence[str], where: str) -> tuple[Tokens, Shape]:
    """Follow declared names through the schema, with the levels of lists written out."""
    made: list[str] = []
    for step in path:
        if shape.only("array", "null") and step != "*" and not step.isdecimal():
            made.append("*")
            shape = shape.item
        made.append(step)
        shape = _step(shape, step, where)
    return tuple(made), shape


def _into_item(path: Tokens, shape: Shape) -> tuple[Tokens, Shape]:
    """A list stands for its items: they hold the names and values that have aliases."""
    while shape.only("array", "null"):
        path, shape = (*path, "*"), shape.item
    return path, shape


def _step(shape: Shape, name: str, where: str) -> Shape:
    if name in shape.properties:
        return shape.member(name)
    if shape.only("array", "null"):
        return shape.item
    if name == "*" and not shape.closed:  # every key of a map
        return shape.member(name)
    raise DeclarationError(f"{where}: {name!r} is not declared; {_declared(shape, name)}")


def _target(new: Any, parent: Tokens, shape: Shape, where: str) -> str:
    """The new name; a pointer is taken if it leads to the same object as the old one."""
    if not isinstance(new, str) or not new:
        raise DeclarationError(f"{where}: its target is no field name: {shown(new)}")
    if not new.startswith("/"):
        return new
    path = _path(new, where)
    if _into_item(*_walk(shape, path[:-1], where))[0] != parent:
        raise DeclarationError(f"{where}: the target {new!r} stands in another object, and nothing is moved")
    return path[-1]


def _check_field(place: _Place) -> None:
    declared = place.holder.properties
    if place.old in declared:
        raise DeclarationError(f"{place.where}: {place.old!r} is itself a declared field")
    if place.new not in declared:
        told = _declared(place.holder, place.new)
        raise DeclarationError(f"{place.where}: its target {place.new!r} is not declared; {told}")


def _check_value(values: tuple[Any, Any], shape: Shape, where: str) -> None:
    old, new = values
    if shape.enum and _among(old, shape.enum):
        raise DeclarationError(f"{where}: {shown(old)} is itself a declared value")
    if shape.enum and not _among(new, shape.enum):
        raise DeclarationError(f"{where}: {shown(new)} is not one of {listed(shape.enum)}")
    kind = json_type(new)
    if not shape.allows(kind, *(("number",) if kind == "integer" else ())):
        raise DeclarationError(f"{where}: {shown(new)} is of type {kind}, expected {' or '.join(sorted(shape.types))}")


def _among(value: Any, options: Sequence[Any]) -> bool:
    return any(value == option and isinstance(value, bool) == isinstance(option, bool) for option in options)


def _declared(shape: Shape, name: str) -> str:
    guess = likely(name, shape.properties)
    return f"declared are {listed(list(shape.properties))}" + (f", did you mean {guess!r}?" if guess else "")


def marked_secret(schema: Any) -> Iterator[str]:
    """The names of members that the schema itself marks as secret (`format: password`)."""
    members = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, node in members:
        if key == "properties" and isinstance(node, dict):
            yield from (name for name, part in node.items() if _secret(part))
        yield from marked_secret(node)


def _secret(node: Any) -> bool:
    parts = [node, *node.get("anyOf", ()), *node.get("oneOf", ())] if isinstance(node, dict) else []
    return any(isinstance(part, dict) and part.get("format") == "password" for part in parts)
