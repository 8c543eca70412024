"""Old values of fields, as the tool declares them: `{"unit": {"C": "celsius"}}`.

The field is a name or a JSON Pointer, in which `*` stands for every item of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from argwright import pointer as json_pointer
from argwright.model import Json, Repair
from argwright.policy import Certainty
from argwright.rules.places import edited, named, pointer_of
from argwright.rules.rule import KEEP, Context, Example, Proposal, Rule

_NAME = "value-alias"


def propose(context: Context) -> Proposal | None:
    """The arguments with their declared values."""
    tool = context.tool
    if tool is None or not tool.value_aliases or not isinstance(context.value, dict):
        return None
    changes = list(found(tool.value_aliases, context.value))
    if not changes:
        return None
    return Proposal(
        value=edited(context.value, [(path, new) for path, _, new in changes]),
        repairs=tuple(
            Repair(rule=_NAME, certainty=Certainty.EXACT, pointer=pointer_of(path), before=old, after=new)
            for path, old, new in changes
        ),
    )


def found(aliases: Mapping[str, Mapping[Any, Json]], root: Json) -> Iterator[tuple[tuple[str, ...], Json, Json]]:
    """Where old values stand in the arguments: the path, the old and the new one."""
    for field, known in aliases.items():
        way = json_pointer.split(field) if field.startswith("/") else (field,)
        for path, value in named(root, way):
            new = _new(value, known)
            if new is not KEEP:
                yield path, value, new


def _new(value: Json, known: Mapping[Any, Json]) -> Json:
    """The declared value of an old one; `true` is not `1`."""
    return next((new for old, new in known.items() if type(old) is type(value) and old == value), KEEP)


_SCHEMA = {"type": "object", "properties": {"unit": {"enum": ["celsius", "fahrenheit"]}, "note": {"type": "string"}}}
_ALIASES = {"unit": {"C": "celsius"}}

RULE = Rule(
    name=_NAME,
    layer="rename",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(Example(schema=_SCHEMA, value_aliases=_ALIASES, arguments={"unit": "C"}, becomes={"unit": "celsius"}),),
    untouched=(
        Example(schema=_SCHEMA, value_aliases=_ALIASES, arguments={"unit": "celsius", "note": "C"}),
        Example(schema=_SCHEMA, value_aliases=_ALIASES, arguments={"note": "C", "unit": "fahrenheit"}),
    ),
)
