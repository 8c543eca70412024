"""An object's members as spans of its text."""

from __future__ import annotations

import pytest

from argwright.dialects.objects import State, members, objects, plain

CLOSED, CUT, BROKEN = State.CLOSED, State.CUT, State.BROKEN


@pytest.mark.parametrize(
    ("text", "found", "state"),
    [
        ("{}", {}, CLOSED),
        ('{"a": 1, "b": {"c": "}"}, }', {"a": "1", "b": '{"c": "}"}'}, CLOSED),
        ("{'a': True, b: 'x, y'}", {"a": "True", "b": "'x, y'"}, CLOSED),
        ('{"a": "x" "b": 2}', {"a": '"x"', "b": "2"}, CLOSED),
        ('{"a": 1} tail', {"a": "1"}, BROKEN),
        ('{"a": {"b": "say "}" now"}}', {"a": '{"b": "say "}'}, BROKEN),
        ('{"a": <b>}', {}, BROKEN),
        ('{"a" 1}', {}, BROKEN),
        ("{1 + 1}", {}, BROKEN),
        ("{", {}, CUT),
        ('{"a', {}, CUT),
        ('{"a":', {}, CUT),
        ('{"a": "x', {"a": '"x'}, CUT),
        ('{"a": 1, "b": {"c": [', {"a": "1", "b": '{"c": ['}, CUT),
    ],
)
def test_members(text, found, state):
    wrapper = members(text)
    assert {member.key: text[member.start : member.end] for member in wrapper.members} == found
    assert wrapper.state is state


def test_the_last_member_of_a_cut_object_may_be_whole():
    assert [member.whole for member in members('{"a": {}, "b": {"c": 1}').members] == [True, True]
    assert [member.whole for member in members('{"a": {}, "b": 1').members] == [True, False]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[]", []),
        ('[{"a": "]"}, 1, "{}", [{}], {"b": 2}] {"c": 3}', ['{"a": "]"}', '{"b": 2}']),
        ('[{"a": 1}, {"b": ', ['{"a": 1}', '{"b": ']),
    ],
)
def test_objects(text, found):
    assert objects(text) == found


@pytest.mark.parametrize(
    ("written", "meant"),
    [('"a\\u00e9"', "aé"), ("'it\\'s'", "it's"), ("word", "word"), ('"open', '"open'), ("'\\q'", "'\\q'"), ("", "")],
)
def test_plain(written, meant):
    assert plain(written) == meant
