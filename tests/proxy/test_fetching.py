"""Replies that the provider keeps are mended when they are fetched."""

from __future__ import annotations

import json
from typing import Any

import httpx
import openai
import pytest

from argwright.proxy.exchange.lossless import loads
from argwright.proxy.fetching import fetches, reply
from argwright.proxy.settings import Mending
from tests.proxy.clients.reading import openai_client
from tests.proxy.exchange.playing import ERR, TRY, request, whole
from tests.proxy.serving import WAIT, Act, serving

FORM = "openai-responses"
FINE, QUOTES, HALF = '{"m": 12, "name": "Möwe 🐦"}', "{'m': 12}", '{"m": 12, "name": "Möwe'
PATHS = [
    ("GET", "/v1/responses/resp_1", True), ("GET", "/azure/openai/responses/resp_1/", True), ("POST", "/v1/responses/resp_1/cancel", True),
    ("GET", "/v1/responses", False), ("GET", "/v1/responses/resp_1/input_items", False), ("POST", "/v1/responses/resp_1", False),
    ("DELETE", "/v1/responses/resp_1", False), ("GET", "/surveys/responses/1", False), ("GET", "/v1/responses/resp_1/cancel", False),
]  # fmt: skip


def stored(text: str, **more: Any) -> bytes:
    """A reply as it is kept, with what was asked."""
    asked = request(FORM)
    body = json.loads(whole(FORM, ("book_berth", text))) | {"tools": asked["tools"], "tool_choice": "auto"}
    return json.dumps(body | more).encode()


@pytest.mark.parametrize(("method", "path", "expected"), PATHS)
def test_what_fetches_a_reply(method, path, expected):
    assert fetches(method, path) is expected


UNTOUCHED = [
    b"", b"{", b"[]", b"null", b"NaN", b'{"output": []}', b'{"object": "response.deleted"}', b'{"output": 7, "tools": [{}]}',
    stored(FINE, tools=[]), stored(FINE, tools=None), stored(FINE), stored("", output=[], status="in_progress"), stored("", output=[], status="queued"),
]  # fmt: skip


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("body", UNTOUCHED)
def test_what_is_no_such_reply_or_has_no_fault_is_untouched(mending, body):
    made = reply(body, mending, request_id="r-1", upstream="default")
    assert (made.body, made.status) == (body, 200)


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_it_is_mended_or_refused(mending):
    made = reply(stored(QUOTES), mending, request_id="r-1", upstream="default")
    assert ([one["arguments"] for one in loads(made.body)["output"]], made.status) == (['{"m":12}'], 200)
    refused = reply(stored(HALF), mending, request_id="r-1", upstream="default")
    if mending.on_invalid == "pass":
        assert loads(refused.body)["output"] == loads(stored(HALF))["output"]
        assert loads(refused.body)["argwright"]["calls"][0]["status"] == "refused"
    else:
        assert (refused.status, loads(refused.body)["error"]["code"]) == (502, "argwright_invalid_call")


@pytest.mark.parametrize("mending", [TRY, ERR])
@pytest.mark.parametrize("tools", [None, [], "x"])
def test_without_its_tools_a_call_is_an_object_all_the_same(mending, tools):
    made = [
        reply(stored(text, tools=tools), mending, request_id="r-1", upstream="default") for text in (QUOTES, HALF, "")
    ]
    assert [one.status for one in made] == [200, 502, 502]
    assert loads(made[0].body)["output"][0]["arguments"] == '{"m":12}'


@pytest.mark.parametrize("mending", [TRY, ERR], ids=["retry", "error"])
def test_a_client_that_fetches_gets_valid_calls_or_an_error(mending):
    acts = [Act(pieces=[stored(text)], kind="application/json", length=True) for text in (QUOTES, HALF, HALF, FINE)]
    with serving(acts, mending) as server, openai_client(server.url, max_retries=0) as client:
        [call] = client.responses.retrieve("resp_1").output
        assert call.arguments == '{"m":12}'
        for ask in (client.responses.retrieve, client.responses.cancel):
            with pytest.raises(openai.InternalServerError) as raised:
                ask("resp_1")
            assert raised.value.code == "argwright_invalid_call"
        answer = httpx.get(f"{server.url}/responses/resp_1", timeout=WAIT)
    assert (answer.content, answer.headers["content-length"]) == (stored(FINE), str(len(stored(FINE))))


def test_an_error_of_the_upstream_passes():
    act = Act(pieces=[b'{"error": {"message": "none"}}'], status=404, kind="application/json", length=True)
    with serving([act], ERR) as server:
        answer = httpx.get(f"{server.url}/responses/resp_1", timeout=WAIT)
    assert (answer.status_code, answer.content) == (404, b'{"error": {"message": "none"}}')
