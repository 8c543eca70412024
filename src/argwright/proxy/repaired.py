"""A call that `POST /v1/repair` resolved, as the record that counters, journal and page know."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import uuid4

from argwright.model import InvalidCall, Outcome, compact, sayable
from argwright.proxy.record import CallDetail, CallRecord
from argwright.proxy.repair import Question, as_text
from argwright.proxy.secret_names import known_names, secret_names

PROTOCOL = "repair"
"""What stands in the place of a protocol: the call came by itself."""


def record_of(question: Question, outcome: Outcome, *, now: Callable[[], float] = time.time) -> CallRecord:
    """The record of one call."""
    refused = outcome if isinstance(outcome, InvalidCall) else None
    return CallRecord(
        request_id=uuid4().hex,
        at=now(),
        protocol=PROTOCOL,
        upstream="",
        model=question.model,
        tool=getattr(outcome.tool, "name", None) or sayable(question.call.name) or "",
        status="refused" if refused else "mended" if outcome.repairs else "valid",
        kind=refused.kind.value if refused else None,
        reason=refused.reason if refused else None,
        rules=tuple(dict.fromkeys(repair.rule for repair in outcome.repairs)),
        detail=_detail(question, outcome),
    )


def _detail(question: Question, outcome: Outcome) -> CallDetail:
    refused = outcome if isinstance(outcome, InvalidCall) else None
    tools = question.toolbox if outcome.tool is None else (outcome.tool,)
    told = secret_names(tools)
    return CallDetail(
        arguments_text=as_text(question),
        arguments=None if isinstance(outcome, InvalidCall) else outcome.arguments,
        repairs=tuple(repair.to_dict() for repair in outcome.repairs),
        issues=tuple(issue.to_dict() for issue in refused.issues) if refused else (),
        message=compact(refused.feedback) if refused else "",
        position=refused.position if refused else None,
        sensitive=told,
        declared=known_names(tools) if told else None,
    )
