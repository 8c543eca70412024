from __future__ import annotations

from argwright.model import Repair
from argwright.policy import Certainty
from argwright.rules import Example
from argwright.rules.integral_float import RULE
from tests.rules.tables import INTEGER, INTEGERS, NUMBER, alone, closed, each, leaves, opened, told

SCHEMA = closed(
    n=INTEGER,
    maybe={"type": ["integer", "null"]},
    x=NUMBER,
    both={"type": ["integer", "number"]},
    rows=INTEGERS,
    deep=opened(n=INTEGER),
    any={},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"n": 8121, "maybe": None}),
    Example(schema=SCHEMA, arguments={"x": 2.0, "both": 2.0}),
    Example(schema=SCHEMA, arguments={"n": 2.5}),
    Example(schema=SCHEMA, arguments={"any": 2.0}),
    Example(schema=SCHEMA, arguments={"any": {"n": 2.0}, "deep": {"m": 2.0}}),
    Example(schema=SCHEMA, arguments={"n": 1e300}),
]
MENDED = [
    Example(schema=SCHEMA, arguments={"n": 8121.0}, becomes={"n": 8121}),
    Example(schema=SCHEMA, arguments={"n": -0.0}, becomes={"n": 0}),
    Example(schema=SCHEMA, arguments='{"n": 1e3}', becomes={"n": 1000}),
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


def test_a_float_that_is_no_longer_exact_stays_with_a_warning():
    outcome = alone(RULE, Example(schema=SCHEMA, arguments={"n": 9007199254740992.0}))
    assert told(outcome) == ("valid", {"n": 9007199254740992.0})
    assert [(warning.rule, warning.pointer) for warning in outcome.warnings] == [("integral-float", "/n")]
