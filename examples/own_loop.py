"""An agent with a loop of its own: the SDK as it is, and of argwright only `resolve`.

    python examples/own_loop.py --model gpt-4o-mini
    python examples/own_loop.py --api anthropic --model claude-haiku-4-5

A program that has its loop already changes one place: where it had `json.loads(call.function.arguments)`, it has
`box.resolve(call)`, and two cases instead of an exception.

What it shows:

- nothing a model writes raises, and no tool runs on what is not valid;
- into the history goes what ran, not what was written: a bad text stored there makes every later request fail;
- of a reply that was cut (`finish_reason`), the last call is not run, even if its text looks complete.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from connecting import connect

import argwright as aw

STEPS = 8


@aw.tool(aliases={"place": "city"})
def get_weather(city: str, days: int = 1) -> list[str]:
    """The weather.

    Args:
        city: a city
        days: for how many days
    """
    return [f"{city}: 晴, {20 + day} °C" for day in range(days)]


BOX = aw.Toolbox([get_weather], monitor=aw.Monitor())


def answer(outcome: aw.ValidCall | aw.InvalidCall) -> tuple[dict[str, Any], aw.ToolResult]:
    """What is stored as the call's arguments, and its result."""
    match outcome:
        case aw.ValidCall(arguments):
            return arguments, BOX.run(outcome)
        case aw.InvalidCall():
            return {}, outcome.result()


def ask_openai(client: Any, question: str, model: str) -> str:
    """The loop for chat completions."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for _ in range(STEPS):
        choice = client.chat.completions.create(
            model=model, messages=messages, tools=BOX.declare("openai-chat")
        ).choices[0]
        calls = choice.message.tool_calls or []
        if not calls:
            return choice.message.content or ""
        stored, results = [], []
        for call in calls:
            reason = choice.finish_reason if call is calls[-1] else None
            written = aw.ToolCall(call.id, call.function.name, call.function.arguments, finish_reason=reason)
            arguments, result = answer(BOX.resolve(written))
            function = {"name": call.function.name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            stored.append({"id": call.id, "type": "function", "function": function})
            results.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
        messages += [{"role": "assistant", "content": choice.message.content, "tool_calls": stored}, *results]
    return "no answer"


def ask_anthropic(client: Any, question: str, model: str) -> str:
    """The loop for Messages."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for _ in range(STEPS):
        message = client.messages.create(
            model=model, messages=messages, tools=BOX.declare("anthropic"), max_tokens=2000
        )
        calls = [block for block in message.content if block.type == "tool_use"]
        text = "".join(block.text for block in message.content if block.type == "text")
        if not calls:
            return text
        stored: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        results = []
        for call in calls:
            reason = message.stop_reason if call is calls[-1] else None
            written = aw.ToolCall(call.id, call.name, call.input, finish_reason=reason)
            arguments, result = answer(BOX.resolve(written))
            stored.append({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments})
            results.append(
                {"type": "tool_result", "tool_use_id": call.id, "content": result.text, "is_error": result.is_error}
            )
        messages += [{"role": "assistant", "content": stored}, {"role": "user", "content": results}]
    return "no answer"


def main(argv: Sequence[str] | None = None) -> None:
    """Ask, print the answer, and what was counted."""
    asked = connect(__doc__, "上海明天天气怎么样？", argv)
    ask = ask_anthropic if hasattr(asked.client, "messages") else ask_openai
    print(ask(asked.client, asked.question, asked.model))
    for counter, count in BOX.monitor.counters.items():
        print(f"{count} × {counter.name}: {counter.tool or '(unknown)'} {counter.kind} {counter.reason}{counter.rule}")


if __name__ == "__main__":
    main()
