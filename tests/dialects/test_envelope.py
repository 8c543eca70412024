"""A call's wrapper: which member is the name, which the arguments, and what must not be lost."""

from __future__ import annotations

import pytest

from argwright.dialects.context import Context
from argwright.dialects.envelope import Entry, entries, keyed
from argwright.dialects.objects import State
from tests.dialects.reading import BOX

CTX = Context(BOX, frozenset())
ARGUMENTS = '{"people": 5}'


@pytest.mark.parametrize("name", ["name", "tool", "tool_name", "function", "function_name", "action", "recipient_name"])
@pytest.mark.parametrize("key", ["arguments", "parameters", "args", "input", "action_input", "tool_input", "params"])
def test_every_pair_of_keys(name, key):
    (entry,) = entries(CTX, f'{{"{name}": "book_table", "{key}": {ARGUMENTS}}}')
    assert entry == Entry("book_table", ARGUMENTS, given=True, key=key)


@pytest.mark.parametrize("nest", ["function", "function_call", "functionCall", "tool_call", "toolUse"])
def test_one_level_inside(nest):
    (entry,) = entries(CTX, f'{{"id": "c1", "{nest}": {{"name": "book_table", "args": {ARGUMENTS}}}}}')
    assert (entry.name, entry.arguments, entry.id) == ("book_table", ARGUMENTS, "c1")


def test_a_list_inside():
    body = f'{{"tool_calls": [{{"id": 1, "function": {{"name": "book_table", "arguments": {ARGUMENTS}}}}}, {{"name": "list_ships"}}]}}'
    first, second = entries(CTX, body)
    assert (first.name, first.id, first.wrapper, second.name, second.arguments) == (
        "book_table",
        "1",
        "tool_calls",
        "list_ships",
        "{}",
    )


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ('"{\\"people\\": 5}"', ARGUMENTS),
        ('""', ""),
        ("null", "null"),
        ('"five people"', '"five people"'),
        ("{'people': 5, 'outdoors': True}", "{'people': 5, 'outdoors': True}"),
    ],
)
def test_arguments_as_written(written, arguments):
    (entry,) = entries(CTX, f'{{"name": "book_table", "arguments": {written}}}')
    assert (entry.arguments, entry.state) == (arguments, State.CLOSED)


def test_text_input_means_the_first_parameter():
    (entry,) = entries(CTX, '{"action": "search_archive", "action_input": "ferries"}')
    assert entry.arguments == '{"query":"ferries"}'


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "book_table", "place": "Bath"}',
        '{"name": "book_table", "arguments": {}, "place": "Bath"}',
        '{"name": "book_table", "arguments": {}, "parameters": {"people": 5}}',
        '{"name": "book_table", "arguments": {}, "arguments": {"people": 5}}',
        '{"name": "book_table", "name": "list_ships", "arguments": {}}',
        '{"name": "save_note", "arguments": {"text": "say "}" now"}}',
        '{"arguments": {"people": 5}}',
    ],
)
def test_what_would_be_lost_breaks_the_entry(body):
    assert [entry.state for entry in entries(CTX, body)] != [State.CLOSED]


@pytest.mark.parametrize(
    "body",
    [
        '{"city": "Bath"}',
        "{}",
        '{"name": "a b c?", "arguments": {}}',
        '{"name": <name>, "arguments": <args>}',
        "{ json }",
        "{x: 1}",
    ],
)
def test_no_wrapper(body):
    assert entries(CTX, body) == []


@pytest.mark.parametrize(
    "body",
    [
        "{“name”: “book_table”, “arguments”: {“people”: 5}}",
        '{\\"name\\": \\"book_table\\", \\"arguments\\": {\\"people\\": 5}}',
    ],
)
def test_a_notation_that_only_the_decoder_reads(body):
    (entry,) = entries(CTX, body)
    assert (entry.name, entry.arguments, entry.state) == ("book_table", '{"people":5}', State.CLOSED)


def test_cut():
    (entry,) = entries(CTX, '{"name": "book_table", "arguments": {"people": 5')
    assert (entry.name, entry.arguments, entry.state) == ("book_table", '{"people": 5', State.CUT)
    (closed,) = entries(CTX, '{"name": "book_table", "arguments": {"people": 5', tail="</t>")
    assert (closed.arguments, closed.state) == ('{"people": 5</t>', State.CLOSED)
    assert [entry.name for entry in entries(CTX, '{"na')] == [None]
    assert entries(CTX, '{"zz') == []


def test_keyed():
    assert keyed(CTX, '{"book_table": {"people": 5}}') == [Entry("book_table", ARGUMENTS, given=True)]
    for body in ("{}", '{"a": 1}', '{"a": {}, "b": {}}', '{"a b?": {}}', '{"a": {} x}'):
        assert keyed(CTX, body) == []
