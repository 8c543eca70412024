"""A body on its way from an upstream to a client, piece by piece, without a task that waits for each.

What comes of a piece is sent to the client where the piece is heard. The task is needed where there is something to
wait for: before the reply has begun, when the client is slower than the upstream, and at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from aiohttp import web

from argwright.proxy.job import Job
from argwright.proxy.upstream import FAILURES, Answer

_AHEAD = 64 * 1024  # bytes after which it is asked whether the client keeps up


class Flow:
    """One body.

    Args:
        job: whose it is.
        answer: where it comes from.
        feed: what goes to the client for some bytes; `None`: the bytes themselves.

    Attributes:
        feed: as given; another one may take its place.
        out: what the task has to send.
        over: the body has ended.
    """

    def __init__(self, job: Job, answer: Answer, feed: Callable[[bytes], bytes] | None = None) -> None:
        self.out, self.over = b"", False
        self._job, self._answer, self.feed = job, answer, feed
        self._body = answer.body
        self._send: Callable[[bytes], None] | None = None
        self._transport: asyncio.Transport | None = None
        self._chunked = True
        self._read = self._ahead = 0
        self._turn: asyncio.Future[None] | None = None  # that the task waits for

    @property
    def rewrites(self) -> bool:
        """Whether the client gets other bytes than those of the upstream."""
        return self.feed is not None

    def begin(self, reply: web.StreamResponse) -> None:
        """The reply has begun: from now on pieces go out without the task."""
        transport = self._job.request.transport
        if transport is None:
            raise ConnectionResetError("the client is gone")
        self._transport, self._send = transport, transport.write
        self._chunked = "Transfer-Encoding" in reply.headers

    def take(self) -> bytes:
        """What the task has to send; it does so."""
        out, self.out = self.out, b""
        self._job.last = out
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
        self._turn = asyncio.get_running_loop().create_future()
        self._answer.way.listen(self._heard)
        try:
            await self._turn
        finally:
            self._answer.way.deaf()

    def _heard(self) -> None:
        turn = self._turn
        if turn is None or turn.done():
            return
        try:
            if self._moved():
                return
            turn.set_result(None)
        except Exception as error:  # noqa: BLE001  # the task's, which waits
            turn.set_exception(error)
        self._answer.way.deaf()  # at once: the connection may be another request's before the task has its turn

    def stall(self) -> None:
        """Nothing has come for too long."""
        self._answer.stall()
        self._heard()

    def _moved(self) -> bool:
        """Send on what is there; whether to wait for more."""
        body = self._body
        while True:
            data = body.read_nowait()  # which may let the parser go on, so that more is there
            self._read += len(data)
            more = body.total_bytes > self._read
            over = self.over = body.is_eof() and not more
            if data and not self._sent(data):
                return False
            if not more:
                return not over

    def _sent(self, data: bytes) -> bool:
        """Send on what comes of these bytes; whether to go on."""
        self._job.moved += 1
        out = data if self.feed is None else self.feed(data)
        if not out:
            return True
        if self.over or self._send is None:
            self.out = out
            return False
        self._job.last = out
        self._send(b"%x\r\n%b\r\n" % (len(out), out) if self._chunked else out)
        self._ahead += len(out)
        return self._ahead < _AHEAD or self._keeps_up()

    def _keeps_up(self) -> bool:
        self._ahead = 0
        return self._transport is not None and self._transport.get_write_buffer_size() < _AHEAD


class CodedFlow(Flow):
    """A body that has to be decoded; a piece may become a thousand times as long, so each part is waited for."""

    _parts: Iterator[bytes] = iter(())

    async def run(self) -> None:
        """Move pieces until the task has something to send, or the body is over."""
        while not self.out:
            part = next(self._parts, None)
            if part is not None:
                self.out = self.feed(part) if self.feed is not None else part
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
