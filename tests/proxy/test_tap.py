"""A real response is listened to, and everything that aiohttp does with its connection goes on as before."""

import asyncio
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from argwright.proxy.tap import Tapped

WAIT = 20
PIECES = ["一".encode(), "👋 مرحبا".encode(), b"\xe2\x80\xa8", b"end"]


@asynccontextmanager
async def answered(end):
    """A response, and a queue whose entries make the server write its next piece, or end as `end` says."""
    steps = asyncio.Queue()

    async def handle(request):
        reply = web.StreamResponse()
        await reply.prepare(request)
        while (piece := await steps.get()) is not None:
            await reply.write(piece)
        await end(request)
        return reply

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
            async with session.get(url) as response:
                yield response, steps, session, url
    finally:
        await runner.cleanup()


async def whole(_request):
    """Nothing stands in the way."""


async def cut(request):
    request.transport.abort()


async def listen(response, steps, pieces):
    """What is heard, a piece at a time; at the end the body is over or has an exception."""
    heard, found = asyncio.Event(), []
    tapped = Tapped(response)
    tapped.listen(heard.set)
    try:
        for piece in [*pieces, None]:
            steps.put_nowait(piece)
            await heard.wait()
            heard.clear()
            if piece is not None:
                found.append(response.content.read_nowait())
    finally:
        tapped.deaf()
    return tapped, found


def run(work):
    return asyncio.run(asyncio.wait_for(work, WAIT))


def test_each_piece_is_heard_and_the_connection_is_used_again():
    async def work():
        async with answered(whole) as (response, steps, session, url):
            connection = response.connection.transport
            tapped, found = await listen(response, steps, PIECES)
            over = response.content.is_eof()
            tapped.release()
            steps.put_nowait(None)
            async with session.get(url) as again:
                return found, over, await again.read(), connection.get_protocol() is tapped

    assert run(work()) == (PIECES, True, b"", False)


def test_a_connection_that_is_lost_is_heard():
    async def work():
        async with answered(cut) as (response, steps, _, _):
            tapped, found = await listen(response, steps, PIECES[:1])
            tapped.release()
            return found, type(response.content.exception())

    assert run(work()) == (PIECES[:1], aiohttp.ClientPayloadError)


def test_a_body_that_is_not_over_ends_the_connection():
    async def work():
        async with answered(whole) as (response, steps, _, _):
            transport = response.connection.transport
            tapped = Tapped(response)
            tapped.listen(lambda: None)
            tapped.release()
            steps.put_nowait(None)
            return transport.is_closing(), response.closed

    assert run(work()) == (True, True)


def test_there_is_nothing_to_listen_to_when_all_is_over():
    async def work():
        async with answered(whole) as (response, steps, _, _):
            steps.put_nowait(None)
            await response.read()
            with pytest.raises(aiohttp.ClientConnectionError):
                Tapped(response).listen(lambda: None)

    run(work())
