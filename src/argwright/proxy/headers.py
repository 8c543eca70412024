"""Which header fields go on: all, except those that are meant for one connection (RFC 9110, 7.6.1).

Fields keep their order and their repetitions. What a body's new bytes make untrue goes only where they changed.
"""

from __future__ import annotations

from multidict import CIMultiDict, MultiMapping

_HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip
_OF_THE_BODY = frozenset({
    "content-length", "content-encoding", "content-md5", "content-digest", "digest", "etag", "accept-ranges",
})  # fmt: skip
_NOT_UPSTREAM = _HOP_BY_HOP | {"host", "expect"}  # the address is another; the server has said 100 already
_NOT_MENDED = _NOT_UPSTREAM | {"accept-encoding", "content-length", "content-encoding"}
_TRUE_OF_ITS_BYTES = frozenset({"content-md5", "content-digest", "repr-digest", "digest"})
_NAMES_A_REQUEST = frozenset({"idempotency-key", "x-idempotency-key"})  # another body under one of them is refused
_NOT_REWRITTEN = _HOP_BY_HOP | _OF_THE_BODY
_NAME_NOTHING = (["keep-alive"], ["Keep-Alive"], ["close"])  # what nearly all say of their connection

VIA = "1.1 argwright"


def for_upstream(headers: MultiMapping[str]) -> CIMultiDict[str]:
    """The fields of a request that go upstream."""
    kept = _kept(headers, _NOT_UPSTREAM)
    kept.add("Via", VIA)
    return kept


def for_mended(headers: MultiMapping[str], *, own: bool = True, again: bool = False) -> CIMultiDict[str]:
    """The fields of a request whose reply will be read: in plain bytes, please.

    Args:
        headers: the client's.
        own: the body has the bytes that the client sent.
        again: it is another request, which goes on with the client's.
    """
    without = _NOT_MENDED if own else _NOT_MENDED | _TRUE_OF_ITS_BYTES
    kept = _kept(headers, without | _NAMES_A_REQUEST if again else without)
    kept.add("Via", VIA)
    kept.add("Accept-Encoding", "identity")
    return kept


def for_client(headers: MultiMapping[str], *, rewritten: bool = False) -> CIMultiDict[str]:
    """The fields of a reply that go to the client; `rewritten`: its bytes are no longer those of the upstream."""
    return _kept(headers, _NOT_REWRITTEN if rewritten else _HOP_BY_HOP)


def _kept(headers: MultiMapping[str], without: frozenset[str]) -> CIMultiDict[str]:
    said = headers.getall("Connection", None)
    if said is not None and said not in _NAME_NOTHING:
        without |= {word.strip().lower() for one in said for word in one.split(",")}
    kept = [field for field in headers.items() if field[0].lower() not in without]
    if not "".join([value for _, value in kept]).isascii():
        kept = [(name, _sendable(value)) for name, value in kept]
    return CIMultiDict(kept)


def _sendable(value: str) -> str:
    """Bytes that are no UTF-8 arrive as half surrogate pairs, which cannot be sent; they are Latin-1 then."""
    broken = any("\udc80" <= character <= "\udcff" for character in value)
    return value.encode("utf-8", "surrogateescape").decode("latin-1") if broken else value
