"""What users write to let a model work with tools; checked, never run."""

from __future__ import annotations

import threading
from typing import Annotated, Any, assert_type

import anthropic
import openai
from pydantic import BaseModel

import argwright as aw


class Report(BaseModel):
    reply: str
    confidence: float


@aw.tool(timeout=3.5, parallel=False, budget=aw.Budget(schema_error=1), max_result=10_000)
async def look_up(word: str, user: Annotated[str, aw.Injected]) -> str:
    """Look up."""
    if not word:
        raise aw.ToolFeedback("which word?")
    return word + user


final = aw.FinalTool(
    Report, name="format_response", requires=("look_up",), on_text=aw.Fallback(field="reply", fixed={"confidence": 0.3})
)


def sync(client: openai.OpenAI) -> aw.RunResult:
    result = aw.run(
        client,
        [{"role": "user", "content": "?"}],
        model="m",
        tools=[look_up],
        final=final,
        request={"temperature": 0},
        budget=aw.Budget(steps=3),
        inject={"user": "me"},
        cancel=threading.Event(),
    )
    assert_type(result.messages, list[dict[str, Any]])
    assert_type(result.outcomes, tuple[aw.ValidCall | aw.InvalidCall, ...])
    return result


async def later(client: anthropic.AsyncAnthropic) -> None:
    result = await aw.arun(client, "?", model="m", tools=aw.Toolbox([look_up]), stream=True, on_event=print)
    assert_type(result, aw.RunResult)
    assert_type(result.steps, int)


def own(box: aw.Toolbox, turn: aw.Turn) -> list[dict[str, Any]]:
    session = aw.Session(aw.Budget(), final=final, model="m")
    verdict = session.judge(box.resolve_turn(turn))
    ran = [box.run(outcome, inject={"user": "me"}) for outcome in verdict.run]
    session.ran(verdict.run, ran)
    return aw.write("openai-chat", turn, verdict.outcomes, verdict.results(ran))
