"""What passes through passes as it is, both ways, while it comes; and what stands in the way says so."""

import asyncio
import gzip
import json
import socket
import struct
import zlib
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from argwright.proxy.gateway import ID_HEADER
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, Mending, ServerLimits, ServerSettings, UpstreamSettings

WAIT = 20
SETTINGS = GatewaySettings(server=ServerSettings(port=0))
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}}]  # fmt: skip
CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{'a': 1}"}}
REPLY = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}, "finish_reason": "tool_calls"}
]}  # fmt: skip


class Seen:
    """A server that answers by a function and remembers what it was asked."""

    def __init__(self, handle):
        self.requests = []
        self._handle = handle

    async def __call__(self, request):
        self.requests.append(request)
        return await self._handle(request)


@asynccontextmanager
async def serving(handle):
    app = web.Application(client_max_size=100_000_000)
    app.router.add_route("*", "/{rest:.*}", handle)
    runner = web.AppRunner(app, auto_decompress=False, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def gateway(handle, settings=SETTINGS, **limits):
    """The gateway before a server; a client session for it."""
    server = replace(settings.server, port=0, limits=replace(settings.server.limits, **limits))
    async with (
        serving(handle) as upstream,
        running(
            replace(
                settings,
                upstreams=settings.upstreams or (UpstreamSettings(url=f"{upstream}/v1"),),
                server=server,
            )
        ) as served,
        aiohttp.ClientSession(served.url, auto_decompress=False) as client,
    ):
        yield client, served.gateway


def run(work):
    return asyncio.run(asyncio.wait_for(work, WAIT))


async def echo(request):
    body = await request.read()
    headers = {"X-Method": request.method, "X-Path": request.raw_path, "Content-Type": "application/octet-stream"}
    return web.Response(body=body, headers=headers)


# --- passing through


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/models"),
        ("GET", "/v1/models/a%2Fb%20c?limit=2&after=%2Fx+y&%E5%B7%A5=%25"),
        ("POST", "/v1/embeddings"),
        ("POST", "/v1/messages/count_tokens"),
        ("DELETE", "/v1/files/file-1"),
        ("PUT", "/v1/x"),
        ("PATCH", "/v1/x//y/./z"),
        ("OPTIONS", "/v1/chat/completions"),
        ("SEARCH", "/v1/x"),
    ],
)
def test_any_method_and_path(method, path):
    async def work():
        async with gateway(echo) as (client, _):
            url = URL(str(client._base_url).rstrip("/") + path, encoded=True)
            async with client.request(method, url, data=b"\x00\xff" * 9) as reply:
                return reply.status, reply.headers["X-Method"], reply.headers["X-Path"], await reply.read()

    assert run(work()) == (200, method, path, b"\x00\xff" * 9)


def test_head_and_a_reply_without_a_body():
    async def handle(request):
        if request.method == "HEAD":
            return web.Response(headers={"Content-Length": "1234", "X-A": "1"})
        return web.Response(status=204 if request.path.endswith("none") else 304, headers={"X-A": "2"})

    async def work():
        async with gateway(handle) as (client, _):
            found = []
            for method, path in [("HEAD", "/v1/files/1"), ("GET", "/v1/none"), ("GET", "/v1/same")]:
                async with client.request(method, path) as reply:
                    found.append((reply.status, reply.headers["X-A"], reply.headers.get("Content-Length"), await reply.read()))  # fmt: skip
            return found

    assert run(work()) == [(200, "1", "1234", b""), (204, "2", None, b""), (304, "2", None, b"")]


def test_coded_bodies_keep_their_bytes_both_ways():
    packed = gzip.compress(b"x" * 1000)

    async def handle(request):
        assert request.headers["Content-Encoding"] == "gzip"
        assert request.headers["Accept-Encoding"] == "gzip, zstd"
        return web.Response(body=await request.read(), headers={"Content-Encoding": "gzip"})

    async def work():
        async with gateway(handle) as (client, _):
            headers = {"Content-Encoding": "gzip", "Accept-Encoding": "gzip, zstd"}
            async with client.post("/v1/embeddings", data=packed, headers=headers) as reply:
                return reply.headers["Content-Encoding"], reply.headers["Content-Length"], await reply.read()

    assert run(work()) == ("gzip", str(len(packed)), packed)


def test_header_fields_go_on_and_come_back():
    async def handle(request):
        asked = {name: request.headers.getall(name) for name in ("Authorization", "X-Many", "Via")}
        assert asked == {"Authorization": ["Bearer sk-1"], "X-Many": ["a", "b"], "Via": ["1.1 argwright"]}
        assert not {"Expect", "X-Hop"} & set(request.headers)
        assert request.headers["Host"] != "gateway.example"
        reply = web.Response(status=429, text="slow down", headers={"Retry-After": "7", "x-request-id": "req_1"})
        reply.headers.extend([("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Connection", "keep-alive")])
        return reply

    async def work():
        async with gateway(handle) as (client, _):
            headers = [
                ("Authorization", "Bearer sk-1"), ("X-Many", "a"), ("X-Many", "b"), ("Connection", "X-Hop"),
                ("X-Hop", "1"), ("Host", "gateway.example"),
            ]  # fmt: skip
            async with client.get("/v1/models", headers=headers) as reply:
                kept = {name: reply.headers.getall(name) for name in ("Retry-After", "x-request-id", "Set-Cookie")}
                again = client.get("/v1/models", headers=headers)  # no cookie of one client goes to the upstream
                async with again:
                    return reply.status, reply.reason, kept, await reply.text()

    assert run(work()) == (
        429,
        "Too Many Requests",
        {"Retry-After": ["7"], "x-request-id": ["req_1"], "Set-Cookie": ["a=1", "b=2"]},
        "slow down",
    )


def test_the_gateway_keeps_no_cookies():
    async def handle(request):
        reply = web.Response(text=request.headers.get("Cookie", ""))
        reply.set_cookie("secret", "of one client")
        return reply

    async def work():
        async with gateway(handle) as (client, _):
            client.cookie_jar.clear()
            found = []
            for _ in range(2):
                async with client.get("/v1/models") as reply:
                    found.append(await reply.text())
                client.cookie_jar.clear()
            return found

    assert run(work()) == ["", ""]


def test_a_redirect_is_the_clients_business():
    async def handle(_request):
        raise web.HTTPFound("https://elsewhere.example/")

    async def work():
        async with gateway(handle) as (client, _), client.get("/v1/x", allow_redirects=False) as reply:
            return reply.status, reply.headers["Location"]

    assert run(work()) == (302, "https://elsewhere.example/")


def test_bytes_go_on_while_they_come_both_ways():
    """Each side waits for the other's piece before it sends its next: nothing may be held."""

    async def handle(request):
        reply = web.StreamResponse()
        await reply.prepare(request)
        while piece := await request.content.readany():
            await reply.write(b"<" + piece + b">")
        await reply.write_eof()
        return reply

    async def work():
        async with gateway(handle) as (client, _):
            pieces = asyncio.Queue()

            async def upload():
                while (piece := await pieces.get()) is not None:
                    yield piece

            pieces.put_nowait(b"0")
            async with client.post("/v1/audio", data=upload()) as reply:
                heard = [await reply.content.readany()]
                for number in range(1, 4):
                    pieces.put_nowait(b"%d" % number)
                    heard.append(await reply.content.readany())
                pieces.put_nowait(None)
                return heard, await reply.content.read()

    assert run(work()) == ([b"<0>", b"<1>", b"<2>", b"<3>"], b"")


def test_a_large_upload_is_held_back_by_a_slow_upstream():
    sent = 0
    size = 64 * 1024
    go_on = asyncio.Event()

    async def handle(request):
        await go_on.wait()
        count = 0
        async for piece in request.content.iter_any():
            count += len(piece)
        return web.Response(text=str(count))

    async def work():
        async def upload():
            nonlocal sent
            for _ in range(1000):
                yield bytes(size)
                sent += size

        async with gateway(handle) as (client, _):
            asking = asyncio.create_task(client.post("/v1/files", data=upload()))
            before = -1
            while sent != before:  # until nothing moves any more
                before = sent
                await asyncio.sleep(0.2)
            held = sent
            go_on.set()
            async with await asking as reply:
                return held, int(await reply.text())

    held, received = run(work())
    assert held < 40_000_000
    assert received == 1000 * size


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_slow_client_holds_the_upstream_back(method):
    """And is not taken for the upstream's silence."""
    sent = 0

    async def handle(request):
        nonlocal sent
        reply = web.StreamResponse()
        await reply.prepare(request)
        for _ in range(1000):
            await reply.write(bytes(64 * 1024))
            sent += 64 * 1024
        return reply

    async def work():
        async with (
            gateway(handle, idle=0.1) as (client, _),
            client.request(method, "/v1/messages", data=b"{}") as reply,
        ):
            before = -1
            while sent != before:
                before = sent
                await asyncio.sleep(0.2)
            held = sent
            return held, len(await reply.read())

    held, received = run(work())
    assert held < 40_000_000
    assert received == 1000 * 64 * 1024


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_body_that_is_cut_arrives_cut(method):
    async def handle(request):
        reply = web.StreamResponse()
        await reply.prepare(request)
        await reply.write(b"half")
        request.transport.close()
        return reply

    async def work():
        async with gateway(handle) as (client, _), client.request(method, "/v1/messages", data=b"{}") as reply:
            heard = await reply.content.readany()
            with pytest.raises(aiohttp.ClientPayloadError):
                await reply.content.read()
            return heard

    assert run(work()) == b"half"


@pytest.mark.parametrize("path", ["/v1/files/1", "/v1/chat/completions"])
def test_clients_that_hang_up_at_any_moment_leave_nothing_open_and_no_error_in_the_log(path, caplog):
    async def handle(request):
        await request.read()
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        with suppress(ConnectionError):  # that is the other end's
            for _ in range(40):
                await reply.write(b'data: {"x": "' + bytes(9000) + b'"}\n\n')
                await asyncio.sleep(0)
        return reply

    async def work():
        async with gateway(handle) as (client, served):
            base = client._base_url
            body = json.dumps(chat(stream=True)).encode()
            head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()

            async def hang_up(number):
                reader, writer = await asyncio.open_connection(base.host, base.port)
                writer.write(head + body)
                await reader.readexactly(number * 500)
                linger = struct.pack("ii", 1, 0)  # a reset, not an end
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                writer.transport.abort()

            await asyncio.gather(*map(hang_up, range(60)))
            await served.drain()
            return served._watch.metrics.open

    assert run(work()) == 0
    assert [record.getMessage() for record in caplog.records if record.name == "aiohttp.server"] == []


@pytest.mark.parametrize("path", ["/v1/files/1", "/v1/chat/completions"])
def test_a_client_that_goes_away_takes_the_upstream_along(path):
    gone = asyncio.Event()
    begun = asyncio.Event()

    async def handle(request):
        try:
            reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await reply.prepare(request)
            await reply.write(b": hello\n\n")
            begun.set()
            await asyncio.Event().wait()
        finally:
            gone.set()

    async def work():
        async with gateway(handle) as (client, served):
            asking = asyncio.create_task(client.post(path, json={"model": "m", "messages": [], "tools": TOOLS}))
            await begun.wait()
            asking.cancel()
            reply = (await asyncio.gather(asking, return_exceptions=True))[0]
            if isinstance(reply, aiohttp.ClientResponse):
                reply.close()
            await gone.wait()
            await served.drain()
            return "argwright_clients_gone_total 1\n" in served._watch.metrics.text()

    assert run(work())


# --- mended paths


async def complete(request):
    await request.read()
    return web.json_response(REPLY, headers={"x-request-id": "req_1", "ETag": '"1"'})


def chat(**more):
    return {"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": TOOLS, **more}


def test_a_mended_reply_keeps_the_upstreams_fields():
    async def work():
        async with gateway(complete) as (client, _), client.post("/v1/chat/completions", json=chat()) as reply:
            return reply.headers, await reply.json()

    headers, body = run(work())
    assert body["choices"][0]["message"]["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a":1}'}
    assert headers["x-request-id"] == "req_1"
    assert json.loads(headers["x-argwright"])["mended"] == 1
    assert len(headers[ID_HEADER]) == 32
    assert "ETag" not in headers


CODINGS = [("gzip", gzip.compress), ("deflate", zlib.compress), ("gzip", lambda data: data)]


@pytest.mark.parametrize(("coding", "pack"), CODINGS[:2])
@pytest.mark.parametrize("asked", [False, True])
def test_a_coded_body_is_read(coding, pack, asked):
    """The request's, or a reply's that was asked for in plain bytes."""

    async def handle(request):
        assert request.headers["Accept-Encoding"] == "identity"
        assert "Content-Encoding" not in request.headers
        assert json.loads(await request.read()) == chat()
        return web.Response(
            body=pack(json.dumps(REPLY).encode()),
            headers={"Content-Type": "application/json", "Content-Encoding": coding},
        )

    async def work():
        body = json.dumps(chat()).encode()
        headers = {"Content-Type": "application/json"} | ({"Content-Encoding": coding} if asked else {})
        async with (
            gateway(handle) as (client, _),
            client.post("/v1/chat/completions", data=pack(body) if asked else body, headers=headers) as reply,
        ):
            return reply.status, reply.headers.get("Content-Encoding"), await reply.json()

    status, coded, body = run(work())
    assert (status, coded) == (200, None)
    assert body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"a":1}'


def refusal(
    handle, body=None, *, path="/v1/chat/completions", headers=None, settings=SETTINGS, method="POST", **limits
):
    """Status, code, header fields and form of what the gateway itself answers."""

    async def work():
        async with gateway(handle, settings, **limits) as (client, _):
            data = json.dumps(chat()).encode() if body is None else body
            async with client.request(method, path, data=data, headers=headers) as reply:
                return reply.status, await reply.json(), reply.headers

    return run(work())


def test_a_coding_that_nobody_knows():
    status, body, _ = refusal(echo, b"x", headers={"Content-Encoding": "zstd"})
    assert (status, body["error"]["code"]) == (415, "content_encoding_unknown")


def test_a_body_that_is_not_in_its_coding():
    status, body, _ = refusal(echo, b"x" * 30, headers={"Content-Encoding": "gzip"})
    assert (status, body["error"]["code"]) == (400, "body_unreadable")


async def zstd(_request):
    return web.Response(body=b"x", headers={"Content-Type": "application/json", "Content-Encoding": "zstd"})


def test_a_reply_in_a_coding_that_nobody_knows():
    status, body, _ = refusal(zstd)
    assert (status, body["error"]["code"]) == (502, "upstream_garbled")


# --- limits


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_body_that_is_too_large(path, known):
    async def pieces():
        for _ in range(20):
            yield bytes(100)

    status, body, _ = refusal(echo, bytes(2000) if known else pieces(), path=path, max_body=1000)
    assert status == 413
    assert body["error"].get("code") == "request_too_large"
    assert body.get("type") == ("error" if path.endswith("messages") else None)


def test_a_bomb_is_too_large():
    bomb = gzip.compress(bytes(10_000_000))
    status, body, _ = refusal(echo, bomb, headers={"Content-Encoding": "gzip"}, max_body=1_000_000)
    assert (status, body["error"]["code"]) == (413, "request_too_large")


def test_what_passes_through_has_no_limit_of_size():
    async def work():
        async with gateway(echo, max_body=10) as (client, _), client.post("/v1/files", data=bytes(100_000)) as reply:
            return reply.status, len(await reply.read())

    assert run(work()) == (200, 100_000)


def test_a_reply_that_is_too_large():
    status, body, _ = refusal(complete, max_reply=100)
    assert (status, body["error"]["code"]) == (502, "reply_too_large")


def test_too_many_at_once():
    waiting = asyncio.Event()
    begun = asyncio.Event()

    async def handle(_request):
        begun.set()
        await waiting.wait()
        return web.Response(text="ok")

    async def work():
        async with gateway(handle, max_streams=1) as (client, _):
            first = asyncio.create_task(client.get("/v1/models"))
            await begun.wait()
            async with client.post("/v1/messages", json={}) as second:
                told = second.status, second.headers["Retry-After"], (await second.json())["error"]["type"]
            waiting.set()
            async with await first as reply, client.get("/v1/models") as third:
                return told, reply.status, third.status

    assert run(work()) == ((429, "1", "rate_limit_error"), 200, 200)


def test_a_client_that_is_too_slow():
    async def work():
        async def pieces():
            yield b"{"
            await asyncio.Event().wait()

        async with (
            gateway(echo, client_idle=0.1) as (client, _),
            client.post("/v1/chat/completions", data=pieces()) as reply,
        ):
            return reply.status, (await reply.json())["error"]["code"]

    assert run(work()) == (408, "request_too_slow")


async def silent(_request):
    await asyncio.Event().wait()


def test_an_upstream_that_says_nothing():
    status, body, _ = refusal(silent, first_byte=0.1)
    assert (status, body["error"]["code"], body["error"]["type"]) == (504, "upstream_stalled", "timeout_error")


def test_the_time_of_an_exchange_is_up():
    status, body, _ = refusal(silent, total=0.1)
    assert (status, body["error"]["code"]) == (504, "out_of_time")


async def dripping(request):
    reply = web.StreamResponse()
    await reply.prepare(request)
    await reply.write(b"x")
    await asyncio.Event().wait()


def test_a_body_that_stalls_is_cut():
    async def work():
        async with gateway(dripping, idle=0.1) as (client, _), client.get("/v1/files/1") as reply:
            with pytest.raises(aiohttp.ClientPayloadError):
                await reply.read()

    run(work())


# --- what is not supported


@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/chat/completions"])
def test_a_client_that_waits_to_be_let_go_on(path):
    async def work():
        async with gateway(complete) as (client, _):
            base, body = client._base_url, json.dumps(chat()).encode()
            reader, writer = await asyncio.open_connection(base.host, base.port)
            head = f"POST {path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode())
            heard = await reader.readuntil(b"\r\n\r\n")
            writer.write(body)
            answer = await reader.readuntil(b"\r\n\r\n")
            writer.close()
            return heard, answer.splitlines()[0]

    assert run(work()) == (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK")


OWN = [
    ("GET", "/_argwright/health", 200),
    ("GET", "/%5Fargwright/health", 200),
    ("GET", "/_argwright/none", 404),
    ("GET", "/_argwright", 200),
    ("GET", "/metrics", 200),
    ("POST", "/v1/repair", 400),
    ("POST", "/v1/%72epair", 400),
]


@pytest.mark.parametrize(("method", "path", "status"), OWN)
def test_what_is_the_gateways_own_goes_to_no_model(method, path, status):
    seen = Seen(echo)

    async def handle(request):
        return await seen(request)

    async def work():
        async with (
            gateway(handle) as (client, _),
            client.request(method, URL(str(client._base_url).rstrip("/") + path, encoded=True)) as reply,
        ):
            return reply.status, "X-Method" in reply.headers, len(seen.requests)

    assert run(work()) == (status, False, 0)


def test_a_websocket_is_refused_with_a_reason():
    async def work():
        async with gateway(echo) as (client, _):
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await client.ws_connect("/v1/realtime?model=m")
            headers = {
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            }  # fmt: skip
            async with client.get("/v1/realtime", headers=headers) as reply:
                return caught.value.status, reply.status, (await reply.json())["error"]

    status, again, error = run(work())
    assert (status, again, error["code"]) == (501, 501, "not_supported")
    assert error["message"].startswith("argwright: websockets are not passed through")


def test_another_upgrade_is_passed_over():
    async def work():
        async with (
            gateway(echo) as (client, _),
            client.get("/v1/x", headers={"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c"}) as reply,
        ):
            return reply.status

    assert run(work()) == 200


# --- several upstreams


def test_each_request_goes_to_its_upstream():
    async def named(request):
        body = await request.read()
        return web.json_response({"path": request.path, "host": request.headers["Host"], "size": len(body)})

    async def work():
        async with serving(named) as a, serving(named) as b, serving(named) as c:
            hosts = {url.removeprefix("http://"): name for url, name in [(a, "a"), (b, "b"), (c, "c")]}
            upstreams = (
                UpstreamSettings(name="a", url=f"{a}/v1", models=("gpt-*",)),
                UpstreamSettings(name="b", url=b),
                UpstreamSettings(name="c", url=f"{c}/api/v4", prefix="/c"),
            )
            asked = [
                ("POST", "/v1/chat/completions", {"model": "gpt-5"}),
                ("POST", "/v1/chat/completions", {"model": "other"}),
                ("POST", "/v1/embeddings", {"model": "gpt-e", "input": "x"}),
                ("POST", "/c/v1/chat/completions", {"model": "gpt-5"}),
                ("POST", "/v1/messages", {"model": "claude"}),
                ("GET", "/v1/models", None),
                ("GET", "/c/v1/models", None),
            ]
            async with gateway(named, replace(SETTINGS, upstreams=upstreams)) as (client, _):
                found = []
                for method, path, body in asked:
                    async with client.request(method, path, json=body) as reply:
                        told = await reply.json()
                        found.append((hosts[told["host"]], told["path"]))
                return found

    assert run(work()) == [
        ("a", "/v1/chat/completions"),
        ("b", "/v1/chat/completions"),
        ("a", "/v1/embeddings"),
        ("c", "/api/v4/chat/completions"),
        ("b", "/v1/messages"),
        ("b", "/v1/models"),
        ("c", "/api/v4/models"),
    ]


def test_nobody_is_meant():
    only = replace(SETTINGS, upstreams=(UpstreamSettings(url="http://127.0.0.1:9", models=("gpt-*",), prefix="/x"),))
    status, body, _ = refusal(echo, settings=only)
    assert (status, body["error"]["code"]) == (404, "no_upstream")
    status, body, _ = refusal(echo, path="/x/v1/chat/completions", settings=only)
    assert (status, body["error"]["message"]) == (404, "argwright: no upstream is configured for the model 'm'")


def test_nobody_answers():
    nobody = replace(SETTINGS, upstreams=(UpstreamSettings(url="http://127.0.0.1:9/v1", name="nobody"),))
    status, body, headers = refusal(echo, settings=nobody, path="/v1/models", headers={"anthropic-version": "x"})
    assert (status, body["type"], body["error"]["code"]) == (502, "error", "upstream_unreachable")
    assert "'nobody'" in body["error"]["message"]
    assert "127.0.0.1" not in body["error"]["message"]
    assert headers["Server"] == "argwright"


def test_a_mistake_of_ours_is_a_500(monkeypatch, caplog):
    monkeypatch.setattr("argwright.proxy.gateway.routing.choose", lambda *_: 1 / 0)
    status, body, _ = refusal(echo)
    assert (status, body["error"]["code"]) == (500, "internal_error")
    assert "ZeroDivisionError" in caplog.text


# --- the end


def test_open_streams_finish_and_new_ones_are_refused():
    go_on = asyncio.Event()

    async def handle(request):
        reply = web.StreamResponse()
        await reply.prepare(request)
        await reply.write(b"begun ")
        await go_on.wait()
        await reply.write(b"and finished")
        return reply

    async def work():
        async with gateway(handle) as (client, served), client.get("/v1/files/1") as open_one:
            heard = await open_one.content.readany()
            ending = asyncio.create_task(served.drain())
            await asyncio.sleep(0)
            async with client.get("/v1/models") as late, client.get("/_argwright/ready") as ready:
                told = late.status, (await late.json())["error"]["code"], late.headers["Retry-After"], ready.status
            async with client.get("/_argwright/health") as health:
                alive = health.status
            assert not ending.done()
            go_on.set()
            heard += await open_one.read()
            await ending
            return told, alive, heard

    assert run(work()) == ((503, "draining", "1", 503), 200, b"begun and finished")


def test_the_grace_has_an_end():
    async def work():
        async with gateway(dripping, grace=0.1) as (client, served), client.get("/v1/files/1") as reply:
            await reply.content.readany()
            await served.drain()
            with pytest.raises(aiohttp.ClientPayloadError):
                await reply.read()
            return served._watch.metrics.open

    assert run(work()) == 0


def test_a_second_signal_ends_the_waiting():
    async def work():
        async with gateway(dripping) as (client, served), client.get("/v1/files/1") as reply:
            await reply.content.readany()
            ending = asyncio.create_task(served.drain())
            await asyncio.sleep(0)
            served.hurry()
            await ending

    run(work())


# --- without an upstream


def test_repair_alone():
    async def work():
        async with running(SETTINGS) as served, aiohttp.ClientSession(served.url) as client:
            found = []
            async with client.post("/v1/repair", json={"arguments": "{'a': 1}", "schema": {"type": "object"}}) as reply:
                found.append((reply.status, (await reply.json())["arguments"]))
            for path in ["/v1/models", "/v1/chat/completions", "/nothing"]:
                async with client.post(path) as reply:
                    found.append((reply.status, (await reply.json())["error"]["code"]))
            return found

    assert run(work()) == [(200, {"a": 1}), *[(404, "no_upstream")] * 3]


def test_what_a_client_sends_is_in_no_metric_and_no_log(caplog):
    caplog.set_level("DEBUG")
    secret = "sk-canary-7"

    async def handle(_request):
        raise web.HTTPBadRequest(text=secret)

    async def work():
        async with gateway(handle, replace(SETTINGS, mending=Mending(on_invalid="error"))) as (client, served):
            headers = {"Authorization": f"Bearer {secret}", "x-api-key": secret, "anthropic-version": "1"}
            for path in ["/v1/chat/completions", f"/v1/{secret}", "/v1/messages"]:
                async with client.post(path, json=chat(user=secret), headers=headers) as reply:
                    await reply.read()
            return served._watch.metrics.text()

    assert secret not in run(work())
    ours = [record for record in caplog.records if record.name.startswith("argwright")]
    assert secret not in "".join(record.getMessage() for record in ours)


def test_limits_of_none():
    """0 seconds is no limit, for each of them."""
    none = ServerLimits(connect=0, first_byte=0, idle=0, total=0, client_idle=0)
    settings = replace(SETTINGS, server=replace(SETTINGS.server, limits=none))

    async def work():
        async with (
            gateway(complete, settings) as (client, _),
            client.post("/v1/chat/completions", json=chat()) as reply,
        ):
            return reply.status

    assert run(work()) == 200
