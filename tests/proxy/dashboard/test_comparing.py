"""Arguments before and after, field by field."""

from __future__ import annotations

import pytest

from argwright.proxy.dashboard.comparing import MAX_ROWS, MAX_VALUE, fields, rows


def _told(before, after):
    return [(row["pointer"], row["before"], row["after"], row["change"]) for row in rows(before, after)]


CASES = {
    "nothing changed": ({"a": 1, "b": "上海"}, {"a": 1, "b": "上海"}, [("/a", "1", "1", "same"), ("/b", '"上海"', '"上海"', "same")]),
    "a value": ({"n": "5"}, {"n": 5}, [("/n", '"5"', "5", "changed")]),
    "a field gone": ({"a": 1, "b": None}, {"a": 1}, [("/a", "1", "1", "same"), ("/b", "null", None, "removed")]),
    "a field more": ({}, {"a": 1}, [("", "{}", None, "removed"), ("/a", None, "1", "added")]),
    "renamed": ({"q": "x", "n": 1}, {"query": "x", "n": 1}, [("/n", "1", "1", "same"), ("/query", '"x"', '"x"', "moved")]),
    "unwrapped": ({"arguments": {"a": 1, "b": 1}}, {"a": 1, "b": 1}, [("/a", "1", "1", "moved"), ("/b", "1", "1", "moved")]),
    "two of the same value renamed: nobody knows which": (
        {"x": 1, "y": 1}, {"a": 1, "b": 1},
        [("/x", "1", None, "removed"), ("/y", "1", None, "removed"), ("/a", None, "1", "added"), ("/b", None, "1", "added")],
    ),
    "a list from a text": (
        {"tags": '["a"]'}, {"tags": ["a"]},
        [("/tags", '"[\\"a\\"]"', None, "removed"), ("/tags/0", None, '"a"', "added")],
    ),
    "no object before": ("text", {"a": 1}, [("", '"text"', None, "removed"), ("/a", None, "1", "added")]),
    "an integer of any size": ({"n": 9007199254740993}, {"n": 9007199254740993}, [("/n", "9007199254740993", "9007199254740993", "same")]),
    "odd keys": ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [("/a~1b/~0", "1", "2", "changed")]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "told"), CASES.values(), ids=CASES)
def test_each_field_says_what_became_of_it(before, after, told):
    assert _told(before, after) == told


def test_a_moved_value_says_where_it_was():
    assert rows({"q": "x"}, {"query": "x"})[0]["from"] == "/q"


def test_empty_containers_are_fields():
    assert list(fields({"a": {}, "b": [], "c": [{}]})) == [("/a", "{}"), ("/b", "[]"), ("/c/0", "{}")]


def test_what_is_long_is_shortened():
    (row,) = rows({"a": "x" * 10_000}, {"a": "x" * 10_000})
    assert row["before"] == '"' + "x" * (MAX_VALUE - 1) + "… (10002)"
    assert len(rows({str(number): number for number in range(1000)}, {})) == MAX_ROWS
