"""Events with the bytes they came in: joined, they are the bytes that arrived."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.proxy.exchange.frames import Frame, Frames, Says, encoded, glued, parsed, written


def framed(data: bytes, *places: int) -> list[Frame]:
    frames = Frames()
    ends = [*sorted(places), len(data)]
    found = [one for start, end in zip([0, *ends], ends, strict=False) for one in frames.feed(data[start:end])]
    return found + frames.close()


def said(data: bytes) -> list[tuple[str, str | None, object]]:
    return [(frame.says.value, frame.name, frame.data) for frame in framed(data)]


CASES = [
    ("data", b'data: {"a": 1}\n\n', [("data", None, {"a": 1})]),
    ("a name", b"event: ping\ndata: {}\n\n", [("data", "ping", {})]),
    ("no blank after the colon", b'data:{"a":1}\n\n', [("data", None, {"a": 1})]),
    ("CR LF", b"event: x\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", [("data", "x", 1), ("data", None, 2)]),
    ("CR", b"data: 1\r\rdata: 2\r\r", [("data", None, 1), ("data", None, 2)]),
    ("data in several lines", b'data: {"a":\ndata: 1}\n\n', [("data", None, {"a": 1})]),
    ("a comment", b": still here\n\n", [("nothing", None, None)]),
    ("a field that is no data", b"retry: 9\n\n", [("nothing", None, None)]),
    ("empty data", b"data:\n\n", [("empty", None, None)]),
    ("the end", b"data: [DONE]\n\n", [("done", None, None)]),
    ("no JSON", b"data: {a\n\n", [("unreadable", None, None)]),
    ("no blank line at the end", b"data: 1\n\ndata: 2", [("data", None, 1), ("data", None, 2)]),
    ("a byte order mark", "\ufeffdata: 1\n\n".encode(), [("data", None, 1)]),
    ("line ends that are data", 'data: "a\u2028b\u0085"\n\n'.encode(), [("data", None, "a\u2028b\u0085")]),
    ("too deep", b"data: " + b"[" * 100_000 + b"\n\n", [("unreadable", None, None)]),
    ("bytes that are no text", b'data: "\xff"\n\n', [("data", None, "\ufffd")]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_an_event_says(data, expected):
    assert said(data) == expected


@given(st.binary(max_size=80).map(lambda noise: noise.replace(b"x", b"\r\n").replace(b"y", b"\n\ndata: ")), st.data())
def test_any_cut_gives_the_same_events_and_their_bytes_are_those_that_came(data, drawn):
    places = drawn.draw(st.lists(st.integers(0, len(data)), max_size=6))
    cut = framed(data, *places)
    assert b"".join(frame.raw for frame in cut) == data
    assert cut == framed(data)


def test_an_event_that_is_too_long_passes_unread_and_the_next_one_is_read():
    frames = Frames(max_event=10)
    data = b"data: 123456789012345678\n\ndata: 1\n\n"
    found = [one for place in range(len(data)) for one in frames.feed(data[place : place + 1])]
    assert b"".join(one.raw for one in found) == data
    assert [one.says for one in found if one.says is not Says.UNREADABLE] == [Says.DATA]


def test_what_is_written_is_compact_and_keeps_text_as_it_is():
    assert written({"a": "Möwe\u2028🐦"}, "x") == 'event: x\ndata: {"a":"Möwe\u2028🐦"}\n\n'.encode()
    assert encoded({"half": "\ud83d"}) == b'{"half":"\\ud83d"}'
    assert parsed(written({"n": 12345678901234567890})).data == {"n": 12345678901234567890}


def test_events_are_ended_where_servers_forget_it():
    assert glued([b"", b"data: 1", b"data: 2\n", b"data: 3\r\n\r\n"]) == b"data: 1\n\ndata: 2\n\ndata: 3\r\n\r\n"
