"""Strict mode: a schema that leaves nothing open, and `null` where a member may be left out.

In this mode a provider takes only objects without further members, and some take only
members that are all required. An optional member then becomes one that may be null, and
the model sends `null` for "not given". The way back is the rule that reads `null` of an
optional field as absent, which works at a failing place only: where the tool's own
schema takes null, it stays null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from argwright.wire.declaring.modern import children
from argwright.wire.declaring.report import CannotFit
from argwright.wire.declaring.subset import Subset


def types_of(node: Mapping[str, Any]) -> tuple[str, ...]:
    """The types that a node names."""
    named = node.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)


def takes_null(node: Mapping[str, Any]) -> bool:
    """Whether null is valid here, as far as the node itself says; what is silent takes anything."""
    if "$ref" in node:
        return False
    if "anyOf" in node and not any(isinstance(branch, dict) and takes_null(branch) for branch in node["anyOf"]):
        return False
    named = types_of(node)
    listed = node.get("enum", [node["const"]] if "const" in node else [None])
    return (not named or "null" in named) and None in listed


def nullable(node: dict[str, Any], subset: Subset) -> dict[str, Any]:
    """The node, with null valid too."""
    if takes_null(node):
        return node
    if subset.null == "nullable":
        return {**node, "nullable": True}
    if "anyOf" in node and not node.keys() - {"anyOf", "description", "title"}:
        return {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
    if subset.null == "any_of" or "$ref" in node or "anyOf" in node or not types_of(node):
        outside = {key: value for key, value in node.items() if key in ("description", "title")}
        inside = {key: value for key, value in node.items() if key not in outside}
        return {"anyOf": [inside, {"type": "null"}], **outside}
    return _with_null(node)


def _with_null(node: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key == "type":
            made["type"] = list(dict.fromkeys([*types_of(node), "null"]))
        elif key == "enum":
            made["enum"] = value if None in value else [*value, None]
        elif key == "const":
            made["enum"] = [value, None]
        else:
            made[key] = value
    return made


def closed(node: dict[str, Any], declared: Mapping[str, Any], *, place: str, subset: Subset) -> dict[str, Any]:
    """An object that takes no further members, all of them required if the mode wants that.

    Args:
        node: the object, its members fitted already.
        declared: the same object as it was declared.
        place: where it stands, as a JSON Pointer.
        subset: the mode.

    Raises:
        CannotFit: it is open on purpose, or has no members.
    """
    open_for = declared.get("additionalProperties", declared.get("unevaluatedProperties", False))
    if open_for is not False or "patternProperties" in declared:
        raise CannotFit(f"{place or 'the root'} takes further members, {subset.name} takes none")
    members: dict[str, Any] = node.get("properties", {})
    if not members and place and (subset.object_members or declared.get("additionalProperties") is not False):
        raise CannotFit(f"{place} is an object of any members, {subset.name} takes none")
    required = node.get("required", [])
    if missing := [name for name in declared.get("required", ()) if name not in members]:
        raise CannotFit(f"{place or 'the root'} requires {missing[0]!r}, which it does not declare")
    made = {**node, "properties": members, "additionalProperties": False}
    if not subset.all_required:
        return made
    shut = {name: sub if name in required else nullable(sub, subset) for name, sub in members.items()}
    return {**made, "properties": shut, "required": list(members)}


def check_limits(schema: Mapping[str, Any], subset: Subset) -> None:
    """See that a fitted schema is no larger than the mode allows.

    Raises:
        CannotFit: it is.
    """
    counts = measure(schema)
    for what, most, found in (
        ("members", subset.max_members, counts.members),
        ("levels", subset.max_depth, counts.depth),
        ("enum values", subset.max_enum, counts.values),
    ):
        if most and found > most:
            raise CannotFit(f"it has {found} {what}, {subset.name} takes {most}")


class Counts:
    """How large a schema is."""

    def __init__(self) -> None:
        self.members = self.depth = self.values = self.optional = self.unions = 0

    def look(self, node: Mapping[str, Any], depth: int) -> None:
        """Count one place."""
        members = node.get("properties", {})
        required = node.get("required", ())
        self.members += len(members)
        self.optional += sum(name not in required for name in members)
        self.unions += "anyOf" in node or isinstance(node.get("type"), list)
        self.values += len(node.get("enum", ()))
        self.depth = max(self.depth, depth)


def measure(schema: Mapping[str, Any]) -> Counts:
    """Count members, nesting of containers, enum values, optional members and unions."""
    counts = Counts()
    waiting: list[tuple[Any, int]] = [(schema, 1)]
    while waiting:
        node, depth = waiting.pop()
        if not isinstance(node, dict):
            continue
        counts.look(node, depth)
        inner = depth + (("object" in types_of(node)) or ("array" in types_of(node)))
        waiting += [(sub, depth if path[0] in ("anyOf", "$defs") else inner) for path, sub in children(node)]
    return counts
