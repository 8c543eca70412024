"""The short way: what is strictly valid and shows no proof of damage is done after one look.

The looks are counted in tenths of a microsecond, since nearly every call takes this
way. What raises a doubt is not judged here: where a string does, the rules that inspect
valid calls are asked; what a rule of another layer may see takes the long way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from argwright.decode import strict
from argwright.model import Json, ToolCall, ValidCall, compact
from argwright.policy import Limits
from argwright.rules import RuleSet, alias, undeclared_field, value_alias
from argwright.rules.integral_float import takes_integers
from argwright.rules.rule import is_flat
from argwright.shape import Shape
from argwright.tool import Tool

NOT_STRICT: Json = object()
"""What stands for no value, since null is one."""

_INTEGER, _MIXED, _OPEN = "integer", "mixed", "open"
_HIDDEN = re.compile(r"\\u00[2-7]")  # an ASCII character that is escaped for no reason
_NODES = 500  # places of a schema that are looked through, once; a recursive one never ends


@dataclass(frozen=True)
class _Outline:
    """What the short way asks of a schema.

    Args:
        fields: the declared fields.
        integers: those whose numbers are integers.
        mixed: those that take text as well as lists or objects.
        open: those that are open objects of scalars, with what they declare.
        inside: the kinds of places that may stand deeper inside: integers, mixed ones, open objects.
    """

    fields: frozenset[str]
    integers: tuple[str, ...]
    mixed: tuple[str, ...]
    open: tuple[tuple[str, frozenset[str]], ...]
    inside: frozenset[str]


@lru_cache(maxsize=1024)  # of a shape, which never changes and is known by identity
def _outline(shape: Shape) -> _Outline:
    members = {name: shape.member(name) for name in shape.properties}
    return _Outline(
        fields=frozenset(members),
        integers=tuple(name for name, member in members.items() if takes_integers(member)),
        mixed=tuple(name for name, member in members.items() if _is_mixed(member)),
        open=tuple((name, frozenset(member.properties)) for name, member in members.items() if _is_flat(member)),
        inside=_inside(list(members.values())),
    )


def _is_flat(shape: Shape) -> bool:
    """An open object whose declared members are scalars."""
    if not shape.only("object", "null") or shape.closed or not shape.properties:
        return False
    return all(shape.member(name).only("string", "number", "boolean", "null") for name in shape.properties)


def _is_mixed(shape: Shape) -> bool:
    return shape.types > {"string"} and shape.allows("object", "array")


def _inside(members: Collection[Shape]) -> frozenset[str]:
    """What may stand deeper inside, as far as a schema that never ends is looked at."""
    members = [member for member in members if not _is_flat(member)]
    found = {_OPEN for member in members if member.properties and not member.closed}
    todo = [child for member in members for child in _children(member)]
    for shape in islice(_walked(todo), _NODES):
        if takes_integers(shape):
            found.add(_INTEGER)
        if _is_mixed(shape):
            found.add(_MIXED)
        if shape.properties and not shape.closed:
            found.add(_OPEN)
    return frozenset({*found, _INTEGER, _OPEN} if todo else found)


def _walked(todo: list[Shape]) -> Iterator[Shape]:
    while todo:
        shape = todo.pop()
        todo += _children(shape)
        yield shape


def _children(shape: Shape) -> list[Shape]:
    """The places right inside; a list's items of any kind are no place that the schema speaks of."""
    inside = [shape.member(name) for name in shape.properties]
    item = shape.item
    return [*inside, item] if shape.allows("array") and (item.types or item.properties) else inside


def strictly(text: str, limits: Limits) -> tuple[Json, int | None]:
    """The value of strict JSON; `NOT_STRICT` for any other text, and where it stopped to be that (-1: not known)."""
    if len(text) > limits.max_chars:
        return NOT_STRICT, None
    try:
        return strict.load(text, limits.max_depth), None
    except ValueError as fault:
        return NOT_STRICT, getattr(fault, "pos", -1)


class Look(Enum):
    """What one look at a strict value says."""

    PLAIN = "valid, and no rule has anything to say"
    DOUBTED = "valid, and only rules that inspect and have marks may have something to say"
    STRANGE = "valid, and only rules that inspect may have something to say"
    ODD = "for the long way"


class Sight(NamedTuple):
    """What was seen of a text that is whole: its strict value, where it stopped to be that, and what a look says."""

    value: Json
    stopped: int | None
    look: Look


Looker: TypeAlias = Callable[[str, Json], Look]
"""What `looker` makes."""

PLAIN, _DOUBTED, _STRANGE, _ODD = Look  # a member of an enumeration takes a call to reach


def look(tool: Tool, text: str, value: Json, rules: RuleSet) -> Look:
    """Whether the value is valid as it stands, and something in it or in its text calls for a second look."""
    if type(value) is not dict or not rules.quick or not tool.compiled.is_valid(value):
        return _ODD
    if (tool.aliases or tool.value_aliases) and _may_be_renamed(tool, value):
        return _ODD
    if is_odd(value, tool.shape):
        return _ODD if may_be_wrapped(tool, value) else _STRANGE
    for mark, doubts in rules.doubts:
        if mark in text and doubts(text, tool):
            return _DOUBTED
    return _DOUBTED if "\\u00" in text and _HIDDEN.search(text) else PLAIN


def looker(tool: Tool, rules: RuleSet) -> Looker:
    """`look` at many calls of one tool: what is the same for all of them is asked once.

    What the validators of the tool's own type have against a valid value makes it one for the long way.
    """
    fits, shape, marks = tool.compiled.is_valid, tool.shape, rules.doubts
    fields, flat = _outline(shape).fields, _is_plain(_outline(shape))
    typed = not tool.is_plain

    def judged(text: str, value: Json) -> Look:
        said = look(tool, text, value, rules)
        return _STRANGE if said is PLAIN and tool.instance(value)[1] else said

    def says(text: str, value: Json) -> Look:
        if type(value) is not dict or not fits(value):
            return _ODD
        if not fields.issuperset(value) or not (flat or not is_odd(value, shape)):
            return _ODD if may_be_wrapped(tool, value) else _STRANGE
        for mark, doubts in marks:
            if mark in text and doubts(text, tool):
                return _DOUBTED
        return _DOUBTED if "\\u00" in text and _HIDDEN.search(text) else PLAIN

    return judged if typed or not rules.quick or tool.aliases or tool.value_aliases else says


def _is_plain(outline: _Outline) -> bool:
    """Whether nothing but an undeclared field can be odd."""
    return not (outline.integers or outline.mixed or outline.open or outline.inside)


def is_told_by_text(tool: Tool) -> bool:
    """Whether for a value that is valid, has declared fields only and no whole number written as a float, the text
    alone says if a rule may have something to say.
    """
    outline = _outline(tool.shape)
    return tool.is_plain and not (tool.aliases or tool.value_aliases or outline.mixed or _MIXED in outline.inside)


def is_quiet(tool: Tool, text: str | None, value: Json, rules: RuleSet) -> bool:
    """Whether a value that was read from a text which is not strict is valid, and no rule can have anything to say.

    Rules look at the value; where the text has one of their marks, the value is written strictly and that is looked at.
    """
    if type(value) is not dict or text is None or not rules.quick or tool.aliases or tool.value_aliases:
        return False
    for mark in rules.marks:
        if mark in text:
            return look(tool, compact(value), value, rules) is PLAIN
    return tool.compiled.is_valid(value) and not is_odd(value, tool.shape)


def _may_be_renamed(tool: Tool, value: dict[str, Json]) -> bool:
    """Whether an old name or an old value may stand in it; at the top, old names are the undeclared ones."""
    if not _outline(tool.shape).fields.issuperset(value):
        return True
    if next(value_alias.found(tool.value_aliases, value), None) is not None:
        return True
    return alias.stands([name for name in tool.aliases if name.startswith("/")], value)


def may_be_wrapped(tool: Tool, value: dict[str, Json]) -> bool:
    """Whether the arguments may stand in a member: none at the top is declared, or the schema's own word is there."""
    return "properties" in value or _outline(tool.shape).fields.isdisjoint(value)


def is_odd(value: dict[str, Json], shape: Shape) -> bool:
    """Whether a rule that inspects and has no marks may have something to say of a value that is valid; or of any flat
    one, since all that is looked at then are its members.
    """
    outline = _outline(shape)
    if not outline.fields.issuperset(value):
        return True
    for name in outline.integers:
        if type(value.get(name)) is float:
            return True
    for name, declared in outline.open:
        inner = value.get(name)
        if type(inner) is dict and not inner.keys() <= declared:
            return True
    if outline.inside and _is_odd_inside(value, outline, shape):
        return True
    return bool(outline.mixed) and _has_list_as_text(value, outline.mixed)


def _is_odd_inside(value: dict[str, Json], outline: _Outline, shape: Shape) -> bool:
    if is_flat(value):
        return False
    if _MIXED in outline.inside or _has_whole_float(value):
        return True
    return _OPEN in outline.inside and next(undeclared_field.strangers(value, shape), None) is not None


def _has_list_as_text(value: dict[str, Json], mixed: tuple[str, ...]) -> bool:
    """Whether a field that takes lists as well as text holds text that begins like a list."""
    texts = (value.get(name) for name in mixed)
    return any(isinstance(text, str) and text.startswith(("[", "{")) for text in texts)


def _has_whole_float(value: dict[str, Json]) -> bool:
    """Whether a whole number written as a float stands inside, where an integer may be declared."""
    todo: list[Json] = [item for item in value.values() if type(item) in (dict, list)]
    while todo:
        item = todo.pop()
        for child in item.values() if type(item) is dict else item:
            kind = type(child)
            if kind is dict or kind is list:
                todo.append(child)
            elif kind is float and child.is_integer():
                return True
    return False


def valid(call: ToolCall, tool: Tool, arguments: dict[str, Json], value: Any) -> ValidCall:
    """The valid call without repairs and warnings.

    A frozen dataclass sets its fields through `object.__setattr__`, which takes as long as the validation; here they go
    straight into the new value.
    """
    made = object.__new__(ValidCall)
    fields = made.__dict__
    fields["call"] = call
    fields["tool"] = tool
    fields["arguments"] = arguments
    fields["repairs"] = fields["warnings"] = ()
    fields["value"] = value
    return made
