"""One call → what the page shows of it. Values go as JSON text: a browser neither rounds a number nor reads markup."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from argwright.arguments import parse_arguments
from argwright.decode import Decoded
from argwright.model import InvalidCall, Outcome, compact
from argwright.proxy.dashboard.comparing import MAX_VALUE, rows, shortened
from argwright.proxy.dashboard.marking import marks, pieces
from argwright.proxy.repair import Question, answer, as_text

_NOTHING = object()


def kept_call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call from the journal."""
    detail = call.get("detail")
    return {**call, "detail": None if detail is None else shown(detail)}


def played(question: Question, outcome: Outcome) -> dict[str, Any]:
    """A call from the playground, in the same form, with what the endpoint answers."""
    refused = outcome if isinstance(outcome, InvalidCall) else None
    detail = {
        "text": as_text(question),
        "arguments": None if refused else outcome.arguments,  # type: ignore[union-attr]  # then it is valid
        "repairs": [repair.to_dict() for repair in outcome.repairs],
        "issues": [issue.to_dict() for issue in refused.issues] if refused else [],
        "message": compact(refused.feedback) if refused else "",
        "position": refused.position if refused else None,
    }
    return {
        "tool": getattr(outcome.tool, "name", None) or question.call.name or "",
        "status": "refused" if refused else "mended" if outcome.repairs else "valid",
        "kind": refused.kind.value if refused else None,
        "reason": refused.reason if refused else None,
        "rules": list(dict.fromkeys(repair.rule for repair in outcome.repairs)),
        "detail": shown(detail),
        "answer": json.dumps(answer(outcome), ensure_ascii=False, indent=2),
    }


def shown(detail: Mapping[str, Any]) -> dict[str, Any]:
    """A detail as the page shows it."""
    text = detail.get("text")
    repairs = detail.get("repairs") or []
    arguments = detail.get("arguments")
    issues = detail.get("issues") or []
    marked = [] if text is None else marks(text, repairs, issues, detail.get("position"))
    numbers = {mark.number for mark in marked}
    before = _written(text)
    return {
        "pieces": None if text is None else pieces(text, marked),
        "omitted": detail.get("omitted"),
        "characters": detail.get("characters") or len(text or ""),
        "repairs": [
            _repair(number, repair) | {"marked": number in numbers} for number, repair in enumerate(repairs, start=1)
        ],
        "readable": before is not _NOTHING,
        "fields": _fields(before, arguments),
        "issues": [_issue(number, issue) for number, issue in enumerate(issues, start=1)],
        "message": _told(detail.get("message") or ""),
    }


def _written(text: str | None) -> Any:
    """The value that stands in the text, by its notation alone."""
    if text is None:
        return _NOTHING
    decoded = parse_arguments(text)
    return decoded.value if isinstance(decoded, Decoded) else _NOTHING


def _fields(before: Any, after: Any) -> list[dict[str, Any]]:
    """The comparison; of a refused call what was written, of a call without a text what ran."""
    if before is _NOTHING:
        return [] if after is None else [row | {"change": "same", "before": None} for row in rows(after, after)]
    if after is None:
        return [row | {"change": "same", "after": None} for row in rows(before, before)]
    return rows(before, after)


def _repair(number: int, repair: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": number,
        "rule": repair.get("rule", ""),
        "certainty": repair.get("certainty", ""),
        "pointer": repair.get("pointer", ""),
        "before": _value(repair.get("before")),
        "after": _value(repair.get("after")),
        "count": repair.get("count", 1),
    }


def _issue(number: int, issue: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": number,
        "pointer": issue.get("pointer", ""),
        "keyword": issue.get("keyword", ""),
        "message": issue.get("message", ""),
        "expected": None if issue.get("expected") is None else _value(issue["expected"]),
        "found": None if issue.get("found") is None else _value(issue["found"]),
    }


def _value(value: Any) -> str | None:
    """A value from a record: text as it stands, everything else as JSON."""
    if value is None:
        return None
    return shortened(value if isinstance(value, str) else compact(value), MAX_VALUE)


def _told(message: str) -> str:
    """What the model was told, laid out for reading."""
    try:
        return json.dumps(json.loads(message), ensure_ascii=False, indent=2)
    except ValueError:
        return message
