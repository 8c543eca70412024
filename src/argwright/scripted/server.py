"""`ScriptedServer`: a provider's HTTP interface on loopback that says what a script says.

    with ScriptedServer([turn, Raw({"error": {"message": "busy"}}, status=503), turn]) as server:
        client = openai.OpenAI(base_url=server.url, api_key="-")

Each request takes the next reply of the script: what the model says, as data (see
`saying`), sent in the form and manner that the request asks for (by its path, and by
`stream`); a `Raw` reply, sent as it is; or a function of the `Request` that gives one of
these. A request that one of `refuses` does not take gets its refusal, and the script
waits. What was asked is kept in `server.requests`. There is no clock and no chance in it. OpenAI's paths stand under
`/v1`, Anthropic's client adds that itself: hand it `server.root`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

from argwright.model import Turn, Value, compact
from argwright.scripted.rendering import Event, body, events
from argwright.scripted.saying import Said, said

_PATHS = {
    "/v1/chat/completions": "openai-chat",
    "/v1/responses": "openai-responses",
    "/v1/messages": "anthropic",
}
_TIMEOUT = 10  # seconds that one read from a client may take, so that a test that fails does not hang


@dataclass(frozen=True, kw_only=True)
class Request(Value):
    """What a client asked.

    Args:
        path: the path, without a query.
        form: the format it speaks; `None` for a path that is none.
        body: the JSON of the request.
        headers: by lower-case name.
    """

    path: str
    form: str | None
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw(Value):
    """A reply to be sent as it is.

    Args:
        content: JSON data; bytes; or a list of events, each its data or a pair of name and data, sent as SSE.
        status: the HTTP status.
        cut: the connection is closed in the middle: the reply never says that it is over.
    """

    content: Any
    status: int = 200
    cut: bool = False


Reply: TypeAlias = "Said | Raw | Callable[[Request], Said | Raw]"
Refuses: TypeAlias = Callable[[Request], Raw | None]
"""The refusal of a request; `None` for one that is taken."""


class ScriptedServer:
    """A server on loopback; it runs as long as the `with` block.

    Args:
        script: the replies in order; a request beyond the last one gets status 500, and says so.
        piece: characters of text or arguments in one event of a stream.
        refuses: what the server does not take, such as `deepseek` and `history_checked`.

    Attributes:
        requests: what was asked, in order.
    """

    def __init__(self, script: Iterable[Reply], *, piece: int = 4, refuses: Iterable[Refuses] = ()) -> None:
        self.requests: list[Request] = []
        self._script = iter(script)
        self._piece = piece
        self._refuses = tuple(refuses)
        self._replied = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def root(self) -> str:
        """The address without a path: what Anthropic's client wants."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address with `/v1`: what OpenAI's client wants."""
        return f"{self.root}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: Request) -> tuple[Raw, str]:
        """The reply to a request, and its content type."""
        with self._lock:
            self.requests.append(request)
            chosen = self._chosen(request)
        return chosen, "text/event-stream" if isinstance(chosen.content, list) else "application/json"

    def _chosen(self, request: Request) -> Raw:
        if request.form is None:
            return refusal(f"no such path: {request.path}", 404)
        refused = next((made for refuses in self._refuses if (made := refuses(request)) is not None), None)
        if refused is not None:
            return refused
        reply: Any = next(self._script, None)
        if reply is None:
            return refusal(f"the script has no reply to request {len(self.requests)}", 500)
        self._replied += 1
        made = reply(request) if callable(reply) else reply
        return made if isinstance(made, Raw) else self._rendered(said(made, self._replied), request)

    def _rendered(self, turn: Turn, request: Request) -> Raw:
        form, model = request.form or "", str(request.body.get("model") or "scripted")
        if request.body.get("stream") is True:
            return Raw([*events(form, turn, model=model, piece=self._piece)], cut=turn.finish.reason == "missing")
        return Raw(body(form, turn, model=model))


def refusal(message: str, status: int = 400) -> Raw:
    """An error as providers send it."""
    return Raw({"type": "error", "error": {"type": "invalid_request_error", "message": message}}, status)


def frames(content: Any) -> Iterator[bytes]:
    """The bytes of a reply, one piece of the network at a time."""
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, list):
        yield from map(_frame, content)
    else:
        yield compact(content).encode()


def _frame(event: Event | Any) -> bytes:
    name, data = event if isinstance(event, tuple) else (None, event)
    text = data if isinstance(data, str) else compact(data)
    return ((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode("utf-8", "surrogatepass")


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = _TIMEOUT
        disable_nagle_algorithm = True  # small frames do not wait for each other

        def do_POST(self) -> None:  # the base class names it so
            length = int(self.headers.get("content-length") or 0)
            reply, kind = server.answer(_request(self.path, self.rfile.read(length), dict(self.headers.items())))
            self.send_response(reply.status)
            self.send_header("content-type", kind)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for data in frames(reply.content):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
                self.wfile.flush()
            if reply.cut:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: a test's output is its own."""

    return Handler


def _request(path: str, data: bytes, headers: Mapping[str, str]) -> Request:
    bare = path.partition("?")[0]
    try:
        asked = json.loads(data or b"{}")
    except ValueError:
        asked = {}
    return Request(
        path=bare,
        form=_PATHS.get(bare),
        body=asked if isinstance(asked, dict) else {},
        headers={name.lower(): value for name, value in headers.items()},
    )
