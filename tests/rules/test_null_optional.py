from __future__ import annotations

from argwright.rules import Example
from argwright.rules.null_optional import RULE
from tests.rules.tables import INTEGER, STRING, STRINGS, alone, closed, each, leaves, told

SCHEMA = closed(
    ("query",),
    query=STRING,
    note=STRING,
    mode={"type": "string", "enum": ["a", "b"]},
    limit=INTEGER,
    page={"type": ["integer", "null"]},
    tags=STRINGS,
    any={},
    filter=closed(("lang",), lang=STRING, exact={"type": "boolean"}),
    mixed={"anyOf": [INTEGER, STRING]},
)
MAP = closed(headers={"type": "object", "additionalProperties": STRING}, list={"type": "array", "items": INTEGER})

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"query": None}),
    Example(schema=SCHEMA, arguments={"query": "null"}),
    Example(schema=SCHEMA, arguments={"query": "", "note": "None"}),
    Example(schema=SCHEMA, arguments={"query": "x", "mode": ""}),
    Example(schema=SCHEMA, arguments={"query": "x", "mode": "null"}),
    Example(schema=SCHEMA, arguments={"query": "x", "page": None}),
    Example(schema=SCHEMA, arguments={"query": "x", "any": None}),
    Example(schema=SCHEMA, arguments={"query": "x", "mixed": ""}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": "nil"}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": "nan"}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": "无"}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": []}),
    Example(schema=SCHEMA, arguments={"query": "x", "filter": {"lang": None}}),
    Example(schema=SCHEMA, arguments={"query": "x", "unknown": None}),
    Example(schema=MAP, arguments={"headers": {"Accept": None}}),
    Example(schema=MAP, arguments={"list": [1, None]}),
    Example(schema=MAP, arguments={"list": [""]}),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"query": "x", "note": None}, becomes={"query": "x"}),
    Example(schema=SCHEMA, arguments={"mode": None, "query": "x"}, becomes={"query": "x"}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": ""}, becomes={"query": "x"}),
    Example(schema=SCHEMA, arguments={"query": "x", "limit": "null", "tags": "None"}, becomes={"query": "x"}),
    Example(schema=SCHEMA, arguments={"query": "x", "mixed": None}, becomes={"query": "x"}),
    Example(schema=SCHEMA, arguments={"query": "x", "page": "None"}, becomes={"query": "x", "page": None}),
    Example(schema=SCHEMA, arguments={"query": "x", "page": ""}, becomes={"query": "x"}),
    Example(
        schema=SCHEMA,
        arguments={"query": "x", "filter": {"lang": "pl", "exact": ""}},
        becomes={"query": "x", "filter": {"lang": "pl"}},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"null-optional"}
