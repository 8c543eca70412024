"""Requests and replies out of the ordinary, with the official Python clients: no call reaches them unlooked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import openai
import pytest

from argwright.proxy.settings import Mending
from tests.proxy.clients.reading import openai_client
from tests.proxy.exchange.playing import SCHEMAS, request, streamed, whole
from tests.proxy.serving import Act, serving

RETRY, ERROR, PASS = Mending(on_invalid="retry", retries=1), Mending(on_invalid="error"), Mending()
STRICT = pytest.mark.parametrize("mending", [RETRY, ERROR], ids=["retry", "error"])
HALF, FINE = ("book_berth", '{"m": 12, "name": "Möwe'), ("book_berth", '{"m": 12, "name": "Möwe 🐦"}')
CHAT, RESPONSES = "openai-chat", "openai-responses"
Change = Callable[[dict[str, Any]], None]


@contextmanager
def client(mending: Mending, *bodies: bytes, kind: str = "application/json") -> Iterator[openai.OpenAI]:
    acts = [Act(pieces=[body], kind=kind, length=kind == "application/json") for body in bodies]
    with serving(acts, mending) as server, openai_client(server.url, max_retries=0) as made:
        yield made


def said(form: str, call: Any, change: Change | None = None) -> bytes:
    """A whole reply, changed."""
    body = json.loads(whole(form, call))
    if change is not None:
        change(body)
    return json.dumps(body).encode()


def asked(form: str, **more: Any) -> dict[str, Any]:
    made = request(form, **more)
    del made["stream"]
    return made


def with_another(call: Any) -> Change:
    def change(body: dict[str, Any]) -> None:
        [other] = json.loads(whole(CHAT, call))["choices"]
        body["choices"].append({**other, "index": 1})

    return change


@STRICT
@pytest.mark.parametrize("more", [{"n": 2}, {}], ids=str)
def test_several_choices(mending, more):
    half, fine = said(CHAT, FINE, with_another(HALF)), said(CHAT, FINE, with_another(FINE))
    with client(mending, half, fine) as one:
        with pytest.raises(openai.InternalServerError) as raised:
            one.chat.completions.create(**asked(CHAT), **more)
        assert raised.value.code == "argwright_invalid_call"
        found = one.chat.completions.create(**asked(CHAT), **more)
        assert [json.loads(choice.message.tool_calls[0].function.arguments) for choice in found.choices] == [
            json.loads(FINE[1])
        ] * 2


@STRICT
def test_a_stream_of_several_choices(mending):
    with client(mending) as one, pytest.raises(openai.BadRequestError) as raised:
        one.chat.completions.create(**asked(CHAT), n=2, stream=True)
    assert (raised.value.code, raised.value.type) == ("several_choices", "invalid_request_error")


def test_a_stream_of_several_choices_passes_with_a_note():
    with client(PASS, streamed(CHAT, FINE), kind="text/event-stream") as one:
        chunks = list(one.chat.completions.create(**asked(CHAT), n=2, stream=True))
    pieces = [call.function.arguments or "" for chunk in chunks for call in chunk.choices[0].delta.tool_calls or ()]
    assert "".join(pieces) == FINE[1]


def failed(form: str, status: str) -> Change:
    def change(body: dict[str, Any]) -> None:
        if form == CHAT:
            body["choices"][0] |= {"finish_reason": status, "error": {"message": "boom 🐦", "code": 1}}
        else:
            body |= {"status": status, "error": {"code": "server_error", "message": "boom 🐦"}}

    return change


@STRICT
@pytest.mark.parametrize(("form", "status"), [(CHAT, "error"), (RESPONSES, "failed"), (RESPONSES, "cancelled")])
def test_a_reply_that_failed(mending, form, status):
    with (
        client(mending, said(form, HALF, failed(form, status))) as one,
        pytest.raises(openai.InternalServerError) as raised,
    ):
        (one.chat.completions if form == CHAT else one.responses).create(**asked(form))
    assert (raised.value.code, "boom 🐦" in str(raised.value)) == ("upstream_failed", True)


@STRICT
@pytest.mark.parametrize("status", ["in_progress", "queued"])
def test_a_reply_that_is_not_over(mending, status):
    def change(body: dict[str, Any]) -> None:
        body["status"] = status

    with client(mending, said(RESPONSES, HALF, change)) as one, pytest.raises(openai.InternalServerError) as raised:
        one.responses.create(**asked(RESPONSES), background=True)
    assert raised.value.code == "argwright_invalid_call"


@STRICT
@pytest.mark.parametrize("more", [{"prompt": {"id": "pmpt_1"}}, {"previous_response_id": "resp_1"}], ids=str)
def test_responses_without_input(mending, more):
    sent = {key: value for key, value in asked(RESPONSES).items() if key != "input"}
    with (
        client(mending, said(RESPONSES, HALF), said(RESPONSES, HALF)) as one,
        pytest.raises(openai.InternalServerError) as raised,
    ):
        one.responses.create(**sent, **more)
    assert raised.value.code == "argwright_invalid_call"


def test_responses_without_input_are_asked_for_again():
    sent = {key: value for key, value in asked(RESPONSES).items() if key != "input"}
    with client(RETRY, said(RESPONSES, HALF), said(RESPONSES, FINE)) as one:
        [call] = one.responses.create(**sent, previous_response_id="resp_1").output
    assert json.loads(call.arguments) == json.loads(FINE[1])


DECLARED: dict[str, list[dict[str, Any]]] = {
    "twice": [*asked(CHAT)["tools"], *asked(CHAT)["tools"]],
    "wrong": [{"type": "function", "function": {"name": "book_berth", "parameters": {"type": "object", "properties": {"m": {"type": "integer", "required": True}}}}}],
}  # fmt: skip


@STRICT
@pytest.mark.parametrize("tools", DECLARED.values(), ids=DECLARED)
def test_tools_that_are_declared_badly(mending, tools):
    functions = [{"name": name, "parameters": schema} for name, schema in SCHEMAS.items()]
    rows: list[dict[str, Any]] = [{"tools": tools}, {"functions": functions}]
    for more in rows:
        with (
            client(mending, said(CHAT, HALF), said(CHAT, HALF)) as one,
            pytest.raises(openai.InternalServerError) as raised,
        ):
            one.chat.completions.create(**{**asked(CHAT), **more})
        assert raised.value.code == "argwright_invalid_call"
        with client(mending, said(CHAT, FINE)) as one:
            found = one.chat.completions.create(**{**asked(CHAT), **more})
        assert found.choices[0].message.tool_calls[0].function.arguments == FINE[1]
