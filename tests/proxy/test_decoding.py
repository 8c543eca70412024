import gzip
import importlib
import random
import zlib

import pytest

from argwright.proxy import decoding

TEXT = ("工具 🌤️ \u2028 مرحبا " * 40_000).encode() + random.Random(1).randbytes(70_000)


def bare(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def flushed(data):
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(data[i : i + 999]) + packer.flush(zlib.Z_SYNC_FLUSH) for i in range(0, len(data), 999)]
    return b"".join([*parts, packer.flush()])


def brotli(data):
    return importlib.import_module("brotli").compress(data, quality=3)


CODINGS = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("GZip", lambda data: gzip.compress(data[:5000]) + gzip.compress(data[5000:])),
    ("gzip", flushed),
    ("deflate", zlib.compress),
    ("deflate", bare),
    ("br", brotli),
    ("deflate, gzip", lambda data: gzip.compress(zlib.compress(data))),
    ("identity, br,", brotli),
]


def pieces(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 4096, 10_000_000])
@pytest.mark.parametrize(("coding", "packed"), CODINGS)
def test_what_was_packed_comes_out(coding, packed, size):
    data = TEXT[:3000] if size < 4096 else TEXT
    undo = decoding.decoder(coding)
    made = [out for piece in pieces(packed(data), size) for out in undo.feed(piece)]
    undo.end()
    assert b"".join(made) == data


def test_a_bomb_comes_out_in_pieces():
    packed = gzip.compress(bytes(50_000_000))
    sizes = [len(piece) for piece in decoding.decoder("gzip").feed(packed)]
    assert sum(sizes) == 50_000_000
    assert max(sizes) <= 256 * 1024


@pytest.mark.parametrize("coding", ["", "identity", " Identity , identity"])
def test_nothing_to_undo(coding):
    assert decoding.decoder(coding) is None


@pytest.mark.parametrize("coding", ["zstd", "gzip, compress", "exi"])
def test_an_unknown_coding_is_named(coding):
    with pytest.raises(decoding.UnknownEncodingError, match=coding.split(", ")[-1]):
        decoding.decoder(coding)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_bytes_that_are_not_in_the_coding(coding):
    def undone():
        undo = decoding.decoder(coding)
        list(undo.feed(b'{"choices": [{"message": {"content": "plain"}}]}' * 3))
        undo.end()

    with pytest.raises(decoding.BrokenEncodingError):
        undone()


@pytest.mark.parametrize(("coding", "packed"), CODINGS)
def test_a_cut_body_is_seen_at_its_end(coding, packed):
    whole = packed(TEXT)
    undo = decoding.decoder(coding)
    for _ in undo.feed(whole[:-9]):
        pass
    with pytest.raises(decoding.BrokenEncodingError):
        undo.end()


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_an_empty_body_is_whole(coding):
    decoding.decoder(coding).end()


def test_bytes_behind_a_deflate_body():
    undo = decoding.decoder("deflate")
    assert b"".join(undo.feed(zlib.compress(b"x"))) == b"x"
    with pytest.raises(decoding.BrokenEncodingError):
        list(undo.feed(b"more"))
