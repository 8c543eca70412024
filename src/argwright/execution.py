"""Running one valid call: the function's value or failure → the result for the model.

A tool's exception never ends the loop and never tells its text: it may hold what the
model must not see. What is cancelled stays cancelled.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from typing import Any

from pydantic_core import to_json

from argwright.errors import ArgwrightError, DeclarationError
from argwright.model import Json, ToolResult, ValidCall
from argwright.tool import Tool
from argwright.wording import encodable

_log = logging.getLogger("argwright.run")


def run(outcome: ValidCall) -> ToolResult:
    """Run a call and wait for it; an async function gets an event loop of its own.

    Raises:
        ArgwrightError: the function is async and this thread's event loop is running already.
        DeclarationError: the tool has no function.
    """
    tool = _runnable(outcome)
    try:
        made = tool.call(outcome.arguments, outcome.value)
        if inspect.isawaitable(made):
            made = _waited(tool, made)
        return _result(outcome, made)
    except ArgwrightError:
        raise
    except Exception as error:  # noqa: BLE001  # a tool may raise anything
        return _failure(outcome, error)


async def arun(outcome: ValidCall) -> ToolResult:
    """Run a call; a sync function runs in a thread, so that it stops nobody else.

    Raises:
        DeclarationError: the tool has no function.
    """
    tool = _runnable(outcome)
    try:
        if inspect.iscoroutinefunction(tool.function):
            made = tool.call(outcome.arguments, outcome.value)
        else:
            made = await asyncio.to_thread(tool.call, outcome.arguments, outcome.value)
        return _result(outcome, await made if inspect.isawaitable(made) else made)
    except Exception as error:  # noqa: BLE001  # a tool may raise anything
        return _failure(outcome, error)


def _runnable(outcome: ValidCall) -> Tool:
    tool: Tool = outcome.tool
    if tool.function is None:
        raise DeclarationError(f"tool {tool.name!r} has no function to run")
    return tool


def _waited(tool: Tool, made: Any) -> Any:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(made))
    if inspect.iscoroutine(made):
        made.close()
    raise ArgwrightError(f"tool {tool.name!r} is async and an event loop is running: await box.arun(outcome)")


async def _awaited(made: Any) -> Any:
    return await made


def _result(outcome: ValidCall, made: Any) -> ToolResult:
    return ToolResult(outcome.call.id, outcome.tool.name, _content(made))


def _content(made: Any) -> Json:
    """What a function returned as text or JSON data; what JSON has no word for becomes text."""
    if isinstance(made, str):
        return encodable(made)
    try:
        return json.loads(to_json(made, serialize_unknown=True, inf_nan_mode="strings"))
    except ValueError:  # a cycle, bytes that are no text, half a surrogate pair
        return encodable(str(made))


def _failure(outcome: ValidCall, error: Exception) -> ToolResult:
    _log.warning("tool %r raised %s", outcome.tool.name, type(error).__name__)
    told = {"error": f"The function {outcome.tool.name} failed", "kind": "tool_error"}
    return ToolResult(outcome.call.id, outcome.tool.name, told, is_error=True)
