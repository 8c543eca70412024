"""HTML entities in a text: one model escapes, another writes them on purpose. They stay, with a warning."""

from __future__ import annotations

import re

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.rules.places import pointer_of, strings
from argwright.rules.rule import Context, Example, Proposal, Rule, RuleTool

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5});")
_MOST = 20  # runs between quotes that are looked at; a text with more is left to the rule


def propose(context: Context) -> Proposal | None:
    """A warning for each text with entities and no tags, where they are most likely leftovers."""
    found = tuple(
        Suspicion(rule=RULE.name, pointer=pointer_of(path), message="HTML entities in a text without tags")
        for path, _ in strings(context.value, _has_leftovers)
    )
    return Proposal(warnings=found) if found else None


def doubts(text: str, _tool: RuleTool) -> bool:
    """Whether the JSON text holds an entity between two quotes with no tag between them."""
    pos = 0
    for _ in range(_MOST):
        entity = _ENTITY.search(text, pos)
        if entity is None:
            return False
        pos = text.find('"', entity.end())
        if text.find("<", text.rfind('"', 0, entity.start()), pos) < 0:
            return True
    return True


def _has_leftovers(text: str) -> bool:
    return "&" in text and "<" not in text and _ENTITY.search(text) is not None


_SCHEMA = {"type": "object", "properties": {"cmd": {"type": "string"}}}

RULE = Rule(
    name="html-entity",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    marks=("&", "\\u0026"),
    doubts=doubts,
    clue=_ENTITY.pattern,
    examples=(Example(schema=_SCHEMA, arguments={"cmd": "make clean &amp;&amp; make"}),),
    untouched=(
        Example(schema=_SCHEMA, arguments={"cmd": "<b>a &lt; b</b>"}),
        Example(schema=_SCHEMA, arguments={"cmd": "a && b"}),
    ),
)
