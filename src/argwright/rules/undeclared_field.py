"""A field that an open schema lets pass though nothing declares it: it may be a misspelt one. A warning only."""

from __future__ import annotations

from itertools import islice

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.rules.keys import admits, same_word
from argwright.rules.places import pointer_of
from argwright.rules.rule import Context, Example, Proposal, Rule

_MOST = 20  # warnings of one call; a free-form object has as many undeclared fields as it likes


def propose(context: Context) -> Proposal | None:
    """A warning for each undeclared field of a tool that declares any."""
    members, tool = context.value, context.tool
    if not isinstance(members, dict) or tool is None or not tool.shape.properties:
        return None
    strangers = list(islice((name for name in members if not admits(tool, name)), _MOST))
    return Proposal(warnings=tuple(_warning(name, tool.shape.properties) for name in strangers)) if strangers else None


def _warning(name: str, declared: object) -> Suspicion:
    meant = same_word(name, declared) if isinstance(declared, dict) else None
    tail = f"; the declared field is {meant!r}" if meant else ""
    return Suspicion(
        rule=RULE.name, pointer=pointer_of((name,)), message=f"the schema does not declare this field{tail}"
    )


_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}

RULE = Rule(
    name="undeclared-field",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(Example(schema=_SCHEMA, arguments={"text": "ok", "trace": {"id": 7}}),),
    untouched=(Example(schema={"type": "object"}, arguments={"anything": 1}),),
)
