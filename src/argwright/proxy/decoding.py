"""Content-Encoding undone, a piece at a time (RFC 9110, 8.4): for bodies that must be read.

`identity`, `gzip`, `deflate` (with and without its zlib frame, since servers send both) and, where the package
is installed, `br`; several codings in a row are undone in reverse. What comes out is bounded by the caller, piece by
piece, so that a few bytes never become gigabytes in memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Protocol

_PIECE = 256 * 1024  # bytes of output at once
_GZIP = 16 + zlib.MAX_WBITS  # zlib's way to say so
_FRAME = 2  # bytes of a zlib frame's head


class UnknownEncodingError(ValueError):
    """No decoder for this coding; the text names it."""


class BrokenEncodingError(ValueError):
    """The bytes are not what the coding says."""


class Decoder(Protocol):
    """Bytes in, pieces of decoded bytes out."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes add.

        Raises:
            BrokenEncodingError: they are not in this coding.
        """
        ...

    def end(self) -> None:
        """The body is over.

        Raises:
            BrokenEncodingError: its coding is not.
        """
        ...


def decoder(content_encoding: str) -> Decoder | None:
    """The decoder for a header's value; `None` if there is nothing to undo.

    Raises:
        UnknownEncodingError: one of the codings is not known here.
    """
    codings = [word.strip().lower() for word in content_encoding.split(",")]
    made = [_made(coding) for coding in reversed(codings) if coding not in {"", "identity"}]
    if not made:
        return None
    return made[0] if len(made) == 1 else _Chain(made)


def _made(coding: str) -> Decoder:
    maker = _MAKERS.get(coding.removeprefix("x-"))
    if maker is None:
        raise UnknownEncodingError(f"content-encoding {coding!r} is not known; known are gzip, deflate, br, identity")
    return maker()


class _Gzip:
    """gzip, of one member or several."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_GZIP)
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            self._begun = True
            if self._inner.eof:
                self._inner = zlib.decompressobj(_GZIP)
            yield from _inflated(self._inner, data)
            data = self._inner.unused_data

    def end(self) -> None:
        if self._begun and not self._inner.eof:
            raise BrokenEncodingError("the compressed body is cut")


class _Deflate:
    """deflate, with or without its zlib frame: the first two bytes tell."""

    def __init__(self) -> None:
        self._inner: Any = None
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None:
            data = self._head = self._head + data
            if len(data) < _FRAME:
                return
            framed = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:_FRAME], "big") % 31 == 0
            self._inner = zlib.decompressobj(zlib.MAX_WBITS if framed else -zlib.MAX_WBITS)
        if self._inner.eof and data:
            raise BrokenEncodingError("bytes after the end of the compressed body")
        yield from _inflated(self._inner, data)

    def end(self) -> None:
        if self._head and not (self._inner and self._inner.eof):
            raise BrokenEncodingError("the compressed body is cut")


def _inflated(inner: Any, data: bytes) -> Iterator[bytes]:
    """Everything that these bytes unpack to; what stands behind the end is left in `unused_data`."""
    try:
        made: bytes = inner.decompress(data, _PIECE)
        while made:
            yield made
            more = inner.unconsumed_tail
            made = inner.decompress(more, _PIECE) if more or len(made) == _PIECE else b""
    except zlib.error as error:
        raise BrokenEncodingError(str(error)) from None


class _Brotli:
    def __init__(self) -> None:
        try:
            self._module = import_module("brotli")
        except ImportError:
            raise UnknownEncodingError("content-encoding 'br' needs the package Brotli") from None
        self._inner = self._module.Decompressor()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._begun = True
        try:
            made = self._inner.process(data, output_buffer_limit=_PIECE)
            while made:
                yield made
                made = b"" if self._inner.is_finished() else self._inner.process(b"", output_buffer_limit=_PIECE)
        except self._module.error as error:
            raise BrokenEncodingError(str(error)) from None

    def end(self) -> None:
        if self._begun and not self._inner.is_finished():
            raise BrokenEncodingError("the compressed body is cut")


class _Chain:
    def __init__(self, steps: list[Decoder]) -> None:
        self._steps = steps

    def feed(self, data: bytes) -> Iterator[bytes]:
        return self._through(data, 0)

    def _through(self, data: bytes, step: int) -> Iterator[bytes]:
        if step == len(self._steps):
            yield data
            return
        for piece in self._steps[step].feed(data):
            yield from self._through(piece, step + 1)

    def end(self) -> None:
        for step in self._steps:
            step.end()


_MAKERS: dict[str, Callable[[], Decoder]] = {
    "gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
}
