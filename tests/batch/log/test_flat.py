"""Lines that are read by blocks say what they say when they are read one by one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argwright.batch.columns import listed
from argwright.batch.log import flat, reading
from argwright.batch.log.parts import Part
from benchmarks import batch_log

LINE = {
    "id": 7,
    "at": 1_751_328_000,
    "name": "get_time",
    "arguments": '{"zone":"上海 🙂"}',
    "model": "m",
    "finish_reason": None,
}


def line(**members):
    return json.dumps({**LINE, **members}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def told(data, *, blocks=True):
    """The rows of some lines, and what is wrong with the others."""
    read = flat.read
    try:
        if not blocks:
            flat.read = lambda _block: None
        made = list(reading.rows(Part(path="x", form="lines", end=len(data), data=data)))
    finally:
        flat.read = read
    names = ("lines", "places", "ids", "names", "models", "times", "finishes", "arguments")
    columns = [[value for rows in made for value in listed(getattr(rows, name))] for name in names]
    return (
        list(zip(*columns, strict=True)),
        [bad for rows in made for bad in rows.bad],
        sum(rows.read for rows in made),
        [tools for rows in made for tools in (rows.tools or [None] * len(rows))],
    )


ODD = {
    "no object": [b"[1]"],
    "no JSON": [b'{"name": "a", "arguments": }'],
    "two in one line": [line() + line()],
    "two in one line, one over two": [line() + b"{", line()[1:]],
    "one over two lines": [line()[:-1], b', "x": 1}'],
    "a carriage return between two": [line() + b"\r" + line()],
    "a blank line": [b"", line()],
    "a key twice": [line()[:-1] + b', "name": "b"}'],
    "a key twice, hidden": [line()[:-1] + b', "n\\u0061me": "b"}'],
    "no UTF-8": [line()[:-2] + b'\xff"}'],
    "no UTF-8 elsewhere": [line()[:-1] + b', "x": "\xff"}'],
    "half a surrogate pair": [line(name="\ud83d").replace(b"\xed\xa0\xbd", b"\\ud83d")],
    "no arguments": [line(arguments=None)],
    "arguments written out": [line(arguments={"zone": "UTC"})],
    "no name": [line(name=None)],
    "a number as name": [line(name=3)],
    "a number as model": [line(model=3)],
    "an id of another type": [line(id="a")],
    "an id of many digits": [line(id=2**70)],
    "an id that is no integer": [line(id=1.5)],
    "its tools": [line(tools=[{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object"}}}])],
    "a function": [line(function={"name": "f", "arguments": "{}"})],
    "another word for the end": [line(stop_reason="length")],
    "another time": [line(created=1_700_000_000)],
    "a time as text": [line(at="2025-07-01T00:00:00Z")],
    "a broken time": [line(at=1_751_328_000.25)],
    "no time": [line(at=None)],
    "a time of milliseconds": [line(at=1_751_328_000_000)],
    "NaN": [line()[:-1] + b', "x": NaN}'],
}  # fmt: skip


@pytest.mark.parametrize("lines", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_block_with_an_odd_line_is_read_line_by_line(lines, place):
    block = [line(), line(id=8)]
    data = b"\n".join([*block[:place], *lines, *block[place:]]) + b"\n"
    assert told(data) == told(data, blocks=False)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_flat_lines_are_read_by_blocks(end):
    data = end.join([line(), line(id=8, arguments='{"a": "\\ud83d\\ude42"}', name="é"), line(id=None, at=None)]) + end
    assert flat.read(data) is not None
    assert flat.read(data.removesuffix(end)) is not None
    assert told(data) == told(data, blocks=False)


def test_a_log_of_several_blocks_keeps_its_lines(monkeypatch):
    monkeypatch.setattr(reading, "_BLOCK", 2_000)
    monkeypatch.setattr(reading, "CHUNK", 50)
    lines = [json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") for row in batch_log.rows(400)]
    lines[123] = b"no JSON"
    lines[301:301] = [b"", line(tools=[{"name": "get_time", "input_schema": {"type": "object"}}])]
    data = b"\n".join(lines)
    assert told(data) == told(data, blocks=False)


MEMBERS = st.fixed_dictionaries(
    {"name": st.sampled_from(["f", "é", '"', "a\\b"]), "arguments": st.text(max_size=12)},
    optional={
        "id": st.sampled_from([1, "a", None, 2**63, True]),
        "at": st.sampled_from([1_751_328_000, 1.5, "2025-07-01", None, -1, 10**13, 0]),
        "time": st.sampled_from([1_751_328_000, None]),
        "model": st.sampled_from(["m", None, 3]),
        "finish_reason": st.sampled_from(["stop", None, 3]),
        "x": st.sampled_from([None, [1, {"name": "n"}], {"arguments": "{}"}, "function", '"tools"']),
    },
)


@settings(max_examples=200)
@given(st.lists(st.tuples(MEMBERS, st.booleans()), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_any_lines(drawn, end):
    texts = [json.dumps(members, ensure_ascii=ascii_only) for members, ascii_only in drawn]
    data = end.join(texts).encode("utf-8", "backslashreplace")
    assert told(data) == told(data, blocks=False)
