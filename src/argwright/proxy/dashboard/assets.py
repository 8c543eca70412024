"""The page's files, read once, with the headers that keep everything else out.

`default-src 'none'` and only files of this origin; no inline script or style, no frame around it, and Trusted Types, so
that a script of ours that wrote markup would not work at all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from aiohttp import web

_SOURCES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
POLICY = "; ".join(f"{directive} {value}" for directive, value in _SOURCES.items())
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Asset:
    """One file.

    Args:
        data: its bytes.
        kind: its media type.
        tag: what changes when it changes.
    """

    data: bytes
    kind: str
    tag: str

    def response(self, request: web.Request, status: int = 200) -> web.Response:
        """The file, or that it has not changed."""
        headers = {**HEADERS, "ETag": f'"{self.tag}"'}
        if status == 200 and any(tag.value == self.tag for tag in request.if_none_match or ()):  # noqa: PLR2004  # found
            return web.Response(status=304, headers=headers)
        return web.Response(body=self.data, status=status, content_type=self.kind, charset="utf-8", headers=headers)


def sign_in_page(request: web.Request) -> web.Response:
    """The form that asks for the token; it is not the page, so its status says so."""
    return assets()["sign-in.html"].response(request, status=401)


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """The files by name."""
    found: dict[str, Asset] = {}
    for file in files("argwright.proxy.dashboard").joinpath("static").iterdir():
        kind = _KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            data = file.read_bytes()
            found[file.name] = Asset(data, kind, hashlib.sha256(data).hexdigest()[:20])
    return found
