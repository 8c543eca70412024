"""What an aiohttp response hears, told the moment it comes.

aiohttp gives a body to whoever awaits it. For every event of a stream that costs a future, a task's turn and a look at
all sockets, which is more than the event itself. So a `Tap` is set between the connection and aiohttp's protocol, which
goes on to do all the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp


class Tap(asyncio.Protocol):
    """Hears what comes over a connection; open from the beginning.

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


class Tapped:
    """A response of aiohttp's, to be listened to.

    Args:
        response: whose head is there.
    """

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self._tap: Tap | None = None

    def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` when something has come, or nothing will any more.

        Raises:
            aiohttp.ClientConnectionError: there is no connection any more.
        """
        connection = self._response.connection
        if connection is None or connection.transport is None:
            raise aiohttp.ClientConnectionError
        self._tap = Tap(connection, heard)

    def deaf(self) -> None:
        """Call nobody any more."""
        if self._tap is not None:
            self._tap.close()
            self._tap = None

    def release(self) -> None:
        """Nobody reads on: a connection whose body is not over is closed, any other was given back at its end."""
        self.deaf()
        if not self._response.content.is_eof():
            self._response.close()
