from __future__ import annotations

import pytest

from argwright.model import ValidCall
from argwright.rules import Example
from argwright.rules.html_entity import RULE
from tests.rules.tables import STRING, STRINGS, alone, each, leaves, opened

TEXTS = opened(text=STRING, path=STRING, list=STRINGS)

UNTOUCHED = [
    Example(schema=TEXTS, arguments={"text": "a && b &c; d & e;"}),
    Example(schema=TEXTS, arguments={"text": "<b>a &lt; b</b>"}),
    Example(schema=TEXTS, arguments={"text": "?a=1&lt=2"}),
    Example(schema=TEXTS, arguments={"text": "R&D; 北京&上海"}),
]
WARNED = [
    (Example(schema=TEXTS, arguments={"text": "make &amp;&amp; run"}), ["/text"]),
    (Example(schema=TEXTS, arguments={"list": ["x", "&#20013;&#x6587;"]}), ["/list/1"]),
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
