"""A request whose body is at hand, sent over a connection by itself.

aiohttp's client does more for a request than most of them need: it follows, remembers, compresses, waits for a writer.
Here aiohttp still finds the host, connects, writes and parses; what is left out is what stands in between. A connection
that may be used again is kept; one that says anything unasked is not.

A server may hang up on a line just as it is used again, before it has read the request. Where that happens at once,
and not a byte of an answer has come, the request is sent once more, on a fresh line, as curl and many a proxy do it.
Nothing else is sent twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp import http
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http_parser import RawResponseMessage
from multidict import CIMultiDict
from yarl import URL

_AHEAD = 64 * 1024  # bytes of a body that wait to be read before the connection is held back
_SWITCHING = 101
_ADDRESSES = 256  # that are remembered
_AT_ONCE = 2.0  # seconds: the way there and back; a server that hangs up later has read what it was asked


class NoHttpError(aiohttp.ClientError):
    """What came is no HTTP."""


@dataclass(frozen=True)
class Asked:
    """A request.

    Args:
        method: the HTTP method.
        url: the whole address, percent-encoded already.
        headers: as they are sent, without host and length, which are added.
        body: all of it.
        proxy: through which the host is reached.
    """

    method: str
    url: URL
    headers: CIMultiDict[str]
    body: bytes
    proxy: URL | None = None


class Line(BaseProtocol):
    """One connection; one request at a time.

    Args:
        connection: aiohttp's, just made, and from now on this one's.
        keep: takes it when nobody uses it any more, and it may be used again.
        longest: bytes of a status line or a header field.

    Attributes:
        transport: where it is written.
        body: of the last answer, once its head is there.
        mute: nothing has come since it was asked.
        since: when it was kept, by the loop's clock.
    """

    body: aiohttp.StreamReader = aiohttp.EMPTY_PAYLOAD
    mute = True
    since = 0.0

    def __init__(self, connection: Any, keep: Callable[[Line], None], longest: int) -> None:
        super().__init__(asyncio.get_running_loop())
        self.transport = connection.transport
        self._connection, self._inner, self._keep, self._longest = connection, connection.protocol, keep, longest
        self._told: asyncio.Future[RawResponseMessage] = self._loop.create_future()
        self._heard: Callable[[], None] | None = None
        self._last = False
        connection.transport.set_protocol(self)

    async def ask(self, asked: Asked) -> RawResponseMessage:
        """Send a request; the head of its answer."""
        self._parser = http.HttpResponseParser(
            self,
            self._loop,
            _AHEAD,
            max_line_size=self._longest,
            max_field_size=self._longest,
            payload_exception=aiohttp.ClientPayloadError,
            response_with_body=asked.method != "HEAD",
            read_until_eof=True,
            auto_decompress=False,
        )
        self._told, self.mute = self._loop.create_future(), True
        url, headers = asked.url, asked.headers
        headers["Host"] = url.host_port_subcomponent or ""
        headers["Content-Length"] = str(len(asked.body))
        writer = http.StreamWriter(self, self._loop)
        await writer.write_headers(f"{asked.method} {url.raw_path_qs} HTTP/1.1", headers)
        await writer.write_eof(asked.body)
        return await self._told

    def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` when something has come, or nothing will any more."""
        self._heard = heard

    def deaf(self) -> None:
        """Call nobody any more."""
        self._heard = None

    def release(self) -> None:
        """Nobody reads on: the line is kept if its answer is over, and there may be another one."""
        self._heard = None
        if self._last or self.is_lost or not self.body.is_eof():
            self.close()
        else:
            self._parser = None
            self._keep(self)

    @property
    def is_lost(self) -> bool:
        """Whether nothing can be sent any more."""
        return self.transport is None or self.transport.is_closing()

    def close(self) -> None:
        """Hang up: nobody waits for what was asked."""
        self._heard = self._parser = None
        self._connection.close()

    # --- what the transport says

    def data_received(self, data: bytes) -> None:
        """Bytes of the answer; none, if the parser goes on with what it has."""
        if self._parser is None:
            self.close()
            return
        self.mute = False
        try:
            messages, upgraded, _ = self._parser.feed_data(data)
        except Exception as error:  # noqa: BLE001  # whatever a parser finds in what it was sent
            self._broke(NoHttpError(str(error)))
            return
        for message, payload in messages:
            self._began(message, payload)
        self._last = self._last or upgraded
        if data and self._heard is not None:
            self._heard()

    def _began(self, message: RawResponseMessage, payload: aiohttp.StreamReader) -> None:
        if message.code < HTTPStatus.OK and message.code != _SWITCHING:
            return  # more is to come
        self._last = self._last or message.should_close
        if self._told.done():
            self._last = True  # a second answer
            return
        self.body = payload
        self._told.set_result(message)

    def _broke(self, error: Exception) -> None:
        self._last = True
        if not self._told.done():
            self._told.set_exception(error)
        elif not self.body.is_eof():
            self.body.set_exception(aiohttp.ClientPayloadError(str(error)))
        if self.transport is not None:
            self.transport.close()
        if self._heard is not None:
            self._heard()

    def eof_received(self) -> None:
        """The other side says no more; the connection is lost next."""

    def connection_lost(self, exc: BaseException | None) -> None:
        """The end: of an answer that says no length, or too early."""
        super().connection_lost(exc)
        self._connection.close()
        self._inner.connection_lost(exc)  # the connector waits for it
        if self._parser is None:
            return
        try:
            self._parser.feed_eof()
        except Exception as error:  # noqa: BLE001  # as above
            self._broke(aiohttp.ServerDisconnectedError(str(error)))
            return
        if not (self._told.done() and self.body.is_eof()):
            self._broke(aiohttp.ClientOSError(*exc.args) if exc else aiohttp.ServerDisconnectedError())
        elif self._heard is not None:
            self._heard()

    def resume_reading(self, **said: bool) -> None:  # type: ignore[override]  # older versions say nothing
        """Little waits to be read; told after each piece, and meant only where the line was held back."""
        if self._reading_paused:
            super().resume_reading(**said)


class Lines:
    """Lines that are kept, by host.

    Args:
        connector: connects.
        timeout: how long that may take.
        longest: bytes of a status line or a header field.
        kept: seconds that a line is kept.
    """

    def __init__(
        self, connector: aiohttp.BaseConnector, timeout: aiohttp.ClientTimeout, *, longest: int, kept: float
    ) -> None:
        self._connector, self._timeout, self._longest, self._kept = connector, timeout, longest, kept
        self._idle: dict[URL, deque[Line]] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    async def ask(self, asked: Asked) -> tuple[RawResponseMessage, Line]:
        """Send a request over a line that was kept, the last first, or a new one; the head of its answer, and the line.

        Raises:
            aiohttp.ClientError: the host cannot be reached, or does not answer in HTTP.
        """
        kept = self._kept_for(asked.url)
        if kept is not None:
            since = self._loop.time()
            try:
                return await _asked(kept, asked), kept
            except aiohttp.ClientConnectionError:
                if not kept.mute or self._loop.time() - since > _AT_ONCE:
                    raise
        line = await self._connected(asked.url, asked.proxy)
        return await _asked(line, asked), line

    def _kept_for(self, url: URL) -> Line | None:
        kept = self._home(url)
        while kept:
            line = kept.pop()
            if not line.is_lost:
                return line
        return None

    def _home(self, url: URL) -> deque[Line]:
        return self._idle.setdefault(_origin(url), deque())

    async def _connected(self, url: URL, proxy: URL | None) -> Line:
        asked = aiohttp.ClientRequest("POST", url, loop=self._loop, proxy=proxy)
        try:
            connection = await self._connector.connect(asked, [], self._timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError from error
        return Line(connection, partial(self._keep, self._home(url)), self._longest)

    def _keep(self, home: deque[Line], line: Line) -> None:
        line.since = self._loop.time()
        home.append(line)
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(self._kept, self._sweep)

    def _sweep(self) -> None:
        """Hang up where nobody has asked for long."""
        oldest = self._loop.time() - self._kept
        for kept in self._idle.values():
            while kept and (kept[0].is_lost or kept[0].since <= oldest):
                kept.popleft().close()
        self._sweeping = self._loop.call_later(self._kept / 2, self._sweep) if any(self._idle.values()) else None

    def close(self) -> None:
        """Hang up everywhere."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for kept in self._idle.values():
            while kept:
                kept.pop().close()


async def _asked(line: Line, asked: Asked) -> RawResponseMessage:
    try:
        return await line.ask(asked)
    except BaseException:
        line.close()
        raise


@lru_cache(_ADDRESSES)
def _origin(url: URL) -> URL:
    return url.origin()
