"""The text of a list or object where the schema takes a text as well as a list or object.

The text is legal as it stands and most likely not meant; it stays, with a warning.
"""

from __future__ import annotations

import json

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.rules.places import pointer_of, shape_at, strings
from argwright.rules.rule import Context, Example, Proposal, Rule

_LONGEST = 10_000  # characters looked at; a longer text is a document


def propose(context: Context) -> Proposal | None:
    """A warning for each such text."""
    if context.is_flat and not any(_may_be_container(text) for text in context.value.values() if isinstance(text, str)):
        return None
    found = tuple(
        Suspicion(rule=RULE.name, pointer=pointer_of(path), message="the text of a list or object, taken as text")
        for path, text in strings(context.value, _may_be_container)
        if _is_odd(path, text, context)
    )
    return Proposal(warnings=found) if found else None


def _may_be_container(text: str) -> bool:
    return text.startswith(("[", "{")) and len(text) <= _LONGEST


def _is_odd(path: tuple[str, ...], text: str, context: Context) -> bool:
    types = shape_at(context.shape, path, context.value).types
    if "string" not in types or types.isdisjoint({"array", "object"}):
        return False
    try:
        return isinstance(json.loads(text), (list, dict))
    except (ValueError, RecursionError):
        return False


_SCHEMA = {
    "type": "object",
    "properties": {"carrier": {"type": ["string", "array"]}, "payload": {"type": "string"}},
}

RULE = Rule(
    name="json-text",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(Example(schema=_SCHEMA, arguments={"carrier": '["SEA", "RAIL"]'}),),
    untouched=(Example(schema=_SCHEMA, arguments={"payload": '{"a": 1}'}),),
)
