"""A reply that the provider keeps, and that a client fetches: its calls are looked at as when it was made.

OpenAI Responses repeats the declared tools in its replies, so that nothing else has to be known; where it does not,
calls have to be JSON objects, and no more is asked. The model is not asked again: a refused call is an error, or passes
with a note. What is no such reply passes as it came.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from argwright.proxy import headers
from argwright.proxy.aside import aside
from argwright.proxy.exchange import Exchange, Reply
from argwright.proxy.exchange.frames import encoded
from argwright.proxy.exchange.lossless import loads
from argwright.proxy.settings import GatewaySettings, Mending
from argwright.wire.plain import objects

if TYPE_CHECKING:  # only said
    from aiohttp import web
    from multidict import CIMultiDict

    from argwright.proxy.job import Job
    from argwright.proxy.upstream import Answer

_FORM = "openai-responses"
_ASKED = ("model", "tool_choice", "text", "store")
"""Members of a reply that say what was asked."""
_PATHS = {
    "GET": re.compile(r"(\A|/v\d\w*|/openai)/+responses/+[^/]+/?\Z"),
    "POST": re.compile(r"(\A|/v\d\w*|/openai)/+responses/+[^/]+/+cancel/?\Z"),
}
_KEPT = 256  # paths that are remembered


@lru_cache(_KEPT)
def fetches(method: str, path: str) -> bool:
    """Whether a request fetches a reply."""
    pattern = _PATHS.get(method)
    return pattern is not None and pattern.search(path) is not None


def asked(request: web.BaseRequest) -> tuple[bool, CIMultiDict[str]]:
    """Whether a request that passes through fetches a reply, and its header fields: in plain bytes, please."""
    fields, found = headers.for_upstream(request.headers), fetches(request.method, request.path)
    if found:
        fields["Accept-Encoding"] = "identity"
    return found, fields


async def mended(job: Job, answer: Answer, settings: GatewaySettings) -> Reply:
    """The answer for the client."""
    answer.read_plain()
    body = await answer.whole(settings.server.limits.max_reply, job.move)
    return await aside(len(body), lambda: reply(body, settings.mending, request_id=job.id, upstream=job.upstream))


def reply(body: bytes, mending: Mending, *, request_id: str, upstream: str) -> Reply:
    """A body for the client.

    Args:
        body: the provider's.
        mending: what is done about calls.
        request_id: names the request.
        upstream: the upstream's name.
    """
    try:
        said = loads(body)
    except (ValueError, RecursionError):
        return Reply(body)
    if not isinstance(said, dict) or not isinstance(said.get("output"), list):
        return Reply(body)
    called = [{"type": "called", "name": item.get("name")} for item in objects(said["output"])]
    tools = objects(said.get("tools")) or called
    request = encoded({**{name: said[name] for name in _ASKED if name in said}, "tools": tools})
    alone = replace(mending, retries=0, on_stall="count")
    made = Exchange(_FORM, request, alone, request_id=request_id, upstream=upstream, now=time.time).whole(body)
    return made if isinstance(made, Reply) else Reply(body)
