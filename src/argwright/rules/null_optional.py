"""A placeholder for "not given" in an optional field: the field is left out.

`null` where null is not allowed; and where no string is allowed either, the texts that
stand for nothing: "", "null", "None". Where null is allowed, "null" and "None" mean it.
A required field is never taken away, nor a member that the schema does not declare.
"""

from __future__ import annotations

from argwright.policy import Certainty
from argwright.rules.rule import REMOVED, Context, Example, Proposal, Rule

_NOTHING = ("", "null", "None")


def propose(context: Context) -> Proposal | None:
    """The field left out, or null where that is a declared value."""
    if context.members or not context.types:
        return None
    value = context.value
    if isinstance(value, str) and value in _NOTHING and not context.wants("string"):
        if value and context.wants("null"):
            return Proposal(value=None)
        return Proposal(value=REMOVED) if context.optional else None
    if value is None and context.optional and not context.wants("null"):
        return Proposal(value=REMOVED)
    return None


_SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "note": {"type": "string"},
        "limit": {"type": "integer"},
        "page": {"type": ["integer", "null"]},
    },
    "required": ["query"],
}

RULE = Rule(
    name="null-optional",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(str, type(None)),
    examples=(
        Example(schema=_SCHEMA, arguments={"query": "x", "note": None}, becomes={"query": "x"}),
        Example(schema=_SCHEMA, arguments={"query": "x", "limit": "None"}, becomes={"query": "x"}),
        Example(schema=_SCHEMA, arguments={"query": "x", "page": "null"}, becomes={"query": "x", "page": None}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"query": "null", "note": ""}),
        Example(schema=_SCHEMA, arguments={"query": None}),
        Example(schema=_SCHEMA, arguments={"query": "x", "page": None}),
    ),
)
