"""The gateway as an aiohttp application: what stands under which path, and what lives as long as it.

    POST /v1/repair                 one call in, the valid call or the reason out
    /_argwright/                    the page, and its data
    /_argwright/health, …/ready     for whoever starts and balances processes
    /metrics, /_argwright/metrics   for Prometheus
    everything else                 to a model, by `gateway`

The application must be served with `auto_decompress=False` and `handler_cancellation=True`, as `serving` does: bodies
pass through as they are, and a client that goes away ends its request.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web
from aiohttp.typedefs import Handler

import argwright
from argwright.model import Outcome
from argwright.proxy import access, dashboard, metrics, repair
from argwright.proxy.endings import refused
from argwright.proxy.gateway import Gateway
from argwright.proxy.journal import Journal
from argwright.proxy.metrics import Memory, Metrics, Store
from argwright.proxy.outward import Proxies
from argwright.proxy.refusals import Code, Refusal
from argwright.proxy.repaired import record_of
from argwright.proxy.routing import OWN
from argwright.proxy.settings import GatewaySettings
from argwright.proxy.upstream import Upstream
from argwright.proxy.watching import Alerts, Board, MemoryBoard, Watch
from argwright.proxy.webhook import Webhook

if TYPE_CHECKING:  # need an extra
    from argwright.monitor.telemetry import Telemetry
    from argwright.proxy.tracing import Tracing

GATEWAY = web.AppKey("GATEWAY", Gateway)
WATCH = web.AppKey("WATCH", Watch)
JOURNAL: web.AppKey[Journal | None] = web.AppKey("JOURNAL")

_METHODS = {access.REPAIR: "POST", access.METRICS: "GET, HEAD"}
"""The gateway's own among the paths of providers, and what may be asked there."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What an application is made of besides its settings; whoever made a part closes it.

    Args:
        journal: what keeps records; `None`: nothing does.
        store: where counters are kept.
        board: where alerts are shown.
        environ: the environment; `None`: the process's own.
        tracer_provider: where spans go, if the settings want them; `None`: the process's own.
    """

    journal: Journal | None = None
    store: Store = field(default_factory=Memory)
    board: Board = field(default_factory=MemoryBoard)
    environ: Mapping[str, str] | None = None
    tracer_provider: Any = None


def create_app(settings: GatewaySettings, parts: Parts | None = None) -> web.Application:
    """The application of one worker; by default everything is kept in this process, and nothing in a file."""
    parts = parts or Parts()
    counters = Metrics(parts.store, argwright.__version__)
    address = settings.monitor.alert_webhook
    webhook = Webhook(address, counters.posted) if address else None
    tell = [counters.alert, *([webhook.offer] if webhook else [])]
    alerts = Alerts(settings.monitor.alert_after, parts.board, tell)
    telemetry, tracing = _telemetry(parts) if settings.monitor.telemetry else (None, None)
    watch = Watch(counters, alerts, parts.journal, telemetry)
    environ = os.environ if parts.environ is None else parts.environ
    upstream = Upstream(settings.server.limits, Proxies(environ) if settings.server.proxy_from_env else None)

    async def open_for_life(_app: web.Application) -> AsyncIterator[None]:
        async with upstream:
            if webhook is None:
                yield
                return
            async with webhook:
                yield

    app = web.Application(middlewares=[access.guard(settings.server)])
    app.cleanup_ctx.append(open_for_life)
    app[GATEWAY], app[WATCH], app[JOURNAL] = Gateway(settings, upstream, watch, tracing), watch, parts.journal
    _add_own(app, settings, watch)
    dashboard.setup(app, _shown(settings, parts, alerts))
    app.router.add_route("*", f"{OWN}/{{rest:.*}}", _nothing_here)
    app.router.add_route("*", "/{rest:.*}", app[GATEWAY].handle if settings.upstreams else _none)
    return app


def _add_own(app: web.Application, settings: GatewaySettings, watch: Watch) -> None:
    def told(question: repair.Question, outcome: Outcome) -> None:
        watch.calls([record_of(question, outcome)])

    router = app.router
    router.add_get(access.HEALTH, _health)
    router.add_get(access.READY, _ready)
    router.add_get(access.METRICS, _metrics)
    router.add_get(access.OWN_METRICS, _metrics)
    router.add_post(access.REPAIR, repair.handler(settings.mending, watch=told))
    for path, methods in _METHODS.items():
        router.add_route("*", path, _other_method(methods))


def _shown(settings: GatewaySettings, parts: Parts, alerts: Alerts) -> dashboard.Sources:
    return dashboard.Sources(
        version=argwright.__version__,
        journal=parts.journal,
        mending=settings.mending,
        alerts=alerts.recent,
        upstreams=tuple(one.name for one in settings.upstreams),
    )


async def _health(request: web.Request) -> web.Response:
    """The process lives and its loop turns; a journal that stopped is told, but the traffic goes on without it."""
    journal = request.app[JOURNAL]
    kept = {} if journal is None else {"journal": journal.state.phase}
    return web.json_response({"status": "ok", "version": argwright.__version__, **kept})


async def _ready(request: web.Request) -> web.Response:
    """Whether new requests should come here."""
    draining = request.app[GATEWAY].draining
    return web.json_response({"status": "draining" if draining else "ready"}, status=503 if draining else 200)


async def _metrics(request: web.Request) -> web.Response:
    watch = request.app[WATCH]
    journal = request.app[JOURNAL]
    if journal is not None:
        watch.metrics.dropped(journal.state.dropped, stopped=journal.state.phase == "stopped")
    return web.Response(body=watch.metrics.text().encode(), headers={"Content-Type": metrics.CONTENT_TYPE})


async def _nothing_here(request: web.Request) -> web.Response:
    return refused(Refusal(Code.NOT_FOUND, f"there is nothing at {request.path!r}"))


def _other_method(methods: str) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        told = f"{request.path!r} is the gateway's own, and takes {methods}, not {request.method}"
        return refused(Refusal(Code.METHOD, told), more={"Allow": methods})

    return handle


async def _none(request: web.Request) -> web.Response:
    return refused(
        Refusal(Code.NO_UPSTREAM, f"there is nothing at {request.path!r}: the gateway was started without an upstream")
    )


def _telemetry(parts: Parts) -> tuple[Telemetry, Tracing]:
    """OpenTelemetry's instruments.

    Raises:
        ImportError: it is not installed.
    """
    from argwright.monitor.telemetry import Telemetry  # noqa: PLC0415  # an extra
    from argwright.proxy.tracing import Tracing  # noqa: PLC0415  # as above

    return Telemetry(parts.tracer_provider, None, content=False), Tracing(parts.tracer_provider)
