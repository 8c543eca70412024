"""White space around what is taken out."""

from __future__ import annotations

import pytest

from argwright.dialects.channel import Channel

CUT = object()


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["a ", "b", "\n"], "a b\n"),
        (["  a"], "  a"),
        (["a\n", CUT, "\n\nb"], "a\n\nb"),
        (["a ", CUT, "b"], "a b"),
        (["a", CUT, "b"], "ab"),
        (["\n", CUT, "\nb"], "b"),
        (["a\n\n", CUT, " ", CUT, "\n"], "a"),
        (["a", CUT, CUT, "\n", "b ", CUT], "a\nb"),
        (["a" + " " * 200], "a" + " " * 200),
        ([CUT, " " * 200, "a"], "a"),
    ],
)
def test_pieces(pieces, shown):
    for split in (False, True):
        channel = Channel()
        out = ""
        for piece in pieces:
            if piece is CUT:
                channel.cut()
            else:
                out += "".join(map(channel.add, piece)) if split else channel.add(piece)
        assert out + channel.finish() == shown


def test_a_separator_stays_at_least():
    channel = Channel()
    assert channel.add("a ") == "a"
    channel.cut("\n")
    assert channel.after_cut
    assert channel.add("b") == "\nb" or channel.add("") == ""
    assert not channel.after_cut
