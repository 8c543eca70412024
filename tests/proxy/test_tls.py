"""Upstreams over TLS, as all real ones are: streams and whole replies, connections used again, certificates checked."""

from __future__ import annotations

import json
import ssl

import openai
import pytest
import trustme

from tests.proxy.clients.reading import openai_client
from tests.proxy.clients.test_python import act
from tests.proxy.faults.test_upstream import script
from tests.proxy.process import started
from tests.proxy.serving import Loop, Upstream

STREAMED = script("openai-chat", "a good one and a mended one")
WHOLE = script("openai-chat", "a good one and a mended one", streamed=False)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def upstream(authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with Loop() as loop:
        yield Upstream(
            loop, lambda asked: act(STREAMED if json.loads(asked.body or b"{}").get("stream") else WHOLE), tls=context
        )


def test_replies_come_over_tls(upstream, authority, tmp_path, monkeypatch):
    trusted = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(trusted))
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    words = ("--upstream", f"{upstream.root}/v1", "--on-invalid", "error")
    with started(*words) as gateway, openai_client(gateway.url) as client:
        for _ in range(3):
            made = client.chat.completions.create(**WHOLE.request())
            calls = [json.loads(call.function.arguments) for call in made.choices[0].message.tool_calls]
            assert calls == [arguments for _, arguments in WHOLE.right().valid]
            pieces: dict[int, str] = {}
            for chunk in client.chat.completions.create(**STREAMED.request()):
                for call in chunk.choices[0].delta.tool_calls or () if chunk.choices else ():
                    pieces[call.index] = pieces.get(call.index, "") + (call.function.arguments or "")
            assert [json.loads(text) for text in pieces.values()] == [
                arguments for _, arguments in STREAMED.right().valid
            ]
        assert client.get("/anything", cast_to=object) is not None


def test_a_certificate_that_nobody_vouches_for_is_refused(upstream, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    before = len(upstream.asked)
    with started("--upstream", f"{upstream.root}/v1") as gateway, openai_client(gateway.url) as client:
        with pytest.raises(openai.APIStatusError) as caught:
            client.chat.completions.create(**WHOLE.request())
        assert caught.value.status_code == 502
        assert "cannot be reached" in str(caught.value)
    assert len(upstream.asked) == before
