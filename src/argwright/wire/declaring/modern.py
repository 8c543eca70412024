"""Old spellings of JSON Schema in the present one (draft 2020-12), with the same meaning.

Drafts 4 to 2019-09 are common in generated schemas: `definitions`, `items` as a list,
`exclusiveMinimum: true`, `dependencies`. Providers know them in part, so all readers
behind this one see a single spelling. Only places where a schema stands are touched,
never values such as `enum`, `const`, `default` or `examples`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

SCHEMA_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
SCHEMA_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
SCHEMAS = frozenset({
    "items", "additionalItems", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties", "contentSchema",
})  # fmt: skip
"""The keywords under which schemas stand: by name, in a list, alone."""


def children(node: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The schemas directly below one, each with the path to it."""
    for key, value in node.items():
        if key in SCHEMA_MAPS and isinstance(value, dict):
            yield from (((key, str(name)), sub) for name, sub in value.items())
        elif (key in SCHEMA_LISTS or key == "items") and isinstance(value, list):
            yield from (((key, str(number)), sub) for number, sub in enumerate(value))
        elif key in SCHEMAS:
            yield (key,), value


def rebuild(node: dict[str, Any], change: Callable[[tuple[str, ...], Any], Any]) -> dict[str, Any]:
    """The node with `change(path, schema)` in place of each schema directly below it."""
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in SCHEMA_MAPS and isinstance(value, dict):
            made[key] = {name: change((key, str(name)), sub) for name, sub in value.items()}
        elif (key in SCHEMA_LISTS or key == "items") and isinstance(value, list):
            made[key] = [change((key, str(number)), sub) for number, sub in enumerate(value)]
        elif key in SCHEMAS:
            made[key] = change((key,), value)
        else:
            made[key] = value
    return made


def size_and_depth(schema: Any, *, most: int) -> tuple[int, int]:
    """How many schemas a document holds and how deep; counting stops above `most`."""
    size, depth = 0, 0
    waiting = [(schema, 1)]
    while waiting and size <= most:
        node, level = waiting.pop()
        size, depth = size + 1, max(depth, level)
        if isinstance(node, dict):
            waiting += [(sub, level + 1) for _, sub in children(node)]
    return size, depth


def modern(document: dict[str, Any]) -> dict[str, Any]:
    """The document in the spelling of draft 2020-12; what is modern already stays as it is."""
    return _without_definitions(_modern(document))


def _modern(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    changed: dict[str, Any] = {}
    for key, value in node.items():
        changed |= _SPELLINGS[key](node, value) if key in _SPELLINGS else {key: value}
    return rebuild(changed, lambda _, sub: _modern(sub))


def _items(node: dict[str, Any], value: Any) -> dict[str, Any]:
    if not isinstance(value, list):
        return {"items": value}
    return {"prefixItems": value, **({"items": node["additionalItems"]} if "additionalItems" in node else {})}


def _exclusive(exclusive: str, inclusive: str) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    def spelled(node: dict[str, Any], value: Any) -> dict[str, Any]:
        if not isinstance(value, bool):
            return {exclusive: value}
        return {exclusive: node[inclusive]} if value and inclusive in node else {}

    return spelled


def _inclusive(inclusive: str, exclusive: str) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    return lambda node, value: {} if node.get(exclusive) is True else {inclusive: value}


def _dependencies(_: dict[str, Any], value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    names = {key: sub for key, sub in value.items() if isinstance(sub, list)}
    schemas = {key: sub for key, sub in value.items() if not isinstance(sub, list)}
    return {
        **({"dependentRequired": names} if names else {}),
        **({"dependentSchemas": schemas} if schemas else {}),
    }


def _type(_: dict[str, Any], value: Any) -> dict[str, Any]:
    return {"type": value[0] if isinstance(value, list) and len(value) == 1 else value}


_SPELLINGS: dict[str, Callable[[dict[str, Any], Any], dict[str, Any]]] = {
    "items": _items,
    "additionalItems": lambda node, value: {} if isinstance(node.get("items"), list) else {"additionalItems": value},
    "exclusiveMinimum": _exclusive("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": _exclusive("exclusiveMaximum", "maximum"),
    "minimum": _inclusive("minimum", "exclusiveMinimum"),
    "maximum": _inclusive("maximum", "exclusiveMaximum"),
    "dependencies": _dependencies,
    "type": _type,
}


def _without_definitions(document: dict[str, Any]) -> dict[str, Any]:
    """The root's `definitions` as `$defs`, and the references to them with it."""
    old, new = document.get("definitions"), document.get("$defs", {})
    if not isinstance(old, dict) or not isinstance(new, dict) or not old.keys().isdisjoint(new):
        return document
    renamed = {("$defs" if key == "definitions" else key): value for key, value in document.items() if key != "$defs"}
    redirected: dict[str, Any] = _redirected({**renamed, "$defs": {**new, **old}})
    return redirected


def _redirected(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    ref = node.get("$ref")
    if isinstance(ref, str) and ref.startswith("#/definitions/"):
        node = {**node, "$ref": "#/$defs/" + ref.removeprefix("#/definitions/")}
    return rebuild(node, lambda _, sub: _redirected(sub))
