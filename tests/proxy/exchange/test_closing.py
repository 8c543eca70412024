"""The end of a stream: what comes behind it, a reply that failed with calls in it, and what kind of error is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anthropic
import openai
import pytest

from argwright.proxy.exchange import Fault
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import (
    ERR,
    GO,
    TRY,
    calls,
    events_of,
    exchange,
    note,
    play,
    read,
    request,
    sse,
    streamed,
)
from tests.proxy.forms.checking import check
from tests.proxy.serving import Act, Server, serving

FORM = pytest.mark.parametrize("form", FORMS)
GOOD: tuple[str, Any] = ("book_berth", {"m": 12, "name": "Möwe 🐦\u2028"})
LATE: tuple[str, Any] = ("write_log", {"path": "日志", "text": "א"})
HALF = '{"path": "日志", "text": '
MODES = [GO, ERR, replace(TRY, retries=0), replace(ERR, optimistic=True)]
MODE = pytest.mark.parametrize("mending", MODES)


# behind the end


def behind(form: str, said: Any) -> bytes:
    """Everything of a reply but what ends it, as it would follow another."""
    stream = streamed(form, (LATE[0], said), 2)
    last = {"openai-chat": b"data: [DONE]", "anthropic": b"event: message_delta"}.get(
        form, b"event: response.completed"
    )
    return stream[: stream.index(last)]


HARMLESS: dict[str, list[bytes]] = {
    "openai-chat": [
        b": keep-alive\n\n", b"data: [DONE]\n\n",
        sse({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": {"total_tokens": 3}}),
    ],
    "openai-responses": [b": keep-alive\n\n", b"data: [DONE]\n\n"],
    "anthropic": [b": keep-alive\n\n", sse(("ping", {"type": "ping"})), b"data: [DONE]\n\n"],
}  # fmt: skip


@FORM
@MODE
@pytest.mark.parametrize("said", [HALF, LATE[1]], ids=["half a call", "a call"])
def test_nothing_follows_the_end_of_a_reply(form, mending, said):
    sent, more = streamed(form, GOOD), behind(form, said)
    for step in (0, 1, 50):
        played = play(form, [sent + more], mending, step=step)
        assert played.out == sent
        assert played.exchange.left_out == more.count(b"data: {")


@FORM
@MODE
def test_what_adds_nothing_may_follow(form, mending):
    sent = streamed(form, GOOD) + b"".join(HARMLESS[form])
    played = play(form, [sent], mending, step=7)
    assert (played.out, played.exchange.left_out) == (sent, 0)


@FORM
@pytest.mark.parametrize("mending", [ERR, replace(TRY, retries=0)])
def test_nothing_follows_an_error(form, mending):
    """A reply that is refused, and one that goes on as if nothing had been."""
    out = play(form, [streamed(form, ("book_berth", {"side": "aft"})) + behind(form, HALF)], mending).out
    assert check(form, out, usage=None).end == "error"
    assert calls(read(form, out)) == []


@FORM
def test_garbage_behind_the_end_is_left_out(form):
    sent = streamed(form, GOOD)
    assert play(form, [sent + b"data: {what\n\ndata: 7\n\n"], ERR).out == sent


# a reply that failed, with calls in it


def failing(kind: str, given: str, *, events: bool = True, message: str = "boom") -> bytes:
    """A response that ends so, with a call in its output, and, if wanted, in events before."""
    said = ["Moment 🐦", ("book_berth", given)]
    whole = json.loads(streamed("openai-responses", said).split(b"data: ")[-1])["response"]
    error = {"code": "server_error", "message": message} if kind == "failed" else None
    data = {"type": f"response.{kind}", "sequence_number": 99, "response": {**whole, "status": kind, "error": error}}
    stream = streamed("openai-responses", said if events else said[0])
    return stream[: stream.index(b"event: response.completed")] + sse((data["type"], data))


ENDS = ("response.failed", "response.cancelled", "response.incomplete", "response.completed", "error")


@pytest.mark.parametrize("mending", [ERR, replace(TRY, retries=0), replace(TRY, retries=2)])
@pytest.mark.parametrize("events", [True, False], ids=["told", "in the output only"])
@pytest.mark.parametrize("given", ['{"m": 12}', '{"m": 1', "{'m': 12,}"], ids=["valid", "half", "mended"])
def test_a_reply_that_failed_has_one_end_and_no_call(given, events, mending):
    played = play("openai-responses", [failing("failed", given, events=events)], mending)
    told = events_of(played.out)
    ends = [event for event in told if event["type"] in ENDS]
    assert [event["type"] for event in ends] == ["response.failed"]
    assert told[-1] is ends[0]
    assert [item["type"] for item in ends[0]["response"]["output"]] == ["message"]
    assert (calls(read("openai-responses", played.out)), played.statuses) == ([], ["refused"])
    found = check("openai-responses", played.out)
    assert (found.faults, found.error["message"], found.text) == ((), "boom", "Moment 🐦")


@pytest.mark.parametrize("events", [True, False], ids=["told", "in the output only"])
def test_pass_gives_the_reply_that_failed(events):
    out = play("openai-responses", [failing("failed", '{"m": 12}', events=events)]).out
    end = events_of(out)[-1]
    assert check("openai-responses", out, calls_parse=False).faults == ()
    assert [item["type"] for item in end["response"]["output"]] == ["message", "function_call"]
    assert [one["status"] for one in note(out)["calls"]] == ["refused"]


@pytest.mark.parametrize("mending", [GO, ERR, replace(TRY, retries=0)])
@pytest.mark.parametrize("events", [True, False], ids=["told", "in the output only"])
def test_a_reply_that_was_cancelled_ends_in_an_error_that_clients_notice(events, mending):
    out = play("openai-responses", [failing("cancelled", '{"m": 12}', events=events)], mending).out
    found = check("openai-responses", out)
    assert (found.faults, found.end, found.error["code"]) == ((), "error", "upstream_failed")
    assert [event["type"] for event in events_of(out) if event["type"] in ENDS] == ["error"]
    assert [call.name for call in found.calls] == (["book_berth"] if mending is GO else [])


@pytest.mark.parametrize("mending", [ERR, replace(TRY, retries=0)])
def test_a_failure_without_a_word_is_an_error_that_clients_notice(mending):
    out = play("openai-responses", [failing("failed", '{"m": 12}', message="")], mending).out
    found = check("openai-responses", out)
    assert (found.faults, found.end, found.error["code"]) == ((), "error", "upstream_failed")


@pytest.mark.parametrize("mending", [ERR, replace(TRY, retries=0)])
def test_a_reply_that_is_not_complete_has_one_end(mending):
    out = play("openai-responses", [failing("incomplete", '{"m": 12}')], mending).out
    ends = [event["type"] for event in events_of(out) if event["type"] in ENDS]
    assert (ends, calls(read("openai-responses", out))) == (["error"], [])


# what kind of error


KINDS = [
    ("argwright_invalid_call", "invalid_tool_call", "api_error"),
    ("upstream_closed", "server_error", "api_error"),
    ("upstream_garbled", "server_error", "api_error"),
    ("upstream_failed", "server_error", "api_error"),
    ("upstream_stalled", "timeout_error", "timeout_error"),
    ("out_of_time", "timeout_error", "timeout_error"),
]


@FORM
@pytest.mark.parametrize(("code", "open_ai", "other"), KINDS)
def test_the_type_tells_a_refused_call_from_a_failure(form, code, open_ai, other):
    under = exchange(form, ERR)
    sent = streamed(form, ["Moment 🐦", GOOD])
    under.feed(sent[: sent.index(b"\n\n", sent.index(b"book_berth")) + 2])
    tail = under.end(broken=True, why=Fault(code, "why", {}))
    [last] = [event for event in events_of(tail.data) if isinstance(event, dict) and "error" in event]
    assert (last["error"]["code"], last["error"]["message"]) == (code, "why")
    assert last["error"]["type"] == (other if form == "anthropic" else open_ai)
    assert [one["status"] for one in last["argwright"]["calls"]] == ["refused"]


# the official clients


@pytest.fixture(scope="module", params=[ERR, replace(TRY, retries=1)], ids=["error", "retry"])
def gateway(request: Any) -> Iterator[Server]:
    def acting(asked: Any) -> Act:
        body = json.loads(asked.body)
        form = "anthropic" if "max_tokens" in body else "openai-responses"
        failed = failing("failed", '{"m": 12}')
        return Act(pieces=[failed if body["model"] == "failed" else streamed(form, GOOD) + behind(form, HALF)])

    mending: Mending = request.param
    with serving(acting, mending) as server:
        yield server


def test_anthropics_client_has_no_call_from_behind_the_end(gateway):
    asked = request("anthropic")
    with (
        anthropic.Anthropic(base_url=gateway.root, api_key="sk-secret", max_retries=0) as client,
        client.messages.stream(model="late", max_tokens=9, messages=asked["messages"], tools=asked["tools"]) as stream,
    ):
        content = stream.get_final_message().content
    assert [(one.type, getattr(one, "input", None)) for one in content] == [("tool_use", GOOD[1])]


@pytest.mark.parametrize(("model", "last"), [("late", "response.completed"), ("failed", "response.failed")])
def test_openais_client_has_one_end(gateway, model, last):
    asked = request("openai-responses")
    with openai.OpenAI(base_url=gateway.url, api_key="sk-secret", max_retries=0) as client:
        events = list(client.responses.create(model=model, input=asked["input"], tools=asked["tools"], stream=True))
    assert [event.type for event in events if event.type in ENDS] == [last]
    assert events[-1].type == last
    given = [item for item in events[-1].response.output if item.type == "function_call"]
    assert [json.loads(item.arguments) for item in given] == ([GOOD[1]] if model == "late" else [])
