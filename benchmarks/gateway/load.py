"""The model's server and its clients, in one process.

An event of text is sent when the one before has arrived, so that each passes by itself, as tokens do, and none is
carried along by another. What a call is made of is sent at once: its events are held anyway until it is whole.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.gateway.replies import REPLIES, Reply, request

_LIMIT = 120  # seconds that a round may take
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Flow:
    """One stream: what is still to be said, and where."""

    def __init__(self) -> None:
        self.arrived = 0
        self._said = 0
        self._reply: Reply | None = None
        self._write: Any = None
        self._over: Any = None

    async def say(self, reply: Reply, write: Any) -> None:
        """Say the reply, an event each time that the one before has arrived."""
        self._reply, self._write = reply, write
        self._over = asyncio.get_running_loop().create_future()
        self.step()
        await self._over

    def step(self) -> None:
        """Say what may be said by now."""
        reply = self._reply
        if reply is None or self._said > self.arrived or self._over.done():
            return
        if self._said < reply.told:
            self._said += 1
            self._write(_chunked(reply.events[self._said - 1]))
        if self._said == reply.told:
            self._write(b"".join(map(_chunked, reply.events[reply.told :])) + b"0\r\n\r\n")
            self._over.set_result(None)


_ASK = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Source:
    """The model's server."""

    def __init__(self) -> None:
        self.flows: dict[str, Flow] = {}
        self._replies: dict[tuple[str, int], Reply] = {}
        self._server: Any = None

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
                )
                asked = json.loads(await reader.readexactly(length))
                await self._say(asked["model"], writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _say(self, model: str, writer: asyncio.StreamWriter) -> None:
        kind, texts, _ = model.split("/")
        key = kind, int(texts)
        reply = self._replies.setdefault(key, REPLIES[kind](int(texts)))
        writer.write(_HEAD)
        flow = self.flows.get(model)
        if flow is None:
            writer.write(b"".join(map(_chunked, reply.events)) + b"0\r\n\r\n")
        else:
            await flow.say(reply, writer.write)
        await writer.drain()


def _length(head: bytes) -> int:
    lines = head.lower().split(b"\r\n")
    return next(int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:"))


def _chunked(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Client:
    """One connection to what stands in between."""

    def __init__(self, url: str, source: Source) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname, parts.port
        self._source = source
        self._reader: Any = None
        self._writer: Any = None

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, kind: str, texts: int, stream: int, *, one_by_one: bool = True) -> tuple[float, int]:
        """Seconds to the first byte of the body, and of how many events the model's reply was made."""
        body = request(kind, texts, stream)
        model = f"{kind}/{texts}/{stream}"
        flow = Flow()
        if one_by_one:
            self._source.flows[model] = flow
        head = _ASK % len(body)
        began = time.perf_counter()
        self._writer.write(head + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in answer.partition(b"\r\n")[0]:
            raise RuntimeError(answer.decode())
        first = 0.0
        rest = b""
        while not rest.endswith(b"0\r\n\r\n"):
            data = await self._reader.read(65536)
            if not data:
                raise RuntimeError("the connection was closed")
            first = first or time.perf_counter() - began
            flow.arrived += (rest[-1:] + data).count(b"\n\n")
            flow.step()
            rest = (rest + data)[-8:]
        self._source.flows.pop(model, None)
        return first, len(REPLIES[kind](texts).events)


async def first_bytes(url: str, source: Source, *, times: int, kind: str = "text") -> list[float]:
    """Seconds to the first byte, one request after the other."""
    async with Client(url, source) as client:
        return [(await client.ask(kind, 1, number))[0] for number in range(times)]


async def throughput(url: str, source: Source, kind: str, *, streams: int, texts: int, one_by_one: bool) -> float:
    """Events of the model a second that so many streams at once carry, whatever they become on their way."""

    async def one(number: int, client: Client) -> int:
        return (await client.ask(kind, texts, number, one_by_one=one_by_one))[1]

    clients = [Client(url, source) for _ in range(streams)]
    for client in clients:
        await client.__aenter__()
    try:
        began = time.perf_counter()
        async with asyncio.timeout(_LIMIT):
            counts = await asyncio.gather(*(one(number, client) for number, client in enumerate(clients)))
        return sum(counts) / (time.perf_counter() - began)
    finally:
        for client in clients:
            await client.__aexit__()


async def requests(url: str, source: Source, *, count: int, at_once: int) -> None:
    """So many requests, of all kinds in turn."""
    kinds = ("text", "good", "mended")

    async def worker(number: int) -> None:
        async with Client(url, source) as client:
            for turn in range(number, count, at_once):
                await client.ask(kinds[turn % 3], 5, turn, one_by_one=False)

    async with asyncio.timeout(_LIMIT * 3):
        await asyncio.gather(*(worker(number) for number in range(at_once)))
