from __future__ import annotations

import json

from argwright.policy import Certainty, Policy
from argwright.rules import Example
from argwright.rules.encoded_twice import RULE
from tests.rules.tables import STRING, STRINGS, alone, closed, each, leaves, opened, told

CITY = closed(("city",), city=STRING, days={"type": "integer"})
ANY = opened()

UNTOUCHED = [
    Example(schema=CITY, arguments={"city": json.dumps({"city": "Łódź"})}),
    Example(schema=CITY, arguments={"city": '"Łódź"'}),
    Example(schema=CITY, arguments={"city": "{}"}),
    Example(schema=CITY, arguments='"Łódź"'),
    Example(schema=CITY, arguments='""'),
    Example(schema=CITY, arguments=json.dumps("[1, 2]")),
    Example(schema=CITY, arguments=json.dumps("null")),
    Example(schema=CITY, arguments=json.dumps('{"city": "Łód')),
    Example(schema=CITY, arguments=json.dumps('{"city": "a"}{"city": "b"}')),
    Example(schema=opened(tags=STRINGS), arguments={"tags": ['{"a": 1}', "[]"]}),
]
MENDED = [
    Example(schema=CITY, arguments=json.dumps(json.dumps({"city": "Łódź"})), becomes={"city": "Łódź"}),
    Example(schema=CITY, arguments=json.dumps(json.dumps(json.dumps({"city": "上海"}))), becomes={"city": "上海"}),
    Example(
        schema=CITY,
        arguments=json.dumps(json.dumps({"city": 'a "b" \\ \u2028 🚚'}, ensure_ascii=False)),
        becomes={"city": 'a "b" \\ \u2028 🚚'},
    ),
    Example(schema=ANY, arguments=json.dumps("{}"), becomes={}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert [(repair.rule, repair.certainty, repair.pointer, repair.span) for repair in outcome.repairs] == [
        ("encoded-twice", Certainty.EXACT, "", None)
    ]


def test_what_is_mended_inside_is_on_record_without_a_span():
    outcome = alone(RULE, Example(schema=CITY, arguments=json.dumps('{"city": "Łódź", "days": 2,}')))
    assert told(outcome) == ("valid", {"city": "Łódź", "days": 2})
    assert [(repair.rule, repair.span) for repair in outcome.repairs] == [
        ("encoded-twice", None),
        ("trailing-comma", None),
    ]


def test_a_strict_policy_leaves_it():
    outcome = alone(RULE, Example(schema=CITY, arguments=json.dumps('{"city": "Łódź"}')), Policy.STRICT)
    assert told(outcome) == ("schema_error", "not_an_object")
