from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.excerpt import MAX_DEPTH, MAX_NODES, Excerpt

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_an_ordinary_value_is_shown_whole(value):
    excerpt = Excerpt()
    assert excerpt.copy(value) == value
    assert (excerpt.cut, excerpt.odd) == (set(), [])


ODD = st.recursive(
    JSON | st.sampled_from([float("nan"), "a\ud800", "\u2028上海", 1j, (1,), {1: 2}, {"a\udfff": 1}]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(ODD)
def test_what_is_shown_is_the_copy(value):
    shown, copied = Excerpt(), Excerpt()
    assert repr(shown.of(value)) == repr(copied.copy(value))
    assert (shown.cut, shown.odd) == (copied.cut, copied.odd)


@pytest.mark.parametrize("value", [list(range(MAX_NODES * 2)), [[]] * MAX_NODES, {"a": [[0] * 200] * 200}])
def test_what_is_too_large_is_copied_in_part(value):
    excerpt = Excerpt()
    assert excerpt.of(value) == Excerpt().copy(value) != value
    assert excerpt.cut


def test_a_large_value_is_cut_and_the_place_is_on_record():
    excerpt = Excerpt()
    copied = excerpt.copy({"a": list(range(MAX_NODES * 2)), "b": 1})
    assert len(copied["a"]) < MAX_NODES
    assert ("a",) in excerpt.cut
    assert () in excerpt.cut


def test_a_deep_value_is_cut():
    value: object = 1
    for _ in range(512):
        value = [value]
    excerpt = Excerpt()
    copied, depth = excerpt.copy(value), 0
    while copied:
        copied, depth = copied[0], depth + 1
    assert depth == MAX_DEPTH
    assert len(excerpt.cut) == 1


def test_what_is_no_json_is_on_record():
    excerpt = Excerpt()
    copied = excerpt.copy({"n": float("nan"), "i": [float("inf")], "s": "a\ud800", 1: 2, "set": {1}})
    assert copied == {"n": None, "i": [None], "s": "a\ufffd", "set": None}
    assert excerpt.odd == [
        (("n",), "not a JSON number"),
        (("i", 0), "not a JSON number"),
        (("s",), "half a surrogate pair, which no text can hold"),
        ((), "not JSON: a field name is no string"),
        (("set",), "not JSON: a Python set"),
    ]
