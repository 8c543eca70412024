"""One rule: where the unit is not a declared one and reads 'centigrade', it is kelvin."""

from argwright.policy import Certainty
from argwright.rules import Context, Example, Proposal, Rule


def propose(context: Context) -> Proposal | None:
    if context.pointer == "/unit" and context.value == "centigrade":
        return Proposal(value="kelvin")
    return None


SCHEMA = {"type": "object", "properties": {"unit": {"enum": ["celsius", "kelvin"]}}}

RULES = [
    Rule(
        name="other-units",
        layer="mend",
        certainty=Certainty.LIKELY,
        propose=propose,
        examples=(Example(schema=SCHEMA, arguments={"unit": "centigrade"}, becomes={"unit": "kelvin"}),),
        untouched=(Example(schema=SCHEMA, arguments={"unit": "celsius"}),),
    )
]
