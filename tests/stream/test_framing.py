"""Bytes to text, and which framing it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argwright.stream.framing import Utf8, decoder, load
from argwright.wire.deltas import ViolationDelta
from argwright.wire.format import Framing
from tests.stream.frames import cuts


def text_of(*reads: bytes) -> tuple[str, bool]:
    utf8 = Utf8()
    return "".join([*(utf8.feed(data) for data in reads), utf8.feed(b"", final=True)]), utf8.damaged


@given(st.text())
def test_text_comes_through_however_it_is_cut(text):
    for way in cuts(text.encode("utf-8", "replace")):
        assert text_of(*way) == (text.encode("utf-8", "replace").decode().removeprefix("\ufeff"), False)


@given(st.binary())
def test_bytes_that_are_no_text_become_the_same_however_they_are_cut(data):
    ways = [text_of(*way) for way in cuts(data)]
    assert all(way == ways[0] for way in ways)
    assert ways[0][0] == data.decode("utf-8", "replace").removeprefix("\ufeff")


def test_only_one_mark_at_the_start_goes():
    assert text_of(b"\xef\xbb\xbf\xef\xbb\xbfa\xef\xbb\xbf")[0] == "\ufeffa\ufeff"


@given(st.lists(st.binary(max_size=40), max_size=6), st.sampled_from([*Framing]))
def test_no_bytes_raise(reads, framing):
    made = decoder(framing)
    for data in reads:
        made.feed(data)
    made.close()


def test_data_that_cannot_be_read_is_told():
    for text in ("{", "[" * 100_000, "1" * 5000):
        assert isinstance(load(text), ViolationDelta)
