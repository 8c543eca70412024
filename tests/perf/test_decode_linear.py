"""Reading four times the text takes about four times the time, whatever stands in it."""

from __future__ import annotations

import pytest

from argwright.decode import decode
from argwright.shape import ANY, Shape
from tests.growth import growth

SHAPE = Shape({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}, "required": ["a"]})
UNITS = [
    ("", "["), ("", "{"), ("", '{"'), ("", '{"a":'), ("", '"'), ("", "'"), ("", "\\"), ('{"a":"', "\\"), ("", ","), ('{"a":1', ","),
    ("", "```"), ("", "```json\n"), ("", "</tool_call>"), ("", "<tool_call>"), ("", "<|im_end|>"), ("", "<think>"), ("", "x</think>"),
    ("", "{}"), ("", '{"a":1}'), ("", "1"), ('{"a":', "1"), ("", " "), ('{"a":"x"', " "), ('{"a":"', '" '), ('{"a":"', '"}'),
    ('{"a":"', '",'), ("", "/*"), ("", "/"), ("", "#"), ("", "<|"), ("", "a {b} "), ("", 'a {" '), ("", "${"), ("f(", "a=1,"),
    ("", "null"), ("{", "&quot;"), ("", '{\\"'), ("", "\\n"), ("", "“"), ("{", '"k":"v" '), ("{", '"a":1,'), ("{", '"a":1,b:2,'),
    ("[", "{a:1},"), ("[", "'x',"), ('{"a":"', "\n"), ('{"a":"', "\\d"), ('{"a":"x"', '+"x"'), ('{"a":"""', 'x"'), ("", '"a":'),
    ("analysis", "assistantcommentary"), ("", "\u200b"), ('{"a":"', "\\ud83d"), ('{"a":1}', ',"b":2}'), ("[", "[1,2],"),
]  # fmt: skip
SIZE = 10_000


@pytest.mark.parametrize("shape", [ANY, SHAPE], ids=["no schema", "schema"])
@pytest.mark.parametrize(("head", "unit"), UNITS)
def test_linear(head, unit, shape):
    once, more = (head + unit * (size // len(unit)) for size in (SIZE, 4 * SIZE))
    # a quadratic reader gives 16
    assert growth(lambda: decode(once, shape=shape), lambda: decode(more, shape=shape), bound=9) < 9
