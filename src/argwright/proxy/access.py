"""Who may look into the gateway: its page, its journal and `POST /v1/repair`.

With a token: as `Authorization: Bearer …`, by the form that a browser gets in place of the page, or once as `?token=…`
in its address; the last two are answered with a cookie and an address without it. Comparisons take the same time
wherever the difference is. The cookie holds a digest, so that the token does not lie in a browser's store.

Without a token the gateway listens on loopback only, and a name that somebody else made point to loopback (DNS
rebinding) is refused by the Host header. Pages of other sites may send nothing in either case. What goes to a model is
guarded by the provider's own key, and health and metrics by nothing.
"""

from __future__ import annotations

import hmac

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from argwright.proxy.dashboard.assets import sign_in_page
from argwright.proxy.endings import refused
from argwright.proxy.fields import is_loopback
from argwright.proxy.refusals import Code, Refusal
from argwright.proxy.routing import OWN
from argwright.proxy.settings import ServerSettings

REPAIR = "/v1/repair"
SIGN_IN = f"{OWN}/sign-in"
HEALTH, READY, METRICS, OWN_METRICS = f"{OWN}/health", f"{OWN}/ready", "/metrics", f"{OWN}/metrics"

_COOKIE = "argwright"
_DAYS = 30 * 24 * 3600  # seconds: as long as the journal keeps anything
_LONGEST = 4096  # bytes of the form; tokens are short
_OPEN = frozenset({HEALTH, READY})
_FILES = f"{OWN}/static/"  # of the package, the same for everybody; the form needs some of them
_PUBLIC_METRICS = frozenset({METRICS, OWN_METRICS})


def is_own(path: str) -> bool:
    """Whether something of the gateway's own stands under a path."""
    return path.startswith(OWN) or path in {REPAIR, METRICS}


def guarded(path: str, settings: ServerSettings) -> bool:
    """Whether a path is the gateway's own and not for everybody."""
    if path in _PUBLIC_METRICS:
        return not settings.public_metrics
    if path in _OPEN or path.startswith(_FILES):
        return False
    return path in {REPAIR, OWN} or path.startswith(f"{OWN}/")


def guard(settings: ServerSettings) -> Middleware:
    """The middleware that holds the door."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not guarded(request.path, settings):
            return await handler(request)
        if _is_from_elsewhere(request):
            return refused(_FOREIGN)
        if settings.token is None:
            return await handler(request) if _meant_here(request) else refused(_NOT_HERE)
        if _allowed(request, settings.token):
            return await handler(request)
        given = request.query.get("token")
        if given is not None and _same(given, settings.token) and request.method == "GET":
            return _with_cookie(request, settings.token, str(request.rel_url.without_query_params("token")))
        if request.path == SIGN_IN and request.method == "POST":
            return await _signed_in(request, settings.token)
        return sign_in_page(request) if _is_browser(request) else refused(_NO_TOKEN)

    return middleware


_NO_TOKEN = Refusal(
    Code.UNAUTHORIZED, "a token is needed: 'Authorization: Bearer TOKEN', or open the page once with '?token=TOKEN'"
)
_FOREIGN = Refusal(Code.UNAUTHORIZED, "a page of another site may not ask this")
_NOT_HERE = Refusal(Code.UNAUTHORIZED, "without a token this is served under a loopback name only, see --token")


def _allowed(request: web.Request, token: str) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _same(given.strip(), token):
        return True
    return _same(request.cookies.get(_COOKIE, ""), _digest(token))


def _is_from_elsewhere(request: web.Request) -> bool:
    """Whether a browser sends this for another site's page, which could not read the answer, but fill the journal."""
    return request.method == "POST" and request.headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}


def _meant_here(request: web.Request) -> bool:
    host = request.headers.get("Host", "localhost")
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
    return is_loopback(name)


def _is_browser(request: web.Request) -> bool:
    """Whether a person asks for the page."""
    wants = "text/html" in request.headers.get("Accept", "")
    return wants and request.method == "GET" and request.path in {OWN, f"{OWN}/", SIGN_IN}


async def _signed_in(request: web.Request, token: str) -> web.StreamResponse:
    """The answer to the form: the page, or the form again."""
    if (request.content_length or _LONGEST + 1) > _LONGEST:
        return refused(_NO_TOKEN)
    given = (await request.post()).get("token")
    if isinstance(given, str) and _same(given.strip(), token):
        return _with_cookie(request, token, f"{OWN}/")
    return sign_in_page(request)


def _with_cookie(request: web.Request, token: str, address: str) -> web.Response:
    reply = web.Response(status=303, headers={"Location": address, "Referrer-Policy": "no-referrer"})
    secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
    reply.set_cookie(
        _COOKIE, _digest(token), max_age=_DAYS, httponly=True, samesite="Strict", secure=secure or None, path="/"
    )
    return reply


def _digest(token: str) -> str:
    return hmac.digest(token.encode(), b"argwright page", "sha256").hex()


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode("utf-8", "surrogatepass"))
