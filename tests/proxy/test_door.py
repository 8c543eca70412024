"""What the HTTP server refuses by itself is told in the gateway's form, and no word of it is logged."""

import asyncio
import json

import pytest

from argwright.proxy.serving import running as running_gateway
from argwright.proxy.settings import GatewaySettings, ServerSettings
from tests.proxy.test_gateway import echo, gateway, run

KEY = b"Authorization: Bearer sk-geheim\r\n"
BEGIN = b"POST /v1/files HTTP/1.1\r\nHost: x\r\n" + KEY
REFUSED = [
    pytest.param(
        BEGIN + b"Content-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 2\r\n\r\n{}", 400, id="type-twice"
    ),
    pytest.param(BEGIN + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, id="length-twice"),
    pytest.param(BEGIN.replace(b"geheim", b"geh\x01eim") + b"\r\n", 400, id="control-character"),
    pytest.param(BEGIN + b"X: " + b"geheim" * 20_000 + b"\r\n\r\n", 400, id="long"),
    pytest.param(b"SSH-2.0-geheim\r\n\r\n", 400, id="not-http"),
    pytest.param(BEGIN + b"Expect: geheim\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 417, id="expectation"),
]
CODES = {400: "body_unreadable", 417: "expectation_unknown"}


async def answered(port, data):
    """Status, header fields and body of what the server says to these bytes, until it hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    said = await reader.read()
    writer.close()
    head, _, body = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.lower(), json.loads(body)


@pytest.mark.parametrize(("data", "status"), REFUSED)
def test_a_request_that_the_server_refuses(data, status, caplog):
    caplog.set_level("DEBUG")

    async def work():
        async with gateway(echo) as (client, _):
            return await answered(client._base_url.port, data)

    found, head, body = run(work())
    assert (found, body["error"]["code"]) == (status, CODES[status])
    assert b"content-type: application/json" in head
    assert "geh" not in caplog.text
    assert "127.0.0.1" not in caplog.text


def test_the_same_without_an_upstream():
    async def work():
        async with running_gateway(GatewaySettings(server=ServerSettings(port=0))) as served:
            port = int(served.url.rpartition(":")[2])
            return [(await answered(port, param.values[0]))[0] for param in REFUSED]

    assert run(work()) == [param.values[1] for param in REFUSED]


@pytest.mark.parametrize("upstream", [True, False])
@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [("GET", "/v1/repair", "POST"), ("PUT", "/v1/%72epair", "POST"), ("POST", "/metrics", "GET, HEAD")],
)
def test_what_is_the_gateways_own_takes_its_methods(upstream, method, path, allow):
    async def work():
        data = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        if not upstream:
            async with running_gateway(GatewaySettings(server=ServerSettings(port=0))) as served:
                return await answered(int(served.url.rpartition(":")[2]), data)
        async with gateway(echo) as (client, _):
            return await answered(client._base_url.port, data)

    status, head, body = run(work())
    assert (status, body["error"]["code"]) == (405, "method_not_allowed")
    assert f"allow: {allow}".lower().encode() in head
