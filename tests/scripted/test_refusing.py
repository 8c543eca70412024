from __future__ import annotations

import pytest

from argwright.scripted import Raw, Request, ScriptedServer, deepseek, history_checked, refusal
from tests.scripted.test_server import TURN, asked

CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "ewöm"}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {}}]}


def request(form: str = "openai-chat", **body: object) -> Request:
    return Request(path="/", form=form, body={"model": "deepseek-reasoner", **body})


DEEPSEEK = [
    ({}, None),
    ({"tool_choice": "auto"}, None),
    ({"tool_choice": "required"}, "deepseek-reasoner does not support this tool_choice"),
    ({"tool_choice": {"type": "function", "function": {"name": "x"}}}, "deepseek-reasoner does not support this tool_choice"),
    ({"tool_choice": "required", "thinking": {"type": "disabled"}}, None),
    ({"messages": [ASKED]}, "Missing `reasoning_content` field in the assistant message at message index 0"),
    ({"messages": [ASKED], "thinking": {"type": "disabled"}}, None),
    ({"messages": [{**ASKED, "reasoning_content": ""}]}, None),
    ({"messages": [{"role": "assistant", "content": "ja"}]}, None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), DEEPSEEK, ids=[*map(str, range(len(DEEPSEEK)))])
def test_deepseek(body, message):
    assert deepseek(request(**body)) == (None if message is None else refusal(message))


HISTORIES = [
    ("openai-chat", {}, None),
    ("openai-chat", {"messages": [{"role": "system", "content": "x"}, ASKED, ANSWER]}, None),
    ("openai-chat", {"messages": [ASKED]}, "missing_result"),
    ("openai-chat", {"messages": [ANSWER]}, "orphan_result"),
    ("openai-responses", {"input": "?"}, None),
    ("openai-responses", {"input": [{"type": "function_call_output", "call_id": "c1", "output": "x"}]}, "orphan_result"),
    ("openai-responses", {"previous_response_id": "r", "input": [{"type": "function_call_output", "call_id": "c1", "output": "x"}]}, None),
    ("anthropic", {"messages": [USE, {"role": "user", "content": "?"}]}, "missing_result"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "body", "rule"), HISTORIES, ids=[*map(str, range(len(HISTORIES)))])
def test_histories(form, body, rule):
    refused = history_checked(request(form, **body))
    assert (refused is None) == (rule is None)
    assert rule is None or f": {rule}: " in refused.content["error"]["message"]


def test_a_refused_request_takes_no_reply_of_the_script():
    with ScriptedServer([TURN, "noch etwas", Raw("no", 503)], refuses=[deepseek]) as server:
        assert [asked(server, data={"tool_choice": choice})[0] for choice in ("required", "auto")] == [400, 200]
        assert "noch etwas" in asked(server)[2].decode()
        assert asked(server)[::2] == (503, b'"no"')
        assert len(server.requests) == 4
