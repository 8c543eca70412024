"""A list of one element where the schema declares that element and no list."""

from __future__ import annotations

from argwright.policy import Certainty
from argwright.rules.places import shown
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import json_type


def propose(context: Context) -> Proposal | None:
    """The element itself, if it is of a declared type."""
    value = context.value
    if context.members or not isinstance(value, list) or len(value) != 1:
        return None
    if context.wants("array") or value[0] is None:
        return None
    kind = json_type(value[0])
    if not context.wants(kind) and not (kind == "integer" and context.wants("number")):
        return None
    return Proposal(value=value[0], before=shown(value))


_SCHEMA = {
    "type": "object",
    "properties": {
        "script": {"type": "string"},
        "n": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "any": {},
    },
}

RULE = Rule(
    name="list-of-one",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(list,),
    examples=(
        Example(schema=_SCHEMA, arguments={"script": ["df -h"]}, becomes={"script": "df -h"}),
        Example(schema=_SCHEMA, arguments={"n": [4]}, becomes={"n": 4}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"script": ["df", "-h"]}),
        Example(schema=_SCHEMA, arguments={"script": []}),
        Example(schema=_SCHEMA, arguments={"script": [["df"]]}),
        Example(schema=_SCHEMA, arguments={"n": ["4"]}),
        Example(schema=_SCHEMA, arguments={"tags": ["a"], "any": [1]}),
    ),
)
