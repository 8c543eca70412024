from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argwright as aw
from argwright.batch import lane
from argwright.batch.lane import Lane
from argwright.model import compact
from argwright.pipeline import glance
from benchmarks import batch_log

BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])
LIMITS = aw.Limits()
READ = lane._reader(LIMITS)

SCALARS = st.sampled_from(
    ["1", "-0", "1.0", "1e5", "1E400", "100000.0", "0.1", "9007199254740993", "18446744073709551616", "true", "null",
     '"a"', '""', '"a b"', '" "', r'"\" : "', r'"\u0020"', r'"\u00e9"', '"é 上海"', r'"\/"', r'"\ud800"', '"\u2028"', "NaN"]
)  # fmt: skip
BLANK = st.sampled_from(["", "", " ", "  ", "\n", "\t"])


@st.composite
def texts(draw, depth=2):
    """Something like JSON, with blanks anywhere between tokens."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(BLANK) + draw(SCALARS) + draw(BLANK)
    inner = draw(st.lists(texts(depth - 1), max_size=3))
    if draw(st.booleans()):
        return f"[{','.join(inner)}{draw(BLANK)}]"
    keys = [draw(st.sampled_from(['"a"', '"b"', '"a b"', r'"\u0061"', '"上"'])) for _ in inner]
    return "{" + ",".join(f"{draw(BLANK)}{key}:{item}" for key, item in zip(keys, inner, strict=True)) + "}"


@settings(max_examples=500)
@given(texts())
def test_what_is_read_quickly_is_what_is_read_strictly(text):
    value, written = READ(text)
    if written is None:
        return
    strict, _ = glance.strictly(text, LIMITS)
    assert repr(value) == repr(strict)
    assert written == compact(strict).encode()


@pytest.mark.parametrize(
    "value", [{"a": 1}, {"a": [1, {"b": 'x, ": y'}], "c": {}}, {"上海": "a  b\n", "n": [1.5, None]}]
)
def test_the_usual_ways_to_write_are_read_quickly(value):
    for separators in (None, (",", ":"), (" , ", " : ")):
        text = json.dumps(value, ensure_ascii=False, separators=separators)
        assert READ(text) == (value, compact(value).encode())


@pytest.mark.parametrize(
    "text",
    ['{"a":1,"a":1}', '{"a": 1, "a": 1}', '{"a":1E5,"a":1}', '{"a":1,"a":1E5}', '{"a": 12345678901234567890123}', "-0",
     '{"a b":1,"ab":1,"a b":1}', r'{"a":"\u0041"}', r'"\ud800"', '"\ud800"', "1e999", "[" * 300 + "]" * 300],
)  # fmt: skip
def test_what_is_not_written_back_is_left_to_others(text):
    assert READ(text) == (None, None)


@pytest.mark.parametrize("limits", [aw.Limits(max_chars=9), aw.Limits(max_depth=1)])
def test_limits_hold(limits):
    text = '{"a":{"b":1}}'
    assert lane._reader(limits)(text) == (None, None)
    assert READ(text) == ({"a": {"b": 1}}, text.encode())


@pytest.mark.parametrize("kept", [0, 1, 4_096])
def test_an_answer_that_is_kept_is_the_answer(kept):
    rows = [(row["name"], row["arguments"], row["finish_reason"]) for row in batch_log.rows(400, "kept")]
    names, arguments, finishes = (list(column) * 2 for column in zip(*rows, strict=True))
    told = Lane(BOX, kept=kept).judge(names, arguments, finishes)
    for row, found in told.odd.items():
        assert found.outcome == BOX.resolve(aw.ToolCall(None, names[row], arguments[row], finishes[row]))
    assert len(told.arguments) == len(names)


@pytest.mark.parametrize("kept", [0, 1, 4_096])
def test_what_was_plain_is_known_again_as_it_was(kept):
    plain = ('{"zone": "上海"}', '{"zone":"上海"}')
    judge = Lane(BOX, kept=kept).judge
    for finish, text in [("stop", plain[1]), ("stop", plain[1]), ("length", None), (None, plain[1])]:
        assert judge(["get_time"], [plain[0]], [finish]).arguments.to_pylist() == [text]
    assert judge(["get_weather"], [plain[0]], [None]).arguments.to_pylist() == [None]


def test_no_more_is_kept_than_there_is_room_for():
    judge = Lane(BOX, kept=3)
    texts = [f'{{"zone": "{number}"}}' for number in range(100)] + ['{"zone": "' + "x" * 500 + '"}']
    judge.by_row(["get_time"] * len(texts), texts, [None] * len(texts))
    assert 0 < len(judge._plain) <= 12
    assert all(len(text) <= 400 for _, text in judge._plain)
