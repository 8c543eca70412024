"""Lines of `PREFIX:JSON`."""

from __future__ import annotations

import pytest

from argwright.stream.framing import decoder
from argwright.wire.format import Framing
from tests.stream.frames import cuts, decoded


def prefixed():
    return decoder(Framing.PREFIXED)


CASES = [
    (
        "text and objects",
        '0:"上海: ja"\nd:{"finishReason":"stop"}\n',
        [("0", "上海: ja"), ("d", {"finishReason": "stop"})],
    ),
    ("no last line break", '0:"a"', [("0", "a")]),
    ("CR LF and blank lines", '0:"a"\r\n\r\n\n0:"b"\r\n', [("0", "a"), ("0", "b")]),
    ("no prefix", 'hello\n0:"a"\n', ["not_json", ("0", "a")]),
    ("no JSON", '0:a\n0:"a"\n', ["not_json", ("0", "a")]),
    ("an error body", '{"error": 1}', [(None, {"error": 1})]),
]


@pytest.mark.parametrize(("text", "frames"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_any_cut_gives_the_same(text, frames):
    for way in cuts(text.encode()):
        assert decoded(prefixed, *way) == frames


def test_a_line_too_long_is_told_and_the_next_one_read():
    def short():
        return decoder(Framing.PREFIXED, max_event=50)

    for way in cuts(b'0:"' + b"x" * 60 + b'"\n0:"a"\n'):
        assert decoded(short, *way) == ["too_long", ("0", "a")]
