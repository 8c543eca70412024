"""Unions that contain themselves, looked into one level at a time.

A validator that reports on a failed union reports on every branch down to the leaves. If
a union contains itself (a filter of filters), that is branches to the power of depth.
Here each union of such a schema is put behind a keyword of ours that only says that no
branch fits; whoever reads the report then asks for the branches of this one union. The
verdict is the same, and the work grows with the depth and not exponentially.

Not for schemas that need more than the document's pointers to be understood (embedded
resources, dynamic references, `unevaluated…`): those are reported on whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

import jsonschema_rs
from jsonschema_rs import ValidationError

from argwright import pointer
from argwright.model import Json

PREFIX = "x-argwright-"
UNIONS = ("anyOf", "oneOf")

_PLAIN, _LAYERED = "argwright:/plain", "argwright:/layered"
_BEYOND = frozenset({
    "$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
_ONE = frozenset({"additionalProperties", "additionalItems", "propertyNames", "contains", "not", "if", "then", "else"})
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})


class RecursiveUnions:
    """The validators of one schema: one for the whole, and one for each branch that is asked for.

    Args:
        schema: a valid schema of which `applies` says yes.
    """

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self._draft = {"$schema": schema["$schema"]} if "$schema" in schema else {}
        self._branches: dict[str, tuple[str, int]] = {}
        layered = self._rebuilt(schema, "", "")
        self._keywords = {PREFIX + name: _keyword(self._fits, alone=name == "oneOf") for name in UNIONS}
        self._plain = jsonschema_rs.Registry([(_PLAIN, dict(schema))])
        self._layered = jsonschema_rs.Registry([(_LAYERED, layered)])
        self._made: dict[tuple[str, str], jsonschema_rs.Validator] = {}

    def errors(self, value: Json) -> Iterator[ValidationError]:
        """What is wrong with a value; a union's error is of our keyword, and its message is the union's pointer."""
        return self._validator(_LAYERED, "").iter_errors(value)

    def branches(self, union: str, value: Json) -> list[list[ValidationError]]:
        """What each branch of a union has against a value; the places count from this value."""
        place, number = self._branches[union]
        return [list(self._validator(_LAYERED, f"{place}/{index}").iter_errors(value)) for index in range(number)]

    def _fits(self, union: str, value: Json) -> Iterator[bool]:
        """For each branch of a union, whether a value fits it."""
        number = self._branches[union][1]
        return (self._validator(_PLAIN, f"{union}/{index}").is_valid(value) for index in range(number))

    def _validator(self, document: str, place: str) -> jsonschema_rs.Validator:
        made = self._made.get((document, place))
        if made is None:
            registry, keywords = (self._plain, None) if document is _PLAIN else (self._layered, self._keywords)
            schema = {**self._draft, "allOf": [{"$ref": f"{document}#{quote(place, safe='/~')}"}]}
            made = jsonschema_rs.validator_for(schema, registry=registry, keywords=keywords, offline=True)
            self._made[document, place] = made
        return made

    def _rebuilt(self, node: Any, at: str, to: str) -> Any:
        """A schema with its unions behind our keyword; where each union's branches stand is kept.

        Args:
            node: the schema.
            at: its pointer in the schema as declared.
            to: its pointer in the schema that is made.
        """
        if not isinstance(node, Mapping):
            return node
        made: dict[str, Any] = {}
        for key, part in node.items():
            below = f"/{pointer.escape(key)}"
            if key in UNIONS and isinstance(part, list):
                place = f"{to}/{PREFIX}{key}/branches"
                self._branches[at + below] = (place, len(part))
                parts = [self._rebuilt(one, f"{at}{below}/{n}", f"{place}/{n}") for n, one in enumerate(part)]
                made[PREFIX + key] = {"union": at + below, "branches": parts}
            else:
                made[key] = self._operand(key, part, (at + below, to + below))
        return made

    def _operand(self, key: str, part: Any, places: tuple[str, str]) -> Any:
        at, to = places
        if isinstance(part, dict) and key in _NAMED:
            return {
                name: self._rebuilt(one, f"{at}/{pointer.escape(name)}", f"{to}/{pointer.escape(name)}")
                for name, one in part.items()
            }
        if isinstance(part, list) and key in _LIST | {"items"}:
            return [self._rebuilt(one, f"{at}/{index}", f"{to}/{index}") for index, one in enumerate(part)]
        return self._rebuilt(part, at, to) if key in _ONE | {"items"} else part


def declared_path(path: list[str | int]) -> Iterator[str | int]:
    """A path in the schema that was made, as a path in the schema as declared."""
    tokens = iter(path)
    for token in tokens:
        if isinstance(token, str) and token.startswith(PREFIX):
            next(tokens, None)
            yield token.removeprefix(PREFIX)
        else:
            yield token


def _keyword(fits: Callable[[str, Json], Iterator[bool]], *, alone: bool) -> type[Any]:
    """The class of a keyword that says of a union only that no branch fits, or more than the one allowed."""

    class Union:
        def __init__(self, _parent: Any, operand: Any, _path: Any) -> None:
            self._union: str = operand["union"]

        def validate(self, value: Json) -> None:
            fitting = fits(self._union, value)
            if not any(fitting) or (alone and any(fitting)):
                raise ValueError(self._union)

    return Union


def applies(schema: Json) -> bool:
    """Whether a schema has unions that contain themselves and is understood by its pointers alone."""
    nodes = dict(_nodes(schema, ""))
    if any(_BEYOND & node.keys() for node in nodes.values()):
        return False
    targets = {at: unquote(node["$ref"]) for at, node in nodes.items() if isinstance(node.get("$ref"), str)}
    if any(not target.startswith("#") or any(name in target for name in UNIONS) for target in targets.values()):
        return False
    return any(_contains_itself(at, targets) for at, node in nodes.items() if any(name in node for name in UNIONS))


def _contains_itself(place: str, targets: Mapping[str, str]) -> bool:
    """Whether following references from below a place leads back to it."""
    todo, seen = [place], {place}
    while todo:
        start = todo.pop()
        for at, target in targets.items():
            reached = target[1:]
            if not _within(at, start):
                continue
            if _within(place, reached):
                return True
            if reached not in seen:
                seen.add(reached)
                todo.append(reached)
    return False


def _within(place: str, other: str) -> bool:
    return place == other or place.startswith(other + "/")


def _nodes(node: Any, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema object of a document, by its pointer."""
    if not isinstance(node, dict):
        return
    yield at, node
    for key, part in node.items():
        below = f"{at}/{pointer.escape(key)}"
        if isinstance(part, dict) and key in _NAMED:
            for name, one in part.items():
                yield from _nodes(one, f"{below}/{pointer.escape(name)}")
        elif isinstance(part, list) and key in _LIST | {"items"}:
            for index, one in enumerate(part):
                yield from _nodes(one, f"{below}/{index}")
        elif key in _ONE | {"items"}:
            yield from _nodes(part, below)
