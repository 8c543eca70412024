"""Mended streams on real sockets: what goes out at once, what ends them, and what the client is told."""

import asyncio
import gzip
import json
from dataclasses import replace

import pytest
from aiohttp import web

from argwright.proxy.settings import Mending
from tests.proxy.test_gateway import REPLY, SETTINGS, chat, gateway, run

RETRY = replace(SETTINGS, mending=Mending(on_invalid="retry", retries=1))


def chunk(delta, finish=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    data = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def call(arguments, **more):
    return chunk({"tool_calls": [{"index": 0, **more, "function": {"name": "f", "arguments": arguments}}]})


ROLE, TEXT = chunk({"role": "assistant", "content": ""}), chunk({"content": "Moment, 你好! "})
GOOD = call('{"a": 1}', id="c1", type="function")
ODD = call("{'a': 1}", id="c1", type="function")
BAD = call('{"a": "x"}', id="c1", type="function")
END = chunk({}, "tool_calls") + b"data: [DONE]\n\n"


def saying(*replies, kind="text/event-stream", status=200, coding=None, then=None):
    """A server that says each of the replies in turn, the last one for ever: bytes, or a list of pieces."""
    left = list(replies)
    asked = []

    async def handle(request):
        asked.append(await request.json())
        pieces = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(pieces, web.Response):
            return pieces
        reply = web.StreamResponse(status=status, headers={"Content-Type": kind})
        if coding:
            reply.headers["Content-Encoding"] = coding
        await reply.prepare(request)
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            await reply.write(piece)
        if then is not None:
            await then(request)
        return reply

    handle.asked = asked
    return handle


async def abort(request):
    request.transport.close()


async def stall(_request):
    await asyncio.Event().wait()


def stream(handle, settings=SETTINGS, **limits):
    async def work():
        async with (
            gateway(handle, settings, **limits) as (client, _),
            client.post("/v1/chat/completions", json=chat(stream=True)) as reply,
        ):
            return reply.status, reply.headers, await reply.read()

    return run(work())


def events(data):
    lines = data.decode().split("\n\n")
    assert lines[-1] == ""
    return [line.removeprefix("data: ") for line in lines[:-1]]


def last(data):
    return json.loads(events(data)[-1])


def test_a_valid_stream_passes_byte_for_byte():
    sent = ROLE + TEXT + GOOD + END
    status, headers, data = stream(saying(sent))
    assert (status, data) == (200, sent)
    assert headers["Content-Type"] == "text/event-stream"
    assert len(headers["x-argwright-id"]) == 32
    assert "Content-Length" not in headers


def test_text_goes_out_while_the_model_still_writes():
    go_on = asyncio.Event()

    async def handle(request):
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        await reply.write(ROLE + TEXT)
        await go_on.wait()
        await reply.write(GOOD + END)
        return reply

    async def work():
        async with (
            gateway(handle) as (client, _),
            client.post("/v1/chat/completions", json=chat(stream=True)) as reply,
        ):
            heard = b""
            while not heard.endswith(TEXT):
                heard += await reply.content.readany()
            go_on.set()
            return heard + await reply.read()

    assert run(work()) == ROLE + TEXT + GOOD + END


def test_a_packed_stream_is_unpacked():
    sent = ROLE + TEXT + ODD + END
    packed = gzip.compress(sent)
    status, headers, data = stream(saying([packed[:30], packed[30:]], coding="gzip"))
    assert status == 200
    assert "Content-Encoding" not in headers
    assert '"{\\"a\\":1}"' in data.decode()


def test_a_packed_stream_that_is_cut():
    words = b"".join(chunk({"content": f"{number} and "}) for number in range(500))
    packed = gzip.compress(ROLE + words + GOOD + END)
    status, _, data = stream(saying(packed[: len(packed) // 2], coding="gzip"))
    assert status == 200
    assert "error" in last(data)


@pytest.mark.parametrize("end", [abort, stall])
def test_a_stream_that_breaks_off_ends_with_an_error(end):
    status, _, data = stream(saying([ROLE, TEXT, ODD], then=end), idle=0.2)
    assert status == 200
    assert data.startswith(ROLE + TEXT)
    assert set(last(data)) >= {"error"}
    assert b"[DONE]" not in data


@pytest.mark.parametrize(("end", "status", "code"), [(abort, 502, "upstream_closed"), (stall, 504, "upstream_stalled")])
def test_before_the_first_byte_it_has_a_status_of_its_own(end, status, code):
    found, headers, data = stream(saying([], then=end), idle=0.2)
    assert (found, headers["Content-Type"]) == (status, "application/json")
    assert json.loads(data)["error"]["code"] == code


def test_the_time_is_up_in_the_middle():
    status, _, data = stream(saying([ROLE, TEXT], then=stall), total=0.5)
    assert (status, data.startswith(ROLE + TEXT)) == (200, True)
    assert "error" in last(data)


def test_the_model_is_asked_again():
    handle = saying(ROLE + TEXT + BAD + END, ROLE + GOOD + END)
    status, _, data = stream(handle, RETRY)
    assert status == 200
    assert next(len(asked["messages"]) for asked in handle.asked) == 1
    assert len(handle.asked) == 2
    assert len(handle.asked[1]["messages"]) > 1
    assert '{"a": 1}' in json.loads(events(data)[-3])["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"]
    assert events(data)[-1] == "[DONE]"


def test_asked_again_before_anything_was_sent_a_refusal_passes():
    """The second answer is the only one that the client sees: as it is."""
    handle = saying(BAD + END, web.Response(status=429, text="slow down", headers={"Retry-After": "9"}))
    status, headers, data = stream(handle, RETRY)
    assert (status, headers["Retry-After"], data) == (429, "9", b"slow down")


def test_asked_again_after_something_was_sent_it_ends_with_an_error():
    handle = saying(ROLE + TEXT + BAD + END, web.Response(status=429, text="slow down"))
    status, _, data = stream(handle, RETRY)
    assert (status, data.startswith(ROLE + TEXT)) == (200, True)
    assert "error" in last(data)


def test_a_whole_body_after_the_stream_began():
    handle = saying(ROLE + TEXT + BAD + END, web.json_response({"choices": []}))
    status, _, data = stream(handle, RETRY)
    assert (status, data.startswith(ROLE + TEXT)) == (200, True)
    assert "error" in last(data)


@pytest.mark.parametrize("sent", ['{"id": "x', '{"choices": "none"}'], ids=["half", "another"])
def test_a_body_that_is_called_a_stream_and_is_no_reply(sent):
    found, headers, data = stream(saying(sent.encode()))
    assert (found, headers["Content-Type"]) == (502, "application/json")
    assert json.loads(data)["error"]["code"] == "upstream_garbled"


def test_a_whole_body_that_is_called_a_stream():
    found, headers, data = stream(saying(json.dumps(REPLY).encode()))
    assert (found, headers["Content-Type"], events(data)[-1]) == (200, "text/event-stream", "[DONE]")
    assert '"arguments":"{\\"a\\":1}"' in data.decode()


def test_a_reply_that_is_neither():
    status, _, data = stream(saying(b"<html>", kind="text/html"))
    assert (status, json.loads(data)["error"]["code"]) == (502, "upstream_garbled")


def test_a_mistake_in_the_middle_of_a_stream(monkeypatch, caplog):
    monkeypatch.setattr("argwright.proxy.exchange.Exchange.end", lambda *_, **__: 1 / 0)
    status, _, data = stream(saying(ROLE + TEXT, then=stall), idle=0.1)
    assert status == 200
    assert last(data)["error"]["code"] == "internal_error"
    assert caplog.text.count("ZeroDivisionError") == 2


def test_a_mistake_before_anything_was_sent(monkeypatch, caplog):
    monkeypatch.setattr("argwright.proxy.exchange.Exchange.end", lambda *_, **__: 1 / 0)
    status, _, data = stream(saying(ROLE + TEXT + END))
    assert status == 500
    assert json.loads(data)["error"]["code"] == "internal_error"
    assert caplog.text.count("ZeroDivisionError") == 1
