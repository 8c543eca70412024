"""What the HTTP server itself refuses, said as the gateway says it.

aiohttp answers a request that it cannot read in plain text, and logs it with the line that it stumbled over, which may
hold a key, and with the client's address. Here it is one of the gateway's refusals, and nothing of it is logged.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

from aiohttp import web

from argwright.proxy.endings import refused, spoken
from argwright.proxy.refusals import Code, Refusal

_log = logging.getLogger("argwright.gateway")

_UNREADABLE = Refusal(Code.BODY_UNREADABLE, "the request is no HTTP, or not of the form that RFC 9112 asks for")
_FAILED = Refusal(Code.INTERNAL, "the gateway failed; its log says where")
_UNKNOWN = Refusal(Code.EXPECTATION, "nothing but 100-continue can be expected here")


class _Connection(web.RequestHandler):
    """One client's connection."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  # quotes what was sent
    ) -> web.StreamResponse:
        """The answer where there is no handler, or where it failed."""
        ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if ours:
            _log.error("a request failed", exc_info=exc)
        else:
            _log.info("a request could not be read (%s)", type(exc).__name__)
        if request.writer.output_size:
            raise ConnectionError("the reply has begun")
        reply = refused(_FAILED if ours else _UNREADABLE, spoken(request))
        reply.force_close()
        return reply


class _Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        return _Connection(self, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """Runs an application; its server refuses as the gateway does."""

    __slots__ = ()

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        made.__class__ = _Server  # an application makes no other one
        return made


def is_expected(request: web.BaseRequest) -> bool:
    """Whether what a request expects before it sends its body is known."""
    return request.headers.get("Expect", "").lower() == "100-continue"


async def unexpected(request: web.BaseRequest) -> web.StreamResponse:
    """The answer where it is not."""
    return refused(_UNKNOWN, spoken(request))
