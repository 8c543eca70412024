"""Fields that a closed object does not declare, left out: only where the caller asked for it.

What the model said is lost, so this is a GUESS on record, and off unless
`Policy(drop_undeclared=True)`; the flag decides, whatever the policy's certainty.
"""

from __future__ import annotations

from argwright import pointer as json_pointer
from argwright.policy import Certainty
from argwright.rules.rule import Context, Example, Proposal, Rule

_KEYWORDS = ("additionalProperties", "unevaluatedProperties")


def propose(context: Context) -> Proposal | None:
    """The object without the members that its schema does not allow."""
    members = context.value
    if not context.members or not context.policy.drop_undeclared or not isinstance(members, dict):
        return None
    names = [json_pointer.split(issue.pointer)[-1] for issue in context.issues if issue.keyword in _KEYWORDS]
    strangers = [name for name in names if name in members and name not in context.shape.properties]
    if not strangers:
        return None
    return Proposal(
        value={name: value for name, value in members.items() if name not in strangers},
        before=strangers[0],
        after=None,
        count=len(strangers),
        asked=True,
    )


_SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "additionalProperties": False}

RULE = Rule(
    name="drop-undeclared",
    layer="mend",
    certainty=Certainty.GUESS,
    propose=propose,
    takes=(dict,),
    untouched=(Example(schema=_SCHEMA, arguments={"query": "x", "reasoning": "because"}),),
)
