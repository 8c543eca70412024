"""What became of one call, as a row of plain data.

`status` is `valid` (untouched), `mended`, `refused`, or `error` where nothing could be
judged because the row's schema is none: that is not the model's fault, and no kind of
error that a model makes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from argwright.model import InvalidCall, Issue, Json, Outcome, compact

VALID, MENDED, REFUSED, ERROR = "valid", "mended", "refused", "error"

NO_SCHEMA = "no_schema"
"""The reason of an `error`: no tool is declared for the row, or its schema is none."""


class Verdict(NamedTuple):
    """One row's answer; `arguments` is compact JSON text, `rules` each once in their order, `issues` as dicts."""

    status: str
    kind: str | None = None
    reason: str | None = None
    arguments: str | None = None
    rules: tuple[str, ...] = ()
    issues: tuple[dict[str, Any], ...] = ()


def verdict(outcome: Outcome) -> Verdict:
    """The row of an outcome."""
    repairs = outcome.repairs
    rules = tuple(dict.fromkeys([repair.rule for repair in repairs])) if repairs else ()
    if isinstance(outcome, InvalidCall):
        issues = tuple(map(_issue, outcome.issues)) or _told(outcome)
        return Verdict(REFUSED, outcome.kind.value, outcome.reason, None, rules, issues)
    return Verdict(MENDED if rules else VALID, None, None, written(outcome.arguments), rules)


def error(message: str) -> Verdict:
    """A row that could not be judged."""
    return Verdict(ERROR, None, NO_SCHEMA, issues=(_row("", NO_SCHEMA, message),))


def written(value: Json) -> str:
    """A value as compact JSON text, every integer with all its digits."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer of more than 64 bits, or nested deeper than it goes
        return _sound(compact(value))


def _told(outcome: InvalidCall) -> tuple[dict[str, Any], ...]:
    """The message of a call that has no issue of its own."""
    if outcome.message:
        return (_row("", outcome.reason, _sound(outcome.message)),)
    return ()


def _issue(issue: Issue) -> dict[str, Any]:
    return _row(issue.pointer, issue.keyword, issue.message, expected=issue.expected, found=issue.found)


def _row(pointer: str, keyword: str, message: str, *, expected: Json = None, found: Json = None) -> dict[str, Any]:
    return {
        "pointer": _sound(pointer),
        "keyword": keyword,
        "message": _sound(message),
        "expected": None if expected is None else written(expected),
        "found": None if found is None else written(found),
    }


def _sound(text: str) -> str:
    """The text with half a surrogate pair written as its escape: no column takes it as it is."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
