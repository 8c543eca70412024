from __future__ import annotations

from argwright.policy import Policy
from argwright.rules import Example
from argwright.rules.enum_spelling import RULE
from tests.rules.tables import STRING, alone, closed, each, leaves, told

SCHEMA = closed(
    mode={"type": "string", "enum": ["dark_mode", "light_mode"]},
    size={"enum": ["s", "S", "m", 5]},
    kind={"const": "Circle"},
    names={"type": "array", "items": {"enum": ["Ångström", "größe"]}},
    note=STRING,
    level={"enum": ["-5", "high", "1-2"]},
    free={"anyOf": [{"enum": ["a"]}, {"type": "string"}]},
    either={"anyOf": [{"enum": ["on", "off"]}, {"type": "integer"}]},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"mode": "dark_mode"}),
    Example(schema=SCHEMA, arguments={"mode": "dark"}),
    Example(schema=SCHEMA, arguments={"mode": "dim_mode"}),
    Example(schema=SCHEMA, arguments={"mode": "dark.mode"}),
    Example(schema=SCHEMA, arguments={"mode": "dark_mode!"}),
    Example(schema=SCHEMA, arguments={"mode": "night"}),
    Example(schema=SCHEMA, arguments={"mode": "暗"}),
    Example(schema=SCHEMA, arguments={"mode": ""}),
    Example(schema=SCHEMA, arguments={"mode": "-_ "}),
    Example(schema=SCHEMA, arguments={"mode": None}),
    Example(schema=SCHEMA, arguments={"size": "-s-"}),
    Example(schema=SCHEMA, arguments={"size": "5"}),
    *(Example(schema=SCHEMA, arguments={"level": level}) for level in ("5", "12", "1 -2", "_5", "-high")),
    Example(schema=SCHEMA, arguments={"note": "Dark Mode"}),
    Example(schema=SCHEMA, arguments={"free": "A"}),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"mode": "Dark Mode"}, becomes={"mode": "dark_mode"}),
    Example(schema=SCHEMA, arguments={"mode": "LIGHT-MODE"}, becomes={"mode": "light_mode"}),
    Example(schema=SCHEMA, arguments={"mode": " darkMode\n"}, becomes={"mode": "dark_mode"}),
    Example(schema=SCHEMA, arguments={"size": "M"}, becomes={"size": "m"}),
    Example(schema=SCHEMA, arguments={"kind": "circle"}, becomes={"kind": "Circle"}),
    Example(schema=SCHEMA, arguments={"either": "ON"}, becomes={"either": "on"}),
    Example(schema=SCHEMA, arguments={"names": ["ÅNGSTRÖM", "GRÖSSE"]}, becomes={"names": ["Ångström", "größe"]}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"enum-spelling"}


def test_what_one_rule_did_to_several_items_of_a_list_is_one_record():
    outcome = alone(RULE, Example(schema=SCHEMA, arguments={"names": ["ÅNGSTRÖM", "Ångström", "ångström"]}))
    assert [(one.pointer, one.before, one.after, one.count) for one in outcome.repairs] == [
        ("/names", "ÅNGSTRÖM", "Ångström", 2)
    ]


def test_the_policy_turns_it_off():
    example = Example(schema=SCHEMA, arguments={"mode": "Dark Mode"})
    assert told(alone(RULE, example, Policy(spelling=False))) == ("schema_error", "enum")
