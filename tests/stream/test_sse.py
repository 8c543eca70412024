"""Server-sent events: lines, fields, and any way to cut them."""

from __future__ import annotations

import pytest

from argwright.stream.framing import decoder
from argwright.wire.format import Framing
from tests.stream.frames import cuts, decoded

A, B = (None, {"a": 1}), (None, {"b": "上\u2028海"})


def sse():
    return decoder(Framing.SSE)


CASES = [
    ("one event", b'data: {"a": 1}\n\n', [A]),
    ("two events", 'data: {"a": 1}\n\ndata: {"b": "上\u2028海"}\n\n'.encode(), [A, B]),
    ("CR LF", b'data: {"a": 1}\r\n\r\ndata: {"a": 1}\r\n\r\n', [A, A]),
    ("CR alone", b'data: {"a": 1}\r\rdata: {"a": 1}\r\r', [A, A]),
    ("all ends of lines at once", b'data: {"a": 1}\r\n\ndata: {"a": 1}\n\r\n', [A, A]),
    ("no blank after the colon", b'data:{"a": 1}\n\n', [A]),
    ("only one blank goes", b'data:  {"a": 1}\n\n', [A]),
    ("a name", b'event: ping\ndata: {"a": 1}\n\ndata: {"a": 1}\n\n', [("ping", {"a": 1}), A]),
    ("a name after the data", b'data: {"a": 1}\nevent: ping\n\n', [("ping", {"a": 1})]),
    ("id and retry", b'id: 7\nretry: 3000\ndata: {"a": 1}\n\n', [A]),
    ("comments", b': OPENROUTER PROCESSING\n\n:\n\ndata: {"a": 1}\n:x\n\n', [A]),
    ("an empty heartbeat", b'data:\n\ndata: \n\nevent: x\n\ndata: {"a": 1}\n\n', [A]),
    ("one JSON on several lines", b'data: {\ndata: "a":\ndata: 1}\n\n', [A]),
    ("a field without a colon", b'data\nhello\ndata: {"a": 1}\n\n', [A]),
    ("separators that are none", 'data: {"b": "上\u2028海"}\n\n'.encode(), [B]),
    ("U+0085 and U+2029", 'data: {"b": "\x85\u2029"}\n\n'.encode(), [(None, {"b": "\x85\u2029"})]),
    ("a byte order mark", b'\xef\xbb\xbfdata: {"a": 1}\n\n', [A]),
    ("the end marker", b"data: [DONE]\n\n", [(None, "[DONE]")]),
    ("the last blank line is missing", b'data: {"a": 1}\n', [A]),
    ("the last line has no end", b'data: {"a": 1}', [A]),
    ("no JSON", b'data: {a}\n\ndata: {"a": 1}\n\n', ["not_json", A]),
    ("cut in the JSON", b'data: {"a": ', ["not_json"]),
    ("no UTF-8", b'data: {"a": "\xff"}\n\n', ["encoding", (None, {"a": "\ufffd"})]),
    ("half a character at the end", 'data: {"a": "é'.encode()[:-1], ["encoding", "not_json"]),
    ("a real U+FFFD is none", 'data: {"a": "\ufffd"}\n\n'.encode(), [(None, {"a": "\ufffd"})]),
    ("blank lines first", b'\n\n \r\ndata: {"a": 1}\n\n', [A]),
    ("nothing", b"", []),
]


@pytest.mark.parametrize(("data", "frames"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_any_cut_gives_the_same(data, frames):
    for way in cuts(data):
        assert decoded(sse, *way) == frames


def test_an_event_is_there_when_its_blank_line_is_and_not_later():
    decoder = sse()
    assert decoder.feed(b'data: {"a": 1}\r\n') == []
    assert decoder.feed(b"\r") == [A]
    assert decoder.feed(b'\ndata: {"a": 1}\n\n') == [A]


def test_an_event_too_long_is_told_and_the_next_one_read():
    def short():
        return decoder(Framing.SSE, max_event=50)

    long = b'data: {"b": "' + b"x" * 60 + b'"}\n\n'
    for way in cuts(long + b'data: {"a": 1}\n\n'):
        assert decoded(short, *way) == ["too_long", A]
    for way in cuts(b"data: 1\n" * 20 + b'\ndata: {"a": 1}\n\n'):
        assert decoded(short, *way) == ["too_long", A]


def test_comments_do_not_add_up():
    assert decoded(sse, *[b": keep-alive\n\n"] * 1000, b'data: {"a": 1}\n\n') == [A]
