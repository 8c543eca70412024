"""The short way: what is strictly valid and shows no proof of damage is done after one look.

Each look costs less than a microsecond. What raises a doubt is not judged here: it takes
the long way, where the rules say whether there is anything in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from argwright.model import Json
from argwright.rules.engine import Scene
from argwright.shape import Shape
from argwright.tool import Tool


@dataclass(frozen=True, kw_only=True)
class _Outline:
    """What the short way asks of a schema: the declared fields, those that are integers, and whether there are more
    inside.
    """

    fields: frozenset[str]
    integers: tuple[str, ...]
    nested: bool


@lru_cache(maxsize=1024)  # of a shape, which never changes and is known by identity
def _outline(shape: Shape) -> _Outline:
    members = {name: shape.member(name) for name in shape.properties}
    return _Outline(
        fields=frozenset(members),
        integers=tuple(name for name, member in members.items() if member.only("integer", "null")),
        nested=any(member.allows("object", "array") for member in members.values()),
    )


def is_plain(tool: Tool, scene: Scene, value: Json) -> bool:
    """Whether the value is valid as it stands, and nothing in it or in its text calls for a second look."""
    text, rules = scene.text, scene.rules
    if text is None or type(value) is not dict or not rules.quick or tool.aliases or tool.value_aliases:
        return False
    outline = _outline(tool.shape)
    if not value.keys() <= outline.fields:
        return False
    for mark in rules.marks:
        if mark in text:
            return False
    for name in outline.integers:
        if type(value.get(name)) is float:
            return False
    if outline.nested and not text.isdecimal() and ("." in text or "e" in text or "E" in text) and _has_float(value):
        return False
    return tool.compiled.is_valid(value)


def _has_float(value: Json) -> bool:
    """Whether a whole float stands anywhere, which may be an integer."""
    todo = [value]
    while todo:
        item = todo.pop()
        kind = type(item)
        if kind is float and item.is_integer():
            return True
        if kind is dict:
            todo += item.values()
        elif kind is list:
            todo += item
    return False
