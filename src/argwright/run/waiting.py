"""The driver that waits."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from contextlib import closing, nullcontext
from typing import Any, Unpack

from argwright.errors import ArgwrightError
from argwright.execution import Batch, run_all
from argwright.loop import CallModel, Cancelled, Command, Ran, RunResult, RunTools, converse
from argwright.model import Turn
from argwright.run.preparing import Prepared, RunOptions, prepare
from argwright.run.reading import END, Reading, refused
from argwright.toolbox import Toolbox


def run(
    client: Any,
    messages: str | Iterable[Any],
    *,
    model: str | None = None,
    tools: Toolbox | Iterable[Any] = (),
    **options: Unpack[RunOptions],
) -> RunResult:
    """Let a model work with tools until it has an answer.

    Args:
        client: an `openai` or `anthropic` client, or any callable `messages, tools -> reply`.
        messages: the conversation in the provider's form; a text is a user's message.
        model: the model's name.
        tools: a `Toolbox`, or what it takes.
        options: all of them by keyword:
            `final`: the tool by which the answer is submitted;
            `format`: the wire format, where the client speaks several (`openai-responses`);
            `request`: what goes into the provider's call unchanged (temperature, max_tokens, extra_body, timeout);
            `budget`: how often the model may fail, and what the run may cost;
            `policy`: which repairs are accepted, in place of the toolbox's;
            `monitor`: who watches, in place of the toolbox's; see `Observer`;
            `stream`: replies are streamed, and `on_event` gets what the model writes as it comes;
            `service`: the service behind the format, where its address does not show it;
            `inject`: values of injected parameters, by name;
            `parallel`: how many calls of a turn run at once;
            `cancel`: an event that ends the run once it is set.

    Raises:
        DeclarationError: the client, a tool or an option is wrong.
        NoFinalAnswerError: it ended in text, and the final tool wants that to raise.
        ArgwrightError: the client or a tool is async where it cannot be waited for; `arun` is meant.
    """
    prepared = prepare(client, messages, (model, tools), options)
    loop = converse(prepared.setup)
    command = next(loop)
    while True:
        reply = _do(prepared, command)
        try:
            command = loop.send(reply)
        except StopIteration as done:
            result: RunResult = done.value
            return result


def _do(prepared: Prepared, command: Command) -> Any:
    match command:
        case RunTools():
            results = run_all(Batch(command.calls), prepared.settings, prepared.cancelled)
            return Ran(results=results, cancelled=prepared.is_cancelled)
        case CallModel() if prepared.is_cancelled:
            return Cancelled()
        case CallModel():
            try:
                reply = prepared.client.create(command, prepared.stream)
            except Exception as error:  # noqa: BLE001  # every client has its own
                return refused(error)
            if inspect.isawaitable(reply) or hasattr(reply, "__aiter__"):
                raise _unwanted(reply)
            return _streamed(prepared, reply) if hasattr(reply, "__next__") else prepared.turn(reply)


def _unwanted(reply: Any) -> ArgwrightError:
    if inspect.iscoroutine(reply):
        reply.close()
    return ArgwrightError("the client is async: await aw.arun(…)")


def _streamed(prepared: Prepared, chunks: Any) -> Turn | Cancelled:
    reading = Reading(prepared)
    with closing(chunks) if hasattr(chunks, "close") else nullcontext():
        while not prepared.is_cancelled:
            try:
                chunk = next(chunks, END)
            except Exception as error:  # noqa: BLE001  # every client has its own
                chunk = reading.broken(error)
            if chunk is END:
                return reading.accumulator.close()
            for event in reading.feed(chunk):
                reading.on_event(event)
    return Cancelled()
