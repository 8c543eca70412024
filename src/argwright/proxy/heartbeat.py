"""Signs of life of a stream that is mended: a client, or a balancer, that hears nothing for a minute hangs up.

A call is held until it is whole, and may be asked for again; that takes as long as the model does. Where nothing is
held the client hears what there is, and a model that says nothing is as silent as it would be without the gateway.

A heartbeat says nothing: a comment line for OpenAI's protocols, which every reader of events passes over, and the
`ping` that Anthropic documents for its own. It stands between two events, never inside one.
"""

from __future__ import annotations

import asyncio

from argwright.proxy.routing import Protocol

_COMMENT = b": argwright waits\n\n"
BEATS: dict[Protocol, bytes] = {
    "openai-chat": _COMMENT,
    "openai-responses": _COMMENT,
    "anthropic": b'event: ping\ndata: {"type": "ping"}\n\n',
}
_BETWEEN = (b"\n\n", b"\r\n\r\n", b"\r\r")  # how an event ends


class Heart:
    """The heartbeat of one stream.

    Args:
        seconds: how long the client may hear nothing.
        beat: what it hears then.
        transport: the client's connection; `None`: it is gone.
        chunked: whether its body goes in chunks.
    """

    def __init__(self, seconds: float, beat: bytes, transport: asyncio.Transport | None, *, chunked: bool) -> None:
        self._seconds, self._transport = seconds, transport
        self._beat = b"%x\r\n%b\r\n" % (len(beat), beat) if chunked else beat
        self._seen, self._since = b"", 0.0

    def look(self, now: float, last: bytes, *, holds: bool) -> None:
        """See what time it is, what was sent last, and whether more has come that is held."""
        if last is not self._seen:
            self._seen, self._since = last, now
        elif holds and now - self._since >= self._seconds and last.endswith(_BETWEEN):
            self._since = now
            to = self._transport
            if to is not None and not (to.is_closing() or to.get_write_buffer_size()):
                to.write(self._beat)
