from __future__ import annotations

from argwright.model import Repair
from argwright.policy import Certainty, Policy
from argwright.rules import Example
from argwright.rules.alias import RULE
from tests.rules.tables import INTEGER, STRING, alone, closed, each, leaves, opened, told

OPEN = opened(query=STRING, limit=INTEGER)
CLOSED = closed(("query",), query=STRING, limit=INTEGER)
ITEMS = opened(items={"type": "array", "items": opened(sku=STRING)}, filter=opened(lang=STRING))
Q = {"q": "query"}
DEEP = {"/items/*/article": "sku", "/filter/language": "lang"}

UNTOUCHED = [
    Example(schema=OPEN, aliases=Q, arguments={"query": "q"}),
    Example(schema=OPEN, aliases=Q, arguments={"limit": 1}),
    Example(schema=OPEN, aliases=Q, arguments={"Q": "x"}),
    Example(schema=OPEN, aliases=Q, arguments={"query": "x", "deep": {"q": "y"}}),
    Example(schema=OPEN, arguments={"q": "x"}),
    Example(schema=CLOSED, arguments={"q": "x"}),
    Example(schema=CLOSED, aliases=Q, arguments={"search": "x"}),
    Example(schema=ITEMS, aliases=DEEP, arguments={"article": "x"}),
    Example(schema=ITEMS, aliases=DEEP, arguments={"items": ["article"], "filter": "language"}),
    Example(schema=ITEMS, aliases=DEEP, arguments={"items": {"article": "x"}}),
]
MENDED = [
    Example(schema=OPEN, aliases=Q, arguments={"q": "上海"}, becomes={"query": "上海"}),
    Example(schema=CLOSED, aliases=Q, arguments={"limit": 2, "q": "x"}, becomes={"limit": 2, "query": "x"}),
    Example(schema=OPEN, aliases=Q, arguments={"q": "x", "query": "x"}, becomes={"query": "x"}),
    Example(
        schema=CLOSED, aliases={"q": "query", "search": "query"}, arguments={"search": "x"}, becomes={"query": "x"}
    ),
    Example(schema=OPEN, aliases={"max": "limit"}, arguments={"max": 1, "limit": 1.0}, becomes={"limit": 1.0}),
    Example(
        schema=ITEMS,
        aliases=DEEP,
        arguments={"items": [{"article": "a"}, {"sku": "b"}], "filter": {"language": "pl"}},
        becomes={"items": [{"sku": "a"}, {"sku": "b"}], "filter": {"lang": "pl"}},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"alias"}


def test_one_record_for_each_name():
    example = Example(schema=OPEN, aliases={"q": "query", "max": "limit"}, arguments={"q": "x", "max": 3})
    assert alone(RULE, example).repairs == (
        Repair(rule="alias", certainty=Certainty.EXACT, pointer="/query", before="q", after="query"),
        Repair(rule="alias", certainty=Certainty.EXACT, pointer="/limit", before="max", after="limit"),
    )


def test_both_names_with_different_values_are_a_conflict_that_names_both():
    for schema in (OPEN, CLOSED):
        outcome = alone(RULE, Example(schema=schema, aliases=Q, arguments={"q": "x", "query": "y"}))
        assert told(outcome) == ("schema_error", "alias_conflict")
        assert [(issue.pointer, issue.message) for issue in outcome.issues] == [
            ("/query", "'q' and 'query' name the same field and have different values")
        ]


def test_true_is_not_one():
    outcome = alone(RULE, Example(schema=opened(n={}), aliases={"m": "n"}, arguments={"m": True, "n": 1}))
    assert told(outcome) == ("schema_error", "alias_conflict")


def test_two_old_names_with_different_values_are_a_conflict():
    aliases = {"q": "query", "search": "query"}
    outcome = alone(RULE, Example(schema=OPEN, aliases=aliases, arguments={"q": "x", "search": "y"}))
    assert told(outcome) == ("schema_error", "alias_conflict")
    assert "'search' and 'q'" in outcome.issues[0].message


def test_a_field_that_an_old_name_gives_is_not_missing_when_old_names_conflict():
    aliases = {"q": "query", "text": "query", "n": "limit"}
    for arguments, place in (({"q": "a", "text": "b"}, "/query"), ({"n": "3", "limit": 3, "q": "a"}, "/limit")):
        outcome = alone(RULE, Example(schema=CLOSED, aliases=aliases, arguments=arguments))
        assert told(outcome) == ("schema_error", "alias_conflict")
        assert [(issue.pointer, issue.keyword) for issue in outcome.issues] == [(place, "alias_conflict")]


def test_the_value_is_validated_under_its_declared_name():
    outcome = alone(RULE, Example(schema=OPEN, aliases={"max": "limit"}, arguments={"max": "many"}))
    assert told(outcome) == ("schema_error", "type")
    assert [issue.pointer for issue in outcome.issues] == ["/limit"]


def test_without_repairs_an_old_name_does_not_run_as_if_it_were_not_there():
    outcome = alone(RULE, Example(schema=OPEN, aliases=Q, arguments={"q": "x"}), Policy.STRICT)
    assert told(outcome) == ("schema_error", "unexpected")
    assert [issue.pointer for issue in outcome.issues] == ["/q"]
