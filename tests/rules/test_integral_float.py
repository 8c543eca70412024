from __future__ import annotations

import pytest

from argwright.model import Repair, ToolCall
from argwright.pipeline import resolve_with
from argwright.policy import Certainty
from argwright.rules import Example
from argwright.rules.integral_float import RULE
from argwright.tool import Tool
from tests.rules.tables import INTEGER, INTEGERS, NUMBER, alone, closed, each, leaves, opened, told

SCHEMA = closed(
    n=INTEGER,
    maybe={"type": ["integer", "null"]},
    x=NUMBER,
    both={"type": ["integer", "number"]},
    rows=INTEGERS,
    deep=opened(n=INTEGER),
    word={"type": ["integer", "string"]},
    any={},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"n": 8121, "maybe": None}),
    Example(schema=SCHEMA, arguments={"x": 2.0, "both": 2.0}),
    Example(schema=SCHEMA, arguments={"n": 2.5}),
    Example(schema=SCHEMA, arguments={"any": 2.0}),
    Example(schema=SCHEMA, arguments={"any": {"n": 2.0}, "deep": {"m": 2.0}}),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"n": 8121.0}, becomes={"n": 8121}),
    Example(schema=SCHEMA, arguments={"n": -0.0}, becomes={"n": 0}),
    Example(schema=SCHEMA, arguments='{"n": 1e3}', becomes={"n": 1000}),
    Example(schema=SCHEMA, arguments='{"n": 5.000000000000000000000000}', becomes={"n": 5}),
    Example(schema=SCHEMA, arguments='{"n": 1e20}', becomes={"n": 10**20}),
    Example(schema=SCHEMA, arguments='{"n": 9007199254740992.0}', becomes={"n": 2**53}),
    Example(schema=SCHEMA, arguments={"maybe": 2.0}, becomes={"maybe": 2}),
    Example(
        schema=SCHEMA,
        arguments={"rows": [1.0, 2, 3.0], "deep": {"n": 4.0}},
        becomes={"rows": [1, 2, 3], "deep": {"n": 4}},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert "." not in str(outcome.arguments)
    assert [repair.rule for repair in outcome.repairs] == ["integral-float"]


def test_the_record_counts():
    outcome = alone(RULE, Example(schema=SCHEMA, arguments={"n": 5, "rows": [1.0, 2, 3.0]}))
    assert outcome.repairs == (
        Repair(rule="integral-float", certainty=Certainty.EXACT, pointer="", before=1.0, after=1, count=2),
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"n": 4.9999999999999999999}', "/n"),
        ('{"n": -4.9999999999999999999}', "/n"),
        ('{"n": 0.99999999999999999e1}', "/n"),
        ('{"n": 9007199254740993.0}', "/n"),
        ('{"n": 1e300}', "/n"),
        ('{"rows": [1.0, 2, 2.9999999999999999999]}', "/rows/2"),
        ('{"deep": {"n": 1e-400}}', "/deep/n"),
        ('{"n": 4.9999999999999999999,}', "/n"),
        ('{"word": 4.9999999999999999999}', "/word"),
        ('{"n": 0e99999999999999999999}', "/n"),
    ],
)
def test_a_float_that_is_not_what_was_written_is_refused(text, place):
    outcome = alone(RULE, Example(schema=SCHEMA, arguments=text))
    assert told(outcome) == ("schema_error", "type")
    assert [(issue.pointer, issue.keyword) for issue in outcome.issues] == [(place, "type")]


def test_a_float_without_a_text_is_exact_up_to_the_last_odd_one():
    tool = Tool.from_schema("f", SCHEMA)
    arguments = {"n": 2.0**53 - 1}
    assert resolve_with(tool, ToolCall("1", "f", arguments)).arguments == {"n": 2**53 - 1}
    assert resolve_with(tool, ToolCall("1", "f", {"n": 2.0**53})).reason == "type"
