from __future__ import annotations

from argwright.rules import Example
from argwright.rules.lone_element import RULE
from tests.rules.tables import INTEGERS, NUMBER, STRING, STRINGS, alone, closed, each, leaves, told

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
    union={"anyOf": [STRINGS, INTEGERS]},
    flags_or_numbers={"oneOf": [{"type": "array", "items": {"type": "boolean"}}, {"type": "array", "items": NUMBER}]},
    maybe={"anyOf": [STRINGS, {"type": "null"}]},
    same={"anyOf": [STRINGS, {**STRINGS, "maxItems": 3}]},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"note": "a"}),
    Example(schema=SCHEMA, arguments={"either": "a"}),
    Example(schema=SCHEMA, arguments={"any": "a"}),
    # the text may be a list itself
    *(Example(schema=SCHEMA, arguments={"tags": text}) for text in (
        "a, b", "a,b", "a; b", "a\nb", "[a]", "a]", '["a"]', "北京、上海", "北京，上海", "a；b", "أ، ب", "a\u2028b", "a | b",
        '{"a": 1}', '"a"', " 'a' ", "`a`",
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
    # an element of more than one kind of list
    Example(schema=SCHEMA, arguments={"union": "1"}),
    Example(schema=SCHEMA, arguments={"union": " -1 "}),
    Example(schema=closed(u={"anyOf": [STRINGS, {"type": "array", "items": {"type": "boolean"}}]}), arguments={"u": "True"}),
    Example(schema=closed(u={"anyOf": [INTEGERS, {"type": "array", "items": NUMBER}]}), arguments={"u": 1}),
    Example(schema=closed(u={"anyOf": [STRINGS, {"type": "array"}]}), arguments={"u": "a"}),
]  # fmt: skip
MENDED = [
    Example(schema=SCHEMA, arguments={"tags": "müde 😴"}, becomes={"tags": ["müde 😴"]}),
    Example(schema=SCHEMA, arguments={"tags": "你好。"}, becomes={"tags": ["你好。"]}),
    Example(schema=SCHEMA, arguments={"tags": "^a|b$/c.d (e)"}, becomes={"tags": ["^a|b$/c.d (e)"]}),
    Example(schema=SCHEMA, arguments={"ids": 7}, becomes={"ids": [7]}),
    Example(schema=SCHEMA, arguments={"flags": False}, becomes={"flags": [False]}),
    Example(schema=SCHEMA, arguments={"free": "a"}, becomes={"free": ["a"]}),
    Example(schema=SCHEMA, arguments={"tags": "it's 'so'"}, becomes={"tags": ["it's 'so'"]}),
    Example(schema=SCHEMA, arguments={"union": "b1"}, becomes={"union": ["b1"]}),
    Example(schema=SCHEMA, arguments={"union": 1}, becomes={"union": [1]}),
    Example(schema=SCHEMA, arguments={"flags_or_numbers": True}, becomes={"flags_or_numbers": [True]}),
    Example(schema=SCHEMA, arguments={"maybe": "a"}, becomes={"maybe": ["a"]}),
    Example(schema=SCHEMA, arguments={"same": "a"}, becomes={"same": ["a"]}),
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
