import asyncio
from dataclasses import replace

import aiohttp
import pytest

from argwright.proxy.access import guarded
from argwright.proxy.fields import is_loopback
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, ServerSettings

WAIT = 20
TOKEN = "tökén-7".replace("ö", "o").replace("é", "e")
OPEN = GatewaySettings(server=ServerSettings(port=0))
CLOSED = replace(OPEN, server=replace(OPEN.server, token=TOKEN))
OWN = ["/_argwright/", "/_argwright", "/_argwright/api/state", "/_argwright/nothing", "/%5Fargwright/api/state"]


def ask(settings, *asked, jar=None):
    """Status and headers of each request: method, path, header fields."""

    async def work():
        found = []
        async with (
            running(settings) as served,
            aiohttp.ClientSession(cookie_jar=jar or aiohttp.DummyCookieJar()) as client,
        ):
            for method, path, headers in asked:
                url = f"{served.url}{path}"
                async with client.request(method, url, headers=headers, allow_redirects=False) as reply:
                    found.append((reply.status, dict(reply.headers)))
        return found

    return asyncio.run(asyncio.wait_for(work(), WAIT))


def statuses(settings, *asked):
    return [status for status, _ in ask(settings, *asked)]


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True), ("127.1.2.3", True), ("localhost", True), ("LOCALHOST.", True), ("::1", True),
        ("[::1]", True), ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("example.com", False), ("", False),
        ("localhost.example.com", False), ("127.0.0.1.example.com", False),
    ],
)  # fmt: skip
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("path", "closed"),
    [
        ("/_argwright", True), ("/_argwright/", True), ("/_argwright/api/calls/1", True), ("/v1/repair", True),
        ("/_argwright/health", False), ("/_argwright/ready", False), ("/metrics", False), ("/_argwright/metrics", False),
        ("/v1/chat/completions", False), ("/_argwrights", False), ("/v1/repairs", False), ("/", False),
    ],
)  # fmt: skip
def test_what_is_guarded(path, closed):
    assert guarded(path, ServerSettings()) is closed


def test_metrics_may_be_guarded():
    assert [guarded(path, ServerSettings(public_metrics=False)) for path in ("/metrics", "/_argwright/metrics")] == [
        True,
        True,
    ]


@pytest.mark.parametrize("path", OWN)
def test_without_the_token(path):
    ((status, headers),) = ask(CLOSED, ("GET", path, {}))
    assert (status, headers["WWW-Authenticate"]) == (401, 'Bearer realm="argwright"')


def test_repair_without_the_token():
    assert statuses(CLOSED, ("POST", "/v1/repair", {})) == [401]
    assert statuses(CLOSED, ("POST", f"/v1/repair?token={TOKEN}", {})) == [401]
    assert statuses(CLOSED, ("POST", "/v1/repair", {"Authorization": f"Bearer {TOKEN}"})) == [400]  # no JSON


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (f"Bearer {TOKEN}", 200), (f"bearer  {TOKEN}", 200), (f"Bearer {TOKEN}x", 401), ("Bearer ", 401), ("Bearer", 401),
        (TOKEN, 401), (f"Basic {TOKEN}", 401), ("Bearer 工具", 401),
    ],
)  # fmt: skip
def test_the_header(given, status):
    assert statuses(CLOSED, ("GET", "/_argwright/api/state", {"Authorization": given})) == [status]


def test_what_is_for_everybody():
    paths = ["/_argwright/health", "/_argwright/ready", "/metrics", "/_argwright/metrics"]
    assert statuses(CLOSED, *[("GET", path, {}) for path in paths]) == [200] * 4
    assert statuses(CLOSED, ("GET", "/v1/models", {})) == [404]


def test_a_browser_comes_with_the_token_once():
    page = "/_argwright/?lang=zh&token=" + TOKEN
    ((status, headers),) = ask(CLOSED, ("GET", page, {}))
    assert (status, headers["Location"], headers["Referrer-Policy"]) == (303, "/_argwright/?lang=zh", "no-referrer")
    cookie, *attributes = headers["Set-Cookie"].split("; ")
    assert TOKEN not in cookie
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    assert "Secure" not in attributes
    assert statuses(CLOSED, ("GET", "/_argwright/api/state", {"Cookie": cookie})) == [200]
    assert statuses(CLOSED, ("GET", "/_argwright/api/state", {"Cookie": cookie[:-1]})) == [401]
    assert statuses(replace(CLOSED, server=replace(CLOSED.server, token="other")), ("GET", OWN[2], {"Cookie": cookie})) == [401]  # fmt: skip


def test_behind_tls_the_cookie_is_for_tls():
    ((_, headers),) = ask(CLOSED, ("GET", f"/_argwright/?token={TOKEN}", {"X-Forwarded-Proto": "https"}))
    assert "Secure" in headers["Set-Cookie"].split("; ")


@pytest.mark.parametrize("path", ["/_argwright/?token=wrong", "/_argwright/?token=", "/_argwright/api/state?token=x"])
def test_a_wrong_token_in_the_address(path):
    assert statuses(CLOSED, ("GET", path, {})) == [401]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (None, 200), ("localhost:8790", 200), ("127.0.0.1", 200), ("[::1]:8790", 200), ("evil.example", 401),
        ("evil.example:8790", 401), ("localhost.evil.example", 401), ("", 401), ("10.0.0.7:8790", 401),
    ],
)  # fmt: skip
def test_without_a_token_only_under_a_name_of_this_machine(host, status):
    headers = {} if host is None else {"Host": host}
    assert statuses(OPEN, ("GET", "/_argwright/api/state", headers)) == [status]
    assert statuses(OPEN, ("GET", "/_argwright/health", headers)) == [200]
