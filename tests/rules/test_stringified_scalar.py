from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argwright.rules import Example
from argwright.rules.stringified_scalar import RULE
from tests.rules.tables import BOOLEAN, INTEGER, NUMBER, STRING, alone, closed, each, leaves, told

SCHEMA = closed(
    n=INTEGER,
    x=NUMBER,
    on=BOOLEAN,
    code=STRING,
    pin={"type": ["string", "integer"]},
    level={"type": "integer", "minimum": 1, "maximum": 5},
    size={"enum": [5, 10]},
    either={"type": ["boolean", "integer"]},
    any={},
)

UNTOUCHED = [
    Example(schema=SCHEMA, arguments={"code": "007"}),
    Example(schema=SCHEMA, arguments={"code": "true"}),
    Example(schema=SCHEMA, arguments={"pin": "42"}),
    Example(schema=SCHEMA, arguments={"any": "42"}),
    *(Example(schema=SCHEMA, arguments={"n": text}) for text in (
        "007", "-007", "1,000", "1.000,5", "1_000", "0x10", "10abc", "5 units", "about 5", "5%", "$5", "+5", "5-6", "--5",
        "1/2", "½", "٣", "五", "1e3", "12.5", "-0", "NaN", "true", "1 2", "\u00a05", '"5"', "[5]", "9" * 4301,
    )),
    *(Example(schema=SCHEMA, arguments={"x": text}) for text in (
        "0.1000000000000000055", "9007199254740993.0", "1e400", "1e-400", ".5", "5.", "Infinity", "-inf", "1,5", "0,5",
        "1e999999999999999999", "00.5",
    )),
    *(Example(schema=SCHEMA, arguments={"on": text}) for text in ("yes", "no", "on", "1", "0", "tRUE", "真", "t", "")),
    Example(schema=SCHEMA, arguments={"level": "6"}),
    Example(schema=SCHEMA, arguments={"size": "7"}),
    Example(schema=SCHEMA, arguments={"on": 1}),
    Example(schema=SCHEMA, arguments={"code": 7}),
]  # fmt: skip
MENDED = [
    Example(schema=SCHEMA, arguments={"n": "5"}, becomes={"n": 5}),
    Example(schema=SCHEMA, arguments={"n": "0"}, becomes={"n": 0}),
    Example(schema=SCHEMA, arguments={"n": " -5\n"}, becomes={"n": -5}),
    Example(schema=SCHEMA, arguments={"n": "9223372036854775803"}, becomes={"n": 9223372036854775803}),
    Example(schema=SCHEMA, arguments={"n": "9" * 4300}, becomes={"n": int("9" * 4300)}),
    Example(schema=SCHEMA, arguments={"n": "12.0"}, becomes={"n": 12}),
    Example(schema=SCHEMA, arguments={"x": "9007199254740993"}, becomes={"x": 9007199254740993}),
    Example(schema=SCHEMA, arguments={"x": "-0.5"}, becomes={"x": -0.5}),
    Example(schema=SCHEMA, arguments={"x": "1e3"}, becomes={"x": 1000.0}),
    Example(schema=SCHEMA, arguments={"x": "3.10"}, becomes={"x": 3.1}),
    Example(schema=SCHEMA, arguments={"on": "true"}, becomes={"on": True}),
    Example(schema=SCHEMA, arguments={"on": "False"}, becomes={"on": False}),
    Example(schema=SCHEMA, arguments={"either": "1"}, becomes={"either": 1}),
    Example(schema=SCHEMA, arguments={"either": "TRUE"}, becomes={"either": True}),
    Example(schema=SCHEMA, arguments={"size": "10"}, becomes={"size": 10}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    kind, arguments = told(outcome)
    assert (kind, arguments) == ("valid", example.becomes)
    assert {key: type(value) for key, value in arguments.items()} == {
        key: type(value) for key, value in example.becomes.items()
    }
    assert [repair.rule for repair in outcome.repairs] == ["stringified-scalar"]


@given(st.integers())
def test_every_integer_survives(number):
    assert told(alone(RULE, Example(schema=SCHEMA, arguments={"n": str(number)}))) == ("valid", {"n": number})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives_in_its_own_form(number):
    assert told(alone(RULE, Example(schema=SCHEMA, arguments={"x": repr(number)}))) == ("valid", {"x": number})
