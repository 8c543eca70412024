"""Bodies on their way through a gateway, heard over a line (POST with a body) and over a tap (GET): never another byte."""

import asyncio
import random

import pytest
from aiohttp import web

from tests.proxy.test_gateway import gateway, run

TEXT = "data: 你好 👋 مرحبا \u2028\n\n".encode()
ASKED = [("GET", "/v1/files/1/content", None), ("POST", "/v1/messages", b"{}"), ("POST", "/v1/embeddings", b"{}")]
SIZES = [0, 1, len(TEXT), 70_000, 300_000, 5_000_000]


def body(size):
    return (TEXT * (size // len(TEXT) + 1))[:size]


def pieces(data, seed):
    """The data in pieces of any length, the empty one included."""
    dice, at = random.Random(seed), 0
    while at < len(data):
        size = dice.choice([0, 1, 100, 4096, 65536, 200_000])
        yield data[at : at + size]
        at += size


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("known", [True, False], ids=["length", "chunks"])
@pytest.mark.parametrize(("method", "path", "data"), ASKED)
def test_a_body_arrives_as_it_is(method, path, data, known, size):
    whole = body(size)

    async def handle(request):
        await request.read()
        reply = web.StreamResponse()
        if known:
            reply.content_length = size
        await reply.prepare(request)
        for piece in pieces(whole, size):
            await reply.write(piece)
        return reply

    async def work():
        async with gateway(handle, max_body=10_000_000) as (client, _):
            found = []
            for _ in range(2):
                async with client.request(method, path, data=data) as reply:
                    found.append((reply.status, reply.headers.get("Content-Length"), await reply.read() == whole))
            return found

    assert run(work()) == [(200, str(size) if known else None, True)] * 2


@pytest.mark.parametrize(("method", "path", "data"), ASKED)
def test_a_client_of_an_older_version_gets_no_chunks(method, path, data):
    async def handle(request):
        await request.read()
        reply = web.StreamResponse()
        await reply.prepare(request)
        for _ in range(3):
            await reply.write(TEXT)
            await asyncio.sleep(0.01)
        return reply

    async def work():
        async with gateway(handle) as (client, _):
            base = client._base_url
            reader, writer = await asyncio.open_connection(base.host, base.port)
            length = f"Content-Length: {len(data)}\r\n" if data else ""
            writer.write(f"{method} {path} HTTP/1.0\r\nHost: x\r\n{length}\r\n".encode() + (data or b""))
            head, _, said = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            return head.splitlines()[0], said

    assert run(work()) == (b"HTTP/1.0 200 OK", TEXT * 3)


def test_connections_are_used_again_and_none_is_mixed_up():
    """Many at once, whose bodies end at any moment, over connections that are given back and taken at once."""
    ports = set()

    async def handle(request):
        ports.add(request.transport.get_extra_info("peername")[1])
        number = int(request.query["n"])
        reply = web.StreamResponse()
        await reply.prepare(request)
        for turn in range(number % 7):
            await reply.write(f"{number}/{turn}\n".encode())
            await asyncio.sleep(0)
        return reply

    async def work():
        async with gateway(handle) as (client, _):

            async def asker(first):
                for number in range(first, 200, 10):
                    method, path, data = ASKED[number % 3]
                    async with client.request(method, f"{path}?n={number}", data=data) as reply:
                        expected = "".join(f"{number}/{turn}\n" for turn in range(number % 7))
                        assert await reply.text() == expected

            await asyncio.gather(*map(asker, range(10)))

    run(work())
    assert len(ports) <= 20  # ten at once, over lines or aiohttp's own connections
