"""Servers on real sockets for tests: the gateway, and an upstream that does what a script says.

Both run on one event loop in a thread, so that a test may be written with blocking clients, asynchronous ones or
another process. Every wait has a limit.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias, TypeVar

from aiohttp import web

from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, Mending, ServerSettings, UpstreamSettings

WAIT = 20  # seconds that anything may take here: only a fault takes so long
_Made = TypeVar("_Made")


class Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.run(self._stack.aclose())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(WAIT)
            self._loop.close()

    def run(self, work: Coroutine[Any, Any, _Made]) -> _Made:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, WAIT), self._loop).result(WAIT + 1)

    def call(self, work: Callable[[], Any]) -> None:
        self._loop.call_soon_threadsafe(work)

    def enter(self, context: Any) -> Any:
        return self.run(self._stack.enter_async_context(context))


# The upstream


@dataclass(frozen=True, kw_only=True)
class Act:
    """One reply, as the network carries it.

    Args:
        pieces: what is written, each piece by itself; or a function that makes them.
        status: the HTTP status.
        headers: more header fields.
        kind: the content type.
        end: `end` closes the body as it should be; `abort` closes the connection in its middle; `stall` says nothing
            more and keeps the connection until the other side closes it.
        length: tell the body's length, as for a whole one.
        waits: before the pieces, wait until the test says so.
    """

    pieces: Sequence[bytes] | Callable[[], Iterable[bytes]] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "text/event-stream"
    end: str = "end"
    length: bool = False
    waits: threading.Event | None = None


Acts: TypeAlias = "Iterable[Act] | Callable[[Asked], Act]"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the gateway asked."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


class Upstream:
    """A provider's server that says what it is told.

    Attributes:
        asked: the requests, in order.
        gone: set when a client went away before its reply was over.
        begun: set when a reply has written its pieces.
    """

    def __init__(self, loop: Loop, acts: Acts, *, tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[Asked] = []
        self.gone = threading.Event()
        self.begun = threading.Event()
        self._acts: Any = acts if callable(acts) else iter(acts)
        self._loop = loop
        self.root = loop.enter(_serving(self._handle, tls))

    @property
    def settings(self) -> UpstreamSettings:
        return UpstreamSettings(url=f"{self.root}/v1")

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        asked = Asked(
            method=request.method,
            path=request.path,
            query=request.query_string,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
        )
        self.asked.append(asked)
        act = self._acts(asked) if callable(self._acts) else next(self._acts, None)
        if act is None:
            return web.json_response({"error": {"message": "the script is over"}}, status=500)
        try:
            return await self._play(request, act)
        except (asyncio.CancelledError, ConnectionError):
            self.gone.set()
            raise

    async def _play(self, request: web.Request, act: Act) -> web.StreamResponse:
        reply = web.StreamResponse(status=act.status, headers={"Content-Type": act.kind, **act.headers})
        made = act.pieces() if callable(act.pieces) else act.pieces
        if act.length:
            made = list(made)
            reply.content_length = sum(map(len, made))
        await reply.prepare(request)
        if act.waits is not None:
            await asyncio.to_thread(act.waits.wait, WAIT)
        for piece in made:
            await reply.write(piece)
            await asyncio.sleep(0)  # so that each goes out by itself
        self.begun.set()
        if act.end == "abort":
            transport = request.transport
            assert transport is not None
            transport.abort()
        elif act.end == "stall":
            await asyncio.wait_for(asyncio.Event().wait(), WAIT)
        else:
            await reply.write_eof()
        return reply


@dataclass
class _serving:  # noqa: N801  # used as a function
    handle: Any
    tls: ssl.SSLContext | None = None

    async def __aenter__(self) -> str:
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_route("*", "/{rest:.*}", self.handle)
        self.runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0, ssl_context=self.tls).start()
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.runner.addresses[0][1]}"

    async def __aexit__(self, *_: object) -> None:
        await self.runner.cleanup()


# The gateway


@dataclass(frozen=True)
class Server:
    """A gateway on loopback: `root` for Anthropic's client, `url` for OpenAI's."""

    root: str
    upstream: Upstream | None = None

    @property
    def url(self) -> str:
        return f"{self.root}/v1"


@contextmanager
def serving(
    acts: Acts | None = None,
    mending: Mending | None = None,
    *,
    settings: GatewaySettings | None = None,
    token: str | None = None,
    journal: Any = None,
) -> Iterator[Server]:
    """The gateway before an upstream that plays the acts; without acts, without an upstream.

    Args:
        acts: the upstream's replies, in order, or a function of what was asked.
        mending: what the gateway does.
        settings: everything else; upstream, mending and port are set here.
        token: for page and repair.
        journal: what keeps records.
    """
    given = settings or GatewaySettings()
    server = replace(given.server, host="127.0.0.1", port=0, token=token or given.server.token)
    with Loop() as loop:
        upstream = None if acts is None else Upstream(loop, acts)
        made = replace(
            given,
            upstreams=() if upstream is None else (upstream.settings,),
            mending=mending or given.mending,
            server=server,
        )
        served = loop.enter(running(made, journal=journal))
        yield Server(served.url, upstream)


def limited(**limits: Any) -> GatewaySettings:
    """Settings with other limits."""
    server = ServerSettings()
    return GatewaySettings(server=replace(server, limits=replace(server.limits, **limits)))
