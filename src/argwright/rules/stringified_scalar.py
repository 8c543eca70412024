"""A number or a boolean sent as its text where the schema declares one.

Only text that is that number as JSON writes it, and only if the number survives the
round trip: every digit of an integer is kept, a fraction must be exactly the float's
own shortest form. "007", "1,000", "+5", "0x10", "5 units", "NaN" and "yes" stay text.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from argwright.model import Json
from argwright.policy import Certainty
from argwright.rules.rule import KEEP, Context, Example, Proposal, Rule

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DIGITS = 4300  # the most that are read of one integer, as everywhere


def propose(context: Context) -> Proposal | None:
    """The number or boolean that the text spells."""
    text = context.value
    if not isinstance(text, str) or context.members or context.wants("string"):
        return None
    bare = text.strip(" \t\r\n")
    value: Json = KEEP
    if context.wants("boolean") and bare in _BOOLEANS:
        value = _BOOLEANS[bare]
    elif context.wants("integer", "number") and 0 < len(bare) <= _DIGITS:
        value = _number(bare, fractions=context.wants("number"))
    return None if value is KEEP else Proposal(value=value)


def _number(text: str, *, fractions: bool) -> Json:
    if text == "-0" and fractions:
        return -0.0
    if _INTEGER.fullmatch(text):
        return KEEP if text == "-0" else int(text)
    if not _NUMBER.fullmatch(text):
        return KEEP
    value = float(text)
    try:
        exact = Decimal(text) == Decimal(repr(value))
    except InvalidOperation:
        return KEEP
    if not exact:
        return KEEP
    if fractions:
        return value
    return int(Decimal(text)) if value.is_integer() and "e" not in text.lower() else KEEP


_SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "on": {"type": "boolean"},
        "code": {"type": "string"},
        "pin": {"type": ["string", "integer"]},
    },
}

RULE = Rule(
    name="stringified-scalar",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(str,),
    examples=(
        Example(schema=_SCHEMA, arguments={"n": "9223372036854775803"}, becomes={"n": 9223372036854775803}),
        Example(schema=_SCHEMA, arguments={"x": "-0.5", "on": "True"}, becomes={"x": -0.5, "on": True}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"code": "007"}),
        Example(schema=_SCHEMA, arguments={"pin": "42"}),
        Example(schema=_SCHEMA, arguments={"n": "007"}),
        Example(schema=_SCHEMA, arguments={"n": "1,000"}),
        Example(schema=_SCHEMA, arguments={"x": "0.1000000000000000055"}),
        Example(schema=_SCHEMA, arguments={"on": "yes"}),
    ),
)
