from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright import pointer

RFC = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", RFC),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/i\\j", 5),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_examples_of_rfc_6901(text, value):
    assert pointer.get(RFC, text) == value


@pytest.mark.parametrize("text", ["/foo/-1", "/foo/01", "/foo/2", "/foo/x", "/foo/-", "/nowhere", "/foo/0/x"])
def test_what_names_nothing(text):
    with pytest.raises(LookupError):
        pointer.get(RFC, text)


@pytest.mark.parametrize("text", ["foo", "#/foo"])
def test_what_is_no_pointer(text):
    with pytest.raises(ValueError, match="begins with"):
        pointer.split(text)


@given(st.lists(st.text()))
def test_join_and_split_are_inverse(path):
    assert pointer.split(pointer.join(path)) == tuple(path)
