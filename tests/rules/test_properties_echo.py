from __future__ import annotations

import pytest

from argwright.rules import Example
from argwright.rules.properties_echo import RULE
from tests.rules.tables import INTEGER, STRING, alone, closed, each, leaves, opened, told

CLOSED = closed(("city",), city=STRING, options={"type": "object"})
OPEN = opened(city=STRING, options={"type": "object"})
DECLARES = opened(properties={"type": "object"}, city=STRING)
TYPED = opened(type=STRING, city=STRING)

UNTOUCHED = [
    Example(schema=CLOSED, arguments={"city": "Łódź"}),
    Example(schema=DECLARES, arguments={"properties": {"city": "Łódź"}}),
    Example(schema=TYPED, arguments={"type": "object", "properties": {"city": "Łódź"}}),
    Example(schema={"type": "object"}, arguments={"properties": {"city": "Łódź"}}),
    Example(schema=OPEN, arguments={"properties": {"town": "Łódź"}}),
    Example(schema=OPEN, arguments={"properties": {"city": "Łódź"}, "limit": 3}),
    Example(schema=OPEN, arguments={"type": "array", "properties": {"city": "Łódź"}}),
    Example(schema=OPEN, arguments={"properties": ["city"]}),
    Example(schema=OPEN, arguments={"properties": "city"}),
    Example(schema=OPEN, arguments={"type": "object"}),
    Example(schema=OPEN, arguments={"city": "x", "properties": {"city": "y"}}),
]
MENDED = [
    Example(schema=CLOSED, arguments={"properties": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
    Example(
        schema=OPEN,
        arguments={"type": "object", "properties": {"city": "上海"}, "required": []},
        becomes={"city": "上海"},
    ),
    Example(schema=CLOSED, arguments={"properties": '{"city": "Łódź"}'}, becomes={"city": "Łódź"}),
    Example(schema=closed(days=INTEGER), arguments={"type": "object", "properties": {}}, becomes={}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert [repair.rule for repair in outcome.repairs] == ["properties-echo"]


@pytest.mark.parametrize(
    "schema_said_back",
    [
        {"city": {"type": "string"}},
        {"options": {"type": "object"}},
        {"options": {"type": "object", "description": "x"}},
    ],
)
def test_the_schema_itself_is_no_value(schema_said_back):
    outcome = alone(RULE, Example(schema=OPEN, arguments={"type": "object", "properties": schema_said_back}))
    assert told(outcome) == ("schema_error", "unexpected")
