"""What `aw.run` adds to each step, over the time of the model.

A model without any delay (a function that gives ready-made replies) calls tools for some steps and then answers; the
processor's time of the run, divided by its steps, is what argwright adds: reading, resolving, running the tool,
judging, writing. Streamed replies come in pieces of four characters, and are read while the model writes.

    python -m benchmarks.loop
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import argwright as aw
from argwright.scripted import body, events
from benchmarks.pictures import Section

STEPS = 20
ROUNDS = 30


@aw.tool
def search_products(query: str, limit: int = 10) -> list[dict[str, Any]]:
    """Search the catalogue."""
    return [{"name": query, "price": number} for number in range(limit)]


REPORT = {
    "type": "object",
    "properties": {"reply": {"type": "string"}, "confidence": {"type": "number"}},
    "required": ["reply", "confidence"],
}
FINAL = aw.FinalTool(REPORT, requires=("search_products",))


def turns(arguments: Callable[[int], str]) -> Iterator[aw.Turn]:
    for step in range(STEPS - 1):
        call = aw.ToolCall(f"call_{step}", "search_products", arguments(step))
        yield aw.Turn((call,), finish=aw.Finish(None, "tool_calls"))
    call = aw.ToolCall("call_final", FINAL.name, '{"reply": "here", "confidence": 0.9}')
    yield aw.Turn((call,), finish=aw.Finish(None, "tool_calls"))


def valid(step: int) -> str:
    return f'{{"query": "a lamp, number {step}, of brass, with a shade", "limit": 5}}'


def faulty(step: int) -> str:
    return f"```json\n{{'query': 'a lamp, number {step}, of brass, with a shade', 'limit': '5',}}\n```"


def whole(form: str, arguments: Callable[[int], str]) -> Callable[[], Any]:
    bodies = [body(form, turn) for turn in turns(arguments)]
    return lambda: iter(bodies)


def streamed(form: str, arguments: Callable[[int], str]) -> Callable[[], Any]:
    replies = [[data for _, data in events(form, turn)] for turn in turns(arguments)]
    return lambda: (iter(reply) for reply in replies)


async def awaited(reply: Iterator[Any]) -> AsyncIterator[Any]:
    for event in reply:
        yield event


def once(replies: Any, form: str, stream: bool, *, is_async: bool) -> float:  # noqa: FBT001  # a column of the table
    def client(_messages: Any, _tools: Any) -> Any:
        return next(replies)

    async def later(_messages: Any, _tools: Any) -> Any:
        reply = next(replies)
        return awaited(reply) if stream else reply

    options: dict[str, Any] = {"tools": [search_products], "final": FINAL, "format": form, "stream": stream}
    begin = time.process_time()
    if is_async:
        result = asyncio.run(aw.arun(later, "find a lamp", **options))
    else:
        result = aw.run(client, "find a lamp", **options)
    taken = time.process_time() - begin
    if (result.stop, result.steps) != ("final", STEPS):
        raise RuntimeError(f"the run ended in {result.stop} after {result.steps} steps")
    return taken / STEPS


def section() -> Section:
    """All figures."""
    lines = ["| format | calls | replies | run | arun |", "|---|---|---|--:|--:|"]
    for form in ("openai-chat", "openai-responses", "anthropic"):
        for name, arguments in (("valid", valid), ("faulty", faulty)):
            for kind, made in (("whole", whole), ("streamed", streamed)):
                replies = made(form, arguments)
                best = [
                    min(once(replies(), form, kind == "streamed", is_async=is_async) for _ in range(ROUNDS))
                    for is_async in (False, True)
                ]
                lines.append(f"| {form} | {name} | {kind} | {best[0] * 1_000:.2f} | {best[1] * 1_000:.2f} |")
    told = (
        f"Milliseconds a step that `run` and `arun` add to the model's own time: the best of {ROUNDS} runs of {STEPS} "
        "steps each. Every step reads a reply, resolves one call, runs the tool, and writes the history."
    )
    return Section("The loop", "\n".join([*lines, "", told]))


if __name__ == "__main__":
    print(section().text)
