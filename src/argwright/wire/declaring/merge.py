"""Several schemas as one: `allOf` merged, and the unions of a root spread into one object.

`merged` says the same as `allOf` as far as one schema can say it; what it cannot is
handed back, to be said in words. `superset` takes every object that any branch takes,
which is less than the union says, and is therefore reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from argwright.model import Json

Left = tuple[tuple[str, Json], ...]


def merged(one: dict[str, Any], other: dict[str, Any]) -> tuple[dict[str, Any], Left]:
    """One schema for both, and the keywords of `other` that it cannot hold."""
    made, left = dict(one), list[tuple[str, Json]]()
    for key, value in other.items():
        if key not in made or made[key] == value:
            made[key] = value
            continue
        joined = _JOINS[key](made[key], value) if key in _JOINS else None
        if joined is None:
            left.append((key, value))
        else:
            made[key] = joined
    return made, tuple(left)


def _both(one: Any, other: Any) -> Any:
    """Two schemas that both hold."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {"allOf": [one, other]} if one and other else one or other
    return False if one is False or other is False else (other if one is True else one)


def _maps(one: Any, other: Any) -> Any:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    return {**one, **{name: _both(one[name], sub) if name in one else sub for name, sub in other.items()}}


def _names(one: Any, other: Any) -> Any:
    return list(dict.fromkeys([*one, *other])) if isinstance(one, list) and isinstance(other, list) else None


def _types(one: Any, other: Any) -> Any:
    ours, theirs = ([value] if isinstance(value, str) else value for value in (one, other))
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return None
    common = [name for name in ours if name in theirs or (name == "integer" and "number" in theirs)]
    common += [name for name in theirs if name == "integer" and "number" in ours and name not in common]
    return (common[0] if len(common) == 1 else common) or None


def _values(one: Any, other: Any) -> Any:
    if not isinstance(one, list) or not isinstance(other, list):
        return None
    return [value for value in one if value in other] or None


def _text(one: Any, other: Any) -> Any:
    return f"{one} {other}" if isinstance(one, str) and isinstance(other, str) else None


def _bound(choose: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def bound(one: Any, other: Any) -> Any:
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (one, other))
        return choose(one, other) if numbers else None

    return bound


_JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "properties": _maps,
    "patternProperties": _maps,
    "$defs": _maps,
    "required": _names,
    "type": _types,
    "enum": _values,
    "description": _text,
    "title": lambda one, _: one,
    "default": lambda one, _: one,
    "items": _both,
    "additionalProperties": _both,
    "unevaluatedProperties": _both,
    **{key: _bound(max) for key in ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")},
    **{key: _bound(min) for key in ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")},
}


def superset(branches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One object schema that takes what any of these takes: all their members, required where all require it."""
    properties: dict[str, list[Any]] = {}
    for branch in branches:
        for name, sub in (branch.get("properties") or {}).items():
            known = properties.setdefault(name, [])
            if sub not in known:
                known.append(sub)
    required = [name for name in properties if all(name in (branch.get("required") or ()) for branch in branches)]
    made: dict[str, Any] = {
        "properties": {name: subs[0] if len(subs) == 1 else {"anyOf": subs} for name, subs in properties.items()}
    }
    if required:
        made["required"] = required
    if all(branch.get("additionalProperties") is False for branch in branches):
        made["additionalProperties"] = False
    return made
