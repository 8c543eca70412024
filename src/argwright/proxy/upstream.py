"""The client side of the gateway: requests to providers, with the time they may take, and what fails, named.

Nothing is decided about a body here, nothing is decompressed, followed, remembered (no cookies) or tried again. Every
failure of the other side comes out as one `Refused`; its text names the upstream as it is called in the settings, never
its address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Self

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from argwright.proxy.decoding import BrokenEncodingError, Decoder, UnknownEncodingError, decoder
from argwright.proxy.refusals import Code, Refused
from argwright.proxy.settings import ServerLimits, UpstreamSettings

_LINE = 64 * 1024  # bytes of a status line or a header field: cookies and policies are long, the default 8 KB is short
_KEEPALIVE = 60.0  # seconds that an idle connection is kept: a handshake costs as much as many a first token
_OWN_HEADERS = frozenset({"Accept", "Accept-Encoding", "Content-Type", "User-Agent"})  # aiohttp would add them


class Upstream:
    """All providers; one session, one pool of connections.

    Args:
        limits: how long it may take.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        limits = self._limits
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEPALIVE),  # the server's side counts
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=limits.connect or None, sock_read=limits.first_byte or None
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            requote_redirect_url=False,
            skip_auto_headers=_OWN_HEADERS,
            max_line_size=_LINE,
            max_field_size=_LINE,
        )
        return self

    async def __aexit__(self, *_raised: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def ask(
        self, upstream: UpstreamSettings, method: str, url: str, *, headers: CIMultiDict[str], data: Any
    ) -> Answer:
        """Send a request; the answer's head is there, its body not yet.

        Args:
            upstream: whom.
            method: the HTTP method.
            url: the whole address, percent-encoded already.
            headers: as they are sent.
            data: bytes, something to read them from, or nothing.

        Raises:
            Refused: the upstream cannot be reached, says nothing in time, or nothing that is HTTP.
        """
        if self._session is None:
            raise RuntimeError("the upstream is not open")
        try:
            response = await self._session.request(
                method, URL(url, encoded=True), headers=headers, data=data, allow_redirects=False
            )
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise _refused(error, upstream.name) from error
        _stop_clock(response)
        return Answer(response, upstream.name, self._limits.idle)


class Answer:
    """A provider's answer, whose body is read a piece at a time. It must be released.

    One clock watches the whole body: it looks now and then since when the next piece is awaited, so that a piece that
    comes costs nothing. A client that is slow to take the last piece is not the upstream's silence.

    Args:
        response: aiohttp's.
        name: the upstream's.
        idle: seconds between two pieces; 0 is no limit.
    """

    def __init__(self, response: aiohttp.ClientResponse, name: str, idle: float) -> None:
        self._response, self._name, self._idle = response, name, idle
        self._decoder: Decoder | None = None
        self._loop = asyncio.get_running_loop()
        self._since: float | None = None  # the next piece is awaited
        self._clock = self._loop.call_later(idle, self._look) if idle else None

    def _look(self) -> None:
        now = self._loop.time()
        since = now if self._since is None else self._since
        if now - since >= self._idle:
            self._response.content.set_exception(aiohttp.SocketTimeoutError())
        else:
            self._clock = self._loop.call_at(since + self._idle, self._look)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self._response.status

    @property
    def reason(self) -> str | None:
        """The words behind the status."""
        return self._response.reason

    @property
    def headers(self) -> Any:
        """The header fields, as they arrived."""
        return self._response.headers

    @property
    def streams(self) -> bool:
        """Whether the body is a stream of events."""
        return self._response.content_type == "text/event-stream"

    def read_plain(self) -> None:
        """From now on pieces come without their content coding.

        Raises:
            Refused: nobody here knows the coding.
        """
        try:
            self._decoder = decoder(self._response.headers.get("Content-Encoding", ""))
        except UnknownEncodingError as error:
            raise Refused(Code.GARBLED, f"upstream {self._name!r}: {error}") from error

    async def piece(self) -> bytes | None:
        """The next bytes as they came from the network; `None`: the body is over.

        Raises:
            Refused: it is not over, and nothing comes any more.
        """
        self._since = self._loop.time()
        try:
            return await self._response.content.readany() or None
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise _refused(error, self._name) from error
        finally:
            self._since = None

    def plain(self, data: bytes) -> Iterable[bytes]:
        """Bytes of the network without their content coding.

        Raises:
            Refused: they are not in it.
        """
        return (data,) if self._decoder is None else self._decoded(self._decoder, data)

    def _decoded(self, undo: Decoder, data: bytes) -> Iterable[bytes]:
        try:
            yield from undo.feed(data)
        except BrokenEncodingError as error:
            raise Refused(Code.GARBLED, f"upstream {self._name!r}: {error}") from error

    def finish(self) -> None:
        """The body is over; is it whole?

        Raises:
            Refused: its content coding says no.
        """
        try:
            if self._decoder is not None:
                self._decoder.end()
        except BrokenEncodingError as error:
            raise Refused(Code.CLOSED, f"upstream {self._name!r}: {error}") from error

    async def whole(self, most: int) -> bytes:
        """The whole body in plain bytes.

        Raises:
            Refused: it is longer than `most`, or as `piece`, `plain` and `finish`.
        """
        parts: list[bytes] = []
        size = 0
        while (data := await self.piece()) is not None:
            for part in self.plain(data):
                size += len(part)
                if size > most:
                    raise Refused(Code.REPLY_TOO_LARGE, f"upstream {self._name!r}: the reply exceeds {most} bytes")
                parts.append(part)
        self.finish()
        return b"".join(parts)

    def release(self) -> None:
        """Nobody reads on: a connection whose body is not over is closed, any other was given back at its end."""
        if self._clock is not None:
            self._clock.cancel()
        if not self._response.content.is_eof():
            self._response.close()


def _stop_clock(response: aiohttp.ClientResponse) -> None:
    """The head is there: from now on the answer's own clock counts, not the one that every piece sets anew."""
    connection = response.connection
    if connection is not None and connection.protocol is not None:  # else the body is there as well
        connection.protocol.read_timeout = None
        connection.protocol.start_timeout()


def _refused(error: Exception, name: str) -> Refused:
    told = f"upstream {name!r}"
    match error:
        case aiohttp.ConnectionTimeoutError() | aiohttp.ClientConnectorError():
            return Refused(Code.UNREACHABLE, f"{told} cannot be reached ({type(error).__name__})")
        case TimeoutError():
            return Refused(Code.STALLED, f"{told} says nothing any more")
        case aiohttp.ClientPayloadError() | aiohttp.ClientConnectionError() | OSError():
            return Refused(Code.CLOSED, f"{told} closed the connection before its reply was complete")
        case _:
            return Refused(Code.GARBLED, f"{told} does not answer in HTTP ({type(error).__name__})")
