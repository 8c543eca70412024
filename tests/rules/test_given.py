from __future__ import annotations

import copy
import json
from types import MappingProxyType

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from argwright.decode import Decoded, Undecodable
from argwright.policy import Limits, Policy
from argwright.rules.given import given

STANDARD, LIMITS = Policy.STANDARD, Limits()


def nested(depth):
    value: dict = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": [1, 2.5, None, True, "上海 🚚 \u2028", {"": {}}]},
        {"n": 10**4299},
        nested(511),
    ],
    ids=["empty", "every kind", "a long integer", "deep"],
)
def test_json_data_is_copied(value):
    got = given(value, STANDARD, LIMITS)
    assert got == Decoded(value=value)
    assert got.value is not value


def test_what_is_kept_does_not_change_with_what_came():
    value = {"a": [{"b": 1}]}
    got = given(value, STANDARD, LIMITS)
    value["a"][0]["b"] = 2
    assert got.value == {"a": [{"b": 1}]}


def test_other_mappings_and_tuples_are_objects_and_lists():
    assert given(MappingProxyType({"a": (1, (2,))}), STANDARD, LIMITS) == Decoded(value={"a": [1, [2]]})


def cyclic():
    value: dict = {}
    value["a"], value["b"] = value, value
    return value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"a": float("nan")}, "not_json"),
        ({"a": [float("inf")]}, "not_json"),
        ({1: 2}, "not_json"),
        ({"a": {1, 2}}, "not_json"),
        ({"a": b"x"}, "not_json"),
        (object(), "not_json"),
        ({"a": 10**4400}, "too_long"),
        (nested(513), "too_deep"),
        (nested(100_000), "too_deep"),
        (cyclic(), "too_deep"),
    ],
    ids=["nan", "infinity", "key", "set", "bytes", "object", "digits", "depth", "great depth", "cycle"],
)
def test_what_is_no_json_has_no_reading(value, reason):
    got = given(value, STANDARD, LIMITS)
    assert isinstance(got, Undecodable)
    assert got.reason == reason


def test_a_cycle_of_many_branches_ends():
    assert given(cyclic(), STANDARD, Limits(max_chars=1000, max_depth=10_000)).reason == "too_long"


def test_half_a_surrogate_pair_is_replaced_and_pairs_are_joined():
    got = given({"a": "\ud83d\ude9a ok \ud83d", "\udc00": 1}, STANDARD, LIMITS)
    assert got.value == {"a": "🚚 ok \ufffd", "\ufffd": 1}
    assert sorted((repair.rule, repair.pointer) for repair in got.repairs) == [
        ("lone-surrogate", ""),
        ("lone-surrogate", "/a"),
    ]
    assert given({"a": "\ud83d"}, Policy.EXACT, LIMITS).reason == "not_json"


@examples(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_all_json_comes_back_as_it_is(value):
    assert given(value, STANDARD, LIMITS) == Decoded(value=value)
    assert json.dumps(given(value, STANDARD, LIMITS).value) == json.dumps(copy.deepcopy(value))
