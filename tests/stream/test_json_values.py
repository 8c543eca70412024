"""JSON values without SSE: lines, an array that trickles in, a body on its own."""

from __future__ import annotations

import pytest

from argwright.stream.framing import decoder
from argwright.wire.format import Framing
from tests.stream.frames import cuts, decoded

A, B = (None, {"a": 1}), (None, {"b": ["}", '\\"', "上"]})
TEXT_B = '{"b": ["}", "\\\\\\"", "上"]}'


def values():
    return decoder(Framing.VALUES)


CASES = [
    ("lines", f'{{"a": 1}}\n{TEXT_B}\n', [A, B]),
    ("no last line break", f'{{"a": 1}}\n{TEXT_B}', [A, B]),
    ("CR LF", '{"a": 1}\r\n{"a": 1}\r\n', [A, A]),
    ("one array", f'[{{"a": 1}}\n,\n{TEXT_B}]\n', [A, B]),
    ("an empty array", "[]", []),
    ("an array without its end", '[{"a": 1},', [A]),
    ("a body on many lines", '{\n  "a":\n  1\n}\n', [A]),
    ("nothing between them", '{"a": 1}{"a": 1}', [A, A]),
    ("lists inside", '[[1], {"a": 1}]', [(None, [1]), A]),
    ("a value that is no object", '[1, {"a": 1}]', [(None, 1), A]),
    ("no JSON, then a line that is", '{"a": "x\n{"a": 1}\n', ["not_json", A]),
    ("no JSON in its brackets", '{a}\n{"a": 1}\n', ["not_json", A]),
    ("cut", '{"a": 1}\n{"a": ', [A, "not_json"]),
]


@pytest.mark.parametrize(("text", "frames"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_any_cut_gives_the_same(text, frames):
    for way in cuts(text.encode()):
        assert decoded(values, *way) == frames


def test_json_is_read_where_sse_was_expected_and_the_other_way_round():
    assert decoded(lambda: decoder(Framing.SSE), b'{"error": {"code": 1}}') == [(None, {"error": {"code": 1}})]
    assert decoded(values, b'data: {"a": 1}\n\n') == [A]


def test_a_value_too_long_is_told_and_the_next_one_read():
    def short():
        return decoder(Framing.VALUES, max_event=50)

    for way in cuts(b'{"b": "' + b"x" * 60 + b'"}\n{"a": 1}\n'):
        assert decoded(short, *way) == ["too_long", A]
