from __future__ import annotations

from argwright.model import Repair
from argwright.policy import Certainty, Policy
from argwright.rules import BUILTIN, Example, RuleSet
from argwright.rules.drop_undeclared import RULE
from tests.rules.tables import STRING, alone, closed, each, leaves, opened, resolved, told

CLOSED = closed(("query",), query=STRING)
OPEN = opened(query=STRING)
DROP = Policy(drop_undeclared=True)

UNTOUCHED = [
    Example(schema=CLOSED, arguments={"query": "x", "reasoning": "because"}),
    Example(schema=CLOSED, arguments={"reasoning": "because"}),
    Example(schema=OPEN, arguments={"query": "x", "reasoning": "because"}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)
    assert told(alone(RULE, example, Policy.LENIENT)) == told(resolved(RuleSet(()), example))


def test_dropped_where_the_caller_asks_for_it():
    outcome = alone(RULE, Example(schema=CLOSED, arguments={"query": "x", "reasoning": "…", "confidence": 0.9}), DROP)
    assert told(outcome) == ("valid", {"query": "x"})
    assert outcome.repairs == (
        Repair(rule="drop-undeclared", certainty=Certainty.GUESS, before="reasoning", after=None, count=2),
    )


def test_an_open_schema_keeps_what_it_allows():
    example = Example(schema=OPEN, arguments={"query": "x", "reasoning": "…"})
    assert told(alone(RULE, example, DROP)) == ("valid", {"query": "x", "reasoning": "…"})


def test_nothing_is_filled_in():
    assert told(alone(RULE, Example(schema=CLOSED, arguments={"reasoning": "…"}), DROP)) == ("schema_error", "missing")


def test_a_misspelt_name_is_mended_before_the_rest_is_dropped():
    outcome = resolved(RuleSet(BUILTIN), Example(schema=CLOSED, arguments={"Query": "x", "reasoning": "…"}), DROP)
    assert told(outcome) == ("valid", {"query": "x"})
    assert [repair.rule for repair in outcome.repairs] == ["key-spelling", "drop-undeclared"]


def test_a_policy_without_repairs_drops_nothing():
    example = Example(schema=CLOSED, arguments={"query": "x", "reasoning": "…"})
    assert told(alone(RULE, example, Policy(certainty=None, drop_undeclared=True))) == ("schema_error", "unexpected")
