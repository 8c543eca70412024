from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.rules.places import edited, equal, find, named, shape_at, shown, strings
from argwright.rules.rule import REMOVED
from argwright.shape import Shape

ROOT = {"a": {"b": [1, {"c": 2}]}, "d": "x", "0": ["y"], "a/b~c": {"": 3}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("tokens", "found"),
    [
        ((), (True, ROOT)),
        (("a", "b", "1", "c"), (True, 2)),
        (("0", "0"), (True, "y")),
        (("a/b~c", ""), (True, 3)),
        (("a", "b", "2"), (False, None)),
        (("a", "b", "-1"), (False, None)),
        (("a", "b", "٠"), (False, None)),
        (("d", "x"), (False, None)),
    ],
)
def test_find(tokens, found):
    assert find(ROOT, tokens) == found


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        ([], ROOT),
        ([((), 5)], 5),
        ([(("d",), REMOVED)], {key: value for key, value in ROOT.items() if key != "d"}),
        ([(("a", "b", "1", "c"), 9)], ROOT | {"a": {"b": [1, {"c": 9}]}}),
        ([(("a", "b", "0"), 8), (("a", "b", "1"), 9)], ROOT | {"a": {"b": [8, 9]}}),
        ([(("a",), {"z": [0]}), (("a", "z", "0"), 7)], ROOT | {"a": {"z": [7]}}),
        ([(("a", "b", "5"), 9), (("d", "x"), 9), (("q", "r"), 9), (("a", "b", "0"), REMOVED)], ROOT),
    ],
)
def test_edited_makes_a_new_document(changes, after):
    before = copy.deepcopy(ROOT)
    assert edited(ROOT, changes) == after
    assert before == ROOT


def test_edited_leaves_the_new_value_alone_too():
    new = {"z": [0]}
    edited(ROOT, [(("a",), new), (("a", "z", "0"), 7)])
    assert new == {"z": [0]}


@given(JSON, JSON)
def test_equal_is_equality_of_json(one, other):
    assert equal(one, copy.deepcopy(one))
    if equal(one, other):
        assert one == other


def test_true_is_not_one():
    assert not equal({"a": [True]}, {"a": [1]})
    assert equal({"a": [1.0]}, {"a": [1]})


def test_named_follows_stars_through_lists_and_maps():
    root = {"rows": [{"x": 1}, {"y": 2}, {"x": 3}], "map": {"k": {"x": 4}, "l": 5}}
    assert list(named(root, ("rows", "*", "x"))) == [(("rows", "0", "x"), 1), (("rows", "2", "x"), 3)]
    assert list(named(root, ("map", "*", "x"))) == [(("map", "k", "x"), 4)]
    assert list(named(root, ("rows", "1", "y"))) == [(("rows", "1", "y"), 2)]
    assert list(named(root, ())) == [((), root)]
    assert list(named(root, ("nothing", "*"))) == []


def test_strings_come_in_order_with_their_paths():
    assert list(strings(ROOT | {"e": [["z"]]}, lambda text: text != "y")) == [(("d",), "x"), (("e", "0", "0"), "z")]


def test_shown_is_short():
    assert shown({"a": 1}) == {"a": 1}
    assert shown("x" * 120) == "x" * 120
    assert [len(shown(value)) for value in ("x" * 121, {"a": "x" * 500}, ["é" * 500])] == [120, 120, 120]


def test_shape_at_knows_lists_from_objects():
    shape = Shape(
        {"properties": {"a": {"items": {"type": "integer"}}, "m": {"additionalProperties": {"type": "string"}}}}
    )
    root = {"a": [1], "m": {"0": "x"}}
    assert shape_at(shape, ("a", "0"), root).types == {"integer"}
    assert shape_at(shape, ("m", "0"), root).types == {"string"}
    assert shape_at(shape, ("nowhere", "at", "all"), root).types == frozenset()
