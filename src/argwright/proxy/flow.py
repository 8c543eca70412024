"""A body on its way from an upstream to a client, piece by piece, without a task that waits for each.

aiohttp gives a body to whoever awaits it. For every event of a stream that costs a future, a task's turn, and a look at
all sockets, which is more than the event itself. So a `Tap` is set between the connection and aiohttp's protocol: it
hands on what it hears, and at once sends what has come of it to the client. The task is needed where there is something
to wait for: before the reply has begun, when the client is slower than the upstream, and at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
from aiohttp import web

from argwright.proxy.job import Job
from argwright.proxy.upstream import FAILURES, Answer

_AHEAD = 64 * 1024  # bytes after which it is asked whether the client keeps up


class Tap(asyncio.Protocol):
    """Hears what comes from an upstream; open from the beginning.

    Args:
        connection: aiohttp's.
        heard: is called when something has come, or the connection is lost.
    """

    def __init__(self, connection: Any, heard: Callable[[], None]) -> None:
        self._transport, self._inner, self._heard = connection.transport, connection.protocol, heard
        self._transport.set_protocol(self)

    def close(self) -> None:
        """Listen no more; a connection that is being closed has nobody else to tell."""
        if not self._transport.is_closing():
            self._transport.set_protocol(self._inner)

    def data_received(self, data: bytes) -> None:
        """Hand on, and tell."""
        self._inner.data_received(data)
        self._heard()

    def eof_received(self) -> bool | None:
        """Hand on; the connection is lost next."""
        return self._inner.eof_received()  # type: ignore[no-any-return]

    def connection_lost(self, exc: Exception | None) -> None:
        """Hand on, and tell."""
        self._inner.connection_lost(exc)
        self._heard()

    def pause_writing(self) -> None:
        """Hand on."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Hand on."""
        self._inner.resume_writing()


class Flow:
    """One body.

    Args:
        job: whose it is.
        answer: where it comes from.
        feed: what goes to the client for some bytes; `None`: the bytes themselves.

    Attributes:
        out: what the task has to send.
        over: the body has ended.
    """

    def __init__(self, job: Job, answer: Answer, feed: Callable[[bytes], bytes] | None = None) -> None:
        self.out, self.over = b"", False
        self._job, self._answer, self._feed = job, answer, feed
        self._body = answer.body
        self._send: Callable[[bytes], None] | None = None
        self._chunked = True
        self._ahead = 0
        self._tap: Tap | None = None
        self._turn: asyncio.Future[None] | None = None  # that the task waits for

    def begin(self, reply: web.StreamResponse) -> None:
        """The reply has begun: from now on pieces go out without the task."""
        transport = self._job.request.transport
        if transport is None:
            raise ConnectionResetError("the client is gone")
        self._send = transport.write
        self._chunked = "Transfer-Encoding" in reply.headers

    def take(self) -> bytes:
        """What the task has to send; it does so."""
        out, self.out = self.out, b""
        return out

    async def run(self) -> None:
        """Move pieces until the task has something to send, the client is behind, or the body is over.

        Raises:
            Refused: the body is not whole, or cannot be read.
        """
        try:
            if self._moved():
                await self._listen()
        except FAILURES as error:
            raise self._answer.refused(error) from error

    async def _listen(self) -> None:
        connection = self._answer.connection
        if connection is None or connection.transport is None:
            raise aiohttp.ClientConnectionError
        self._turn = asyncio.get_running_loop().create_future()
        self._tap = Tap(connection, self._heard)
        try:
            await self._turn
        finally:
            self._close()

    def _close(self) -> None:
        if self._tap is not None:
            self._tap.close()
            self._tap = None

    def _heard(self) -> None:
        turn = self._turn
        if self._tap is None or turn is None or turn.done():
            return
        try:
            if self._moved():
                return
            self._close()  # at once: the connection may be another request's before the task has its turn
            turn.set_result(None)
        except Exception as error:  # noqa: BLE001  # the task's, which waits
            self._close()
            turn.set_exception(error)

    def stall(self) -> None:
        """Nothing has come for too long."""
        self._answer.stall()
        self._heard()

    def _moved(self) -> bool:
        """Send on what is there; whether to wait for more."""
        data = self._body.read_nowait()
        over = self.over = self._body.is_eof()
        if not data:
            return not over
        self._job.moved += 1
        out = data if self._feed is None else self._feed(data)
        if over or (self._send is None and out):
            self.out = out
            return False
        if not out or self._send is None:
            return True
        self._send(b"%x\r\n%b\r\n" % (len(out), out) if self._chunked else out)
        self._ahead += len(out)
        return self._ahead < _AHEAD or self._keeps_up()

    def _keeps_up(self) -> bool:
        self._ahead = 0
        return not self._job.request.protocol.writing_paused


class CodedFlow(Flow):
    """A body that has to be decoded; a piece may become a thousand times as long, so each part is waited for."""

    _parts: Iterator[bytes] = iter(())

    async def run(self) -> None:
        """Move pieces until the task has something to send, or the body is over."""
        while not self.out:
            part = next(self._parts, None)
            if part is not None:
                self.out = self._feed(part) if self._feed is not None else part
            elif (data := await self._answer.piece()) is not None:
                self._job.moved += 1
                self._parts = iter(self._answer.plain(data))
            else:
                self._answer.finish()
                self.over = True
                return


def flow(job: Job, answer: Answer, feed: Callable[[bytes], bytes] | None = None) -> Flow:
    """The body's way to the client."""
    return (CodedFlow if answer.is_coded else Flow)(job, answer, feed)
