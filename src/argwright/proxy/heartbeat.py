"""Signs of life while a call is held: a client, or a balancer, that hears nothing for a minute hangs up.

A heartbeat says nothing: a comment line for OpenAI's protocols, which every reader of events passes over, and the
`ping` that Anthropic documents for its own. It stands between two events, never inside one, and only where the gateway itself
keeps the client waiting: what the upstream does not say is not made up for.
"""

from __future__ import annotations

import asyncio

from argwright.proxy.routing import Protocol

_COMMENT = b": argwright holds a call\n\n"
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
        transport: the client's connection.
        chunked: whether its body goes in chunks.

    Attributes:
        last: what was sent last.
        held: something has come since then and was not sent, or the model is asked again.
    """

    def __init__(self, seconds: float, beat: bytes, transport: asyncio.Transport, *, chunked: bool) -> None:
        self.last, self.held = b"", False
        self._seconds, self._transport = seconds, transport
        self._beat = b"%x\r\n%b\r\n" % (len(beat), beat) if chunked else beat
        self._seen, self._since = self.last, 0.0

    def look(self, now: float) -> None:
        """See what time it is."""
        if self.last is not self._seen or not self.held:
            self._seen, self._since = self.last, now
        elif now - self._since >= self._seconds and self.last.endswith(_BETWEEN):
            self._since = now
            if not (self._transport.is_closing() or self._transport.get_write_buffer_size()):
                self._transport.write(self._beat)
