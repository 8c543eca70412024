"""A conversation held without any I/O: the model's turns are given, the commands are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import argwright as aw
from argwright import execution, history
from argwright.loop import CallModel, Cancelled, Ran, Refused, RunTools, Setup, converse
from argwright.wire.services import service_named


@dataclass
class Held:
    """What was asked and what came of it."""

    asked: list[CallModel] = field(default_factory=list)
    ran: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    result: aw.RunResult = field(default_factory=aw.RunResult)

    def told(self, request: int = -1) -> str:
        return str(self.asked[request].messages)


def call(number: int | None, arguments: Any, name: str = "look_up", **more: Any) -> aw.ToolCall:
    return aw.ToolCall(None if number is None else f"call_{number}", name, arguments, **more)


def turn(*calls: aw.ToolCall, text: str = "", reason: str = "", **more: Any) -> aw.Turn:
    reason = reason or ("tool_calls" if calls else "stop")
    cut = reason in ("length", "missing")
    if cut and calls:
        calls = (*calls[:-1], replace(calls[-1], finish_reason=reason))
    return aw.Turn(calls, text, finish=aw.Finish(reason, reason, cut), **more)


def hold(
    turns: Sequence[Any],
    *,
    tools: Sequence[Any] = (),
    final: aw.FinalTool | None = None,
    budget: aw.Budget | None = None,
    form: str = "openai-chat",
    monitor: Any = None,
    messages: Sequence[dict[str, Any]] = ({"role": "user", "content": "?"},),
    request: dict[str, Any] | None = None,
    service: str | None = None,
) -> Held:
    """Hold a conversation; at every step what would be sent must be replayable."""
    box = aw.Toolbox([*tools, *([] if final is None else [final.tool])])
    session = aw.Session(budget or aw.Budget(), final=final, monitor=monitor, model="m-1")
    known = service_named(service)
    loop = converse(
        Setup(form=form, messages=messages, box=box, session=session, final=final, request=request or {}, service=known)
    )
    said, held = iter(turns), Held()
    command: Any = next(loop)
    try:
        while True:
            command = loop.send(_reply(command, said, held, (form, known)))
    except StopIteration as done:
        held.result = done.value
    _check(held.result.messages, form, known)
    return held


def _reply(command: Any, said: Any, held: Held, where: Any) -> Any:
    if isinstance(command, RunTools):
        results = tuple(execution.run(outcome) for outcome in command.calls)
        held.ran += [(outcome.tool.name, outcome.arguments) for outcome in command.calls]
        return Ran(results=results)
    held.asked.append(command)
    _check(command.messages, *where)
    given = next(said, None)
    return Cancelled() if given is None else Refused(error=given) if isinstance(given, Exception) else given


def _check(messages: Sequence[dict[str, Any]], form: str, service: Any) -> None:
    said = [message for message in messages if message.get("role") != "system"]
    assert history.check(form, said, service=service) == ()
