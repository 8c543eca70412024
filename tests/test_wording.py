from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.wording import brief, described, encodable, hint, likely, listed, shorten, shown

SHOWN = [
    ("celcius", "'celcius'"),
    ("it's", '"it\'s"'),
    ("上海", "'上海'"),
    ("a\nb\u2028c", "'a\\nb\\u2028c'"),
    ("\ud800x", "'\ufffdx'"),
    ("x" * 61, "'" + "x" * 59 + "…'"),
    ("", "''"),
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (1.5, "1.5"),
    (1.0, "1.0"),
    (2**64, "18446744073709551616"),
    ([], "array of 0 items"),
    ([1], "array of 1 item"),
    ((1, 2), "array of 2 items"),
    ({"secret": 1}, "object of 1 field"),
    ({1, 2}, "a Python set"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN)
def test_shown(value, text):
    assert shown(value) == text


def test_a_huge_integer_is_described():
    assert shown(10**5000) == "an integer of about 5001 digits"


def test_described_names_the_type():
    assert [described(v) for v in ("5", True, 3, 1.5, None, [1], {})] == [
        "string '5'", "boolean true", "integer 3", "number 1.5", "null", "array of 1 item", "object of 0 fields",
    ]  # fmt: skip


def test_brief_keeps_scalars_and_describes_the_rest():
    values = ("x", None, True, 1, 1.5, [1], {"a": 1}, 10**5000)
    assert [brief(v) for v in values] == [
        "x", None, True, 1, 1.5, "array of 1 item", "object of 1 field", "an integer of about 5001 digits",
    ]  # fmt: skip
    assert brief("y" * 100) == "y" * 59 + "…"


def test_listed_is_bounded():
    assert listed(["celsius", "fahrenheit"]) == "['celsius', 'fahrenheit']"
    assert listed([]) == "[]"
    assert listed(list(range(30))).endswith("18, 19, … 10 more]")
    assert len(listed(["x" * 200] * 50)) < 400


LIKELY = [
    ("celcius", ["celsius", "fahrenheit"], "celsius"),
    ("Celsius", ["celsius", "fahrenheit"], "celsius"),
    ("maxResults", ["max_results", "query"], "max_results"),
    ("loc", ["location", "unit"], "location"),
    ("loc", ["location", "locale"], None),
    ("lo", ["location"], None),
    ("banana", ["celsius", "fahrenheit"], None),
    ("", ["a"], None),
    (5, ["5"], None),
    ("x" * 100, ["x" * 99], None),
    ("上海市", ["上海", "北京"], "上海"),
    ("a", [1, None, "a"], "a"),
]


@pytest.mark.parametrize(("word", "options", "meant"), LIKELY)
def test_likely(word, options, meant):
    assert likely(word, options) == meant


def test_hint():
    assert (hint("a"), hint(None)) == (" (did you mean 'a'?)", "")


@given(st.text(st.characters(), max_size=200))
def test_what_is_quoted_can_be_encoded_and_is_one_line(text):
    for quoted in (shown(text), shorten(text), encodable(text)):
        quoted.encode()
    assert "\n" not in shown(text)
    assert len(shown(text)) < 700
    json.dumps(brief(text), ensure_ascii=False).encode()


@given(st.text(max_size=90), st.lists(st.text(max_size=90), max_size=20))
def test_a_suggestion_is_an_option(word, options):
    assert likely(word, options) in {*options, None}
