"""Why a reply ended: every provider's word in one table, and what it means for the calls.

The words of all protocols are disjoint in meaning, so one table reads them all, in any
case. Two things are never believed without looking: `stop` beside calls means that
calls were made, and a normal end says nothing about a last call whose text is cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from argwright.model import Finish, ToolCall, Turn

_WORDS: dict[str, tuple[str, ...]] = {
    "tool_calls": (
        "tool_calls", "function_call", "tool_use", "tool_call", "tool-calls", "requires_action", "reason_tool_calls",
        "tools/call",
    ),
    "stop": ("stop", "eos", "end_turn", "stop_sequence", "complete", "completed", "reason_stop"),
    "length": (
        "length", "max_tokens", "model_length", "model_context_window_exceeded", "incomplete", "continuation",
        "incomplete:max_output_tokens", "max_output_tokens", "reason_max_len", "reason_max_context",
        "reason_time_limit",
        "error_limit", "context_length_exceeded", "budget_exceeded", "requires_continuation",
    ),
    "malformed": (
        "malformed_function_call", "unexpected_tool_call", "too_many_tool_calls", "missing_thought_signature",
        "malformed_response", "malformed_tool_use", "malformed_model_output",
    ),
    "content_filter": (
        "content_filter", "content-filter", "incomplete:content_filter", "refusal", "safety", "recitation", "blocklist",
        "prohibited_content", "spii", "language", "guardrail_intervened", "content_filtered", "error_toxic",
        "escalation", "model_armor", "pup_limited_disabled",
    ),
    "pause": ("pause_turn",),
    "missing": ("in_progress", "queued"),
    "error": (
        "error", "timeout", "insufficient_system_resource", "failed", "cancelled", "canceled", "user_cancel", "abort",
    ),
}  # fmt: skip
_REASONS = {word: reason for reason, words in _WORDS.items() for word in words}

_CUT = frozenset({"length", "error", "missing"})
_PARTIAL = re.compile(r"t(r(u)?)?|f(a(l(s)?)?)?|n(u(l)?)?|-|\.|\.?\d*[eE][+-]?|u[0-9a-fA-F]{0,4}")
"""What may be left of a text that was cut in a literal, a number or an escape."""


def reason_of(raw: str | None) -> str:
    """The normalized reason of a provider's word; `unknown` for a word that nobody has used so far."""
    if raw is None:
        return "unknown"
    known = _REASONS.get(raw.strip().lower())
    if known is not None:
        return known
    if "FUNCTION_CALL" in raw.upper():
        return "malformed"
    head = raw.strip().lower().split(":")[0]
    return _REASONS.get(head, "content_filter" if head.startswith("image_") else "unknown")


def is_cut(arguments: str) -> bool:
    """Whether the text ends where JSON has to go on: inside a value, or before the last brace.

    An empty text is no cut: it is how a call without arguments arrives.
    """
    if not arguments.strip():
        return False
    try:
        json.loads(arguments, strict=False)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string"):
            return True
        tail = arguments[error.pos :].strip()
        return not tail or _PARTIAL.fullmatch(tail) is not None
    except (ValueError, RecursionError):
        return False
    return False


def is_whole(arguments: Any) -> bool:
    """Whether the arguments are one JSON object."""
    if isinstance(arguments, str):
        try:
            return isinstance(json.loads(arguments, strict=False), dict)
        except (ValueError, RecursionError):
            return False
    return isinstance(arguments, dict)


def finished(
    calls: Iterable[ToolCall],
    raw: str | None,
    *,
    reason: str | None = None,
    streamed: bool = False,
    error: bool = False,
) -> tuple[tuple[ToolCall, ...], Finish]:
    """The calls with the reply's end worked in, and the end.

    The reason goes to the last call only, unless its reader knows better already: a call
    that the provider itself never ended is `incomplete`. Beside a malformed call, what
    looks whole is blocked. A stream that gave no reason is `missing`, a whole body without one `unknown`.

    Args:
        calls: as their reader made them.
        streamed: the reply was a stream, whose end has to be told.
        raw: the provider's word; blank counts as none.
        reason: what the word means, where a reader knows better than the common table.
        error: the provider reported an error, whatever its word.
    """
    made = tuple(calls)
    raw = raw if raw and raw.strip() else None
    meaning = reason or _meaning(raw, calls=bool(made), streamed=streamed)
    if error:
        meaning = "error"
    made, cut = _told(made, raw, meaning)
    return made, Finish(raw, meaning, cut)


def _meaning(raw: str | None, *, calls: bool, streamed: bool) -> str:
    if raw is None:
        return "missing" if streamed else "unknown"
    reason = reason_of(raw)
    return "tool_calls" if reason == "stop" and calls else reason


def _told(made: tuple[ToolCall, ...], raw: str | None, reason: str) -> tuple[tuple[ToolCall, ...], bool]:
    """The calls that know of the end, and whether the reply was cut."""
    cut = reason in _CUT or (raw or "").lower().startswith("incomplete")
    if reason == "malformed":
        made = tuple(replace(call, blocked=True) if is_whole(call.arguments) else call for call in made)
    if not made:
        return made, cut
    word = reason if not cut or reason in _CUT else "incomplete"
    told = None if raw is None and word == "unknown" else word
    last = replace(made[-1], finish_reason=told if cut else made[-1].finish_reason or told)
    text = last.arguments if isinstance(last.arguments, str) else ""
    return (*made[:-1], last), cut or last.finish_reason == "incomplete" or is_cut(text)


def turn(
    calls: Iterable[ToolCall],
    raw: str | None,
    *,
    text: str = "",
    reasoning: str = "",
    model: str | None = None,
    usage: Mapping[str, Any] | None = None,
    extra: Mapping[str, Any] | None = None,
    error: Any = None,
) -> Turn:
    """The `Turn` of a whole body, its end worked in; an `error` stands in `extra` under that name."""
    made, end = finished(calls, raw, error=error is not None)
    kept = {**(extra or {}), **({} if error is None else {"error": error})}
    return Turn(made, text, reasoning, end, model, usage, kept)
