"""The value so far: what each piece adds, what is complete, and that nothing complete ever changes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright import pointer
from argwright.stream.growing import value_of
from argwright.stream.progress import Progress


def now(progress: Progress) -> Any:
    rope = progress.text
    return value_of(progress.frames(), rope, rope.size if rope else 0)


def fed(*pieces: str, max_depth: int = 512) -> tuple[list[tuple[str, str]], Any, list[str]]:
    """What changed, the value now, and what is complete."""
    progress = Progress(max_depth=max_depth)
    changes = [change for piece in pieces for change in progress.feed(piece)]
    return changes, now(progress), list(progress.complete)


STEPS = [
    ("nothing yet", [" \n"], [], {}, []),
    ("an empty object", ["{", "}"], [], {}, []),
    ("a string grows", ['{"a": "上', "海", '港"'], [("/a", "上"), ("/a", "海"), ("/a", "港")], {"a": "上海港"}, ["/a"]),
    ("an open string is there, not complete", ['{"a": "'], [], {"a": ""}, []),
    ("a number appears when it is over", ['{"a": 1', "2", "}"], [("/a", "12")], {"a": 12}, ["/a"]),
    ("a number that may go on is not there", ['{"a": 12'], [], {}, []),
    ("words", ['{"a": tr', 'ue, "b": null, "c": false', "}"], [("/a", "true"), ("/b", "null"), ("/c", "false")], {"a": True, "b": None, "c": False}, ["/a", "/b", "/c"]),
    ("a key in pieces", ['{"na', "me", '": "x"'], [("/name", "x")], {"name": "x"}, ["/name"]),
    ("a key without its value is not there", ['{"a": 1, "b": '], [("/a", "1")], {"a": 1}, ["/a"]),
    ("nested", ['{"rows": [{"id": 1, "n": "a"}, {"id": 2', ', "n": "'], [("/rows/0/id", "1"), ("/rows/0/n", "a"), ("/rows/1/id", "2")],
     {"rows": [{"id": 1, "n": "a"}, {"id": 2, "n": ""}]}, ["/rows/0/id", "/rows/0/n", "/rows/0", "/rows/1/id"]),
    ("lists in lists", ['{"a": [[1, 2], [', "], [3"], [("/a/0/0", "1"), ("/a/0/1", "2")], {"a": [[1, 2], [], []]}, ["/a/0/0", "/a/0/1", "/a/0", "/a/1"]),
    ("pointers are escaped", ['{"a/b": {"~": 1}}'], [("/a~1b/~0", "1")], {"a/b": {"~": 1}}, ["/a~1b/~0", "/a~1b"]),
    ("escapes cut anywhere", ['{"a": "x\\', "n\\u00", 'e9\\"'], [("/a", "x"), ("/a", "\n"), ("/a", 'é"')], {"a": 'x\né"'}, []),
    ("a pair of halves is one character", ['{"a": "\\ud8', "3d\\u", "de00!"], [("/a", "😀!")], {"a": "😀!"}, []),
    ("a lone half is replaced", ['{"a": "\\ud83dx\\ude00"'], [("/a", "\ufffdx\ufffd")], {"a": "\ufffdx\ufffd"}, ["/a"]),
    ("a half waits", ['{"a": "\\ud83d'], [], {"a": ""}, []),
    ("a half at the end of its string", ['{"a": "\\ud83d"'], [("/a", "\ufffd")], {"a": "\ufffd"}, ["/a"]),
    ("U+2028 and right-to-left are text", ['{"a": "\u2028של', 'ום"'], [("/a", "\u2028של"), ("/a", "ום")], {"a": "\u2028שלום"}, ["/a"]),
    ("a raw line break is taken", ['{"a": "x\ny"'], [("/a", "x\ny")], {"a": "x\ny"}, ["/a"]),
    ("a placeholder first", ["{}", ' {"a": 1}'], [("/a", "1")], {"a": 1}, ["/a"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "changes", "value", "complete"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS]
)
def test_steps(pieces, changes, value, complete):
    assert fed(*pieces) == (changes, value, complete)


ENDS = [
    ("a key twice: the first stays", '{"a": 1, "a": 2, "b": 3}', {"a": 1}),
    ("a second object", '{"a": 1}{"a": 2}', {"a": 1}),
    ("no object", '["a"]', {}),
    ("text first", 'Sure: {"a": 1}', {}),
    ("a bare word", '{"a": Oslo, "b": 1}', {}),
    ("a bare key", "{a: 1}", {}),
    ("a number that is none", '{"a": 01, "b": 2}', {}),
    ("NaN", '{"a": NaN, "b": 2}', {}),
    ("an escape that is none", '{"a": "x\\q", "b": 2}', {"a": "x"}),
    ("half an escape that is none", '{"a": "x\\u12z4"}', {"a": "x"}),
    ("the wrong bracket", '{"a": [1}, "b": 2}', {"a": [1]}),
    ("the other wrong bracket", '{"a": {"b": 1], "c": 2}', {"a": {"b": 1}}),
    ("a comma too much", '{"a": 1,}', {"a": 1}),
    ("a comma missing", '{"a": 1 "b": 2}', {"a": 1}),
    ("too deep", '{"a": {"b": {"c": {"d": 1}}}}', {"a": {"b": {}}}),
    ("an integer too long to read", '{"a": 1, "b": ' + "1" * 4301 + ', "c": 3}', {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_where_the_reading_ends(text, value):
    for size in (1, 3, len(text)):
        progress = Progress(max_depth=3)
        for start in range(0, len(text), size):
            progress.feed(text[start : start + size])
        assert now(progress) == value
        assert progress.feed("}") == []


def test_whole_and_open_to_objects():
    progress = Progress()
    seen = []
    for piece in ('{"a": ', '{"b": 1', "}", "}"):
        progress.feed(piece)
        seen.append((progress.whole, progress.takes_object))
    assert seen == [(False, True), (False, False), (False, False), (True, False)]


def test_a_huge_integer_keeps_its_digits():
    assert fed('{"id": 2512292042121000001}')[1] == {"id": 2512292042121000001}


def test_of_very_many_members_only_the_first_are_shown():
    progress = Progress()
    progress.feed('{"a": [' + "1, " * 150_000)
    assert len(progress.complete) == len(now(progress)["a"]) == 100_000
    assert progress.feed("1]}") == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=6), json_values, max_size=4)


def cut(text: str, seed: int) -> list[str]:
    chance, pieces = random.Random(seed), []
    while text:
        size = chance.randint(1, 6)
        pieces.append(text[:size])
        text = text[size:]
    return pieces


@given(objects, st.booleans(), st.integers())
def test_any_way_to_cut_a_text_gives_the_same_value_and_what_is_complete_never_changes(value, ascii_only, seed):
    text = json.dumps(value, ensure_ascii=ascii_only)
    progress, kept = Progress(), {}
    grown: dict[str, str] = {}
    for piece in cut(text, seed):
        for place, gain in progress.feed(piece):
            grown[place] = grown.get(place, "") + gain
        so_far = now(progress)
        for place in progress.complete:
            assert kept.setdefault(place, pointer.get(so_far, place)) == pointer.get(so_far, place)
    expected = json.loads(text)
    assert now(progress) == expected
    for place, text_of in grown.items():
        leaf = pointer.get(expected, place)
        assert text_of == leaf if isinstance(leaf, str) else json.loads(text_of) == leaf


@given(st.lists(st.text(max_size=12), max_size=8))
def test_no_text_raises(pieces):
    fed(*pieces)


@given(st.text(alphabet='{}[]",:\\u0tn1-.eE \n', max_size=40), st.integers())
def test_no_text_near_json_raises_and_any_cut_gives_the_same(text, seed):
    at_once, in_pieces = fed(text), fed(*cut(text, seed))
    assert at_once[1:] == in_pieces[1:]


def test_an_earlier_moment_stays_as_it_was():
    progress = Progress()
    progress.feed('{"a": [1, {"b": "x')
    before = progress.frames(), progress.text, progress.text.size
    progress.feed('yz"}, 2], "c": 3}')
    assert value_of(*before) == {"a": [1, {"b": "x"}]}
    assert now(progress) == {"a": [1, {"b": "xyz"}, 2], "c": 3}


STATES = [
    ("nothing", "", False, False), ("blanks", " \n", False, False), ("open", '{"a": 1', False, False), ("at its end", '{"a": "שלום"} ', True, False),
    ("empty", "{}", True, False), ("again behind an empty one", '{}{"a": 1}', True, False), ("again", '{"a": 1}{', False, True),
    ("something behind", '{"a": 1} x', False, True), ("no object", "[", False, True), ("no JSON", "{a", False, True),
    ("a key twice", '{"a": 1, "a"', False, True), ("no word", '{"a": yes ', False, True), ("an escape that is none", '{"a": "\\x', False, True),
    ("the wrong bracket", '{"a": [1}', False, True), ("a number that may go on", '{"a": 1e', False, False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "ended", "broken"), [row[1:] for row in STATES], ids=[row[0] for row in STATES])
@pytest.mark.parametrize("size", [1, 1000])
def test_whether_an_object_is_at_its_end_or_none_is_read(text, ended, broken, size):
    progress = Progress()
    for start in range(0, len(text), size):
        progress.feed(text[start : start + size])
    assert (progress.ended, progress.broken) == (ended, broken)
    assert progress.whole is (ended and bool(now(progress)))


def test_nesting_beyond_the_limit_is_not_read():
    progress = Progress(max_depth=2)
    progress.feed('{"a": [')
    assert not progress.broken
    progress.feed("[")
    assert progress.broken
