"""What stands in between: `python -m benchmarks.gateway.served bare|gateway URL` prints its own address and serves."""

from __future__ import annotations

import asyncio
import sys

import aiohttp
from aiohttp import web

from argwright.proxy.serving import serve
from argwright.proxy.settings import GatewaySettings, Mending, ServerLimits, ServerSettings, UpstreamSettings

_LEFT_OUT = ("Host", "Content-Length", "Transfer-Encoding", "Connection")


def bare(upstream: str) -> web.Application:
    """The least that passes requests and streams through."""
    app = web.Application()

    async def session(app: web.Application) -> None:
        app["session"] = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), auto_decompress=False)

    async def close(app: web.Application) -> None:
        await app["session"].close()

    async def handle(request: web.Request) -> web.StreamResponse:
        asked = await request.read()
        headers = {name: value for name, value in request.headers.items() if name not in _LEFT_OUT}
        async with request.app["session"].post(upstream + request.path, data=asked, headers=headers) as answer:
            told = {name: value for name, value in answer.headers.items() if name not in _LEFT_OUT}
            reply = web.StreamResponse(status=answer.status, headers=told)
            await reply.prepare(request)
            async for data in answer.content.iter_any():
                await reply.write(data)
            await reply.write_eof()
            return reply

    app.on_startup.append(session)
    app.on_cleanup.append(close)
    app.router.add_post("/{path:.*}", handle)
    return app


def _told(url: str) -> None:
    print(url, flush=True)


async def _bare(upstream: str) -> None:
    runner = web.AppRunner(bare(upstream), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    _told(f"http://127.0.0.1:{runner.addresses[0][1]}")
    await asyncio.Event().wait()


async def _gateway(upstream: str) -> None:
    settings = GatewaySettings(
        upstreams=(UpstreamSettings(url=f"{upstream}/v1"),),
        mending=Mending(on_invalid="retry"),
        server=ServerSettings(port=0, limits=ServerLimits()),
    )
    await serve(settings, started=_told)


if __name__ == "__main__":
    asyncio.run({"bare": _bare, "gateway": _gateway}[sys.argv[1]](sys.argv[2]))
