"""`ScriptedModel`, through real runs."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from pydantic import BaseModel

import argwright as aw
from argwright.scripted import FORMS, Cut, Raw, ScriptedModel, ScriptedRefusal, Step, body, events, refusal, said


class Report(BaseModel):
    reply: str


@aw.tool
def look_up(word: str) -> dict[str, str]:
    """Look up."""
    return {word: word[::-1]}


ASK = ("look_up", "{'word': 'möwe',}")


def play(script: list[Any], form: str = "openai-chat", **options: Any) -> tuple[aw.RunResult, ScriptedModel]:
    with ScriptedModel(script, form=form) as model:
        return aw.run(model, "?", tools=[look_up], format=form, **options), model


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_run_through_a_script(form, stream):
    script = [
        [ASK, ("nope", {})],
        Step(Cut(("look_up", {"word": "wal"})), told=("ewöm", "Unknown function: nope"), untold="wal"),
        Step("fertig", told="cut off", check=lambda asked: None),
    ]
    result, model = play(script, form, stream=stream, model="m-1", request={"temperature": 0})
    assert (result.text, result.stop, result.steps) == ("fertig", "text", 3)
    assert [len(asked.messages) for asked in model.requests] == sorted(len(asked.messages) for asked in model.requests)
    assert [asked.request["temperature"] for asked in model.requests] == [0] * 3
    assert model.requests[0].request["model"] == "m-1"
    assert "look_up" in str(model.requests[0].tools)


def test_the_same_without_blocking():
    with ScriptedModel([ASK, "ewöm"]) as model:
        assert asyncio.run(aw.arun(model, "?", tools=[look_up])).text == "ewöm"


FAILS = [
    ([ASK, Step("x", told="wal")], {}, 'request 2: \'wal\' is not in what is new: [{"role":"assistant"'),
    ([ASK, Step("x", untold="ewöm")], {}, "request 2: 'ewöm' was sent"),
    ([ASK, "x", "y"], {}, "2 requests, and the script has 3 replies"),
    ([ASK], {}, "request 2: the script has 1 replies"),
    ([ASK, Step(ASK, told="ewöm"), Step("x", told="ewöm")], {}, "request 3: 'ewöm' is not in what is new"),
]


@pytest.mark.parametrize(("script", "options", "said"), FAILS, ids=[*map(str, range(len(FAILS)))])
def test_what_does_not_go_by_the_script(script, options, said):
    with pytest.raises(AssertionError, match=re.escape(said)):
        play(script, **options)


def test_a_check_of_ones_own():
    def none(asked: Any) -> None:
        assert "tool_choice" not in asked.request

    final = aw.FinalTool(Report, on_text=aw.Fallback(field="reply", reminders=0))
    play([Step("x", check=none)], final=final)
    with pytest.raises(AssertionError, match="tool_choice"):
        play([Step("x", check=none)], final=final, budget=aw.Budget(steps=1))


def test_a_history_that_would_be_refused_is_an_error():
    model = ScriptedModel(["x"])
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    with pytest.raises(AssertionError, match="request 1 would be refused: /0/tool_calls/0: no result"):
        model([{"role": "assistant", "content": None, "tool_calls": [call]}], [])


def test_an_error_of_the_run_is_not_hidden_by_the_rest_of_the_script():
    with pytest.raises(ZeroDivisionError), ScriptedModel(["x", "y"]):
        raise ZeroDivisionError


@pytest.mark.parametrize("stream", [False, True])
def test_raw_replies_and_functions(stream):
    turn = said(ASK)
    raw = Raw([*events("openai-chat", turn)] if stream else body("openai-chat", turn))
    result, _ = play([raw, lambda asked: f"{len(asked.messages)} messages"], stream=stream)
    assert result.text == "3 messages"


def test_a_refusal_is_raised_as_clients_raise_it():
    with pytest.raises(ScriptedRefusal, match="no such model") as raised:
        play([refusal("no such model")])
    assert raised.value.status_code == 400


def test_a_refused_choice_is_asked_again_without_it():
    final = aw.FinalTool(Report)
    script = [refusal("this tool_choice is not supported"), ("final_answer", {"reply": "ja"})]
    result, model = play(script, final=final, budget=aw.Budget(steps=1))
    assert (result.stop, ["tool_choice" in asked.request for asked in model.requests]) == ("final", [True, False])


def test_what_was_asked_shows_no_content():
    _, model = play(["x"])
    assert repr(model.requests) == "[Asked(1 messages, 1 new)]"
    assert model.requests[0].told("?")
    assert not model.requests[0].told("!", ever=True)
