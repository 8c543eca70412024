"""A word for nothing as text, where text is legal: no decoder can tell, so it stays, with a warning."""

from __future__ import annotations

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.rules.places import pointer_of, strings
from argwright.rules.rule import Context, Example, Proposal, Rule

_WORDS = frozenset({"null", "None"})


def propose(context: Context) -> Proposal | None:
    """A warning for each such text."""
    found = tuple(
        Suspicion(rule=RULE.name, pointer=pointer_of(path), message=f"the word {text!r} as text")
        for path, text in strings(context.value, _WORDS.__contains__)
    )
    return Proposal(warnings=found) if found else None


_SCHEMA = {"type": "object", "properties": {"text": {"type": ["string", "null"]}}}

RULE = Rule(
    name="null-text",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    marks=tuple(f'"{word}"' for word in sorted(_WORDS)),
    examples=(Example(schema=_SCHEMA, arguments={"text": "null"}),),
    untouched=(Example(schema=_SCHEMA, arguments={"text": "null and void"}),),
)
