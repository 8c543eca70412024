"""What a client gets that is not answered: a refusal in the form that its SDK understands, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from argwright.proxy import refusals, routing
from argwright.proxy.job import Job
from argwright.proxy.refusals import Refusal


def hung_up(job: Job) -> web.StreamResponse:
    """What aiohttp gets for a client that is gone, of which it then makes no error; nothing of it can be sent."""
    if job.request.transport is not None:
        job.request.transport.abort()
    return job.begun or web.Response()


def refused(
    refusal: Refusal, protocol: routing.Protocol | None = None, more: Mapping[str, str] | None = None
) -> web.Response:
    """A refusal as a response."""
    fields = {**refusals.headers(refusal), "Server": "argwright", **(more or {})}
    return web.Response(status=refusal.status, body=refusals.body(refusal, protocol), headers=fields)


def spoken(request: web.BaseRequest) -> routing.Protocol | None:
    """Whose form an error takes where the path does not tell."""
    return "anthropic" if "anthropic-version" in request.headers else None
