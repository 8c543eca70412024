from __future__ import annotations

import json

from argwright.policy import Policy
from argwright.rules import Example
from argwright.rules.wrapper import RULE
from tests.rules.tables import INTEGER, STRING, alone, closed, each, leaves, opened, told

CLOSED = closed(("city",), city=STRING, days=INTEGER)
OPEN = opened(city=STRING, days=INTEGER)
NEEDS = opened(("city",), city=STRING, days=INTEGER)
META = opened(("method",), method=STRING, arguments={"type": "object"})
NAMED = opened(name=STRING, arguments={"type": "object"})
FILTERED = opened(query=STRING, filter={"type": "object", "properties": {"query": STRING}})
MAP = {"type": "object", "properties": {"city": STRING}, "additionalProperties": {"type": "object"}}
PATTERN = {"type": "object", "properties": {"city": STRING}, "patternProperties": {"^x_": {}}}

UNTOUCHED = [
    Example(schema=CLOSED, arguments={"city": "Łódź"}),
    Example(schema=OPEN, arguments={}),
    # a declared name is never unwrapped
    Example(schema=META, arguments={"method": "sum", "arguments": {"city": "a"}}),
    Example(schema=META, arguments={"arguments": {"method": "sum"}}),
    Example(schema=NAMED, arguments={"name": "search", "arguments": {"name": "x"}}),
    Example(schema=OPEN, arguments={"city": "Łódź", "arguments": {"days": 2}}),
    Example(schema=CLOSED, arguments={"days": 2, "arguments": {"city": "Łódź"}}),
    # a wrapper that holds no object of declared names
    Example(schema=CLOSED, arguments={"arguments": "Łódź"}),
    Example(schema=CLOSED, arguments={"arguments": ["Łódź"]}),
    Example(schema=CLOSED, arguments={"arguments": [{"city": "Łódź"}]}),
    Example(schema=CLOSED, arguments={"arguments": None}),
    Example(schema=OPEN, arguments={"arguments": {"town": "Łódź"}}),
    Example(schema=OPEN, arguments={"arguments": {"city": "Łódź", "town": "x"}}),
    Example(schema=OPEN, arguments={"trace": {"id": 7}}),
    Example(schema=OPEN, arguments={"trace": {}}),
    Example(schema=CLOSED, arguments={"arguments": 'say {"city": "Łódź"}'}),
    # something else beside it
    Example(schema=OPEN, arguments={"status": "ok", "payload": {"city": "Łódź"}}),
    Example(schema=OPEN, arguments={"id": "call_1", "arguments": {"city": "Łódź"}}),
    Example(schema=OPEN, arguments={"arguments": {"city": "Łódź"}, "input": {"city": "Kyiv"}}),
    # the name may mean a declared member
    Example(schema=FILTERED, arguments={"filters": {"query": "x"}}),
    Example(schema=FILTERED, arguments={"Filter": {"query": "x"}}),
    # a map takes every name
    Example(schema=MAP, arguments={"arguments": {"city": "Łódź"}}),
    Example(schema=PATTERN, arguments={"x_input": {"city": "Łódź"}}),
    Example(schema={"type": "object"}, arguments={"arguments": {"city": "Łódź"}}),
    Example(schema=CLOSED, arguments={"name": "search"}),
]
MENDED = [
    Example(schema=CLOSED, arguments={"arguments": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
    Example(schema=OPEN, arguments={"input": {"days": 2}}, becomes={"days": 2}),
    Example(schema=NEEDS, arguments={"anything": {"city": "上海"}}, becomes={"city": "上海"}),
    Example(schema=CLOSED, arguments={"args": '{"city": "Łódź"}'}, becomes={"city": "Łódź"}),
    Example(schema=CLOSED, arguments={"args": json.dumps('{"city": "Łódź"}')}, becomes={"city": "Łódź"}),
    Example(schema=CLOSED, arguments={"name": "search", "arguments": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
    Example(schema=CLOSED, arguments={"tool": "search", "args": '{"city": "Łódź"}'}, becomes={"city": "Łódź"}),
    Example(schema=CLOSED, arguments={"name": "find", "input": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
    Example(schema=CLOSED, arguments={"name": "functions.search", "input": {"city": "x"}}, becomes={"city": "x"}),
    Example(
        schema=CLOSED,
        arguments={"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"city": "x"}'}},
        becomes={"city": "x"},
    ),
    Example(schema=CLOSED, arguments={"type": "tool_use", "input": {"city": "x"}}, becomes={"city": "x"}),
    Example(schema=opened(), arguments={"name": "search", "arguments": {}}, becomes={}),
    Example(schema=closed(), arguments={"arguments": {}}, becomes={}),
    Example(schema=CLOSED, aliases={"town": "city"}, arguments={"input": {"city": "x"}}, becomes={"city": "x"}),
]
REFUSED = [
    Example(schema=OPEN, arguments={"name": "delete", "arguments": {"city": "Łódź"}}),
    Example(schema=CLOSED, arguments={"tool": "delete", "parameters": {"city": "Łódź"}}),
    Example(schema=OPEN, arguments={"function": "delete", "args": {"path": "/"}}),
    Example(schema=OPEN, arguments={"arguments": '{"city": "Łó'}),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(MENDED)
def test_mended(example):
    outcome = alone(RULE, example)
    assert told(outcome) == ("valid", example.becomes)
    assert [repair.rule for repair in outcome.repairs] == ["wrapper"]


@each(REFUSED)
def test_refused_even_where_the_schema_is_open(example):
    outcome = alone(RULE, example)
    assert outcome.kind == "schema_error"
    assert any(issue.keyword == "unexpected" for issue in outcome.issues)


def test_an_object_that_does_not_fit_is_not_run_without_it():
    outcome = alone(RULE, Example(schema=OPEN, arguments={"arguments": {"days": "many"}}))
    assert told(outcome) == ("schema_error", "type")
    assert [issue.pointer for issue in outcome.issues] == ["/days"]


def test_where_the_policy_does_not_unwrap_an_open_schema_does_not_run_with_nothing():
    example = Example(schema=OPEN, arguments={"arguments": {"city": "Łódź"}})
    outcome = alone(RULE, example, Policy.EXACT)
    assert told(outcome) == ("schema_error", "unexpected")
    assert [issue.pointer for issue in outcome.issues] == ["/arguments"]
