from __future__ import annotations

from argwright.rules import Example
from argwright.rules.value_alias import RULE
from tests.rules.tables import STRING, alone, closed, each, leaves, told

UNIT = {"type": "string", "enum": ["celsius", "fahrenheit"]}
SCHEMA = closed(unit=UNIT, note=STRING, units={"type": "array", "items": UNIT}, level={"type": ["integer", "boolean"]})
ALIASES = {"unit": {"C": "celsius", "°C": "celsius"}, "/units/*": {"C": "celsius"}, "note": {"旧": "新"}}

UNTOUCHED = [
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"unit": "celsius"}),
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"note": "C"}),
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"unit": "c"}),
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"unit": ["C"]}),
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"units": "C"}),
    Example(schema=SCHEMA, arguments={"unit": "C"}),
]
MENDED = [
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"unit": "°C"}, becomes={"unit": "celsius"}),
    Example(schema=SCHEMA, value_aliases=ALIASES, arguments={"note": "旧"}, becomes={"note": "新"}),
    Example(
        schema=SCHEMA,
        value_aliases=ALIASES,
        arguments={"units": ["C", "fahrenheit", "C"]},
        becomes={"units": ["celsius", "fahrenheit", "celsius"]},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"value-alias"}


def test_true_is_not_one():
    aliases = {"level": {1: 2}}
    assert leaves(RULE, Example(schema=SCHEMA, value_aliases=aliases, arguments={"level": True}))
    assert told(alone(RULE, Example(schema=SCHEMA, value_aliases=aliases, arguments={"level": 1})))[1] == {"level": 2}
