"""The whole arguments encoded once more: a string whose text is the object.

Some servers and hosts encode what is already text; each layer is peeled while the text
inside reads as one value. A string whose inside is no object stays what it is.
"""

from __future__ import annotations

from dataclasses import replace

from argwright.decode import Decoded, decode
from argwright.model import Json, Repair
from argwright.policy import Certainty
from argwright.rules.places import shown
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import ANY

_LAYERS = 4  # three were seen; each one doubles the backslashes, so that more would be mostly backslashes


def propose(context: Context) -> Proposal | None:
    """The object inside the string."""
    value: Json = context.value
    repairs: tuple[Repair, ...] = ()
    shape, tool = (context.tool.shape, context.tool.name) if context.tool else (ANY, None)
    for _ in range(_LAYERS):
        if not isinstance(value, str):
            break
        inner = decode(value, shape=shape, tool=tool, policy=context.policy, limits=context.limits)
        if not isinstance(inner, Decoded):
            return None
        value, repairs = inner.value, (*repairs, *(replace(repair, span=None) for repair in inner.repairs))
    if not isinstance(value, dict) or not isinstance(context.value, str):
        return None
    return Proposal(value=value, before=shown(context.value), repairs=repairs)


_CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

RULE = Rule(
    name="encoded-twice",
    layer="unwrap",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(
        Example(schema=_CITY, arguments='"{\\"city\\": \\"Łódź\\"}"', becomes={"city": "Łódź"}),
        Example(schema=_CITY, arguments='"\\"{\\\\\\"city\\\\\\": \\\\\\"Łódź\\\\\\"}\\""', becomes={"city": "Łódź"}),
    ),
    untouched=(
        Example(schema=_CITY, arguments={"city": '{"city": "Łódź"}'}),
        Example(schema=_CITY, arguments={"city": '"Łódź"'}),
    ),
)
