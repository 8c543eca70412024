"""Services that refuse what others take: they are met by what is known of them, and by what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import openai
import pytest
from pydantic import BaseModel

import argwright as aw
from argwright.scripted import Raw, Request
from tests.run.wires import WIRES, Wire, called, play, turn

CHAT = [wire for wire in WIRES if wire.form == "openai-chat"]


class Report(BaseModel):
    reply: str


@aw.tool
def look_up(word: str) -> str:
    """Look up."""
    return word[::-1]


FINAL = aw.FinalTool(Report, requires=("look_up",))


def refusal(message: str, status: int = 400) -> Raw:
    return Raw({"error": {"message": message, "type": "invalid_request_error"}}, status)


def strict_server(turns: Iterable[aw.Turn]) -> list[Callable[[Request], Any]]:
    """A server that thinks: no forced choice, and reasoning wanted back."""
    said = iter(turns)

    def reply(request: Request) -> Any:
        if request.body.get("tool_choice") not in (None, "auto"):
            return refusal("thinking mode does not support this tool_choice")
        asked = [message for message in request.body["messages"] if message.get("tool_calls")]
        if any("reasoning_content" not in message for message in asked):
            return refusal("missing field reasoning_content in the assistant message")
        return next(said)

    return [reply] * 20


def script(*, thinks: bool) -> list[aw.Turn]:
    thought = {"reasoning": "hm", "extra": {"reasoning_content": "hm"}} if thinks else {}
    return [
        turn(called(1, '{"word": "möwe"}', "look_up"), **thought),
        turn(called(2, '{"word": "wal"}', "look_up")),
        turn(called(3, '{"reply": "ewöm"}', "final_answer"), **thought),
    ]


@pytest.mark.parametrize("wire", CHAT, ids=str)
@pytest.mark.parametrize("thinks", [True, False])
@pytest.mark.parametrize("service", ["deepseek", None])
def test_a_server_that_thinks_is_met(wire, thinks, service):
    done = play(
        wire,
        strict_server(script(thinks=thinks)),
        tools=[look_up],
        final=FINAL,
        budget=aw.Budget(steps=3),
        model="deepseek-reasoner",
        service=service,
    )
    assert (done.result.stop, done.result.output) == ("final", Report(reply="ewöm"))
    assert len(done.requests) == 3 + (0 if service else 2)  # each lesson is learned once
    if service:
        assert all("tool_choice" not in request.body for request in done.requests)


@pytest.mark.parametrize("wire", CHAT[:1], ids=str)
def test_what_cannot_be_helped_is_raised_as_it_is(wire):
    with pytest.raises(openai.BadRequestError, match="no such model"):
        play(wire, [refusal("no such model")], tools=[look_up], final=FINAL)


@pytest.mark.parametrize("wire", [Wire("openai-chat", is_async=False, stream=False)], ids=str)
def test_a_choice_of_the_callers_own_stays(wire):
    request = {"tool_choice": "auto", "temperature": 0, "extra_body": {"seed": 7}}
    done = play(wire, [turn(text="ja")], tools=[look_up], budget=aw.Budget(steps=1), request=request)
    body = done.requests[0].body
    assert (body["tool_choice"], body["temperature"], body["seed"]) == ("auto", 0, 7)


def test_a_name_that_the_provider_does_not_take_is_forced_as_it_is_declared():
    final = aw.FinalTool(Report, name="antworten/öffentlich")
    done = play(WIRES[0], [turn(text="?")], tools=[], final=final, budget=aw.Budget(steps=1))
    body = done.requests[0].body
    assert body["tool_choice"]["function"]["name"] == body["tools"][0]["function"]["name"]
