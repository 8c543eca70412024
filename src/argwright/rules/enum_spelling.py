"""A listed value in another case or spacing: "Dark Mode" for "dark_mode".

Only if exactly one listed value is the same word; a synonym is never chosen.
"""

from __future__ import annotations

from argwright.policy import Certainty
from argwright.rules.keys import same_word
from argwright.rules.rule import Context, Example, Proposal, Rule


def propose(context: Context) -> Proposal | None:
    """The listed value that is the same word."""
    value = context.value
    if context.members or not context.policy.spelling or not isinstance(value, str):
        return None
    listed = _listed(context)
    if not listed or value in listed:
        return None
    word = same_word(value, dict.fromkeys(option for option in listed if isinstance(option, str)))
    return None if word is None else Proposal(value=word)


def _listed(context: Context) -> tuple[object, ...]:
    """The violated list, else what the schema lists for the place."""
    for issue in context.issues:
        if issue.keyword == "enum" and isinstance(issue.expected, (list, tuple)):
            return tuple(issue.expected)
        if issue.keyword == "const":
            return (issue.expected,)
    return context.shape.enum


_SCHEMA = {
    "type": "object",
    "properties": {
        "mode": {"type": "string", "enum": ["dark_mode", "light_mode"]},
        "size": {"enum": ["s", "S", "m"]},
        "note": {"type": "string"},
    },
}

RULE = Rule(
    name="enum-spelling",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(str,),
    examples=(
        Example(schema=_SCHEMA, arguments={"mode": "Dark Mode"}, becomes={"mode": "dark_mode"}),
        Example(schema=_SCHEMA, arguments={"size": " M "}, becomes={"size": "m"}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"mode": "dark"}),
        Example(schema=_SCHEMA, arguments={"mode": "dim_mode"}),
        Example(schema=_SCHEMA, arguments={"size": "-s-"}),
        Example(schema=_SCHEMA, arguments={"note": "Dark Mode"}),
    ),
)
