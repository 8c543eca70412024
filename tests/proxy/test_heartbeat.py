"""In a silent stream the client hears that somebody lives, between two events, and the official clients pass over it."""

import asyncio
import inspect
import json
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from aiohttp import web

import argwright as aw
from argwright.proxy.heartbeat import BEATS, Heart
from argwright.proxy.settings import Mending
from tests.proxy import scripts
from tests.proxy.clients.reading import (
    ASYNC,
    BLOCKING,
    Answer,
    anthropic_client,
    async_anthropic_client,
    async_openai_client,
    openai_client,
)
from tests.proxy.test_gateway import SETTINGS, gateway, run

SCHEMAS = {"find": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}}
TEXT = "Moment, 你好! 👋 مرحبا \u2028"
GOOD, BAD = "{query: '降噪 \u2028 🎧',}", '{"other": 1}'
ANSWER = Answer(calls=(("find", {"query": "降噪 \u2028 🎧"}),), text=TEXT)


class Client:
    """A connection to a client: what was written to it."""

    def __init__(self):
        self.written, self.closing, self.waiting = [], False, 0

    def is_closing(self):
        return self.closing

    def get_write_buffer_size(self):
        return self.waiting

    def write(self, data):
        self.written.append(data)


def beaten(steps, *, holds=True, **client):
    """How often it beat; a step is the time, and what was sent by then."""
    to = Client()
    vars(to).update(client)
    heart = Heart(15.0, b": x\n\n", to, chunked=True)
    last = b""
    for now, sent in steps:
        last = bytes(bytearray(sent)) if sent else last
        heart.look(now, last, holds=holds)
    assert set(to.written) <= {b"5\r\n: x\n\n\r\n"}
    return len(to.written)


EVENT = b"data: 1\n\n"
STEPS = [
    pytest.param([(0, EVENT), (14, b"")], 0, id="not-yet"),
    pytest.param([(0, EVENT), (15, b""), (16, b""), (29, b"")], 1, id="once"),
    pytest.param([(0, EVENT), (15, b""), (30, b""), (45, b"")], 3, id="again-and-again"),
    pytest.param([(0, EVENT), (10, EVENT), (20, b""), (25, b"")], 1, id="from-the-last-event"),
    pytest.param([(0, EVENT), (14, EVENT), (28, EVENT), (42, EVENT)], 0, id="never-silent"),
    pytest.param([(0, b"data: 1\r\n\r\n"), (15, b"")], 1, id="other-line-ends"),
    pytest.param([(0, b"data: 1\r\r"), (15, b"")], 1, id="old-line-ends"),
    pytest.param([(0, b"data: 1\n"), (60, b"")], 0, id="inside-an-event"),
    pytest.param([(0, b"data: "), (60, b"")], 0, id="inside-a-line"),
    pytest.param([(0, b""), (60, b"")], 0, id="nothing-was-sent"),
]


@pytest.mark.parametrize(("steps", "beats"), STEPS)
def test_when_it_beats(steps, beats):
    assert beaten(steps) == beats


def test_it_does_not_beat_while_nothing_is_held():
    assert beaten([(0, EVENT), (60, b"")], holds=False) == 0


@pytest.mark.parametrize("client", [{"closing": True}, {"waiting": 1}], ids=["gone", "behind"])
def test_it_does_not_beat_for_a_client_that_takes_nothing(client):
    assert beaten([(0, EVENT), (60, b"")], **client) == 0


def test_a_client_of_an_older_version_gets_no_chunks():
    to = Client()
    heart = Heart(1.0, b": x\n\n", to, chunked=False)
    heart.look(0.0, EVENT, holds=True)
    heart.look(1.0, EVENT, holds=True)
    assert to.written == [b": x\n\n"]


# through the official clients


@asynccontextmanager
async def tee(root, beat, heard):
    """Between client and gateway: `heard` is set when a heartbeat goes by; what goes to the client is kept."""
    host, _, port = root.removeprefix("http://").partition(":")
    passed, tasks = bytearray(), set()

    async def pipe(reader, writer, *, back):
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if back:
                    passed.extend(data)
                    if beat in passed:
                        heard.set()
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connected(reader, writer):
        tasks.add(asyncio.current_task())
        there, further = await asyncio.open_connection(host, int(port))
        await asyncio.gather(pipe(reader, further, back=False), pipe(there, writer, back=True))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", passed
    finally:
        server.close()
        await asyncio.gather(*tasks)


def stream(form, arguments):
    call = aw.ToolCall("call_1", "find", arguments)
    turn = aw.Turn((call,), TEXT, finish=aw.Finish(None, "tool_calls", truncated=False))
    return next(one.sent for one in scripts.said("held", form, SCHEMAS, turn) if one.streamed)


def held(heard, *pieces):
    """A server that says the pieces of its replies, and waits for a heartbeat before each but the first of all."""
    left = [list(reply) for reply in pieces]
    begun = False

    async def handle(request):
        nonlocal begun
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await request.read()
        await reply.prepare(request)
        for piece in left.pop(0):
            if begun:
                await heard.wait()
                heard.clear()
            begun = True
            await reply.write(piece)
        return reply

    return handle


CLIENTS = {
    ("anthropic", False): anthropic_client,
    ("anthropic", True): async_anthropic_client,
    ("openai", False): openai_client,
    ("openai", True): async_openai_client,
}
WAYS = [one for one in [*BLOCKING, *ASYNC] if one.streamed]


async def asked(way, url):
    provider = way.form.partition("-")[0]
    client = CLIENTS[provider, inspect.iscoroutinefunction(way.ask)](url if provider == "anthropic" else f"{url}/v1")
    request = scripts.asked(way.form, scripts.declared(way.form, SCHEMAS))
    try:
        if inspect.iscoroutinefunction(way.ask):
            return await way.ask(client, request)
        return await asyncio.to_thread(way.ask, client, request)
    finally:
        closed = client.close()
        if closed is not None:
            await closed


def through(way, mending, pieces):
    """What a client got, and the bytes that went to it."""

    async def work():
        heard = asyncio.Event()
        settings = replace(SETTINGS, mending=mending)
        async with (
            gateway(held(heard, *pieces), settings, heartbeat=0.05) as (client, _),
            tee(str(client._base_url).rstrip("/"), BEATS[way.form], heard) as (url, passed),
        ):
            return await asked(way, url), bytes(passed)

    return run(work())


def places(sent):
    """In the call: between two events, inside a line, inside a character."""
    first = sent.rindex(b"\n\n", 0, sent.index("降".encode())) + 2
    return [first, first + 20, sent.index("降".encode()) + 1]


@pytest.mark.parametrize("place", range(3), ids=["between", "in-a-line", "in-a-character"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.form}-{way.ask.__name__}")
def test_a_call_that_is_held(way, place):
    sent = stream(way.form, GOOD)
    cut = places(sent)[place]
    answer, passed = through(way, Mending(), [[sent[:cut], sent[cut : cut + 9], sent[cut + 9 :]]])
    assert answer == ANSWER
    assert passed.count(BEATS[way.form]) >= 2


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.form}-{way.ask.__name__}")
def test_a_model_that_is_asked_again(way):
    answer, passed = through(way, Mending(on_invalid="retry"), [[stream(way.form, BAD)], [stream(way.form, GOOD)]])
    assert answer.calls == ANSWER.calls
    assert answer.text.replace("\n\n", "") == TEXT * 2
    assert BEATS[way.form] in passed


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.form}-{way.ask.__name__}")
def test_a_model_that_is_silent_itself(way):
    """Nothing of it is held, and its client hears no sign of life while another's hears several."""
    sent, beat = stream(way.form, GOOD), BEATS[way.form]
    before = sent.rindex(b"\n\n", 0, sent.index(b'"find"')) + 2

    async def work():
        said, heard, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def handle(request):
            place = places(sent)[0] if said.is_set() else before
            reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await request.read()
            await reply.prepare(request)
            await reply.write(sent[:place])
            for _ in range(0 if place == before else 3):
                await heard.wait()
                heard.clear()
            over.set() if place != before else await over.wait()
            await reply.write(sent[place:])
            return reply

        async with (
            gateway(handle, SETTINGS, heartbeat=0.05) as (client, _),
            tee(str(client._base_url).rstrip("/"), b"\n\n", said) as (silent, alone),
            tee(str(client._base_url).rstrip("/"), beat, heard) as (holding, passed),
        ):
            first = asyncio.create_task(asked(way, silent))
            await said.wait()
            answers = [await asked(way, holding), await first]
            return answers, bytes(alone), bytes(passed)

    answers, alone, passed = run(work())
    assert answers == [ANSWER, ANSWER]
    assert (beat in alone, passed.count(beat) >= 3) == (False, True)


def test_none_are_wanted():
    """What is held is as silent as the upstream, until that is too long."""

    async def handle(request):
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await request.read()
        await reply.prepare(request)
        sent = stream("openai-chat", GOOD)
        await reply.write(sent[: places(sent)[1]])
        await asyncio.Event().wait()

    async def work():
        asks = scripts.asked("openai-chat", scripts.declared("openai-chat", SCHEMAS), stream=True)
        async with (
            gateway(handle, heartbeat=0, idle=0.3) as (client, _),
            client.post("/v1/chat/completions", data=json.dumps(asks).encode()) as reply,
        ):
            return await reply.read()

    said = run(work())
    assert b'"truncated"' in said
    assert BEATS["openai-chat"] not in said
