"""One worker: a socket, the application on it, and an end that lets open streams finish.

    async with running(settings) as urls: …       # in a program or a test

At the end the worker says that it is not ready, refuses new requests with a 503 that clients try again, and gives what
is open the time of `limits.grace`; whatever is open then is cut. A second signal ends the waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from argwright.proxy.access import is_own
from argwright.proxy.app import GATEWAY, Parts, create_app
from argwright.proxy.door import Runner, is_expected, unexpected
from argwright.proxy.gateway import Gateway
from argwright.proxy.journal import Journal
from argwright.proxy.settings import GatewaySettings
from argwright.proxy.sockets import listening, url_of

_log = logging.getLogger("argwright.gateway")

_LINE = 64 * 1024  # bytes of a request line or header field: cookies are long, the default 8 KB is short
_BACKLOG = 1024  # connections that wait to be accepted: a burst of clients that all start at once
_LAST = 0.5  # seconds for the page's own requests at the end
_KEEPALIVE = 75.0  # seconds that an idle client connection is kept: above the 60 s of common load balancers


@dataclass(frozen=True)
class Running:
    """A gateway that serves.

    Args:
        url: without a path.
        gateway: what answers there.
    """

    url: str
    gateway: Gateway


@contextlib.asynccontextmanager
async def running(
    settings: GatewaySettings,
    *,
    journal: Journal | None = None,
    parts: Parts | None = None,
    sock: socket.socket | None = None,
) -> AsyncGenerator[Running]:
    """The gateway, serving.

    Args:
        settings: all of them.
        journal: what keeps records, if that is all there is to say of the parts.
        parts: what else it is made of.
        sock: a bound socket; `None`: one is made from the settings.
    """
    app = create_app(settings, parts or Parts(journal=journal))
    runner = Runner(
        app,
        access_log=None,  # lines would hold paths and addresses; counters and journal tell more
        auto_decompress=False,
        handler_cancellation=True,
        keepalive_timeout=_KEEPALIVE,
        max_line_size=_LINE,
        max_field_size=_LINE,
        shutdown_timeout=_LAST,
    )
    await runner.setup()
    try:
        _shorten(runner, app[GATEWAY].handle if settings.upstreams else None)
        bound = sock or listening(settings.server.host, settings.server.port)
        await web.SockSite(runner, bound, backlog=_BACKLOG).start()
        yield Running(url_of(bound), app[GATEWAY])
        await app[GATEWAY].drain()
    finally:
        await runner.cleanup()


_Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


def _shorten(runner: web.AppRunner, gateway: _Handle | None) -> None:
    """Let what goes to a model past the application's router and guard, which are for the gateway's own pages."""
    server = runner.server
    if server is None:
        raise RuntimeError("the application is not set up")
    rest = server.request_handler

    def handle(request: web.BaseRequest) -> Awaitable[web.StreamResponse]:
        if "Expect" in request.headers:
            return rest(request) if is_expected(request) else unexpected(request)  # the router says 100
        return rest(request) if gateway is None or is_own(request.path) else gateway(request)

    server.request_handler = handle


async def serve(
    settings: GatewaySettings,
    *,
    parts: Parts | None = None,
    sock: socket.socket | None = None,
    started: Callable[[str], None] | None = None,
    parent: int | None = None,
) -> None:
    """Serve until a signal (TERM or INT) asks for the end.

    Args:
        settings: all of them.
        parts: what else it is made of.
        sock: a bound socket.
        started: is called with the URL when the port is open.
        parent: a file descriptor that becomes readable when the parent process is gone; a worker that has one leaves
            INT, which a terminal sends to all, to its parent.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    async with running(settings, parts=parts, sock=sock) as served:

        def end() -> None:
            if stop.is_set():
                served.gateway.hurry()
            stop.set()

        _on_signal(loop, signal.SIGTERM, end)
        _on_signal(loop, signal.SIGINT, end if parent is None else _nothing)
        if parent is not None:
            loop.add_reader(parent, _orphaned, loop, parent, stop)
        if started is not None:
            started(served.url)
        await stop.wait()
        _log.info("ending: open requests have %g s", settings.server.limits.grace)
    if parent is not None:
        loop.remove_reader(parent)


def _nothing() -> None:
    """The parent says when to end."""


def _orphaned(loop: asyncio.AbstractEventLoop, parent: int, stop: asyncio.Event) -> None:
    loop.remove_reader(parent)
    stop.set()


def _on_signal(loop: asyncio.AbstractEventLoop, number: signal.Signals, end: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, end)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
