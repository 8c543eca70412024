"""The page's handlers, and where they stand. They move values: what is shown is shaped elsewhere.

/_argwright/                      the page; /_argwright/static/… its files
/_argwright/api/state             version, journal, alerts
/_argwright/api/rates?hours=…     how many calls came out how, over time and by facet
/_argwright/api/calls?hours=…     faulty calls, the newest first
/_argwright/api/calls/ID          one of them
/_argwright/api/rules             every rule with an example
/_argwright/api/repair            the playground
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from argwright.monitor import Alert
from argwright.proxy.dashboard import asking, showing
from argwright.proxy.dashboard.assets import HEADERS, assets
from argwright.proxy.dashboard.rule_list import rule_list
from argwright.proxy.journal import Journal
from argwright.proxy.journal.journal import UnreadableError
from argwright.proxy.journal.state import OFF, JournalState
from argwright.proxy.refusals import Refused
from argwright.proxy.repair import MAX_BODY, BadRequestError, as_json, aside, received, refused, resolved
from argwright.proxy.routing import OWN
from argwright.proxy.settings import Mending

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_MAX_ID = 2**62


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What the page is told from.

    Args:
        version: argwright's.
        journal: what keeps the calls; `None`: nothing does.
        mending: what the configuration says of tools, for the playground.
        alerts: the last ones, newest first.
        upstreams: names of the providers; none: only repair is served.
        now: the clock.
    """

    version: str
    journal: Journal | None = None
    mending: Mending = field(default_factory=Mending)
    alerts: Callable[[], Iterable[Alert]] = tuple
    upstreams: tuple[str, ...] = ()
    now: Callable[[], float] = time.time


def setup(app: web.Application, sources: Sources) -> None:
    """Put the page into an application, before any route that takes everything."""
    page = _Page(sources)
    add = app.router.add_get
    add(OWN, _to_the_page)
    add(f"{OWN}/", _index)
    add(f"{OWN}/static/{{name}}", _static)
    add(f"{OWN}/api/state", _answered(page.state))
    add(f"{OWN}/api/rates", _answered(page.rates))
    add(f"{OWN}/api/calls", _answered(page.calls))
    add(f"{OWN}/api/calls/{{id}}", _answered(page.call))
    add(f"{OWN}/api/rules", _answered(page.rules))
    app.router.add_post(f"{OWN}/api/repair", _answered(page.repair))


async def _to_the_page(_request: web.Request) -> web.Response:
    return web.Response(status=308, headers={"Location": f"{OWN}/"})


async def _index(request: web.Request) -> web.Response:
    return assets()["index.html"].response(request)


async def _static(request: web.Request) -> web.Response:
    asset = assets().get(request.match_info["name"])
    if asset is None:
        return _as_json({"error": {"type": "not_found", "message": "no such file"}}, 404)
    return asset.response(request)


class _Page:
    """What the page asks for, each as JSON data."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def state(self, _request: web.Request) -> Any:
        """How the gateway and its journal are."""
        sources = self._sources
        state = JournalState(mode="off", phase="off") if sources.journal is None else sources.journal.state
        alerts = [alert.to_dict() | {"first": alert.first.timestamp()} for alert in sources.alerts()]
        return {
            "version": sources.version,
            "now": sources.now(),
            "journal": state.to_dict(),
            "upstreams": sources.upstreams,
            "alerts": alerts,
        }

    async def rates(self, request: web.Request) -> Any:
        """How many calls came out how."""
        now = self._sources.now()
        wanted, step = asking.wanted(request.query, now), asking.step(asking.hours(request.query))
        found = await asyncio.to_thread(self._journal().rates, wanted, step=step)
        return {**found, "since": wanted.since, "until": now}

    async def calls(self, request: web.Request) -> Any:
        """Faulty calls."""
        wanted = asking.wanted(request.query, self._sources.now())
        before = asking.whole(request.query, "before", _MAX_ID, _MAX_ID)
        limit = asking.whole(request.query, "limit", 25, 100)
        return await asyncio.to_thread(self._journal().recent, wanted, before=before, limit=limit)

    async def call(self, request: web.Request) -> Any:
        """One call."""
        number = asking.whole(request.match_info, "id", 0, _MAX_ID)
        return await asyncio.to_thread(self._shown, number)

    def _shown(self, number: int) -> Any:
        call = self._journal().call(number)
        if call is None:
            raise _GoneError(f"there is no call {number}, or it has left the journal")
        return showing.kept_call(call)

    async def rules(self, _request: web.Request) -> Any:
        """Every rule with an example."""
        return rule_list()

    async def repair(self, request: web.Request) -> Any:
        """What becomes of a text; nothing is kept of it."""
        data = await received(request, MAX_BODY)

        def work() -> Any:
            question, outcome = resolved(data, self._sources.mending)
            return showing.played(question, outcome)

        return await aside(len(data), work)

    def _journal(self) -> Journal:
        if self._sources.journal is None:
            raise UnreadableError(OFF)
        return self._sources.journal


class _GoneError(LookupError):
    """There is no such thing, or no longer."""


def _answered(question: Callable[[web.Request], Awaitable[Any]]) -> Handler:
    """The handler of a question: its answer as JSON, or why there is none."""

    async def handle(request: web.Request) -> web.Response:
        try:
            return _as_json(await question(request))
        except BadRequestError as error:
            return _as_json(error.to_dict(), 400)
        except Refused as error:
            return refused(error)
        except UnreadableError as error:
            told = {"type": "journal_unreadable", "cause": error.trouble.cause, "message": error.trouble.reason}
            return _as_json({"error": told}, 503)
        except _GoneError as error:
            return _as_json({"error": {"type": "not_found", "message": str(error)}}, 404)

    return handle


def _as_json(value: Any, status: int = 200) -> web.Response:
    response = as_json(value, status=status)
    response.headers.update({**HEADERS, "Cache-Control": "no-store"})
    return response
