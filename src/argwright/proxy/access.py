"""Who may look into the gateway: its page, its journal and `POST /v1/repair`.

With a token: as `Authorization: Bearer …`, or once as `?token=…` in a browser's address, which is answered with a
cookie and the address without it. Comparisons take the same time wherever the difference is. The cookie holds a digest,
so that the token does not lie in a browser's store.

Without a token the gateway listens on loopback only, and a name that somebody else made point to loopback (DNS
rebinding) is refused by the Host header. What goes to a model is guarded by the provider's own key, and health and
metrics by nothing.
"""

from __future__ import annotations

import hmac

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from argwright.proxy.fields import is_loopback
from argwright.proxy.gateway import refused
from argwright.proxy.refusals import Code, Refusal
from argwright.proxy.routing import OWN
from argwright.proxy.settings import ServerSettings

REPAIR = "/v1/repair"
HEALTH, READY, METRICS, OWN_METRICS = f"{OWN}/health", f"{OWN}/ready", "/metrics", f"{OWN}/metrics"

_COOKIE = "argwright"
_DAYS = 30 * 24 * 3600  # seconds: as long as the journal keeps anything
_OPEN = frozenset({HEALTH, READY})
_PUBLIC_METRICS = frozenset({METRICS, OWN_METRICS})


def guarded(path: str, settings: ServerSettings) -> bool:
    """Whether a path is the gateway's own and not for everybody."""
    if path in _PUBLIC_METRICS:
        return not settings.public_metrics
    return path not in _OPEN and (path in {REPAIR, OWN} or path.startswith(f"{OWN}/"))


def guard(settings: ServerSettings) -> Middleware:
    """The middleware that holds the door."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not guarded(request.path, settings):
            return await handler(request)
        if settings.token is None:
            return await handler(request) if _meant_here(request) else refused(_NOT_HERE)
        if _allowed(request, settings.token):
            return await handler(request)
        given = request.query.get("token")
        if given is not None and _same(given, settings.token) and request.method == "GET":
            return _with_cookie(request, settings.token)
        return refused(_NO_TOKEN)

    return middleware


_NO_TOKEN = Refusal(
    Code.UNAUTHORIZED, "a token is needed: 'Authorization: Bearer TOKEN', or open the page once with '?token=TOKEN'"
)
_NOT_HERE = Refusal(Code.UNAUTHORIZED, "without a token this is served under a loopback name only, see --token")


def _allowed(request: web.Request, token: str) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _same(given.strip(), token):
        return True
    return _same(request.cookies.get(_COOKIE, ""), _digest(token))


def _meant_here(request: web.Request) -> bool:
    host = request.headers.get("Host", "localhost")
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
    return is_loopback(name)


def _with_cookie(request: web.Request, token: str) -> web.Response:
    clean = request.rel_url.without_query_params("token")
    reply = web.Response(status=303, headers={"Location": str(clean), "Referrer-Policy": "no-referrer"})
    secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
    reply.set_cookie(
        _COOKIE, _digest(token), max_age=_DAYS, httponly=True, samesite="Strict", secure=secure or None, path="/"
    )
    return reply


def _digest(token: str) -> str:
    return hmac.digest(token.encode(), b"argwright page", "sha256").hex()


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode("utf-8", "surrogatepass"))
