from __future__ import annotations

from argwright.rules import Example
from argwright.rules.list_of_one import RULE
from tests.rules.tables import BOOLEAN, INTEGER, NUMBER, STRING, STRINGS, alone, closed, each, leaves, told

SCHEMA = closed(
    script=STRING,
    n=NUMBER,
    level={"type": "integer", "maximum": 5},
    on=BOOLEAN,
    tags=STRINGS,
    rows={"type": "array", "items": STRINGS},
    either={"type": ["array", "string"]},
    point=closed(x=INTEGER),
    maybe={"type": ["string", "null"]},
    any={},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"tags": ["a"], "any": [1], "either": ["x"]}),
    Example(schema=SCHEMA, arguments={"script": ["df", "-h"]}),
    Example(schema=SCHEMA, arguments={"script": []}),
    Example(schema=SCHEMA, arguments={"script": [["df"]]}),
    Example(schema=SCHEMA, arguments={"script": [None]}),
    Example(schema=SCHEMA, arguments={"maybe": [None]}),
    Example(schema=SCHEMA, arguments={"script": [5]}),
    Example(schema=SCHEMA, arguments={"n": ["4"]}),
    Example(schema=SCHEMA, arguments={"n": [True]}),
    Example(schema=SCHEMA, arguments={"level": [6]}),
    Example(schema=SCHEMA, arguments={"point": [{"y": 1}]}),
    Example(schema=SCHEMA, arguments={"script": '["df"]'}),
    Example(schema=SCHEMA, arguments='[{"script": "df"}]'),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"script": ["df -h"]}, becomes={"script": "df -h"}),
    Example(schema=SCHEMA, arguments={"script": [""]}, becomes={"script": ""}),
    Example(schema=SCHEMA, arguments={"script": ["上海 🚚"]}, becomes={"script": "上海 🚚"}),
    Example(schema=SCHEMA, arguments={"n": [4]}, becomes={"n": 4}),
    Example(schema=SCHEMA, arguments={"level": [5], "on": [False]}, becomes={"level": 5, "on": False}),
    Example(schema=SCHEMA, arguments={"point": [{"x": 1}]}, becomes={"point": {"x": 1}}),
    Example(schema=SCHEMA, arguments={"tags": [["a"], "b"]}, becomes={"tags": ["a", "b"]}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"list-of-one"}
