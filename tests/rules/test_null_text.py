from __future__ import annotations

import pytest

from argwright.model import ValidCall
from argwright.rules import Example
from argwright.rules.null_text import RULE
from tests.rules.tables import STRING, STRINGS, alone, each, leaves, opened

TEXTS = opened(text=STRING, path=STRING, list=STRINGS)

UNTOUCHED = [
    Example(schema=TEXTS, arguments={"text": "null and void"}),
    Example(schema=TEXTS, arguments={"text": "nil", "path": ""}),
    Example(schema=TEXTS, arguments={"text": "NULL", "list": ["none"]}),
    Example(schema=TEXTS, arguments={"any": None}),
]
WARNED = [
    (Example(schema=TEXTS, arguments={"text": "null"}), ["/text"]),
    (Example(schema=TEXTS, arguments={"list": ["a", "None"], "path": "None"}), ["/list/1", "/path"]),
    (Example(schema=TEXTS, arguments={"deep": {"a/b": "null"}}), ["/deep/a~1b"]),
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
