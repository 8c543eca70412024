"""The client side of the gateway: requests to providers, and what fails, named.

How long it may take is the business of whoever asks (`job`), but for the time to connect. Nothing is decided about a
body here, nothing is decompressed, followed or remembered (no cookies). Every failure of the other side comes out as
one `Refused`; its text names the upstream as it is called in the settings, never its address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol, Self

import aiohttp
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from argwright.proxy.decoding import BrokenEncodingError, Decoder, UnknownEncodingError, decoder
from argwright.proxy.line import Asked, Lines
from argwright.proxy.outward import Proxies
from argwright.proxy.refusals import Code, Refused
from argwright.proxy.settings import ServerLimits, UpstreamSettings
from argwright.proxy.tap import Tapped

_LINE = 64 * 1024  # bytes of a status line or a header field: cookies and policies are long, the default 8 KB is short
_KEEPALIVE = 60.0  # seconds that an idle connection is kept: a handshake costs as much as many a first token
_UNSURE = 4.0  # the same, where a request cannot be sent twice: many a server hangs up after five seconds
FAILURES = (aiohttp.ClientError, TimeoutError, OSError, ValueError)
"""What aiohttp raises when the other side fails."""

_EVENTS = "text/event-stream"
_SUCCESS = 2  # hundreds
_EMPTY = (HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT)
_OWN_HEADERS = frozenset({"Accept", "Accept-Encoding", "Content-Type", "User-Agent"})  # aiohttp would add them


class Upstream:
    """All providers; one session for what passes through, lines for what is asked with a body at hand.

    Args:
        limits: how long it may take to connect.
        proxies: that stand before upstreams; `None`: there are none.
    """

    def __init__(self, limits: ServerLimits, proxies: Proxies | None = None) -> None:
        self._limits, self._proxies = limits, proxies
        self._session: aiohttp.ClientSession | None = None
        self._lines: Lines | None = None

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=self._limits.connect or None)
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_UNSURE)  # the server's side counts
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=timeout,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            requote_redirect_url=False,
            skip_auto_headers=_OWN_HEADERS,
            max_line_size=_LINE,
            max_field_size=_LINE,
        )
        self._lines = Lines(connector, timeout, longest=_LINE, kept=_KEEPALIVE)
        return self

    async def __aexit__(self, *_raised: object) -> None:
        if self._lines is not None:
            self._lines.close()
        if self._session is not None:
            await self._session.close()

    async def ask(
        self, upstream: UpstreamSettings, method: str, url: URL, *, headers: CIMultiDict[str], data: Any
    ) -> Answer:
        """Send a request; the answer's head is there, its body not yet.

        Args:
            upstream: whom.
            method: the HTTP method.
            url: the whole address, percent-encoded already.
            headers: as they are sent.
            data: bytes, something to read them from, or nothing.

        Raises:
            Refused: the upstream cannot be reached, or says nothing that is HTTP.
        """
        if self._session is None or self._lines is None:
            raise RuntimeError("the upstream is not open")
        proxy = None if self._proxies is None else self._proxies.of(url)
        try:
            tunnel = proxy is None or url.scheme == "https"  # else the proxy reads the request
            if tunnel and isinstance(data, bytes) and url.raw_user is None:
                head, line = await self._lines.ask(Asked(method, url, headers, data, proxy))
                return Answer(upstream.name, Head(head.code, head.reason, head.headers), line.body, line)
            response = await self._session.request(
                method, url, headers=headers, data=data, allow_redirects=False, proxy=proxy
            )
        except FAILURES as error:
            raise refused(error, upstream.name) from error
        answered = Head(response.status, response.reason, response.headers)
        return Answer(upstream.name, answered, response.content, Tapped(response))


class Way(Protocol):
    """How a body comes."""

    def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` when something has come, or nothing will any more."""
        ...

    def deaf(self) -> None:
        """Call nobody any more."""
        ...

    def release(self) -> None:
        """Nobody reads on."""
        ...


class Head(NamedTuple):
    """What stands before a body: status, the words behind it, the header fields as they arrived."""

    status: int
    reason: str | None
    fields: CIMultiDictProxy[str]


class Answer:
    """A provider's answer, whose body is read a piece at a time. It must be released.

    Args:
        name: the upstream's.
        head: what stands before the body.
        body: what aiohttp reads it into.
        way: how it comes.
    """

    def __init__(self, name: str, head: Head, body: aiohttp.StreamReader, way: Way) -> None:
        self._name, self.body, self.way = name, body, way
        self.status, self.reason, self.headers = head
        self._decoder: Decoder | None = None

    @property
    def replies(self) -> bool:
        """Whether it is a success that says something: the model's reply."""
        said = self.status == HTTPStatus.OK or self.headers.get("Content-Length") != "0"
        return self.status // 100 == _SUCCESS and self.status not in _EMPTY and said

    @property
    def streams(self) -> bool:
        """Whether the body is a stream of events."""
        kind = self.headers.get("Content-Type", "")
        return kind == _EVENTS or kind.partition(";")[0].strip().lower() == _EVENTS

    def read_plain(self) -> None:
        """From now on pieces come without their content coding.

        Raises:
            Refused: nobody here knows the coding.
        """
        coding = self.headers.get("Content-Encoding")
        try:
            self._decoder = decoder(coding) if coding else None
        except UnknownEncodingError as error:
            raise Refused(Code.GARBLED, f"upstream {self._name!r}: {error}") from error

    async def piece(self) -> bytes | None:
        """The next bytes as they came from the network; `None`: the body is over.

        Raises:
            Refused: it is not over, and nothing comes any more.
        """
        try:
            return await self.body.readany() or None
        except FAILURES as error:
            raise self.refused(error) from error

    def stall(self) -> None:
        """Nothing has come for too long: whoever reads the body learns it."""
        self.body.set_exception(aiohttp.SocketTimeoutError())

    def refused(self, error: Exception) -> Refused:
        """What a failure of the body means."""
        return refused(error, self._name)

    @property
    def is_coded(self) -> bool:
        """Whether pieces have to be decoded."""
        return self._decoder is not None

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

    async def whole(self, most: int, moved: Callable[[], None]) -> bytes:
        """The whole body in plain bytes.

        Args:
            most: how long it may be.
            moved: is called when something has come.

        Raises:
            Refused: it is longer than `most`, or as `piece`, `plain` and `finish`.
        """
        parts: list[bytes] = []
        size = 0
        while (data := await self.piece()) is not None:
            moved()
            for part in self.plain(data):
                size += len(part)
                if size > most:
                    raise self.too_long(most)
                parts.append(part)
        self.finish()
        return b"".join(parts)

    def too_long(self, most: int) -> Refused:
        """What is said of a body that is longer than it may be."""
        return Refused(Code.REPLY_TOO_LARGE, f"upstream {self._name!r}: the reply exceeds {most} bytes")

    def release(self) -> None:
        """Nobody reads on."""
        self.way.release()


def refused(error: Exception, name: str) -> Refused:
    """What a failure on the way to an upstream, or from it, means."""
    told = f"upstream {name!r}"
    match error:
        case aiohttp.ConnectionTimeoutError() | aiohttp.ClientConnectorError() | aiohttp.ClientHttpProxyError():
            return Refused(Code.UNREACHABLE, f"{told} cannot be reached ({type(error).__name__})")
        case TimeoutError():
            return Refused(Code.STALLED, f"{told} says nothing any more")
        case aiohttp.ClientPayloadError() | aiohttp.ClientConnectionError() | OSError():
            return Refused(Code.CLOSED, f"{told} closed the connection before its reply was complete")
        case _:
            return Refused(Code.GARBLED, f"{told} does not answer in HTTP ({type(error).__name__})")
