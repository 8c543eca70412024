"""Containers in foreign notation that are strict JSON otherwise are read at once, and as piece by piece."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.decode import Decoded, containers, decode, uniform
from argwright.decode.scan import Log, Scan
from argwright.policy import Limits
from argwright.shape import ANY

LIMITS = Limits()


def scan(text, limits=LIMITS):
    run = Scan(text, ANY, limits, Log(text, limits))
    run.strict_left = 4 * len(text)
    return run


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'a': 'b'}", {"a": "b"}),
        ("{'a': [True, None, -1.5e-3, {'b': False}], \"c\": \"it's\"}", {"a": [True, None, -0.0015, {"b": False}], "c": "it's"}),
        ("{a: 'x', \"b\": {c: 1}, $d_1: []}", {"a": "x", "b": {"c": 1}, "$d_1": []}),
        ('{"a": True, "b": "True, None"}', {"a": True, "b": "True, None"}),
        ("{true: 1, None: 2}", {"true": 1, "None": 2}),
        ("[{'上海': '🚚\u2028'},]", [{"上海": "🚚\u2028"}]),
        ("{\n  'a': [\n    1,\n    2,\n  ],\n}", {"a": [1, 2]}),
        ("{'a': ', b: ', 'c': '{x: [1,]}'}", {"a": ", b: ", "c": "{x: [1,]}"}),
    ],
)  # fmt: skip
def test_read_at_once(text, expected):
    assert uniform.value(scan(text), 0) == (len(text), expected)
    assert decode(text).value == expected


@pytest.mark.parametrize(
    "text",
    [
        "{'a': 'it's'}",
        "{'a': 'say \"hi\"'}",
        r"{'a': 'C:\dir'}",
        "{'a': 'x' 'b': 1}",
        "{'a': 1, 'a': 2}",
        "{'a': 'line\nbreak'}",
        "{'a': (1, 2)}",
        "{'a': NaN}",
        "{'a': 1_000}",
        "{'a': [1, 2}]",
        "{'a': 'x'",
        "{,}",
        "{'a': [,]}",
        "{'a': 1,,}",
        "{'a': 1e999}",
        "{'a': '\ud800'}",
        "{'a': 1 // one\n}",
    ],
)
def test_left_to_the_reader_of_pieces(text):
    run = scan(text)
    assert uniform.value(run, 0) is None
    assert run.strict_left < 4 * len(text)
    assert not run.log.entries


def test_several_items_in_a_row():
    text = "{a: 1}, {'b': 2} , [True], {'c': 'd'e'}, {f: 3}"
    run = scan(text)
    assert uniform.items(run, 0) == (text.index(", {'c'"), [{"a": 1}, {"b": 2}, [True]])


def test_each_container_has_its_records_in_the_order_of_their_places():
    text = "{'a': [{'b': True}, {c: 'd',}], \"e\": 'f', 'g': \"h\"}"
    assert [(r.rule, r.pointer, r.count, text[slice(*r.span)], r.before, r.after) for r in decode(text).repairs] == [
        ("single-quotes", "", 3, text[1:-6], "'a'", '"a"'),
        ("single-quotes", "/a/0", 1, "'b'", "'b'", '"b"'),
        ("python-literal", "/a/0", 1, "True", "True", "true"),
        ("bare-key", "/a/1", 1, "c", "c", '"c"'),
        ("single-quotes", "/a/1", 1, "'d'", "'d'", '"d"'),
        ("trailing-comma", "/a/1", 1, ",", ",", ""),
    ]


def test_what_many_containers_add_is_recorded_together():
    text = "[" + ", ".join("{'a': 1}" for _ in range(1_500)) + "]"
    result = decode(text)
    assert result.value == [{"a": 1}] * 1_500
    assert len(result.repairs) == 1_001
    assert sum(repair.count for repair in result.repairs) == 1_500


def test_depth_is_bounded():
    text = "{'a': " * 20 + "1" + "}" * 20
    assert uniform.value(scan(text, Limits(max_depth=19)), 0) is None
    assert uniform.value(scan(text, Limits(max_depth=20)), 0) is not None


NAMES = st.sampled_from(["a", "b", "key_1", "$x", "None", "x y", "名", "it's", 'q"t', ""])
TEXTS = st.sampled_from(
    ["", "x", "don't", "a: 1, b: 2", "{x: 1}", ", y: 2", "上海", "True", "[1, 2,]", 'say "hi"', "\\"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def mixed(value, draw):
    """The value in one of the notations at each place."""
    if isinstance(value, dict):
        members = [f"{mixed_key(key, draw)}: {mixed(item, draw)}" for key, item in value.items()]
        return "{" + ", ".join(members) + (draw(st.sampled_from(["", ","])) if members else "") + "}"
    if isinstance(value, list):
        items = [mixed(item, draw) for item in value]
        return "[" + ", ".join(items) + (draw(st.sampled_from(["", ",\n"])) if items else "") + "]"
    return draw(st.sampled_from([repr, lambda plain: json.dumps(plain, ensure_ascii=False)]))(value)


def mixed_key(name, draw):
    spellings = [repr(name), json.dumps(name, ensure_ascii=False)]
    if name.isascii() and name.replace("$", "_").isidentifier():
        spellings.append(name)
    return draw(st.sampled_from(spellings))


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3), st.data())
def test_at_once_is_as_piece_by_piece(value, data):
    text = mixed(value, data.draw)
    found = uniform.value(scan(text), 0)
    slow = scan(text)
    slow.strict_left = 0
    assert containers.container(slow, 0) == (len(text), value)
    if found is not None:
        assert found == (len(text), value)
        assert isinstance(decode(text), Decoded)
