from __future__ import annotations

import pytest

from argwright.model import ValidCall
from argwright.rules import Example
from argwright.rules.json_text import RULE
from tests.rules.tables import STRING, STRINGS, alone, each, leaves, opened

EITHER = opened(either={"type": ["string", "array"]}, rows={"type": "array", "items": {"anyOf": [STRING, STRINGS]}})
TEXTS = opened(text=STRING, any={})

UNTOUCHED = [
    Example(schema=TEXTS, arguments={"text": '["a"]'}),
    Example(schema=TEXTS, arguments={"any": "[1]"}),
    Example(schema=EITHER, arguments={"either": "[draft] text"}),
    Example(schema=EITHER, arguments={"either": ["a"]}),
    Example(schema=EITHER, arguments={"either": "[" * 20_000}),
]
WARNED = [
    (Example(schema=EITHER, arguments={"either": '["SEA", "RAIL"]'}), ["/either"]),
    (Example(schema=EITHER, arguments={"either": "[1, 2]"}), ["/either"]),
    (Example(schema=EITHER, arguments={"rows": ["a", '["北京"]']}), ["/rows/1"]),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)
    assert alone(RULE, example).warnings == ()


@pytest.mark.parametrize(("example", "places"), WARNED)
def test_warned_of_and_left_alone(example, places):
    outcome = alone(RULE, example)
    assert isinstance(outcome, ValidCall)
    assert (outcome.arguments, outcome.repairs) == (example.arguments, ())
    assert [(warning.rule, warning.pointer) for warning in outcome.warnings] == [(RULE.name, place) for place in places]
