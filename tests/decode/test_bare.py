from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.decode import Decoded, decode
from argwright.policy import Limits

NAMES = st.from_regex(r"\A[a-zA-Z_$][a-zA-Z0-9_$]{0,4}\Z")
TEXTS = st.text(max_size=10) | st.sampled_from(
    ["", ", b: 1", "{a: 1}", "上海, 价: 5", 'say "a: b"', "\\, c:", "🚚\u2028"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=15,
)


def bare(value):
    """The value with its keys unquoted, and how many there are in each container."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {bare(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(bare, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def keys(value):
    if isinstance(value, dict):
        return len(value) + sum(map(keys, value.values()))
    return sum(map(keys, value)) if isinstance(value, list) else 0


@given(
    st.dictionaries(NAMES, VALUES, min_size=1, max_size=4),
    st.sampled_from(["", "\n```", " Done, ok: yes.", "</tool_call>"]),
)
def test_bare_keys_throughout(value, behind):
    result = decode(bare(value) + behind)
    assert isinstance(result, Decoded), result
    if any(repair.rule == "lone-surrogate" for repair in result.repairs):
        return
    assert result.value == value
    assert sum(repair.count for repair in result.repairs if repair.rule == "bare-key") == keys(value)
    for repair in result.repairs:
        if repair.rule == "bare-key":
            assert bare(value)[slice(*repair.span)].startswith(repair.before)


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ("{a: 1, b: {c: 2}, d: 3}", [("", (1, 19), 3, "a"), ("/b", (11, 12), 1, "c")]),
        ('{a: [{b: "x, c: 1"}, {b: 2}]}', [("", (1, 2), 1, "a"), ("/a/0", (6, 7), 1, "b"), ("/a/1", (22, 23), 1, "b")]),
        ('{a: 1, "b": 2, c: 3}', [("", (1, 16), 2, "a")]),
    ],
)
def test_each_container_has_its_record(text, repairs):
    assert [(r.pointer, r.span, r.count, r.before) for r in decode(text).repairs] == repairs


def test_what_is_no_such_object_is_read_piece_by_piece():
    assert decode("{a: 1, a: 2}").reason == "duplicate_key"
    assert decode("{a: 1, b: 'x'}").value == {"a": 1, "b": "x"}
    assert decode("{a: 1,}").value == {"a": 1}
    assert decode("{a: {b: {c: 1}}}", limits=Limits(max_depth=2)).reason == "too_deep"
