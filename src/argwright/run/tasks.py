"""The driver that does not block."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from argwright.execution import Batch, arun_all
from argwright.loop import CallModel, Cancelled, Command, Ran, RunResult, RunTools, converse
from argwright.model import Turn
from argwright.run.preparing import Prepared, RunOptions, prepare
from argwright.run.reading import END, Reading, refused
from argwright.toolbox import Toolbox


async def arun(
    client: Any,
    messages: str | Iterable[Any],
    *,
    model: str | None = None,
    tools: Toolbox | Iterable[Any] = (),
    **options: Unpack[RunOptions],
) -> RunResult:
    """As `run`, without blocking; sync clients and tools work in threads.

    Raises:
        asyncio.CancelledError: the task was cancelled; the exception has the run's `RunResult` as its `result`, with
            messages that can be sent again.
        DeclarationError: the client, a tool or an option is wrong.
        NoFinalAnswerError: it ended in text, and the final tool wants that to raise.
    """
    prepared = prepare(client, messages, (model, tools), options)
    loop = converse(prepared.setup)
    command = next(loop)
    while True:
        reply = await _ado(prepared, command)
        interrupted = reply if isinstance(reply, _Interrupted) else None
        try:
            command = loop.send(reply if interrupted is None else interrupted.reply)
        except StopIteration as done:
            result: RunResult = done.value
            break
    if interrupted is not None:
        interrupted.error.result = result  # type: ignore[attr-defined]  # the class stays asyncio's, which compares it
        raise interrupted.error
    return result


@dataclass(frozen=True)
class _Interrupted:
    """A command that was cancelled from outside, and what the loop is told."""

    reply: Cancelled | Ran
    error: asyncio.CancelledError


async def _ado(prepared: Prepared, command: Command) -> Any:
    match command:
        case RunTools():
            batch = Batch(command.calls)
            try:
                results = await arun_all(batch, prepared.settings, prepared.cancelled)
            except asyncio.CancelledError as error:
                return _Interrupted(Ran(results=batch.settled(), cancelled=True), error)
            return Ran(results=results, cancelled=prepared.is_cancelled)
        case CallModel() if prepared.is_cancelled:
            return Cancelled()
        case CallModel():
            try:
                return await _aasked(prepared, command)
            except asyncio.CancelledError as error:
                return _Interrupted(Cancelled(), error)


async def _aasked(prepared: Prepared, command: CallModel) -> Any:
    client = prepared.client
    try:
        if client.is_async:
            reply = client.create(command, prepared.stream)
        else:
            reply = await asyncio.to_thread(client.create, command, prepared.stream)
        if inspect.isawaitable(reply):
            reply = await reply
    except Exception as error:  # noqa: BLE001  # every client has its own
        return refused(error)
    if hasattr(reply, "__aiter__") or hasattr(reply, "__next__"):
        return await _astreamed(prepared, reply)
    return prepared.turn(reply)


async def _astreamed(prepared: Prepared, chunks: Any) -> Turn | Cancelled:
    reading = Reading(prepared)
    events = aiter(chunks) if hasattr(chunks, "__aiter__") else _in_threads(chunks)
    try:
        while not prepared.is_cancelled:
            try:
                chunk = await anext(events, END)
            except Exception as error:  # noqa: BLE001  # every client has its own
                chunk = reading.broken(error)
            if chunk is END:
                return reading.accumulator.close()
            for event in reading.feed(chunk):
                told = reading.on_event(event)
                if inspect.isawaitable(told):
                    await told
    finally:
        await _closed(chunks)
    return Cancelled()


async def _in_threads(chunks: Iterator[Any]) -> AsyncIterator[Any]:
    """The events of a sync client, each waited for in a thread."""
    while (chunk := await asyncio.to_thread(next, chunks, END)) is not END:
        yield chunk


async def _closed(chunks: Any) -> None:
    close = getattr(chunks, "close", None) or getattr(chunks, "aclose", None)
    done = close() if close is not None else None
    if inspect.isawaitable(done):
        await done
