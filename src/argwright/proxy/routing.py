"""Where a request goes: which of the upstreams, under which address, and in which protocol it is mended.

Pure functions of paths and settings. The gateway answers under `/v1`, as providers do; an upstream's `url` is a
provider's base. A base that names a version (`/v1`, `/api/paas/v4`, `/v1beta/openai`) stands for the `/v1` of the
request; to any other base (`http://host`, `https://host/anthropic`) the whole path is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from yarl import URL

from argwright.proxy.settings import UpstreamSettings

Protocol = Literal["openai-chat", "openai-responses", "anthropic"]

OWN = "/_argwright"
"""Where the gateway's own pages stand; no request under it is passed on."""

_ENDINGS: tuple[tuple[re.Pattern[str], Protocol], ...] = (
    (re.compile(r"/chat/completions/?\Z"), "openai-chat"),  # also behind the name of a deployment
    (re.compile(r"(\A|/v\d\w*|/openai)/+responses/?\Z"), "openai-responses"),
    (re.compile(r"(\A|/v\d\w*|/anthropic)/+messages/?\Z"), "anthropic"),  # not those of a thread
)
_PATHS = 256  # that are remembered: clients use a handful
_VERSIONED = re.compile(r"/v\d\w*(/|\Z)")
_VERSION = "/v1"


@lru_cache(_PATHS)
def protocol_of(method: str, path: str) -> Protocol | None:
    """The protocol of a request whose reply is mended; `None` for everything that passes through."""
    if method != "POST":
        return None
    return next((protocol for pattern, protocol in _ENDINGS if pattern.search(path)), None)


def candidates(upstreams: Sequence[UpstreamSettings], path: str) -> tuple[UpstreamSettings, ...]:
    """The upstreams whose prefix the path has; if several are nested, those of the longest."""
    fitting = [one for one in upstreams if _has(path, one.prefix)]
    longest = max((len(one.prefix) for one in fitting), default=0)
    return tuple(one for one in fitting if len(one.prefix) == longest)


def by_model(upstreams: Sequence[UpstreamSettings]) -> bool:
    """Whether the model's name decides among them, so that the request has to be read first."""
    return any(one.models for one in upstreams)


def choose(upstreams: Sequence[UpstreamSettings], model: str | None) -> UpstreamSettings | None:
    """The upstream for a model: the first that names it, else the first that names none.

    A request that says no model goes to the first that names none, else to the first of all. `None`: no upstream is
    meant for the model.
    """
    named = [one for one in upstreams if model is not None and any(fnmatchcase(model, p) for p in one.models)]
    open_to_all = [one for one in upstreams if not one.models]
    last = list(upstreams) if model is None else []
    return next(iter([*named, *open_to_all, *last]), None)


def address(upstream: UpstreamSettings, path: str, query: str = "") -> str:
    """The upstream's address for a request.

    Args:
        upstream: where it goes.
        path: the path as it arrived, percent-encoded.
        query: the query as it arrived, without the question mark.
    """
    base, _, fixed = upstream.url.partition("?")
    base = base.rstrip("/")
    rest = _without(path, upstream.prefix)
    if _VERSIONED.search(urlsplit(base).path):
        rest = _without(rest, _VERSION)
    asked = "&".join(part for part in (fixed, query) if part)
    return f"{base}{rest}" + (f"?{asked}" if asked else "")


class Fitting(NamedTuple):
    """The upstreams that a path may go to: whether the model decides among them, and which it is without a model."""

    upstreams: tuple[UpstreamSettings, ...]
    by_model: bool
    unasked: UpstreamSettings | None


class Routes:
    """What a path comes to with the upstreams of a gateway; the paths that are in use are remembered.

    Args:
        upstreams: in the order in which they are asked for a request.
    """

    def __init__(self, upstreams: Sequence[UpstreamSettings]) -> None:
        self._upstreams = {id(one): one for one in upstreams}
        self.fitting = lru_cache(_PATHS)(self._fitting)
        self._address = lru_cache(_PATHS)(self._addressed)

    def _fitting(self, path: str) -> Fitting:
        found = candidates(tuple(self._upstreams.values()), path)
        return Fitting(found, by_model(found), choose(found, None))

    def address(self, upstream: UpstreamSettings, path: str, query: str) -> URL:
        """The upstream's address for a request."""
        return self._address(id(upstream), path, query)

    def _addressed(self, upstream: int, path: str, query: str) -> URL:
        return URL(address(self._upstreams[upstream], path, query), encoded=True)


def _has(path: str, prefix: str) -> bool:
    return not prefix or path == prefix or path.startswith(f"{prefix}/")


def _without(path: str, prefix: str) -> str:
    """A path without a beginning that it has, in whatever way it is percent-encoded."""
    ends = (at for at in (*_slashes(path), len(path)) if _has(unquote(path[:at]), prefix))
    return path[next(ends, 0) :] if prefix else path


def _slashes(path: str) -> Iterator[int]:
    return (at for at, sign in enumerate(path) if sign == "/")
