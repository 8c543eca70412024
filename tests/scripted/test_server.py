"""The scripted server itself, asked without a client."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

import argwright as aw
from argwright.scripted import FORMS, Raw, Request, ScriptedServer, body, events

TURN = aw.Turn((aw.ToolCall("c1", "book_berth", '{"m": 12}'),), text="Moment", finish=aw.Finish(None, "tool_calls"))


def asked(server: ScriptedServer, path: str = "/v1/chat/completions", data: Any = None) -> tuple[int, str, bytes]:
    host = server.root.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=5)
    try:
        connection.request("POST", path, data if isinstance(data, bytes) else json.dumps(data or {}), {"X-Trace": "7"})
        answer = connection.getresponse()
        return answer.status, answer.getheader("content-type", ""), answer.read()
    finally:
        connection.close()


def test_each_request_takes_the_next_reply_and_is_kept():
    with ScriptedServer([TURN, Raw({"error": "busy"}, status=503)]) as server:
        status, kind, data = asked(server, data={"model": "m-7", "messages": []})
        assert (status, kind, json.loads(data)) == (200, "application/json", body("openai-chat", TURN, model="m-7"))
        assert asked(server) == (503, "application/json", b'{"error":"busy"}')
        assert [one.body for one in server.requests] == [{"model": "m-7", "messages": []}, {}]
        assert server.requests[0].headers["x-trace"] == "7"


def test_a_request_too_many_and_a_path_that_is_none():
    with ScriptedServer([]) as server:
        assert asked(server)[0] == 500
        assert asked(server, "/v1/nothing")[0] == 404
        assert b"no reply to request 3" in asked(server, "/v1/messages?beta=true")[2]


def test_a_reply_may_look_at_its_request():
    def only_free_choice(request: Request) -> Any:
        return TURN if request.body.get("tool_choice") is None else Raw({"error": {"message": "no"}}, status=400)

    with ScriptedServer([only_free_choice, only_free_choice]) as server:
        assert asked(server, data={"tool_choice": "required"})[0] == 400
        assert asked(server, data={"messages": []})[0] == 200


def test_raw_events_and_bytes():
    with ScriptedServer([Raw([{"a": 1}, ("ping", {"b": "上"}), "[DONE]"]), Raw(b"<html>", status=502)]) as server:
        assert asked(server) == (
            200,
            "text/event-stream",
            'data: {"a":1}\n\nevent: ping\ndata: {"b":"上"}\n\ndata: [DONE]\n\n'.encode(),
        )
        assert asked(server)[::2] == (502, b"<html>")


def test_a_stream_that_breaks_off_never_says_that_it_is_over():
    with ScriptedServer([Raw([{"a": 1}], cut=True)]) as server, pytest.raises(http.client.IncompleteRead):
        asked(server)


def test_what_is_no_json_is_an_empty_request():
    with ScriptedServer([TURN]) as server:
        assert asked(server, data=b"\xff{")[0] == 200
        assert server.requests[0].body == {}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("piece", [1, 4, 1000])
def test_whole_and_streamed_are_the_same_turn(form, piece):
    said = aw.Turn(
        (aw.ToolCall("c1", "book_berth", '{"Hafen": "Ærø 🐦"}'), aw.ToolCall("c2", "count_gulls", "{}")),
        text="Moment",
        finish=aw.Finish(None, "tool_calls"),
    )
    acc = aw.Accumulator(form)
    odd = [
        found
        for name, data in events(form, said, piece=piece)
        for found in acc.feed(data, event=name)
        if isinstance(found, aw.ProtocolViolation)
    ]
    streamed, whole = acc.close(), aw.read(form, body(form, said))
    assert odd == []
    assert [(made.id, made.name, made.finish_reason) for made in streamed.calls] == [
        (made.id, made.name, made.finish_reason) for made in whole.calls
    ]
    assert (streamed.text, streamed.finish, streamed.extra) == (whole.text, whole.finish, whole.extra)


def test_free_text_tools_and_thoughts():
    said = aw.Turn(
        (aw.ToolCall("c1", "ask_pilot", input="wind?"),), reasoning="hm", finish=aw.Finish(None, "tool_calls")
    )
    for form in ("openai-chat", "openai-responses"):
        acc = aw.Accumulator(form)
        for name, data in events(form, said):
            acc.feed(data, event=name)
        assert acc.close().calls[0].input == aw.read(form, body(form, said)).calls[0].input == "wind?"
    assert aw.read("anthropic", body("anthropic", said)).reasoning == "hm"
