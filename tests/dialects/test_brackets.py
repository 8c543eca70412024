"""Where a body ends."""

from __future__ import annotations

import pytest

from argwright.dialects.brackets import JSON, PYTHON, Notation, body_end, settle, string_end, whole

TAGS = Notation(stops=("</t>", "[T]"))
TOKENS = Notation(stops=("<end>",), brackets="{[(", tokens=("<q>",))


@pytest.mark.parametrize(
    ("text", "notation", "end", "complete"),
    [
        ('{"a": 1} more', JSON, 8, True),
        ('{"a": "}"}]', JSON, 10, True),
        ('{"a": "\\"}"}', JSON, 12, True),
        ("{'a': \"it's }\", 'b': '}'}", JSON, 25, True),
        ("{it's} x", JSON, 6, True),
        ('[{"a": [1}, 2]', JSON, 14, True),
        ("{]}", JSON, 3, True),
        ('{"a": {"b": 1}', JSON, 14, False),
        ('{"a": "open}', JSON, 12, False),
        ('{"a": 1</t>', TAGS, 7, False),
        ('{"a": "</t>"}</t>', TAGS, 13, True),
        ('[{"a": 1}[T]', TAGS, 9, False),
        ("(a='(', b='''it's ) ''', c=[1])", PYTHON, 31, True),
        ("(a=')", PYTHON, 5, False),
        ('{a:<q>} "<q>,b:1}', TOKENS, 17, True),
        ("{a:<q>} <end>", TOKENS, 13, False),
        ("{a:<q>x<q><end>", TOKENS, 10, False),
    ],
)
def test_body_end(text, notation, end, complete):
    assert settle(body_end(whole(text), 0, notation)) == (end, complete)


def test_nesting_of_any_depth():
    text = "[" * 200_000 + "]" * 200_000
    assert settle(body_end(whole(text), 0)) == (len(text), True)


@pytest.mark.parametrize(("text", "end"), [('"a" b', 3), ('"a\\" b', 6), ('"a\\\\" b', 5), ("'a\"' b", 4), ('"', 1)])
def test_string_end(text, end):
    assert settle(string_end(whole(text), 0)) == end
