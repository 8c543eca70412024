"""What a client sends: whether it can be passed on, and its body, as it comes or read for mending.

What is read is read no further than the limit, and no longer than the client may take.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.web_exceptions import HTTPException

from argwright.proxy.decoding import BrokenEncodingError, UnknownEncodingError, decoder
from argwright.proxy.refusals import Code, Refused
from argwright.proxy.settings import ServerLimits


@dataclass(frozen=True)
class Body:
    """A request body.

    Args:
        raw: as it arrived.
        plain: without its content coding.
    """

    raw: bytes
    plain: bytes

    @property
    def model(self) -> str | None:
        """The model that a JSON body asks for; `None` if it does not say so."""
        try:
            asked = json.loads(self.plain)
        except (ValueError, RecursionError):
            return None
        model = asked.get("model") if isinstance(asked, dict) else None
        return model if isinstance(model, str) else None


def check_supported(request: web.BaseRequest) -> None:
    """See that a request is one that can be passed on.

    Raises:
        Refused: it is not.
    """
    fields = request.headers
    if "Upgrade" in fields and _is_websocket(fields["Upgrade"], fields.get("Connection", "")):
        raise Refused(
            Code.NOT_SUPPORTED,
            "websockets are not passed through: connect to the provider itself, or use its HTTP interface here",
        )
    if request.method == "CONNECT":
        raise Refused(Code.NOT_SUPPORTED, "this is a gateway, no forward proxy: set it as the client's base URL")


def _is_websocket(upgrade: str, connection: str) -> bool:
    return "websocket" in upgrade.lower() and "upgrade" in connection.lower()


def is_json(request: web.BaseRequest) -> bool:
    """Whether a request has a body in JSON."""
    return request.can_read_body and request.content_type == "application/json"


def unread(request: web.BaseRequest, moved: Callable[[], None]) -> AsyncIterator[bytes] | None:
    """A request's body while it comes, if it has one; `moved` is called for each piece."""
    return _pieces(request, moved) if request.can_read_body else None


async def _pieces(request: web.BaseRequest, moved: Callable[[], None]) -> AsyncIterator[bytes]:
    async for piece in request.content.iter_any():
        moved()
        yield piece


async def read(request: web.BaseRequest, limits: ServerLimits) -> Body:
    """The whole body.

    Raises:
        Refused: it is too long, comes too slowly, is broken, or in a content coding that is not known.
    """
    if (request.content_length or 0) > limits.max_body:
        raise _too_large(limits)
    raw = await _received(request, limits)
    coding = request.headers.get("Content-Encoding")
    try:
        undo = decoder(coding) if coding else None
        if undo is None:
            return Body(raw, raw)
        plain = _joined(undo.feed(raw), limits)
        undo.end()
    except UnknownEncodingError as error:
        raise Refused(Code.ENCODING_UNKNOWN, str(error)) from error
    except BrokenEncodingError as error:
        raise Refused(Code.BODY_UNREADABLE, f"the body is not in its content-encoding: {error}") from error
    return Body(raw, plain)


async def _received(request: web.BaseRequest, limits: ServerLimits) -> bytes:
    if request.content.is_eof() and request.content.exception() is None:  # all of it came with the head
        whole = request.content.read_nowait()
        if len(whole) > limits.max_body:
            raise _too_large(limits)
        return whole
    loop = asyncio.get_running_loop()
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.client_idle or None) as clock:
            while piece := await request.content.readany():
                size += len(piece)
                if size > limits.max_body:
                    raise _too_large(limits)
                parts.append(piece)
                if limits.client_idle:
                    clock.reschedule(loop.time() + limits.client_idle)
    except TimeoutError:
        raise Refused(Code.TOO_SLOW, f"no byte of the request for {limits.client_idle:g} s") from None
    except (web.RequestPayloadError, HTTPException, ValueError) as error:
        raise Refused(Code.BODY_UNREADABLE, "the request's body is no HTTP") from error
    return b"".join(parts)


def _joined(pieces: Iterable[bytes], limits: ServerLimits) -> bytes:
    made = bytearray()
    for piece in pieces:
        made += piece
        if len(made) > limits.max_body:
            raise _too_large(limits)
    return bytes(made)


def _too_large(limits: ServerLimits) -> Refused:
    return Refused(Code.TOO_LARGE, f"the request's body exceeds {limits.max_body} bytes")
