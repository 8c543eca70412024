"""Proxies of the environment, and a gateway behind a real one."""

import asyncio
import ssl
from base64 import b64encode
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from argwright.proxy.app import Parts
from argwright.proxy.outward import Proxies, faults
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, ServerSettings, UpstreamSettings
from tests.proxy.process import started
from tests.proxy.test_gateway import REPLY, chat, run, serving

BOTH = {"HTTPS_PROXY": "http://secure:3128", "HTTP_PROXY": "http://plain:3128"}
FOUND = [
    ({}, "https://api.example/v1", None),
    (BOTH, "https://api.example/v1", "http://secure:3128"),
    (BOTH, "http://api.example/v1", "http://plain:3128"),
    ({"https_proxy": "proxy:1", "HTTPS_PROXY": "http://other:2"}, "https://api.example", "http://proxy:1"),
    ({"ALL_PROXY": "http://all:1"}, "http://api.example", "http://all:1"),
    ({"ALL_PROXY": "http://all:1", "http_proxy": "http://one:2"}, "http://api.example", "http://one:2"),
    ({"HTTP_PROXY": "http://one:2", "REQUEST_METHOD": "GET"}, "http://api.example", None),
    ({"HTTPS_PROXY": "http://user:pass@proxy:1"}, "https://api.example", "http://user:pass@proxy:1"),
    ({**BOTH, "HTTPS_PROXY": " "}, "https://api.example", None),
]


@pytest.mark.parametrize(("environ", "url", "proxy"), FOUND)
def test_the_proxy_for_an_address(environ, url, proxy):
    assert Proxies(environ).of(URL(url)) == (None if proxy is None else URL(proxy))


WITHOUT = [
    ("*", True),
    ("api.example.com", True),
    ("API.Example.COM", True),
    ("example.com", True),
    (".example.com", True),
    ("*.example.com", True),
    ("other, example.com ", True),
    ("api.example.com:443", True),
    ("api.example.com:80", False),
    ("ample.com", False),
    ("pi.example.com", False),
    ("10.0.0.0/8", False),
    ("no/network", False),
    ("", False),
]


@pytest.mark.parametrize(("without", "bypassed"), WITHOUT)
@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_hosts_that_are_reached_without(name, without, bypassed):
    found = Proxies({**BOTH, name: without}).of(URL("https://api.example.com/v1"))
    assert (found is None) == bypassed


NUMBERS = [("10.0.0.0/8", "http://10.1.2.3", True), ("10.0.0.0/8", "http://11.1.2.3", False),
    ("::1", "http://[::1]:8000", True), ("[::1]:8000", "http://[::1]:8000", True), ("fd00::/8", "http://[fd00::1]", True),
    ("127.0.0.1", "http://127.0.0.1:8000", True)]  # fmt: skip


@pytest.mark.parametrize(("without", "url", "bypassed"), NUMBERS)
def test_addresses_that_are_reached_without(without, url, bypassed):
    assert (Proxies({**BOTH, "NO_PROXY": without}).of(URL(url)) is None) == bypassed


WRONG = ["socks5://secret:1", "http://", "http://secret:99999", "http://[::1", "ftp://secret"]


@pytest.mark.parametrize("address", WRONG)
def test_what_is_no_proxy_is_told_without_its_address(address):
    assert list(faults({"HTTPS_PROXY": address})) == [
        "HTTPS_PROXY: the address of a proxy such as http://host:3128 was expected"
    ]
    assert list(faults(BOTH)) == []


# a gateway behind one


class Proxy:
    """A forward proxy: what it was asked for, and with which password."""

    def __init__(self):
        self.asked, self.tasks = [], set()

    async def __call__(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        head = await reader.readuntil(b"\r\n\r\n")
        line, *fields = head.decode().splitlines()
        method, target, _ = line.split(" ")
        given = {name.lower(): value for name, _, value in (one.partition(": ") for one in fields)}
        self.asked.append((method, target, given.get("proxy-authorization")))
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            there, further = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Established\r\n\r\n")
        else:
            url = URL(target)
            there, further = await asyncio.open_connection(url.host, url.port)
            further.write(head.replace(target.encode(), url.raw_path_qs.encode(), 1))
        await asyncio.gather(self._pipe(reader, further), self._pipe(there, writer))

    @staticmethod
    async def _pipe(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        writer.close()


@asynccontextmanager
async def behind_a_proxy():
    proxy = Proxy()
    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    try:
        yield proxy, f"http://me:p%40ss@127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await asyncio.gather(*proxy.tasks)


async def reply(request):
    await request.read()
    return web.json_response(REPLY)


PASSWORD = f"Basic {b64encode(b'me:p@ss').decode()}"


@pytest.mark.parametrize("wanted", [True, False])
def test_a_plain_upstream(wanted):
    async def work():
        async with serving(reply) as root, behind_a_proxy() as (proxy, address):
            settings = GatewaySettings(
                upstreams=(UpstreamSettings(url=f"{root}/v1"),),
                server=replace(ServerSettings(port=0), proxy_from_env=wanted),
            )
            parts = Parts(environ={"HTTP_PROXY": address})
            async with running(settings, parts=parts) as served, aiohttp.ClientSession(served.url) as client:
                async with client.post("/v1/chat/completions", json=chat()) as said:
                    answer = await said.json()
                async with client.get("/v1/models") as said:
                    assert said.status == 200
            return answer["choices"][0]["finish_reason"], root, proxy.asked

    reason, root, asked = run(work())
    assert reason == "tool_calls"
    assert asked == ([("POST", f"{root}/v1/chat/completions", PASSWORD)] if wanted else [])


def test_nobody_at_the_proxy():
    async def work():
        settings = GatewaySettings(
            upstreams=(UpstreamSettings(url="https://api.invalid/v1"),),
            server=replace(ServerSettings(port=0), proxy_from_env=True),
        )
        parts = Parts(environ={"HTTPS_PROXY": "http://me:secret@127.0.0.1:1"})
        async with (
            running(settings, parts=parts) as served,
            aiohttp.ClientSession(served.url) as client,
            client.post("/v1/chat/completions", json=chat()) as said,
        ):
            return said.status, await said.json()

    status, answer = run(work())
    assert (status, answer["error"]["code"]) == (502, "upstream_unreachable")
    assert "secret" not in answer["error"]["message"]


def test_a_tunnel_to_a_secure_upstream(tmp_path, monkeypatch):
    """As its user starts it, since trusted certificates are read when a program starts."""
    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")

    async def work():
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", reply)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        host = f"localhost:{runner.addresses[0][1]}"
        try:
            async with behind_a_proxy() as (proxy, address):
                monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
                monkeypatch.setenv("HTTPS_PROXY", address)
                found = await asyncio.to_thread(through, f"https://{host}/v1")
                return found, host, proxy.asked
        finally:
            await runner.cleanup()

    def through(url):
        with started("--upstream", url, "--proxy-from-env", "--journal", "off") as process:
            return asyncio.run(asks(process.root))

    async def asks(root):
        async with aiohttp.ClientSession(root) as client:
            found = []
            for _ in range(2):
                async with client.post("/v1/chat/completions", json=chat()) as said:
                    found.append((await said.json())["choices"][0]["finish_reason"])
            async with client.get("/v1/models") as said:
                return [*found, said.status]

    found, host, asked = run(work())
    assert found == ["tool_calls", "tool_calls", 200]
    assert asked == [("CONNECT", host, PASSWORD)] * 2  # a line that is used twice, and aiohttp's own connection
