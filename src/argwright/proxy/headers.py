"""Which header fields go on: all, except those that are meant for one connection (RFC 9110, 7.6.1).

Fields keep their order and their repetitions. What a body's new bytes make untrue goes only where they changed.
"""

from __future__ import annotations

from collections.abc import Collection

from multidict import CIMultiDict, MultiMapping

_HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip
_ANSWERED_HERE = frozenset({"host", "expect"})  # the address is another; the server has said 100 already
_OF_THE_BODY = frozenset({
    "content-length", "content-encoding", "content-md5", "content-digest", "digest", "etag", "accept-ranges",
})  # fmt: skip

VIA = "1.1 argwright"


def for_upstream(headers: MultiMapping[str], without: Collection[str] = ()) -> CIMultiDict[str]:
    """The fields of a request that go upstream.

    Args:
        headers: as they arrived.
        without: further names, in lower case, that do not go on.
    """
    kept = _kept(headers, _ANSWERED_HERE.union(without))
    kept.add("Via", VIA)
    return kept


def for_mended(headers: MultiMapping[str]) -> CIMultiDict[str]:
    """The fields of a request whose reply will be read: in plain bytes, please."""
    kept = for_upstream(headers, {"accept-encoding", "content-length", "content-encoding"})
    kept["Accept-Encoding"] = "identity"
    return kept


def for_client(headers: MultiMapping[str], *, rewritten: bool = False) -> CIMultiDict[str]:
    """The fields of a reply that go to the client; `rewritten`: its bytes are no longer those of the upstream."""
    return _kept(headers, _OF_THE_BODY if rewritten else frozenset())


def _kept(headers: MultiMapping[str], without: frozenset[str]) -> CIMultiDict[str]:
    dropped = _HOP_BY_HOP | without | _named_by_connection(headers)
    return CIMultiDict((name, _sendable(value)) for name, value in headers.items() if name.lower() not in dropped)


def _named_by_connection(headers: MultiMapping[str]) -> frozenset[str]:
    """What the sender itself declares to be for this connection only."""
    return frozenset(word.strip().lower() for said in headers.getall("Connection", []) for word in said.split(","))


def _sendable(value: str) -> str:
    """Bytes that are no UTF-8 arrive as half surrogate pairs, which cannot be sent; they are Latin-1 then."""
    if value.isascii():
        return value
    return value.encode("utf-8", "surrogateescape").decode("latin-1") if _broken(value) else value


def _broken(value: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in value)
