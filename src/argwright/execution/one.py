"""Running one valid call: the function's value or failure → the result for the model.

A tool's exception never ends a run. What is cancelled from outside stays cancelled. A
function that does not answer in time is not waited for any longer: an async one is
cancelled, a sync one goes on in a thread that holds up nobody, since Python cannot stop
it; either way the model is told that the outcome is unknown.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, TypeVar

from argwright.errors import ArgwrightError, DeclarationError
from argwright.execution import results
from argwright.execution.settings import DEFAULT, Settings
from argwright.model import ToolResult, ValidCall
from argwright.tool import Tool

_T = TypeVar("_T")


class _LoopIsRunningError(ArgwrightError):
    """A sync run met an async function where an event loop is running already."""


def run(outcome: ValidCall, settings: Settings = DEFAULT) -> ToolResult:
    """Run a call and wait for it; an async function gets an event loop of its own.

    Raises:
        ArgwrightError: the function is async and this thread's event loop is running already.
        DeclarationError: the tool has no function, or an injected parameter no value.
    """
    tool = runnable(outcome, settings)
    if tool.timeout is None:
        return carried_out(outcome, settings)
    try:
        running = in_thread(lambda: carried_out(outcome, settings))
        return running.result(tool.timeout)
    except FutureTimeoutError:
        return results.timed_out(outcome)


async def arun(outcome: ValidCall, settings: Settings = DEFAULT) -> ToolResult:
    """Run a call; a sync function runs in a thread, so that it stops nobody else.

    Raises:
        DeclarationError: the tool has no function, or an injected parameter no value.
    """
    tool = runnable(outcome, settings)
    with settings.executing(outcome) as done:
        clock = asyncio.timeout(tool.timeout)
        try:
            async with clock:
                result = results.returned(outcome, await _acall(outcome, settings))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            result = results.failed(outcome, error)  # the function's own affair
        except Exception as error:  # noqa: BLE001  # a tool may raise anything
            result = results.timed_out(outcome) if clock.expired() else results.failed(outcome, error)
        done(result)
    return result


async def _acall(outcome: ValidCall, settings: Settings) -> Any:
    tool: Tool = outcome.tool
    if inspect.iscoroutinefunction(tool.function):
        return await tool.call(outcome.arguments, outcome.value, settings.inject)
    calling = in_thread(lambda: tool.call(outcome.arguments, outcome.value, settings.inject))
    made = await asyncio.wrap_future(calling)
    return await made if inspect.isawaitable(made) else made


def runnable(outcome: ValidCall, settings: Settings) -> Tool:
    """The tool of a call, proven to have all that it needs.

    Raises:
        DeclarationError: it has no function, or an injected parameter no value.
    """
    tool: Tool = outcome.tool
    if tool.function is None:
        raise DeclarationError(f"tool {tool.name!r} has no function to run")
    tool.filled(settings.inject)
    return tool


def carried_out(outcome: ValidCall, settings: Settings) -> ToolResult:
    """Run a call here and now.

    Raises:
        ArgwrightError: the function is async and this thread's event loop is running already.
    """
    tool: Tool = outcome.tool
    with settings.executing(outcome) as done:
        try:
            made = tool.call(outcome.arguments, outcome.value, settings.inject)
            result = results.returned(outcome, _waited(tool, made) if inspect.isawaitable(made) else made)
        except _LoopIsRunningError:
            raise
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # a tool may raise anything
            result = results.failed(outcome, error)
        done(result)
    return result


def in_thread(work: Callable[[], _T]) -> Future[_T]:
    """The work in a thread of its own that nobody has to wait for, not even the end of the program."""
    future: Future[_T] = Future()
    context = contextvars.copy_context()

    def carry_out() -> None:
        future.set_running_or_notify_cancel()
        try:
            future.set_result(context.run(work))
        except StopIteration as error:  # which no future takes
            future.set_exception(RuntimeError(f"the function raised {error!r}"))
        except BaseException as error:  # noqa: BLE001  # it belongs to whoever waits
            future.set_exception(error)

    threading.Thread(target=carry_out, name="argwright-tool", daemon=True).start()
    return future


def _waited(tool: Tool, made: Any) -> Any:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(made))
    if inspect.iscoroutine(made):
        made.close()
    raise _LoopIsRunningError(f"tool {tool.name!r} is async and an event loop is running: await box.arun(outcome)")


async def _awaited(made: Any) -> Any:
    return await made
