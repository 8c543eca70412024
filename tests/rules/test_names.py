from __future__ import annotations

import pytest

from argwright.rules.names import holds_parameters, readings

NOISE = {
    " search ": "search",
    '"search"': "search",
    "`search`": "search",
    "“search”": "search",
    "functions.search": "search",
    "functions:search": "search",
    "default_api.search": "search",
    "tools.search": "search",
    "search:0": "search",
    "functions.search:12": "search",
    "search<|channel|>commentary": "search",
    "search</tool_call>": "search",
    "search<|constrain|>json": "search",
    "searchsearch": "search",
    "searchsearchsearch": "search",
    ' "functions.search:0" ': "search",
    "functions.functions.search": "search",
    "搜索:3": "搜索",
}
NEVER = {
    "my_functions.search": "search",
    "function.search": "search",
    "mcp__server__search": "search",
    "server.search": "search",
    "server/search": "search",
    "functions_search": "search",
    "functionssearch": "search",
    "search:": "search",
    "search:a": "search",
    "search_0": "search",
    "Search": "search",
    "serch": "search",
    "search()": "search",
    "search search": "search",
    "xsearch": "search",
}


@pytest.mark.parametrize(("written", "declared"), NEVER.items())
def test_nothing_else_is_stripped(written, declared):
    assert declared not in list(readings(written))


@pytest.mark.parametrize(("written", "declared"), NOISE.items())
def test_the_closed_list(written, declared):
    assert declared in list(readings(written))


def test_a_name_repeated_several_times_may_be_a_repetition_itself():
    assert list(readings("ffffff")) == ["fff", "ff", "f"]
    assert list(readings("functions.abab")) == ["abab", "ab"]


@pytest.mark.parametrize("name", ["", " ", "<", '""', "functions.", "::", "a", "search", ":1", "\ud800"])
def test_nothing_is_invented(name):
    assert all(reading and reading in name for reading in readings(name))


def test_a_name_of_any_length_is_read_in_a_bounded_time():
    assert set(readings("a" * 1_000_000)) == {"a" * 2**power for power in range(10)}
    assert len(list(readings("functions." * 100_000))) < 200


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("search", False),
        ("search<|channel|>commentary", False),
        ("search</tool_call>", False),
        ('search<parameter name="q">x', True),
        ("search<parameter=q>", True),
        ("search<arg_key>q</arg_key>", True),
        ('search<|message|>{"q": 1}', True),
        ("search</arg_value>", False),
        ("search</parameter>\n</function>", False),
        ("search</arg_key>上海</arg_value>", True),
    ],
)
def test_parameters_in_a_name(name, holds):
    assert holds_parameters(name) is holds
