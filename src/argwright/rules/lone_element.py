"""One element without its list where the schema declares a list.

Not a placeholder for nothing, and no text that may itself be a list: with a comma, a
semicolon, a bracket, a line break, their full-width and Arabic forms, or a bar between
blanks, and none that is quoted as a whole. An object is an element only if the items are
declared as objects with all its members. Where the schema has lists of different kinds,
only one of them may take the element.
"""

from __future__ import annotations

import re
from contextlib import suppress

from argwright.decode import strict
from argwright.model import Json
from argwright.policy import Certainty
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import json_type

_SEVERAL = re.compile(r"[,;\[\]\r\n\x0b\x0c\x85\u2028\u2029，、；｜،؛﹐﹑﹔]| \| ")
_NOTHING = ("", "null", "None")
_QUOTED = re.compile(r"\s*([\"'`]).*\1\s*", re.DOTALL)
_BRACES = re.compile(r"\s*\{.*\}\s*", re.DOTALL)


def propose(context: Context) -> Proposal | None:
    """The element in a list of its own."""
    value = context.value
    if context.members or not context.wants("array") or value is None or isinstance(value, list):
        return None
    if _takers(value, context) > 1:
        return None
    if isinstance(value, dict):
        return Proposal(value=[value]) if _is_item(value, context) else None
    if isinstance(value, str) and not _is_one(value, context):
        return None
    return Proposal(value=[value])


def _takers(value: Json, context: Context) -> int:
    """How many different kinds of lists that may stand here would take the element, or what its text spells."""
    items = context.shape.items
    if len(items) < 2:  # noqa: PLR2004  # nothing to choose from
        return len(items)
    kinds = {json_type(value)}
    if isinstance(value, str):
        with suppress(ValueError):
            kinds.add(json_type(strict.load(value.lower(), 1)))
    kinds |= {"number"} if "integer" in kinds else set()
    return sum(item.allows(*kinds) for item in items)


def _is_item(value: dict[str, object], context: Context) -> bool:
    item = context.shape.item
    return bool(value) and item.only("object") and value.keys() <= item.properties.keys()


def _is_one(text: str, context: Context) -> bool:
    if text.strip() in _NOTHING or _SEVERAL.search(text) or _QUOTED.fullmatch(text):
        return False
    return not (_BRACES.fullmatch(text) and context.shape.item.allows("string"))


_SCHEMA = {
    "type": "object",
    "properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "note": {"type": "string"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}

RULE = Rule(
    name="lone-element",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    examples=(
        Example(schema=_SCHEMA, arguments={"tags": "müde 😴"}, becomes={"tags": ["müde 😴"]}),
        Example(schema=_SCHEMA, arguments={"ids": 7}, becomes={"ids": [7]}),
        Example(schema=_SCHEMA, arguments={"lines": {"sku": "T-9"}}, becomes={"lines": [{"sku": "T-9"}]}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"tags": "a, b"}),
        Example(schema=_SCHEMA, arguments={"tags": "北京、上海"}),
        Example(schema={**_SCHEMA, "required": ["tags"]}, arguments={"tags": ""}),
        Example(schema=_SCHEMA, arguments={"tags": {"item": "a"}}),
        Example(schema=_SCHEMA, arguments={"lines": {"item": {"sku": "T-9"}}}),
        Example(schema=_SCHEMA, arguments={"note": "a"}),
    ),
)
