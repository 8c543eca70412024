from __future__ import annotations

import pytest

from argwright.model import ValidCall
from argwright.rules import Example
from argwright.rules.undeclared_field import RULE
from tests.rules.tables import BOOLEAN, STRING, alone, each, leaves, opened

TEXTS = opened(text=STRING, max_results=STRING)
MAP = {"type": "object", "properties": {"a": STRING}, "additionalProperties": STRING}
PATTERN = {"type": "object", "properties": {"a": STRING}, "patternProperties": {"^x-": {}}}

NESTED = opened(
    opts=opened(dry_run=BOOLEAN),
    rows={"type": "array", "items": opened(a=STRING)},
    free={"type": "object"},
    map={"type": "object", "properties": {"a": STRING}, "additionalProperties": STRING},
    either={"anyOf": [opened(a=STRING), opened(b=STRING)]},
)

UNTOUCHED = [
    Example(schema=NESTED, arguments={"opts": {"dry_run": True}, "free": {"x": {"y": 1}}, "map": {"z": "x"}}),
    Example(schema=NESTED, arguments={"either": {"b": "x"}, "rows": []}),
    Example(schema=TEXTS, arguments={"text": "x"}),
    Example(schema=TEXTS, arguments={}),
    Example(schema={"type": "object"}, arguments={"anything": 1}),
    Example(schema=MAP, arguments={"b": "x"}),
    Example(schema=PATTERN, arguments={"x-b": "x"}),
]
WARNED = [
    (Example(schema=TEXTS, arguments={"text": "x", "a/b": 1}), ["/a~1b"]),
    (Example(schema=PATTERN, arguments={"b": "x"}), ["/b"]),
    (Example(schema=NESTED, arguments={"opts": {"dryRun": True}}), ["/opts/dryRun"]),
    (Example(schema=NESTED, arguments={"rows": [{"a": "x"}, {"b": "y"}]}), ["/rows/1/b"]),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)
    outcome = alone(RULE, example)
    assert isinstance(outcome, ValidCall)
    assert outcome.warnings == ()


@pytest.mark.parametrize(("example", "places"), WARNED)
def test_warned_of_and_left_alone(example, places):
    outcome = alone(RULE, example)
    assert isinstance(outcome, ValidCall)
    assert (outcome.arguments, outcome.repairs) == (example.arguments, ())
    assert [(warning.rule, warning.pointer) for warning in outcome.warnings] == [(RULE.name, place) for place in places]


def test_a_spelling_of_a_declared_field_is_named():
    outcome = alone(RULE, Example(schema=TEXTS, arguments={"maxResults": "x"}))
    assert "'max_results'" in outcome.warnings[0].message


def test_a_spelling_of_a_field_further_inside_is_named_too():
    outcome = alone(RULE, Example(schema=NESTED, arguments={"opts": {"dryRun": True}}))
    assert "'dry_run'" in outcome.warnings[0].message


def test_free_form_objects_do_not_flood_the_warnings():
    arguments = {f"k{number}": number for number in range(500)}
    assert len(alone(RULE, Example(schema=TEXTS, arguments=arguments)).warnings) == 20
