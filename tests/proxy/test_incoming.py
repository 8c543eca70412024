"""A request's body as it arrives: at once with its head, in pieces, too long, broken, or never."""

import asyncio
import gzip
import json

import pytest
from aiohttp import web

from argwright.proxy.incoming import Body, read
from argwright.proxy.refusals import Refused
from argwright.proxy.settings import ServerLimits

WAIT = 20


async def asked(pieces, limits):
    """What is read of a request whose bytes arrive in these pieces, each by itself; or the code of the refusal."""
    found = asyncio.get_running_loop().create_future()

    async def handle(request):
        try:
            found.set_result(await read(request, limits))
        except Refused as refused:
            found.set_result(refused.refusal.code.value)
        return web.Response()

    runner = web.ServerRunner(web.Server(handle, auto_decompress=False, access_log=None))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        _, writer = await asyncio.open_connection("127.0.0.1", runner.addresses[0][1])
        for number, piece in enumerate(pieces):
            if number:
                await asyncio.sleep(0.01)  # so that each arrives by itself
            writer.write(piece)
            await writer.drain()
        made = await found
        writer.close()
        await writer.wait_closed()
        return made
    finally:
        await runner.cleanup()


def received(*pieces, **limits):
    return asyncio.run(asyncio.wait_for(asked(pieces, ServerLimits(**limits)), WAIT))


def head(*lines):
    return "\r\n".join(["POST /v1/x HTTP/1.1", "Host: x", *lines, "", ""]).encode()


def test_all_at_once():
    assert received(head("Content-Length: 5") + b"hello") == Body(b"hello", b"hello")
    assert received(head("Content-Length: 0")) == Body(b"", b"")


def test_in_pieces():
    assert received(head("Content-Length: 5"), b"he", b"llo") == Body(b"hello", b"hello")
    assert received(head("Transfer-Encoding: chunked"), b"2\r\nhe\r\n", b"3\r\nllo\r\n0\r\n\r\n").raw == b"hello"


def test_in_a_coding():
    packed = gzip.compress(b"hello")
    found = received(head("Content-Encoding: gzip", f"Content-Length: {len(packed)}") + packed)
    assert found == Body(packed, b"hello")


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([head("Content-Length: 11") + b"x" * 11], "request_too_large"),
        ([head("Content-Length: 99999999999")], "request_too_large"),
        ([head("Transfer-Encoding: chunked") + b"b\r\n" + b"x" * 11 + b"\r\n0\r\n\r\n"], "request_too_large"),
        ([head("Transfer-Encoding: chunked"), b"8\r\n" + b"x" * 8 + b"\r\n", b"8\r\n" + b"x" * 8 + b"\r\n"], "request_too_large"),
        ([head("Content-Encoding: gzip", "Content-Length: 5") + b"hello"], "body_unreadable"),
        ([head("Content-Encoding: exi", "Content-Length: 5") + b"hello"], "content_encoding_unknown"),
        ([head("Content-Length: 5"), b"he"], "request_too_slow"),
    ],
)  # fmt: skip
def test_what_is_refused(pieces, code):
    assert received(*pieces, max_body=10, client_idle=0.3) == code


def test_what_unpacks_to_too_much():
    packed = gzip.compress(bytes(100_000))
    sent = head("Content-Encoding: gzip", f"Content-Length: {len(packed)}") + packed
    assert received(sent, max_body=50_000) == "request_too_large"


@pytest.mark.parametrize(
    ("body", "model"),
    [
        ({"model": "m"}, "m"), ({"model": 1}, None), ({}, None), ([], None), ("model", None), (None, None),
    ],
)  # fmt: skip
def test_the_model(body, model):
    data = json.dumps(body).encode()
    assert Body(data, data).model == model


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b'{"model": "m"'])
def test_no_model_in_what_is_no_json(data):
    assert Body(data, data).model is None
