from __future__ import annotations

from argwright.rules import Example
from argwright.rules.lone_element import RULE
from tests.rules.tables import INTEGERS, STRING, STRINGS, alone, closed, each, leaves, told

LINE = closed(sku=STRING, qty={"type": "integer"})
SCHEMA = closed(
    tags=STRINGS,
    ids=INTEGERS,
    flags={"type": "array", "items": {"type": "boolean"}},
    lines={"type": "array", "items": LINE},
    free={"type": "array"},
    objects={"type": "array", "items": {"type": "object"}},
    note=STRING,
    either={"type": ["string", "array"]},
    pair={**STRINGS, "minItems": 2},
    any={},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"note": "a"}),
    Example(schema=SCHEMA, arguments={"either": "a"}),
    Example(schema=SCHEMA, arguments={"any": "a"}),
    # the text may be a list itself
    *(Example(schema=SCHEMA, arguments={"tags": text}) for text in (
        "a, b", "a,b", "a; b", "a\nb", "[a]", "a]", '["a"]', "北京、上海", "北京，上海", "a；b", "أ، ب", "a\u2028b", "a | b",
        '{"a": 1}',
    )),
    # nothing
    *(Example(schema={**SCHEMA, "required": ["tags"]}, arguments={"tags": nothing}) for nothing in (
        None, "", "  ", "null", "None", [],
    )),
    # no element of this list
    Example(schema=SCHEMA, arguments={"tags": 5}),
    Example(schema=SCHEMA, arguments={"ids": "x"}),
    Example(schema=SCHEMA, arguments={"tags": {"item": "a"}}),
    Example(schema=SCHEMA, arguments={"free": {"item": "a"}}),
    Example(schema=SCHEMA, arguments={"objects": {"item": "a"}}),
    Example(schema=SCHEMA, arguments={"lines": {"item": {"sku": "T-9"}}}),
    Example(schema=SCHEMA, arguments={"lines": {}}),
    Example(schema=SCHEMA, arguments={"pair": "a"}),
]  # fmt: skip
MENDED = [
    Example(schema=SCHEMA, arguments={"tags": "müde 😴"}, becomes={"tags": ["müde 😴"]}),
    Example(schema=SCHEMA, arguments={"tags": "你好。"}, becomes={"tags": ["你好。"]}),
    Example(schema=SCHEMA, arguments={"tags": "^a|b$/c.d (e)"}, becomes={"tags": ["^a|b$/c.d (e)"]}),
    Example(schema=SCHEMA, arguments={"ids": 7}, becomes={"ids": [7]}),
    Example(schema=SCHEMA, arguments={"flags": False}, becomes={"flags": [False]}),
    Example(schema=SCHEMA, arguments={"free": "a"}, becomes={"free": ["a"]}),
    Example(
        schema=SCHEMA, arguments={"lines": {"sku": "T-9", "qty": 2}}, becomes={"lines": [{"sku": "T-9", "qty": 2}]}
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert [repair.rule for repair in outcome.repairs] == ["lone-element"]
