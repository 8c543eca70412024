from __future__ import annotations

import json

from argwright.rules import Example
from argwright.rules.stringified_container import RULE
from tests.rules.tables import INTEGERS, STRING, STRINGS, alone, closed, each, leaves, told

SCHEMA = closed(
    tags=STRINGS,
    ids=INTEGERS,
    filter={"type": "object"},
    note=STRING,
    either={"type": ["string", "array"]},
    union={"anyOf": [STRING, STRINGS]},
    maybe={"type": ["array", "null"], "items": STRING},
    any={},
    rows={"type": "array", "items": closed(("n",), n={"type": "integer"})},
)

UNTOUCHED = [
    # a string where the schema says string
    Example(schema=SCHEMA, arguments={"note": "[1]"}),
    Example(schema=SCHEMA, arguments={"note": '{"a": 1}'}),
    Example(schema=SCHEMA, arguments={"either": '["a"]'}),
    Example(schema=SCHEMA, arguments={"union": '["SEA", "RAIL"]'}),
    Example(schema=SCHEMA, arguments={"any": "[1]"}),
    Example(schema=SCHEMA, arguments={"tags": ["[1]", "{}"]}),
    # text that is no container as a whole
    Example(schema=SCHEMA, arguments={"tags": "see [1] and [2]"}),
    Example(schema=SCHEMA, arguments={"tags": "[1] and [2] or"}),
    Example(schema=SCHEMA, arguments={"tags": "北京"}),
    Example(schema=SCHEMA, arguments={"tags": ""}),
    Example(schema=SCHEMA, arguments={"tags": "["}),
    Example(schema=SCHEMA, arguments={"tags": '["a", "b'}),
    Example(schema=SCHEMA, arguments={"filter": '{"a": 1'}),
    Example(schema=SCHEMA, arguments={"rows": '[{"n": 1, "n": 2}]'}),
    # another container than the declared one
    Example(schema=SCHEMA, arguments={"tags": '{"a": 1}'}),
    Example(schema=SCHEMA, arguments={"filter": "[1]"}),
    # what comes out does not fit
    Example(schema=SCHEMA, arguments={"tags": "[1, 2]"}),
    Example(schema=SCHEMA, arguments={"rows": '[{"m": 1}]'}),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"tags": '["北京", "b"]'}, becomes={"tags": ["北京", "b"]}),
    Example(schema=SCHEMA, arguments={"tags": " []\n"}, becomes={"tags": []}),
    Example(schema=SCHEMA, arguments={"maybe": '["a\u2028", "🚚"]'}, becomes={"maybe": ["a\u2028", "🚚"]}),
    Example(
        schema=SCHEMA, arguments={"filter": '{"a": [1, {"b": null}]}'}, becomes={"filter": {"a": [1, {"b": None}]}}
    ),
    Example(schema=SCHEMA, arguments={"tags": "['teal', \"don't\"]"}, becomes={"tags": ["teal", "don't"]}),
    Example(
        schema=SCHEMA, arguments={"filter": "{'on': True, 'n': None}"}, becomes={"filter": {"on": True, "n": None}}
    ),
    Example(schema=SCHEMA, arguments={"tags": '["type C:\\Logs"]'}, becomes={"tags": ["type C:\\Logs"]}),
    Example(schema=SCHEMA, arguments={"rows": '[{"n": 1}, {"n": 2},]'}, becomes={"rows": [{"n": 1}, {"n": 2}]}),
    Example(
        schema=SCHEMA,
        arguments={"rows": ['{"n": 12345678901234567890}']},
        becomes={"rows": [{"n": 12345678901234567890}]},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert outcome.repairs[0].rule == "stringified-container"


def test_what_is_mended_inside_has_its_place_in_the_arguments():
    outcome = alone(RULE, Example(schema=SCHEMA, arguments={"rows": '[{"n": 1,}]'}))
    assert [(repair.rule, repair.pointer, repair.span) for repair in outcome.repairs] == [
        ("stringified-container", "/rows", None),
        ("trailing-comma", "/rows/0", None),
    ]


def test_a_long_text_is_shortened_in_the_record():
    outcome = alone(RULE, Example(schema=SCHEMA, arguments={"tags": json.dumps(["x" * 1000])}))
    assert [len(str(side)) for side in (outcome.repairs[0].before, outcome.repairs[0].after)] == [120, 120]
