"""Which proxy of the environment stands between the gateway and an upstream: as curl and the SDKs read it.

`HTTPS_PROXY`, `HTTP_PROXY`, for both `ALL_PROXY`, in capitals or not; `NO_PROXY` names hosts, domains and networks that
are reached without one. The address may hold a user and a password; without a scheme it is `http://`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network

from yarl import URL

_SCHEMES = ("http", "https")
_HOSTS = 256  # that are remembered


class Proxies:
    """The proxies that an environment names.

    Args:
        environ: the environment.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._by_scheme = {scheme: URL(address) for scheme, _, address in _named(environ)}
        without = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
        self._without = tuple(name for one in without.lower().split(",") if (name := one.strip().removeprefix("*.")))
        self._of = lru_cache(_HOSTS)(self._found)

    def of(self, url: URL) -> URL | None:
        """The proxy for an address; `None`: it is reached without."""
        return self._of(url.scheme, url.raw_host or "", url.port)

    def _found(self, scheme: str, host: str, port: int | None) -> URL | None:
        return None if any(_names(name, host, port) for name in self._without) else self._by_scheme.get(scheme)


def faults(environ: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the proxies that an environment names; no address is shown, since it may hold a password."""
    for _, name, address in _named(environ):
        try:
            url = URL(address)
            fits = url.scheme in _SCHEMES and url.host and url.port
        except ValueError:
            fits = False
        if not fits:
            yield f"{name}: the address of a proxy such as http://host:3128 was expected"


def _names(name: str, host: str, port: int | None) -> bool:
    """Whether an entry of `NO_PROXY` (`*`, a domain, a host, with a port or not, a network) names a host."""
    if "/" in name:
        try:
            return ip_address(host) in ip_network(name, strict=False)
        except ValueError:
            return False
    bare = name.removeprefix(".")
    return name == "*" or bare in {host, f"{host}:{port}", f"[{host}]", f"[{host}]:{port}"} or host.endswith(f".{bare}")


def _named(environ: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Scheme, variable and address; `HTTP_PROXY` may be a header of a request where a program runs as CGI."""
    for scheme in _SCHEMES:
        names = [f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY"]
        if "REQUEST_METHOD" in environ:
            names.remove(f"{scheme.upper()}_PROXY")
        name = next((name for name in names if environ.get(name, "").strip()), None)
        if name is not None:
            address = environ[name].strip()
            yield scheme, name, address if "://" in address else f"http://{address}"
