from __future__ import annotations

from argwright.policy import Policy
from argwright.rules import Example
from argwright.rules.key_spelling import RULE
from tests.rules.tables import INTEGER, STRING, alone, closed, each, leaves, opened, told

CLOSED = closed(("query",), query=STRING, max_results=INTEGER, baseURL=STRING)
OPEN = opened(("query",), query=STRING, max_results=INTEGER)
NOTHING_REQUIRED = opened(query=STRING, max_results=INTEGER)
TWINS = closed(("ID",), ID=STRING, id=STRING)
NESTED = closed(("opts",), opts=closed(("dry_run",), dry_run={"type": "boolean"}))
ROWS = closed(rows={"type": "array", "items": closed(("userName",), userName=STRING)})

UNTOUCHED = [
    Example(schema=CLOSED, arguments={"query": "x", "max_results": 3, "baseURL": "u"}),
    # a different word
    Example(schema=CLOSED, arguments={"query": "x", "max_result": 3}),
    Example(schema=CLOSED, arguments={"querry": "x"}),
    Example(schema=CLOSED, arguments={"queryText": "x"}),
    Example(schema=CLOSED, arguments={"query: ": "x"}),
    Example(schema=CLOSED, arguments={"'query'": "x"}),
    Example(schema=CLOSED, arguments={'parameter name="query"': "x"}),
    Example(schema=CLOSED, arguments={"": "x", "-": "y"}),
    Example(schema=CLOSED, arguments={"查询": "x"}),
    # a number would change
    Example(schema=closed(("v12",), v12=STRING), arguments={"v1_2": "x"}),
    Example(schema=closed(("1-2",), **{"1-2": STRING}), arguments={"12": "x"}),
    Example(schema=closed(("5",), **{"5": STRING}), arguments={"-5": "x"}),
    # more than one reading
    Example(schema=CLOSED, arguments={"Query": "x", "QUERY": "y"}),
    Example(schema=CLOSED, arguments={"query": "x", "Query": "y"}),
    Example(schema=CLOSED, arguments={"query": "x", "Query": "x"}),
    Example(schema=TWINS, arguments={"Id": "x"}),
    Example(schema=TWINS, arguments={"ID": "A", "id": "a"}),
    # nothing fails
    Example(schema=OPEN, arguments={"query": "x", "maxResults": 2}),
    Example(schema=NOTHING_REQUIRED, arguments={"Query": "x"}),
    Example(schema=NESTED, arguments={"opts": {"dryrun!": True}}),
]
MENDED = [
    Example(schema=CLOSED, arguments={"query": "x", "maxResults": 3}, becomes={"query": "x", "max_results": 3}),
    Example(schema=CLOSED, arguments={"Query": "上海", "base_url": "u"}, becomes={"query": "上海", "baseURL": "u"}),
    Example(schema=CLOSED, arguments={"QUERY": "x", "max-results": 1}, becomes={"query": "x", "max_results": 1}),
    Example(schema=CLOSED, arguments={"query": "x", "Max Results": 1}, becomes={"query": "x", "max_results": 1}),
    Example(schema=OPEN, arguments={"Query": "x", "MaxResults": 1}, becomes={"query": "x", "max_results": 1}),
    Example(schema=NESTED, arguments={"opts": {"dryRun": True}}, becomes={"opts": {"dry_run": True}}),
    Example(
        schema=ROWS,
        arguments={"rows": [{"user_name": "a"}, {"userName": "b"}, {"Username": "c"}]},
        becomes={"rows": [{"userName": "a"}, {"userName": "b"}, {"userName": "c"}]},
    ),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert list(outcome.arguments) == list(example.becomes)
    assert {repair.rule for repair in outcome.repairs} == {"key-spelling"}


def test_one_record_for_one_object():
    outcome = alone(RULE, Example(schema=CLOSED, arguments={"Query": "x", "maxResults": 3}))
    assert [(one.pointer, one.before, one.after, one.count) for one in outcome.repairs] == [("", "Query", "query", 2)]


def test_the_policy_turns_it_off():
    example = Example(schema=CLOSED, arguments={"Query": "x"})
    assert told(alone(RULE, example, Policy(spelling=False))) == ("schema_error", "missing")
    assert told(alone(RULE, example, Policy.EXACT)) == ("schema_error", "missing")
