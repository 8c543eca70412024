"""Where values stand in a JSON text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright import pointer
from argwright.proxy.json_spans import places

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def test_every_value_has_its_place():
    text = ' { "a" : [1, "上海 🍜"] , "b":{}}\n'
    assert [(place.path, text[place.start : place.end]) for place in places(text)] == [
        (("a", 0), "1"),
        (("a", 1), '"上海 🍜"'),
        (("a",), '[1, "上海 🍜"]'),
        (("b",), "{}"),
        ((), text.strip()),
    ]
    assert [text[slice(*place.key)] for place in places(text) if place.key] == ['"a"', '"b"']


def test_a_key_that_stands_twice_is_told_twice():
    assert [place.path for place in places('{"a": 1, "a": 2}')] == [("a",), ("a",), ()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a" 1}',
        '{"a": 1} x',
        "[1 2]",
        "[" * 200 + "]" * 200,
        "[,]",
        "{1: 2}",
        '{"a":',
    ],
)
def test_what_is_not_json_has_none(text):
    assert places(text) is None


@given(JSON, st.sampled_from([None, 1]))
def test_what_stands_there_is_the_value(value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    for place in places(text):
        assert json.loads(text[place.start : place.end]) == pointer.get(value, pointer.join(place.path))
