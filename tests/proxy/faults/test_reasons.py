"""Why a stream that has begun ends: the protocol's error says what happened, and the official clients tell it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import anthropic
import openai
import pytest

from argwright.proxy.settings import GatewaySettings, Mending
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import request, streamed
from tests.proxy.faults.raw import hear
from tests.proxy.serving import Act, limited, serving

RETRY = Mending(on_invalid="retry")
BAD = ["Moment 🐦", ("book_berth", {"side": "aft"})]
SAID: dict[str, bytes] = {form: streamed(form, BAD) for form in FORMS}


def begun(form: str) -> bytes:
    """A stream in the middle of its call."""
    sent = SAID[form]
    return sent[: sent.index(b"\n\n", sent.index(b"book_berth")) + 2]


def failing(form: str, status: int) -> list[Act]:
    body = json.dumps({"error": {"message": "slow down 🐦", "type": "x"}}).encode()
    return [Act(pieces=[SAID[form]]), Act(pieces=[body], status=status, kind="application/json", length=True)]


WHY: list[tuple[str, Any, GatewaySettings | None, str, str, str]] = [
    ("a stall", lambda form: [Act(pieces=[begun(form)], end="stall")], limited(idle=0.3), "upstream_stalled", "timeout_error", "says nothing any more"),
    ("a stall when asked again", lambda form: [Act(pieces=[SAID[form]]), Act(pieces=[begun(form)], end="stall")], limited(idle=0.3), "upstream_stalled", "timeout_error", "says nothing any more"),
    ("too long", lambda form: [Act(pieces=[begun(form)], end="stall")], limited(total=0.5), "out_of_time", "timeout_error", "took longer than"),
    ("closed", lambda form: [Act(pieces=[begun(form)], end="abort")], None, "upstream_closed", "server_error", ""),
    ("429 when asked again", lambda form: failing(form, 429), None, "upstream_failed", "server_error", "429"),
    ("500 when asked again", lambda form: failing(form, 500), None, "upstream_failed", "server_error", "500"),
]  # fmt: skip
each = pytest.mark.parametrize(("acts", "settings", "code", "kind", "said"), [row[1:] for row in WHY], ids=[row[0] for row in WHY])  # fmt: skip


@each
@pytest.mark.parametrize("form", FORMS)
def test_the_error_event_says_why(form, acts, settings, code, kind, said):
    with serving(acts(form), RETRY, settings=settings) as server:
        heard = hear(server.root, form, request(form))
    assert (heard.status, heard.cut, heard.seen.faults, heard.seen.end) == (200, False, (), "error")
    told = json.loads(heard.body.rpartition(b"data: ")[2])["error"]
    kind = "api_error" if form == "anthropic" and kind == "server_error" else kind
    assert (told["code"], told["type"], said in told["message"]) == (code, kind, True)


@each
def test_openais_client_raises_it(acts, settings, code, kind, said):
    for form in ("openai-chat", "openai-responses"):
        asked = request(form)
        with (
            serving(acts(form), RETRY, settings=settings) as server,
            openai.OpenAI(base_url=server.url, api_key="sk-secret", max_retries=0) as client,
            pytest.raises(openai.APIError) as raised,
        ):
            list((client.chat.completions if form == "openai-chat" else client.responses).create(**asked))
        assert (raised.value.code, raised.value.type, said in raised.value.message) == (code, kind, True)


@each
def test_anthropics_client_raises_it(acts, settings, code, kind, said):
    asked = request("anthropic", max_tokens=9)
    with (
        serving(acts("anthropic"), RETRY, settings=settings) as server,
        anthropic.Anthropic(base_url=server.root, api_key="sk-secret", max_retries=0) as client,
        pytest.raises(anthropic.APIStatusError) as raised,
    ):
        list(client.messages.create(**asked))
    told: Any = raised.value.body
    assert (told["error"]["code"], said in told["error"]["message"]) == (code, True)


@pytest.mark.parametrize("form", FORMS)
def test_a_refused_call_is_another_kind(form):
    with serving([Act(pieces=[SAID[form]])], replace(RETRY, retries=0)) as server:
        heard = hear(server.root, form, request(form))
    told = json.loads(heard.body.rpartition(b"data: ")[2])["error"]
    assert (told["code"], told["type"]) == (
        "argwright_invalid_call", "api_error" if form == "anthropic" else "invalid_tool_call",
    )  # fmt: skip
