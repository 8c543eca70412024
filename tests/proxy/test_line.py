"""A request over a line of its own, against a server that writes bytes as a script says."""

import asyncio
from contextlib import asynccontextmanager

import aiohttp
import pytest
from multidict import CIMultiDict
from yarl import URL

from argwright.proxy.line import Asked, Lines, NoHttpError

WAIT = 20
TEXT = "Moment, 你好! 👋 مرحبا \u2028".encode()
SIZED = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(TEXT), TEXT)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(TEXT), TEXT)
ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n" + TEXT


class Server:
    """Says one answer for each request, in turn, the last one for ever; an answer that ends with `None` hangs up."""

    def __init__(self, answers):
        self.asked = []
        self.connections = 0
        self.closed, self.heard = asyncio.Event(), asyncio.Event()
        self.tasks = set()
        self._answers = list(answers)

    async def __call__(self, reader, writer):
        self.connections += 1
        self.tasks.add(asyncio.current_task())
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                self.asked.append(head + await reader.readexactly(length))
                self.heard.set()
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                for piece in answer if isinstance(answer, list) else [answer]:
                    if piece is None:
                        return
                    writer.write(piece)
                    await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
            self.closed.set()


@asynccontextmanager
async def calling(*answers, kept=60.0):
    """A server, its address, and lines to it."""
    served = Server(answers)
    server = await asyncio.start_server(served, "127.0.0.1", 0)
    async with aiohttp.TCPConnector(limit=0) as connector:
        lines = Lines(connector, aiohttp.ClientTimeout(sock_connect=WAIT), longest=8190, kept=kept)
        try:
            yield served, URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/x?a=%2F", encoded=True), lines
        finally:
            lines.close()
            server.close()
            await asyncio.gather(*served.tasks)


async def asking(lines, url, body=b"{}", method="POST", **fields):
    """One request: its status, and its body; the line is released."""
    head, line = await lines.ask(Asked(method, url, CIMultiDict(fields), body))
    try:
        return head.code, await line.body.read()
    finally:
        line.release()


def run(work):
    return asyncio.run(asyncio.wait_for(work, WAIT))


def test_what_is_sent():
    async def work():
        async with calling(SIZED) as (served, url, lines):
            await asking(lines, url, "工具".encode(), Authorization="Bearer k")
            return served.asked[0], url.authority.encode()

    asked, host = run(work())
    assert asked == (
        b"POST /v1/x?a=%2F HTTP/1.1\r\nAuthorization: Bearer k\r\nHost: "
        + host
        + b"\r\nContent-Length: 6\r\n\r\n"
        + "工具".encode()
    )


def test_a_field_that_would_begin_another_is_not_sent():
    async def work():
        async with calling(SIZED) as (served, url, lines):
            with pytest.raises(ValueError, match="header injection"):
                await asking(lines, url, x="a\r\nb: c")
            return served.asked

    assert run(work()) == []


ANSWERS = [
    pytest.param(SIZED, (200, TEXT), 1, id="length"),
    pytest.param(CHUNKED, (200, TEXT), 1, id="chunks"),
    pytest.param([SIZED[:9], SIZED[9:30], SIZED[30:]], (200, TEXT), 1, id="pieces"),
    pytest.param([CHUNKED[:-5], CHUNKED[-5:]], (200, TEXT), 1, id="end-by-itself"),
    pytest.param(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + SIZED, (200, TEXT), 1, id="early-hints"),
    pytest.param([b"HTTP/1.1 102 Processing\r\n\r\n", SIZED], (200, TEXT), 1, id="processing"),
    pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", (204, b""), 1, id="nothing"),
    pytest.param(b"HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n\r\n", (429, b""), 1, id="empty"),
    pytest.param([ENDLESS, None], (200, TEXT), 2, id="until-it-hangs-up"),
    pytest.param(SIZED.replace(b"Content", b"Connection: close\r\nContent"), (200, TEXT), 2, id="close"),
    pytest.param(SIZED.replace(b"1.1", b"1.0"), (200, TEXT), 2, id="old"),
    pytest.param(SIZED + SIZED, (200, TEXT), 2, id="an-answer-too-many"),
    pytest.param(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", (101, b""), 2, id="upgrade"),
]


@pytest.mark.parametrize(("answer", "expected", "connections"), ANSWERS)
def test_an_answer_is_read_and_the_line_used_again_if_it_may(answer, expected, connections):
    async def work():
        async with calling(answer) as (served, url, lines):
            first = await asking(lines, url)
            await asyncio.sleep(0.01)  # until what stands behind it has come as well
            return [first, await asking(lines, url)], served.connections

    assert run(work()) == ([expected, expected], connections)


def test_a_head_has_no_body():
    async def work():
        async with calling(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n") as (served, url, lines):
            return [await asking(lines, url, method="HEAD") for _ in range(2)], served.connections

    assert run(work()) == ([(200, b"")] * 2, 1)


FAULTS = [
    pytest.param([None], aiohttp.ServerDisconnectedError, id="nothing"),
    pytest.param([SIZED[:20], None], aiohttp.ServerDisconnectedError, id="half-a-head"),
    pytest.param([SIZED[:-1], None], aiohttp.ClientPayloadError, id="half-a-body"),
    pytest.param([CHUNKED[:-5], None], aiohttp.ClientPayloadError, id="no-last-chunk"),
    pytest.param([SIZED + b"rubbish\r\n\r\n"], NoHttpError, id="rubbish-at-once"),
    pytest.param([b"SSH-2.0-x\r\n\r\n"], NoHttpError, id="not-http"),
    pytest.param([CHUNKED.replace(b"%x\r\n" % len(TEXT), b"zz\r\n")], NoHttpError, id="no-chunk"),
    pytest.param([b"HTTP/1.1 200 OK\r\nX: " + b"x" * 9000 + b"\r\n\r\n"], NoHttpError, id="long"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "error"), FAULTS)
def test_a_fault_is_an_error_and_the_line_is_not_used_again(answer, error):
    async def work():
        async with calling(answer, SIZED) as (served, url, lines):
            with pytest.raises(error):
                await asking(lines, url)
            return await asking(lines, url), served.connections

    assert run(work()) == ((200, TEXT), 2)


@pytest.mark.parametrize("then", [[SIZED, None], [SIZED, b"HTTP/1.1 408 Timeout\r\n\r\n", None]], ids=["mute", "told"])
def test_a_server_that_hangs_up_while_nobody_asks(then):
    async def work():
        async with calling(then, SIZED) as (served, url, lines):
            first = await asking(lines, url)
            await served.closed.wait()
            await asyncio.sleep(0.05)  # until the end has arrived here as well
            return [first, await asking(lines, url)], served.connections

    assert run(work()) == ([(200, TEXT)] * 2, 2)


def test_a_server_that_hangs_up_as_a_line_is_used_again_is_asked_once_more_on_a_fresh_one():
    async def work():
        async with calling(SIZED, SIZED, [None], [None], SIZED) as (served, url, lines):
            held = [await lines.ask(Asked("POST", url, CIMultiDict(), b"x")) for _ in range(2)]
            for _, line in held:
                await line.body.read()
                line.release()
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await asking(lines, url, b"1")  # a kept one, a fresh one, and no third
            return await asking(lines, url, b"2"), served.connections, [one[-1:] for one in served.asked]

    assert run(work()) == ((200, TEXT), 3, [b"x", b"x", b"1", b"1", b"2"])


def test_a_server_that_hangs_up_later_has_read_what_it_was_asked(monkeypatch):
    monkeypatch.setattr("argwright.proxy.line._AT_ONCE", -1.0)

    async def work():
        async with calling(SIZED, [None], SIZED) as (served, url, lines):
            await asking(lines, url)
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await asking(lines, url)
            return served.connections, len(served.asked)

    assert run(work()) == (1, 2)


@pytest.mark.parametrize("said", [b"H", b"HTTP/1.1 103 Early Hints\r\n\r\n", SIZED[:-1]], ids=["byte", "hints", "body"])
def test_a_server_that_said_anything_is_not_asked_twice(said):
    async def work():
        async with calling(SIZED, [said, None], SIZED) as (served, url, lines):
            await asking(lines, url)
            with pytest.raises(aiohttp.ClientError):
                await asking(lines, url)
            return served.connections, len(served.asked)

    assert run(work()) == (1, 2)


def test_a_line_that_nobody_uses_is_given_up():
    async def work():
        async with calling(SIZED, kept=0.05) as (served, url, lines):
            await asking(lines, url)
            await served.closed.wait()
            return await asking(lines, url), served.connections

    assert run(work()) == ((200, TEXT), 2)


def test_a_line_that_was_in_use_when_others_were_given_up_is_given_up_later():
    async def work():
        async with calling(SIZED, kept=0.05) as (served, url, lines):
            _, busy = await lines.ask(Asked("POST", url, CIMultiDict(), b""))
            await asking(lines, url)
            await served.closed.wait()  # the other one
            served.closed.clear()
            await busy.body.read()
            busy.release()
            await served.closed.wait()
            return served.connections

    assert run(work()) == 2


def test_an_answer_that_nobody_reads_to_its_end_ends_the_line():
    async def work():
        async with calling([SIZED[:-3]], SIZED) as (served, url, lines):
            head, line = await lines.ask(Asked("POST", url, CIMultiDict(), b""))
            line.release()
            await served.closed.wait()
            return head.code, await asking(lines, url), served.connections

    assert run(work()) == (200, (200, TEXT), 2)


def test_a_request_that_is_given_up_ends_the_line():
    async def work():
        async with calling([b"HTTP/1.1 "], SIZED) as (served, url, lines):
            task = asyncio.create_task(asking(lines, url))
            await served.heard.wait()
            task.cancel()
            await served.closed.wait()
            return await asking(lines, url), served.connections

    assert run(work()) == ((200, TEXT), 2)


def test_a_body_that_nobody_reads_is_held_back():
    size, count = 64 * 1024, 400
    sent = 0

    async def serve(reader, writer):
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(count):
            writer.write(b"%x\r\n%b\r\n" % (size, bytes(size)))
            await writer.drain()
            sent += size
        writer.write(b"0\r\n\r\n")
        await reader.read()
        writer.close()

    async def work():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, aiohttp.TCPConnector(limit=0) as connector:
            lines = Lines(connector, aiohttp.ClientTimeout(), longest=8190, kept=1)
            url = URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
            _, line = await lines.ask(Asked("POST", url, CIMultiDict(), b""))
            before = -1
            while sent != before:  # until nothing moves any more
                before = sent
                await asyncio.sleep(0.2)
            held = sent
            read = len(await line.body.read())
            line.release()
            lines.close()
            return held, read

    held, read = run(work())
    assert held < size * count / 2
    assert read == size * count


def test_nobody_answers():
    async def work():
        async with aiohttp.TCPConnector(limit=0) as connector:
            lines = Lines(connector, aiohttp.ClientTimeout(sock_connect=WAIT), longest=8190, kept=1)
            with pytest.raises(aiohttp.ClientConnectorError):
                await asking(lines, URL("http://127.0.0.1:1/"))

    run(work())
