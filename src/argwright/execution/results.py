"""What a function returned or raised → the result for the model.

A tool's exception never tells its text, which may hold what the model must not see;
only `ToolFeedback` is meant for it. What is too long is cut, and says so.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from pydantic_core import to_json

from argwright.errors import ToolFeedback
from argwright.model import Json, ToolResult, ValidCall, compact
from argwright.wording import encodable

_log = logging.getLogger("argwright.run")

_UNKNOWN = {
    "outcome": "unknown",
    "instruction": "whether it took effect is not known: find out before you call it again",
}
_NOT_STARTED = {"outcome": "not started", "instruction": "it had no effect"}


def returned(outcome: ValidCall, made: Any) -> ToolResult:
    """The result of a function that returned."""
    return ToolResult(outcome.call.id, outcome.tool.name, _bounded(_content(made), outcome.tool.max_result))


def _content(made: Any) -> Json:
    """What a function returned as text or JSON data; what JSON has no word for becomes text."""
    if isinstance(made, str):
        return encodable(made)
    try:
        return json.loads(to_json(made, serialize_unknown=True, inf_nan_mode="strings"))
    except ValueError:  # a cycle, bytes that are no text, half a surrogate pair
        return encodable(str(made))


def _bounded(content: Json, most: int) -> Json:
    """The content, or the beginning of its text with a note of how much is missing."""
    text = content if isinstance(content, str) else compact(content)
    if len(text) <= most:
        return content
    return f"{text[:most]}\n[cut: the first {most} of {len(text)} characters; ask for less]"


def failed(outcome: ValidCall, error: BaseException) -> ToolResult:
    """The result of a function that raised."""
    if isinstance(error, ToolFeedback):
        text = _bounded(encodable(str(error)), outcome.tool.max_result)
        return _error(outcome, {"error": text, "kind": "tool_error"})
    _log.warning("tool %r raised %s", outcome.tool.name, type(error).__name__)
    return _error(outcome, {"error": f"The function {outcome.tool.name} failed", "kind": "tool_error"})


def timed_out(outcome: ValidCall) -> ToolResult:
    """The result of a function that is not waited for any longer."""
    _log.warning("tool %r did not answer within %g s", outcome.tool.name, outcome.tool.timeout)
    told = f"The function {outcome.tool.name} did not answer within {outcome.tool.timeout:g} s"
    return _error(outcome, {"error": told, "kind": "timeout", **_UNKNOWN})


def broken_off(outcome: ValidCall) -> ToolResult:
    """The result of a function that was running when the run was cancelled."""
    told = f"The function {outcome.tool.name} was cancelled while it ran: outcome unknown"
    return _error(outcome, {"error": told, "kind": "cancelled", **_UNKNOWN})


def not_started(outcome: ValidCall) -> ToolResult:
    """The result of a call whose function was never called."""
    told = f"The function {outcome.tool.name} was not started: the run was cancelled"
    return _error(outcome, {"error": told, "kind": "cancelled", **_NOT_STARTED})


def _error(outcome: ValidCall, told: dict[str, Json]) -> ToolResult:
    return ToolResult(outcome.call.id, outcome.tool.name, told, is_error=True)
