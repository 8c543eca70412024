"""Ropes, and moments of a growing value."""

from __future__ import annotations

from argwright.stream.growing import Rope, value_of


def test_a_rope_is_joined_when_it_is_read():
    rope = Rope()
    for piece in ("a", "", "上海", "🐦"):
        rope.append(piece)
    assert (rope.size, rope.text(), rope.text(2), rope.text(0)) == (4, "a上海🐦", "a上", "")
    rope.append("!")
    assert rope.text() == "a上海🐦!"


def test_an_empty_rope():
    assert Rope().text() == ""


def test_many_pieces():
    rope = Rope()
    for _ in range(10_000):
        rope.append("ab")
    assert rope.text() == "ab" * 10_000


def test_a_moment_holds_what_was_there_and_no_more():
    rope = Rope()
    rope.append("xyz")
    root, inner = {"a": 1, "b": 2, "c": [7]}, [1, 2, 3]
    frames = ((root, 2, "list"), (inner, 1, None))
    assert value_of(frames, rope, 2) == {"a": 1, "b": 2, "list": [1, "xy"]}
    assert value_of(frames, None, 0) == {"a": 1, "b": 2, "list": [1]}
    assert (root, inner) == ({"a": 1, "b": 2, "c": [7]}, [1, 2, 3])


def test_nothing_is_an_empty_object():
    assert value_of((), None, 0) == {}


def test_what_is_handed_out_is_not_what_grows():
    root = {"a": 1}
    value_of(((root, 1, None),), None, 0)["b"] = 2
    assert root == {"a": 1}
