r"""A schema → a regular expression that only texts of valid arguments match.

A pattern proves, it never judges: what matches satisfies the schema, is strict JSON with
every key declared and there once, and is written exactly as we would write it (but for
one blank behind a comma or a colon, where the style says so). What does not match may be
valid all the same. So a pattern may leave out whatever is hard to say: a keyword that is
not understood, an order of keys that nobody writes, an integer above the next power of
ten. An optional member that cannot be said is left out of the object; a required one
leaves the object unsaid.

The syntax is that of RE2, which has no backtracking: a column of texts is matched in a
fraction of a microsecond each, whatever stands in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from argwright import pointer

Keys = tuple[str, ...]
"""The keys of an object, in the order in which they are written."""


class Style(NamedTuple):
    """What is written between two members, and between a key and its value."""

    comma: str = ","
    colon: str = ":"


COMPACT, LOOSE = Style(), Style(", ?", ": ?")

_SAID = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"})
_ROOT = frozenset({"$schema", "$defs", "definitions"})

_DEEP = 32  # places above one another
_LONG = 20_000  # characters of a pattern
_MOST = 64  # repetitions that are counted: each is a copy in the automaton
_ORDERS = 4  # of the keys of one object
_LEADING = 12  # optional members before the first required one: each may be the first

_CHARACTER = r'(?:[^"\\\x00-\x1f]|\\["\\bfnrt])'
_DIGITS = 18  # of an integer: so many every reader and writer keeps
_FRACTION = r"\.[0-9]{0,3}[1-9]"  # never a whole number, and shorter than where writers turn to exponents
_DIGITS_BEFORE = 10  # a fraction, for the same reason


class _Place(NamedTuple):
    """Where a subschema stands, and what holds for the whole pattern."""

    root: Mapping[str, Any]
    seen: Collection[Keys]
    style: Style
    silent: frozenset[str]  # keywords that forbid nothing
    targets: dict[str, str | None]  # what references lead to; None also for one that leads back to itself
    depth: int = 0


def pattern(schema: Mapping[str, Any], style: Style = COMPACT, seen: Collection[Keys] = ()) -> str | None:
    """A regular expression for whole texts, in RE2's syntax.

    Args:
        schema: of an object; references within the document are followed.
        style: the blanks.
        seen: orders of keys that were met; the declared one need not be.

    Returns:
        The expression, or `None` where nothing can be said.
    """
    top = {key: value for key, value in schema.items() if key not in _ROOT}
    silent = _SAID if _asserts_formats(schema) else _SAID | {"format"}
    made = _value(top, _Place(schema, seen, style, silent, {})) if top.get("type") == "object" else None
    return None if made is None or len(made) > _LONG else rf"\A{made}\z"


def _asserts_formats(schema: Mapping[str, Any]) -> bool:
    draft = schema.get("$schema", "2020-12")
    return not isinstance(draft, str) or not ("2019-09" in draft or "2020-12" in draft)


def _value(node: Any, place: _Place) -> str | None:
    if not isinstance(node, Mapping) or place.depth > _DEEP:
        return None
    made = _alternatives(node, place._replace(depth=place.depth + 1))
    return None if made is None or len(made) > _LONG else made


def _alternatives(node: Mapping[str, Any], inside: _Place) -> str | None:
    keywords = node.keys() - inside.silent
    if keywords == {"$ref"}:
        return _referred(node["$ref"], inside)
    if keywords == {"anyOf"} and isinstance(node["anyOf"], list):
        return _either(_value(branch, inside) for branch in node["anyOf"])
    types = _types(node)
    if "enum" in keywords or "const" in keywords:
        return _either(_listed(node, types)) if keywords in _LISTED else None
    if not types or not keywords <= _KNOWN:
        return None
    return _either(_TYPES[name](node, inside) for name in types)


def _referred(reference: Any, inside: _Place) -> str | None:
    if not isinstance(reference, str) or not reference.startswith("#/") or "%" in reference:
        return None
    if reference not in inside.targets:
        inside.targets[reference] = None
        try:
            inside.targets[reference] = _value(pointer.get(inside.root, reference[1:]), inside)
        except (LookupError, ValueError):
            return None
    return inside.targets[reference]


def _types(node: Mapping[str, Any]) -> list[str]:
    """The types that a node names, if each is one that can be said."""
    named = node.get("type", [])
    types = [named] if isinstance(named, str) else named
    return types if isinstance(types, list) and all(name in _TYPES for name in types) else []


def _either(patterns: Iterable[str | None]) -> str | None:
    found = list(dict.fromkeys(made for made in patterns if made is not None))
    return f"(?:{'|'.join(found)})" if found else None


def _listed(node: Mapping[str, Any], types: Sequence[str]) -> Iterator[str]:
    """The listed values that can be written in one way only."""
    listed = node.get("enum", [node.get("const")])
    for value in listed if isinstance(listed, list) else ():
        names = _SCALARS.get(type(value), ())
        if ("type" not in node and names) or not set(names).isdisjoint(types):
            try:
                yield re.escape(orjson.dumps(value).decode())
            except TypeError:  # half a surrogate pair, or more digits than the writer has
                continue


def _string(node: Mapping[str, Any], _place: _Place) -> str | None:
    times = _times(node.get("minLength", 0), node.get("maxLength"))
    return None if times is None else f'"{_CHARACTER}{times}"'


def _times(least: Any, most: Any) -> str | None:
    """A quantifier, if it is a small one."""
    if most is None and least in {0, 1}:
        return "+" if least else "*"
    if type(least) is not int or type(most) not in {int, type(None)}:
        return None
    if not 0 <= least <= (_MOST if most is None else most) <= _MOST:
        return None
    return f"{{{least},{'' if most is None else most}}}"


def _integer(node: Mapping[str, Any], _place: _Place) -> str | None:
    return _number_of(node, "")


def _number(node: Mapping[str, Any], _place: _Place) -> str | None:
    return _number_of(node, f"(?:{_FRACTION})?")


def _number_of(node: Mapping[str, Any], fraction: str) -> str | None:
    """Numbers within the bounds: so many digits as all may be nines, or a first digit that may be less."""
    bounds = {name: node[name] for name in _BOUNDS if name in node}
    if not all(type(bound) in {int, float} for bound in bounds.values()):
        return None
    found: list[str | None] = ["0" if _fits(0, bounds) else None]
    for sign, minus in ((1, ""), (-1, "-")):
        if not _fits(sign, bounds):
            continue
        digits, step = (_DIGITS_BEFORE, 1e-4) if fraction else (_DIGITS, 1)
        while digits and not _fits(sign * (10**digits - step), bounds):
            digits -= 1
        first = next(digit for digit in range(9, 0, -1) if _fits(sign * digit, bounds))
        found.append(f"{minus}[1-9][0-9]{{0,{digits - 1}}}{fraction}" if digits else f"{minus}[1-{first}]")
        if fraction and _fits(sign * 1e-9, bounds):
            found.append(f"{minus}0{_FRACTION}")
    return _either(found)


def _fits(value: float, bounds: Mapping[str, float]) -> bool:
    return (
        bounds.get("minimum", value) <= value <= bounds.get("maximum", value)
        and not value <= bounds.get("exclusiveMinimum", value - 1)
        and not value >= bounds.get("exclusiveMaximum", value + 1)
    )


def _array(node: Mapping[str, Any], place: _Place) -> str | None:
    item = _value(node.get("items"), place)
    least, most = node.get("minItems", 0), node.get("maxItems")
    if type(least) is not int or most == 0:
        return None
    more = _times(max(least - 1, 0), most - 1 if type(most) is int else most)
    empty = "?" if least == 0 else ""
    if item is None:
        return r"\[\]" if empty else None
    return None if more is None else rf"\[(?:{item}(?:{place.style.comma}{item}){more}){empty}\]"


def _object(node: Mapping[str, Any], place: _Place) -> str | None:
    declared, required = node.get("properties", {}), node.get("required", [])
    if not isinstance(declared, Mapping) or not isinstance(required, list):
        return None
    members: dict[str, str] = {}
    for name, subschema in declared.items():
        value = _value(subschema, place)
        if value is not None:
            members[name] = f"{re.escape(orjson.dumps(name).decode())}{place.style.colon}{value}"
    if not members.keys() >= set(required):
        return None
    return _either(_members(keys, members, set(required), place.style.comma) for keys in _orders(members, place.seen))


def _orders(members: Mapping[str, str], seen: Collection[Keys]) -> list[Keys]:
    """The declared order of the keys, and those that were seen in this object or one like it."""
    orders: list[Keys] = [tuple(members)]
    for keys in seen:
        if members.keys() >= set(keys) and len(orders) < _ORDERS and not any(_follows(keys, one) for one in orders):
            orders.append((*keys, *(name for name in members if name not in keys)))
    return orders


def _follows(keys: Keys, order: Keys) -> bool:
    """Whether the keys stand in this order, with gaps."""
    rest = iter(order)
    return all(key in rest for key in keys)


def _members(keys: Keys, members: Mapping[str, str], required: Collection[str], comma: str) -> str:
    """An object whose keys are in this order; any of them may be the first, up to one that must be there."""
    tails = [""]
    for name in reversed(keys):
        tails.append(f"(?:{comma}{members[name]}){'' if name in required else '?'}{tails[-1]}")
    tails.reverse()
    found: list[str] = []
    for place, name in enumerate(keys[:_LEADING]):
        found.append(members[name] + tails[place + 1])
        if name in required:
            break
    empty = "" if required else "?"
    return rf"\{{(?:{'|'.join(found)}){empty}\}}" if found else r"\{\}"


_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_KNOWN = frozenset(
    {"type", "properties", "required", "additionalProperties", "items"}
    | {"minItems", "maxItems", "minLength", "maxLength", *_BOUNDS}
)
_LISTED = ({"enum"}, {"enum", "type"}, {"const"}, {"const", "type"})
_SCALARS: Mapping[type, tuple[str, ...]] = {
    str: ("string",),
    int: ("integer", "number"),
    bool: ("boolean",),
    type(None): ("null",),
}
_TYPES: Mapping[str, Callable[[Mapping[str, Any], _Place], str | None]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda _node, _place: "true|false",
    "null": lambda _node, _place: "null",
}
