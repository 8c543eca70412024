"""`8121.0` where the schema declares an integer: the same number, handed over as one.

JSON Schema counts a whole number as an integer however it is written, so this is found
in valid arguments. Beyond 2**53 a float no longer says which integer was written; it is
left as it is, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from argwright.model import Json, Repair, Suspicion
from argwright.policy import Certainty
from argwright.rules.places import edited, pointer_of
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import Shape

_EXACT = 2.0**53

_NAME = "integral-float"


def propose(context: Context) -> Proposal | None:
    """The arguments with their integers as integers."""
    found = list(_floats(context.value, context.shape))
    if not found:
        return None
    exact = [(path, int(value)) for path, value in found if abs(value) < _EXACT]
    warnings = tuple(
        Suspicion(rule=_NAME, pointer=pointer_of(path), message="an integer written as a float that large is not exact")
        for path, value in found
        if abs(value) >= _EXACT
    )
    if not exact:
        return Proposal(warnings=warnings)
    (path, first), number = exact[0], len(exact)
    record = Repair(
        rule=_NAME,
        certainty=Certainty.EXACT,
        pointer=pointer_of(path) if number == 1 else context.pointer,
        before=float(first),
        after=first,
        count=number,
    )
    return Proposal(value=edited(context.value, exact), repairs=(record,), warnings=warnings)


def _floats(root: Json, shape: Shape) -> Iterator[tuple[tuple[str, ...], float]]:
    """Whole floats at places that only integers may take."""
    todo: list[tuple[tuple[str, ...], Json, Shape]] = [((), root, shape)]
    while todo:
        path, value, here = todo.pop()
        if isinstance(value, float):
            if here.only("integer", "null") and value.is_integer():
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
        Example(schema=_SCHEMA, arguments={"n": 1e300}),
        Example(schema=_SCHEMA, arguments={"any": 2.0}),
    ),
)
