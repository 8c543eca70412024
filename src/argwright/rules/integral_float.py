"""`8121.0` where the schema declares an integer: the same number, handed over as one.

JSON Schema counts a whole number as an integer however it is written, so this is found
in valid arguments. The float must be the very number that was written: where its digits
say another one (`4.9999999999999999999` is read as 5.0), or where they are not known and
the float is beyond 2**53, the call is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from decimal import Decimal, InvalidOperation

from argwright.model import Issue, Json, Repair
from argwright.policy import Certainty
from argwright.rules.places import edited, pointer_of
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import Shape

_EXACT = 2.0**53
_NUMBER = re.compile(r"[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?")

_NAME = "integral-float"


def propose(context: Context) -> Proposal | None:
    """The arguments with their integers as integers."""
    if context.is_flat and float not in set(map(type, context.value.values())):
        return None
    found = list(_floats(context.value, context.shape))
    if not found:
        return None
    wrong = _inexact({abs(value) for _, value in found}, context.call.arguments)
    refuse = tuple(_issue(path) for path, value in found if abs(value) in wrong)
    exact = [(path, int(value)) for path, value in found if abs(value) not in wrong]
    if not exact:
        return Proposal(refuse=refuse)
    (path, first), number = exact[0], len(exact)
    record = Repair(
        rule=_NAME,
        certainty=Certainty.EXACT,
        pointer=pointer_of(path) if number == 1 else context.pointer,
        before=float(first),
        after=first,
        count=number,
    )
    return Proposal(value=edited(context.value, exact), repairs=(record,), refuse=refuse)


def _issue(path: tuple[str, ...]) -> Issue:
    message = "expected integer, found a number that is none or is too long to be read exactly"
    return Issue(pointer=pointer_of(path), keyword="type", message=message, expected="integer", found="number")


def _inexact(values: Collection[float], written: object) -> frozenset[float]:
    """Those that are not what was written.

    A number is looked for wherever it stands in the text: one that is read as the same float and is another number
    is enough of a doubt.
    """
    text = written.decode("utf-8", "replace") if isinstance(written, bytes) else written
    seen: set[float] = set()
    wrong: set[float] = set()
    for match in _NUMBER.finditer(text) if isinstance(text, str) else ():
        digits = match[0].replace("_", "")
        value = float(digits)
        if value in values:
            seen.add(value)
            if not _is_same(digits, value):
                wrong.add(value)
    return frozenset(wrong | {value for value in values if value >= _EXACT and value not in seen})


def _is_same(digits: str, value: float) -> bool:
    try:
        return Decimal(digits) == Decimal(value)
    except InvalidOperation:  # an exponent beyond all bounds
        return False


def takes_integers(shape: Shape) -> bool:
    """Whether integers may stand at a place, and no other numbers."""
    return "integer" in shape.types and "number" not in shape.types


def _floats(root: Json, shape: Shape) -> Iterator[tuple[tuple[str, ...], float]]:
    """Whole floats at places where numbers are integers."""
    todo: list[tuple[tuple[str, ...], Json, Shape]] = [((), root, shape)]
    while todo:
        path, value, here = todo.pop()
        if isinstance(value, float):
            if takes_integers(here) and value.is_integer():
                yield path, value
        elif isinstance(value, dict):
            todo += [
                ((*path, name), item, here.member(name))
                for name, item in reversed(value.items())
                if isinstance(item, (float, dict, list))
            ]
        elif isinstance(value, list):
            todo += [
                ((*path, str(index)), item, here.item)
                for index, item in reversed(list(enumerate(value)))
                if isinstance(item, (float, dict, list))
            ]


_SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "rows": {"type": "array", "items": {"type": "integer"}},
    },
}

RULE = Rule(
    name=_NAME,
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(Example(schema=_SCHEMA, arguments={"n": 8121.0, "rows": [1, 2.0]}, becomes={"n": 8121, "rows": [1, 2]}),),
    untouched=(
        Example(schema=_SCHEMA, arguments={"n": 8121, "x": 2.0}),
        Example(schema=_SCHEMA, arguments={"any": 2.0}),
    ),
)
