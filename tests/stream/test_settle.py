"""Fragments: what they amount to at the end, and what is shown of them meanwhile."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.stream.growing import value_of
from argwright.stream.progress import Progress
from argwright.stream.settle import Live, settle

SETTLED = [
    ("one", ['{"a": 1}'], '{"a": 1}'),
    ("plain pieces", ['{"a"', ": 1", "}"], '{"a": 1}'),
    ("pieces that do not parse", ['{"a"', ": Oslo", "}"], '{"a": Oslo}'),
    ("equal pieces that are meant", ['{"a": "b', "b", "b", '"}'], '{"a": "bbb"}'),
    ("a piece like all before it, meant", ['{"a":', '{"a":2}}'], '{"a":{"a":2}}'),
    ("all so far", ['{"', '{"a": ', '{"a": 1}'], '{"a": 1}'),
    ("all so far, cut", ['{"', '{"a": "b'], '{"a": "b'),
    ("the same twice", ['{"a": 1}', '{"a": 1}'], '{"a": 1}'),
    ("all again at the end", ['{"a"', ": 1}", '{"a": 1}'], '{"a": 1}'),
    ("a placeholder", ["{}", '{"a": ', "1}"], '{"a": 1}'),
    ("a placeholder before no object", ["{}", '{"a": '], '{}{"a": '),
    ("two objects", ['{"a": 1}', '{"b": 1}'], '{"a": 1}{"b": 1}'),
    ("a string that repeats itself is none of it", ['"a', '"a"'], '"a"a"'),
]


@pytest.mark.parametrize(("pieces", "text"), [row[1:] for row in SETTLED], ids=[row[0] for row in SETTLED])
def test_settled(pieces, text):
    assert settle(pieces) == text
    live = Live(Progress())
    for piece in pieces:
        live.add(piece)
    assert live.settled() == text


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=8) | st.integers(), max_size=4),
    st.lists(st.integers(1, 7), min_size=1),
)
def test_honest_pieces_of_an_object_are_its_text(value, sizes):
    text, pieces, step = json.dumps(value, ensure_ascii=False), [], 0
    while text:
        size = sizes[step % len(sizes)]
        pieces.append(text[:size])
        text, step = text[size:], step + 1
    assert settle(pieces) == json.dumps(value, ensure_ascii=False)


def shown(*pieces):
    live = Live(Progress())
    changes = [change for piece in pieces for change in live.add(piece)]
    rope = live.progress.text
    return changes, value_of(live.progress.frames(), rope, rope.size if rope else 0)


SHOWN = [
    ("plain pieces", ['{"a": "b', "b", '"}'], [("/a", "b"), ("/a", "b")], {"a": "bb"}),
    ("all so far", ['{"a": "b', '{"a": "bc', '{"a": "bcd"}'], [("/a", "b"), ("/a", "cd")], {"a": "bcd"}),
    ("all so far, with repeats", ['{"a": "b', '{"a": "b', '{"a": "bc', '{"a": "bc"}'], [("/a", "b"), ("/a", "c")], {"a": "bc"}),
    ("a piece like all before it is shown with the next", ['{"a":', '{"a":"b', 'c"}}'], [("/a/a", "b"), ("/a/a", "c")], {"a": {"a": "bc"}}),
    ("a piece like all before it, at the end, waits", ['{"a":', '{"a":"b"}}'], [], {}),
    ("all again at the end is not shown", ['{"a": "b', '"}', '{"a": "b"}'], [("/a", "b")], {"a": "b"}),
    ("what is neither one nor the other is not shown", ['{"a": "b', '{"a": "bc', '{"a": "bcd', "x"], [("/a", "b"), ("/a", "cd")], {"a": "bcd"}),
    ("an object", [{"a": "b"}], [("/a", "b")], {"a": "b"}),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "changes", "value"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN])
def test_shown_meanwhile(pieces, changes, value):
    assert shown(*pieces) == (changes, value)


def test_one_object_stays_an_object_and_several_become_text():
    live = Live(Progress())
    live.add({"a": 1})
    assert live.settled() == {"a": 1}
    live.add('{"a":1}')
    assert live.settled() == '{"a":1}'
    assert (bool(live), live.text(), live.size) == (True, '{"a":1}{"a":1}', 14)
