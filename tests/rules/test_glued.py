from __future__ import annotations

import pytest

from argwright.rules.glued import split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"a": 1}{"a": 2}', ('{"a": 1}', '{"a": 2}')),
        ('{"a": "}{"}\n{"b": "上海"}', ('{"a": "}{"}', '{"b": "上海"}')),
        ('{"a": 1}, {"a": 2},\n{"a": 3}', ('{"a": 1}', '{"a": 2}', '{"a": 3}')),
        ('{"a": 1}{"a": 2}{ "a":1 }', ('{"a": 1}', '{"a": 2}')),
        ('{}{"a": 1}{"a": 2}', ('{"a": 1}', '{"a": 2}')),
        ('{"a": 1}{ "a": 1.0 }', ()),
        ('{}{"a": 1}', ()),
        ('{"a": 1}', ()),
        ("", ()),
        ("{}", ()),
        ('{"a": 1}{"a": 2', ()),
        ('{"a": 1}{a: 2}', ()),
        ('{"a": 1} and {"a": 2}', ()),
        ('{"a": 1}[2]', ()),
        ("{}" * 65, ()),
        ('{"a":' * 100_000, ()),
    ],
    ids=lambda value: str(value)[:30],
)
def test_only_whole_objects_are_taken_apart(text, parts):
    assert split(text) == parts
