"""Sockets that are bound, and how a client reaches them."""

from __future__ import annotations

import socket


def listening(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A bound socket.

    Args:
        host: an address or a name.
        port: 0 lets the system choose.
        shared: other processes will bind to the same port.

    Raises:
        OSError: somebody else has it, or the address is none of this machine's.
    """
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
        0
    ]
    made = socket.socket(family, kind, proto)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(address)
        made.settimeout(0)
    except BaseException:
        made.close()
        raise
    return made


def url_of(sock: socket.socket) -> str:
    """The address under which a client on this machine reaches the socket."""
    host, port = sock.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104  # compared, not bound
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"  # noqa: S104  # as above
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
