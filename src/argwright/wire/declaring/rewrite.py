"""One place of a schema in keywords that the provider takes, where they can say the same.

Each step looks for one keyword that the subset lacks: `allOf` is merged, `$ref` written
out, `oneOf` becomes `anyOf`, `const` a list of one, a list of types a union, a tuple a
list of any of its items. What a step cannot say it hands on, to be said in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from argwright.model import Json
from argwright.shape import json_type
from argwright.wire.declaring.merge import merged, superset
from argwright.wire.declaring.report import CannotFit
from argwright.wire.declaring.strict import types_of
from argwright.wire.declaring.subset import Subset

if TYPE_CHECKING:
    from argwright.wire.declaring.fit import Fitter
    from argwright.wire.declaring.refs import Document

Said = list[tuple[str, Json]]

_MOST_HOPS = 32  # references and `allOf` followed for one place; longer chains are cycles
_DEFINITION = re.compile(r"#/\$defs/[^/]+")
_OF_TYPE = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}),
    "object": frozenset({
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
        "maxProperties", "dependentRequired", "dependentSchemas",
    }),
}  # fmt: skip
_OF_TYPE["integer"] = _OF_TYPE["number"]
_OF_ANY_TYPE = frozenset({"description", "title", "default", "examples", "deprecated", "readOnly", "writeOnly"})
_OF_SOME_TYPE = frozenset().union(*_OF_TYPE.values(), {"type", "enum"})


def as_object(document: Document) -> dict[str, Any]:
    """The root, as the object that the arguments of a call are.

    Raises:
        CannotFit: the schema allows no object.
    """
    root = dict(document.root)
    for _ in range(_MOST_HOPS):
        if "$ref" not in root:
            break
        target = document.target(root["$ref"])
        rest = {key: value for key, value in root.items() if key != "$ref"}
        root = {**target, **rest} if isinstance(target, dict) else rest
    named = types_of(root)
    if named and "object" not in named:
        raise CannotFit(f"the arguments of a call are an object, the schema says {' or '.join(named)}")
    if named != ("object",):
        root = {"type": "object", **{key: value for key, value in root.items() if key != "type"}}
    return root if "properties" in root else {**root, "properties": {}}


def rewritten(
    fitter: Fitter, node: dict[str, Any], at: str, trail: tuple[str, ...]
) -> tuple[dict[str, Any], Said, tuple[str, ...]]:
    """The node in the provider's keywords, what is to be said in words, and the references written out."""
    said: Said = []
    for _ in range(_MOST_HOPS):
        if _needs_merging(fitter.subset, node, at):
            node, trail = _all_of(fitter, node, at, (said, trail))
        elif "$ref" in node and not _keeps_ref(fitter, node):
            node, trail = _reference(fitter, node, at, (said, trail))
        else:
            break
    for step in _STEPS:
        node = step(fitter, node, at, said)
    return node, said, trail


def _banned(subset: Subset, keyword: str, at: str) -> bool:
    return not subset.takes(keyword) or (not at and keyword in subset.root_bans)


def _needs_merging(subset: Subset, node: dict[str, Any], at: str) -> bool:
    return isinstance(node.get("allOf"), list) and _banned(subset, "allOf", at)


def _all_of(
    fitter: Fitter, node: dict[str, Any], at: str, state: tuple[Said, tuple[str, ...]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The node and the branches of its `allOf` as one, and the references written out on the way."""
    said, trail = state
    made = {key: value for key, value in node.items() if key != "allOf"}
    alone = len(node["allOf"]) == 1 and "$ref" not in made
    for branch in node["allOf"]:
        if isinstance(branch, dict):
            part, trail = (branch, trail) if alone else _written_out(fitter, branch, at, trail)
            made, left = merged(made, part)
            for key, value in left:
                said += fitter.refuse(at, key, value, f"{fitter.subset.name} does not take 'allOf'")
    return made, trail


def _written_out(
    fitter: Fitter, branch: dict[str, Any], at: str, trail: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A branch with the target of its `$ref` in place of it; of one that leads back here, the type."""
    if "$ref" not in branch:
        return branch, trail
    ref, target = branch["$ref"], fitter.document.target(branch["$ref"])
    rest = {key: value for key, value in branch.items() if key != "$ref"}
    if not isinstance(target, dict):
        fitter.note(at, "$ref", "dropped", "it points to nothing in this schema")
        return rest, trail
    if ref in trail:
        return _cut(fitter, target, rest, at), trail
    return {**target, **rest}, (*trail, ref)


def _keeps_ref(fitter: Fitter, node: dict[str, Any]) -> bool:
    """Whether the `$ref` of a node can go out as it stands."""
    subset, ref = fitter.subset, node["$ref"]
    if subset.keywords is None and subset.ref_siblings:
        return fitter.document.target(ref) is not None
    if not subset.takes("$ref") or "$defs" in subset.root_bans or not isinstance(ref, str):
        return False
    if fitter.document.target(ref) is None or (ref in fitter.document.cyclic and subset.recursion == "no"):
        return False
    return _DEFINITION.fullmatch(ref) is not None and len(node) == 1


def _reference(
    fitter: Fitter, node: dict[str, Any], at: str, state: tuple[Said, tuple[str, ...]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The node with the target of its `$ref` written out, or what can be said of it if it leads back here."""
    said, trail = state
    ref = node["$ref"]
    target = fitter.document.target(ref)
    rest = {key: value for key, value in node.items() if key != "$ref"}
    if not isinstance(target, dict):
        if target is None:
            fitter.note(at, "$ref", "dropped", "it points to nothing in this schema")
        return ({"not": {}, **rest} if target is False else rest), trail
    if ref not in trail and (ref not in fitter.document.cyclic or not _can_wrap(fitter.subset, ref)):
        annotated, left = merged({**target, **{key: rest[key] for key in rest if key in _OF_ANY_TYPE}}, rest)
        for key, value in left:
            said += fitter.refuse(at, key, value, f"{fitter.subset.name} takes nothing beside '$ref'")
        return annotated, (*trail, ref)
    if _can_wrap(fitter.subset, ref):
        return _wrapped(fitter, ref, rest, (at, said)), trail
    return _cut(fitter, target, rest, at), trail


def _can_wrap(subset: Subset, ref: str) -> bool:
    possible = subset.takes("$ref") and subset.recursion != "no" and "$defs" not in subset.root_bans
    return possible and _DEFINITION.fullmatch(ref) is not None


def _wrapped(fitter: Fitter, ref: str, rest: dict[str, Any], state: tuple[str, Said]) -> dict[str, Any]:
    """A reference into a cycle, the keywords beside it said in words."""
    at, said = state
    for key, value in rest.items():
        if key != "description":
            said += fitter.refuse(at, key, value, f"{fitter.subset.name} takes nothing beside '$ref'")
    kept = {"description": rest["description"]} if "description" in rest else {}
    return {"anyOf": [{"$ref": ref}], **kept}


def _cut(fitter: Fitter, target: dict[str, Any], rest: dict[str, Any], at: str) -> dict[str, Any]:
    """The place where a cycle is cut: its type, and that it goes on."""
    if fitter.subset.closed:
        raise CannotFit(f"{at} leads back to itself, {fitter.subset.name} takes no cycles")
    fitter.note(at, "$ref", "dropped", f"{fitter.subset.name} takes no cycles: the schema is cut here")
    named = {"type": target["type"]} if "type" in target else {}
    text = rest.get("description", target.get("description"))
    return {**named, "description": f"{text} (as further up)" if isinstance(text, str) else "(as further up)"}


def _one_of(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    if "oneOf" not in node or "anyOf" in node or not _banned(fitter.subset, "oneOf", at):
        return node
    if at:
        fitter.note(at, "oneOf", "rewritten", f"{fitter.subset.name} does not take it, 'anyOf' says nearly the same")
    return {("anyOf" if key == "oneOf" else key): value for key, value in node.items()}


def _root_union(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:
    if at or not isinstance(node.get("anyOf"), list) or "anyOf" not in fitter.subset.root_bans:
        return node
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    branches = [_written_out(fitter, one, at, ())[0] for one in node["anyOf"] if isinstance(one, dict)]
    objects = [one for one in branches if not types_of(one) or "object" in types_of(one)]
    if not objects:
        raise CannotFit("the arguments of a call are an object, no branch of the root is")
    said += fitter.refuse(at, "anyOf", node["anyOf"], f"{fitter.subset.name} takes no union at the root")
    return merged(rest, superset(objects))[0]


def _const(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    if "const" not in node or "enum" in node or not _banned(fitter.subset, "const", at):
        return node
    return {("enum" if key == "const" else key): [value] if key == "const" else value for key, value in node.items()}


def _tuple(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:
    items = node.get("prefixItems")
    if not isinstance(items, list) or fitter.subset.takes("prefixItems"):
        return node
    said += fitter.refuse(at, "prefixItems", items, f"{fitter.subset.name} takes no tuples")
    branches = list[Any]()
    for one in [*items, *([node["items"]] if isinstance(node.get("items"), dict) else [])]:
        if one not in branches:
            branches.append(one)
    rest = {key: value for key, value in node.items() if key != "prefixItems"}
    return {**rest, "items": branches[0] if len(branches) == 1 else {"anyOf": branches}}


def _enum(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    """Values of several types as a union, where an enum has one type."""
    values = node.get("enum")
    if not fitter.subset.uniform_enums or not isinstance(values, list) or not at:
        return node
    kinds = dict.fromkeys(json_type(value) for value in values)
    if len(kinds) <= 1:
        return node
    outside = {key: value for key, value in node.items() if key not in ("enum", "type")}
    named = types_of(node)
    branches: list[dict[str, Any]] = [
        {"type": kind, **({} if kind == "null" else {"enum": [one for one in values if json_type(one) == kind]})}
        for kind in kinds
        if not named or any(_is_of(one, name) for name in named for one in values if json_type(one) == kind)
    ]
    return {**outside, "anyOf": branches} if branches else node


def _types(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    """A list of types as a union, where a type is one word."""
    named = types_of(node)
    if fitter.subset.type_lists or not isinstance(node.get("type"), list) or "anyOf" in node:
        return node
    outside = {key: value for key, value in node.items() if key in _OF_ANY_TYPE}
    branches = [_of_type(node, name) for name in named]
    return {**outside, "anyOf": branches}


def _of_type(node: dict[str, Any], name: str) -> dict[str, Any]:
    """What a node says of values of one type."""
    own = _OF_TYPE.get(name, frozenset[str]())
    made: dict[str, Any] = {"type": name}
    if name == "null":
        return made
    for key, value in node.items():
        if key == "enum":
            made["enum"] = [one for one in value if _is_of(one, name)]
        elif key in own or key not in _OF_ANY_TYPE | _OF_SOME_TYPE:
            made[key] = value
    return made


def _is_of(value: Json, name: str) -> bool:
    found = json_type(value)
    return found == name or (name == "number" and found == "integer")


def _null_branch(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    """`nullable` for a union with null, where that is how it is written."""
    branches = node.get("anyOf")
    if fitter.subset.null != "nullable" or not isinstance(branches, list) or {"type": "null"} not in branches:
        return node
    others = [branch for branch in branches if branch != {"type": "null"}]
    if not others:
        return {**{key: value for key, value in node.items() if key != "anyOf"}, "type": "null"}
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    if len(others) == 1 and isinstance(others[0], dict):
        return {**merged(rest, others[0])[0], "nullable": True}
    return {**rest, "anyOf": others, "nullable": True}


def _beside_union(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:
    """A union with only those keywords beside it that may stand there."""
    alone = fitter.subset.lone_any_of
    if alone is None or not isinstance(node.get("anyOf"), list):
        return node
    beside = {key: value for key, value in node.items() if key != "anyOf" and key not in alone}
    shared = {key: value for key, value in beside.items() if key == "type" and isinstance(value, str)}
    for key, value in beside.items():
        if key not in shared:
            said += fitter.refuse(at, key, value, f"{fitter.subset.name} takes nothing beside 'anyOf'")
    branches = [{**shared, **one} if isinstance(one, dict) else one for one in node["anyOf"]]
    return {**{key: value for key, value in node.items() if key in alone}, "anyOf": branches}


def _nullable_word(fitter: Fitter, node: dict[str, Any], at: str, said: Said) -> dict[str, Any]:  # noqa: ARG001  # a step
    if "nullable" not in node or fitter.subset.keywords is None:
        return node
    fitter.note(at, "nullable", "dropped", "JSON Schema does not know it: null would not be valid")
    return {key: value for key, value in node.items() if key != "nullable"}


_STEPS: tuple[Callable[[Fitter, dict[str, Any], str, Said], dict[str, Any]], ...] = (
    _nullable_word, _one_of, _root_union, _const, _tuple, _enum, _types, _null_branch, _beside_union,
)  # fmt: skip
"""In the order in which they see a place; each looks for one thing only."""
