"""What a JSON Schema says of one place: a hint for readers, never the verdict.

A reader that meets an unquoted word or a missing quote asks which keys may stand
here and which types. `Shape` answers that, lazily and without ever failing: where
the schema is silent, recursive, remote or odd, everything is possible (`ANY`).
Whether a value is valid is decided by `argwright.schema` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from argwright import pointer

_TYPES = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
_MAX_NODES = 64  # alternatives looked at for one place; a cyclic union could go on for ever
_MAX_HOPS = 32  # `$ref` and combinators followed for one place; longer chains are cycles or machine-made


class Shape:
    """One place of a schema. Shapes of members and items are made on demand and kept.

    Args:
        node: the schema of this place; anything that is no mapping allows everything.
        root: the document in which `$ref` is resolved.
    """

    def __init__(self, node: Any, root: Any = None) -> None:
        self._root = node if root is None else root
        self._nodes = tuple(islice(_alternatives(node, self._root), _MAX_NODES))
        self._members: dict[str, Shape] = {}

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that may stand here; empty if the schema does not say."""
        found: set[str] = set()
        for node in self._nodes:
            allowed = _node_types(node)
            if not allowed:
                return frozenset()
            found |= allowed
        return frozenset(found)

    def allows(self, *names: str) -> bool:
        """Whether one of these types may stand here; an integer may stand for a number."""
        return not self.types or not self.types.isdisjoint(names)

    def only(self, *names: str) -> bool:
        """Whether the schema names its types, and all of them are among these."""
        return bool(self.types) and self.types <= set(names)

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """The declared members of an object that may stand here, by name."""
        found: dict[str, Any] = {}
        for node in self._nodes:
            declared = node.get("properties")
            if isinstance(declared, dict):
                for name, sub in declared.items():
                    found[name] = {"anyOf": [found[name], sub]} if name in found and found[name] != sub else sub
        return found

    @cached_property
    def required(self) -> frozenset[str]:
        """The members that every object here must have."""
        sets = [
            frozenset(name for name in node.get("required", ()) if isinstance(name, str))
            for node in self._nodes
            if isinstance(node.get("required", ()), (list, tuple)) and _node_types(node) <= {"object"} | _node_types({})
        ]
        return frozenset.intersection(*sets) if sets else frozenset()

    @cached_property
    def closed(self) -> bool:
        """Whether undeclared members are refused."""
        objects = [node for node in self._nodes if not _node_types(node) or "object" in _node_types(node)]
        return bool(objects) and all(
            node.get("additionalProperties") is False or node.get("unevaluatedProperties") is False for node in objects
        )

    @cached_property
    def fixed(self) -> bool:
        """Whether an object here has declared members only, each by its name."""
        return self.closed and not any("patternProperties" in node for node in self._nodes)

    @cached_property
    def enum(self) -> tuple[Any, ...]:
        """The values listed by `enum` or `const`; empty if any value may stand here."""
        values: list[Any] = []
        for node in self._nodes:
            if isinstance(node.get("enum"), list):
                values += node["enum"]
            elif "const" in node:
                values.append(node["const"])
            else:
                return ()
        return tuple(values)

    def member(self, name: str) -> Shape:
        """The shape of the member of this name."""
        shape = self._members.get(name)
        if shape is not None:
            return shape
        if name not in self.properties:
            return self._undeclared
        self._members[name] = made = Shape(self.properties[name], self._root)
        return made

    @cached_property
    def _undeclared(self) -> Shape:
        """The shape of every member that is not declared."""
        extras = [
            node["additionalProperties"] for node in self._nodes if isinstance(node.get("additionalProperties"), dict)
        ]
        return Shape(extras[0] if len(extras) == 1 else None, self._root)

    @cached_property
    def items(self) -> tuple[Shape, ...]:
        """The shapes of the items, one for each different kind of array that may stand here."""
        found: list[Any] = []
        for node in self._nodes:
            if "array" in _node_types(node) and node.get("items") not in found:
                found.append(node.get("items"))
        return tuple(Shape(node, self._root) for node in found)

    @cached_property
    def item(self) -> Shape:
        """The shape of an array's items."""
        found = [node["items"] for node in self._nodes if isinstance(node.get("items"), dict)]
        if not found:
            return ANY if self._root is None else Shape(None, self._root)
        return Shape(found[0] if len(found) == 1 else {"anyOf": found}, self._root)


def _node_types(node: Mapping[str, Any]) -> frozenset[str]:
    """The types one node names by `type`, or by its `enum` or `const`."""
    named = node.get("type")
    if isinstance(named, str):
        return frozenset({named}) & _TYPES
    if isinstance(named, list):
        return frozenset(name for name in named if isinstance(name, str)) & _TYPES
    listed = node.get("enum", [node["const"]] if "const" in node else None)
    if isinstance(listed, list) and listed:
        return frozenset(json_type(value) for value in listed)
    if isinstance(node.get("properties"), dict):
        return frozenset({"object"})
    return frozenset()


def json_type(value: Any) -> str:
    """The JSON Schema name of a value's type; a whole number is an `integer`."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def _alternatives(node: Any, root: Any, hops: int = 0) -> Iterator[Mapping[str, Any]]:
    """The nodes that may apply here: `$ref` followed, `anyOf` and `oneOf` spread, `allOf` merged."""
    if not isinstance(node, dict) or hops > _MAX_HOPS:
        yield {}
        return
    if isinstance(node.get("$ref"), str):
        rest = {key: value for key, value in node.items() if key != "$ref"}
        target = _resolve(node["$ref"], root)
        merged = {**target, **rest} if isinstance(target, dict) else rest
        yield from _alternatives(merged, root, hops + 1)
        return
    if isinstance(node.get("allOf"), list):
        yield from _alternatives(_merge(node, root, hops), root, hops + 1)
        return
    branches = node.get("anyOf", node.get("oneOf"))
    if isinstance(branches, list) and branches and hops <= _MAX_HOPS:
        rest = {key: value for key, value in node.items() if key not in ("anyOf", "oneOf")}
        for branch in branches[:_MAX_HOPS]:
            yield from _alternatives(_join(rest, branch), root, hops + 1)
        return
    yield node


def _merge(node: Mapping[str, Any], root: Any, hops: int) -> Mapping[str, Any]:
    """A node with `allOf`, its parts taken in."""
    merged: Mapping[str, Any] = {key: value for key, value in node.items() if key != "allOf"}
    for part in node["allOf"][:_MAX_HOPS]:
        followed = part
        for _ in range(_MAX_HOPS - min(hops, _MAX_HOPS)):
            if not (isinstance(followed, dict) and isinstance(followed.get("$ref"), str)):
                break
            target = _resolve(followed["$ref"], root)
            followed = (
                {**target, **{k: v for k, v in followed.items() if k != "$ref"}} if isinstance(target, dict) else {}
            )
        merged = _join(merged, followed)
    return merged


def _join(one: Mapping[str, Any], other: Any) -> dict[str, Any]:
    """Two nodes that both apply, as one."""
    if not isinstance(other, dict):
        return dict(one)
    joined = {**one, **other}
    if isinstance(one.get("properties"), dict) and isinstance(other.get("properties"), dict):
        joined["properties"] = {**one["properties"], **other["properties"]}
    if isinstance(one.get("required"), list) and isinstance(other.get("required"), list):
        joined["required"] = [*one["required"], *other["required"]]
    return joined


def _resolve(ref: str, root: Any) -> Any:
    """The target of a local `$ref`; anything else is not known here."""
    if not ref.startswith("#"):
        return None
    try:
        return pointer.get(root, ref[1:])
    except (LookupError, ValueError):
        return None


ANY = Shape({}, {})
"""Nothing is known: everything may stand here."""
