"""A list or an object sent as its text where the schema declares a list or an object.

JSON, a Python literal, or text of which one layer of escaping is already spent; the
whole text must be the container, so that a sentence with brackets in it stays one.
"""

from __future__ import annotations

from dataclasses import replace

from argwright.decode import Decoded, decode
from argwright.model import Repair
from argwright.policy import Certainty
from argwright.rules.places import shown
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import json_type

_ENDS = {"[": "]", "{": "}", "(": ")"}
_FENCE = "```"


def propose(context: Context) -> Proposal | None:
    """What the text spells."""
    text = context.value
    if not isinstance(text, str) or context.members or not _is_container(text):
        return None
    if context.wants("string") or not context.wants("array", "object"):
        return None
    got = decode(text, shape=context.shape, policy=context.policy, limits=context.limits)
    if not isinstance(got, Decoded) or not context.wants(json_type(got.value)):
        return None
    if not isinstance(got.value, (list, dict)):
        return None
    inside = tuple(_inside(repair, context.pointer) for repair in got.repairs)
    return Proposal(value=got.value, before=shown(text), repairs=inside)


def _is_container(text: str) -> bool:
    """Whether the text is a container as a whole, alone or in a fence."""
    bare = text.strip()
    if bare.startswith(_FENCE):
        return True
    return len(bare) > 1 and _ENDS.get(bare[0]) == bare[-1]


def _inside(repair: Repair, pointer: str) -> Repair:
    """A repair of the inner text, placed in the arguments; its span counts in a text that nobody sees."""
    return replace(repair, pointer=pointer + repair.pointer, span=None)


_SCHEMA = {
    "type": "object",
    "properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "filter": {"type": "object"},
        "note": {"type": "string"},
        "either": {"type": ["string", "array"]},
    },
}

RULE = Rule(
    name="stringified-container",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(str,),
    examples=(
        Example(schema=_SCHEMA, arguments={"tags": '["北京", "b"]'}, becomes={"tags": ["北京", "b"]}),
        Example(schema=_SCHEMA, arguments={"filter": '{"a": [1]}'}, becomes={"filter": {"a": [1]}}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"note": "[1]"}),
        Example(schema=_SCHEMA, arguments={"either": '["a"]'}),
        Example(schema=_SCHEMA, arguments={"tags": "see [1] and [2]"}),
    ),
)
