from __future__ import annotations

import pytest

from argwright.model import ValidCall
from argwright.rules import Example
from argwright.rules.control_in_path import RULE
from tests.rules.tables import STRING, STRINGS, alone, each, leaves, opened

TEXTS = opened(text=STRING, path=STRING, list=STRINGS)

UNTOUCHED = [
    Example(schema=TEXTS, arguments={"text": "a\tb\nc"}),
    Example(schema=TEXTS, arguments={"path": "C:\\bin\\app.exe"}),
    Example(schema=TEXTS, arguments={"path": "/usr/bin\n"}),
    Example(schema=TEXTS, arguments={"text": "Note: a\tb"}),
    Example(schema=TEXTS, arguments={"path": "first line\nsecond line"}),
    Example(schema=TEXTS, arguments={"path": "a\t" * 200}),
]
WARNED = [
    (Example(schema=TEXTS, arguments={"path": "C:\bin\\app"}), ["/path"]),
    (Example(schema=TEXTS, arguments={"text": "D:\temp\new"}), ["/text"]),
    (Example(schema=TEXTS, arguments={"path": "src\test.py"}), ["/path"]),
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
