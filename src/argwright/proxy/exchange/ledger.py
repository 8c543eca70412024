"""What is told of an exchange: a record of each call, a header, and the note in the reply itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from argwright.making import later, quick
from argwright.model import InvalidCall, ToolCall, ValidCall, compact, sayable
from argwright.proxy.exchange.judging import Judged, as_text
from argwright.proxy.record import CallDetail, CallRecord, Status
from argwright.proxy.secret_names import known_names, secret_names
from argwright.toolbox import Toolbox

HEADER = "x-argwright"
NOTE = "argwright"
"""The member of a body, or of a stream's last event, that tells what was changed."""
_MOST_NAMED = 50  # calls told of in one note


@quick
@dataclass(frozen=True, kw_only=True)
class Origin:
    """What every record of one exchange says."""

    request_id: str
    protocol: str
    upstream: str
    model: str
    streamed: bool
    now: Callable[[], float]


class Ledger:
    """Keeps what is told of one exchange.

    Attributes:
        attempts: replies that the model has given.
        stalled: a reply announced an action and made no call.
        reformed: the reply's form was mended, or markup was taken out of its text.
        others: there is more than one choice.
        strays: calls in other choices pass as they are.
    """

    def __init__(self, origin: Origin, box: Toolbox, *, history: int = 0, unmended: tuple[str, ...] = ()) -> None:
        self._origin = origin
        self._box = box
        self._history = history
        self._unmended = unmended
        self._records: list[CallRecord] = []
        self._counts: dict[str, int] = {}
        self._rules: set[str] = set()
        self._named: list[dict[str, Any]] = []
        self._earlier: list[dict[str, Any]] = []
        self.attempts = 1
        self.stalled = False
        self.reformed = False
        self.others = False
        self.strays = False

    def chose(self, *, strays: bool) -> None:
        """There is another choice; `strays`: with a call."""
        self.others = True
        self.strays = self.strays or strays

    def enter(self, judged: Judged) -> None:
        """A call was resolved."""
        outcome = judged.outcome
        if outcome is None:
            return
        status: Status = "refused" if judged.refused else "mended" if judged.mended else "valid"
        rules = tuple(dict.fromkeys(repair.rule for repair in outcome.repairs))
        self._counts[status] = self._counts.get(status, 0) + 1
        self._rules.update(rules)
        self._records.append(self._record(judged, status, rules))
        if status != "valid" and len(self._named) < _MOST_NAMED:
            self._named.append(_named(judged, status, rules) | {"attempt": self.attempts})

    def carried(self, own_id: str, judged: Judged, attempt: int) -> None:
        """A valid call of an earlier reply is added to this one, under this id."""
        self._tell_of(own_id, judged, "kept", attempt)

    def withdrawn(self, judged: Judged, attempt: int) -> None:
        """A valid call of an earlier reply is not run, since the model did not stay with it."""
        self._tell_of(judged.call.id, judged, "withdrawn", attempt)

    def _tell_of(self, own_id: str | None, judged: Judged, status: str, attempt: int) -> None:
        if len(self._earlier) < _MOST_NAMED:
            self._earlier.append({"id": own_id, "tool": _tool(judged), "status": status, "attempt": attempt})

    def _record(self, judged: Judged, status: Status, rules: tuple[str, ...]) -> CallRecord:
        outcome, origin = judged.outcome, self._origin
        refused = outcome if isinstance(outcome, InvalidCall) else None
        record = CallRecord(
            request_id=origin.request_id,
            at=origin.now(),
            protocol=origin.protocol,
            upstream=origin.upstream,
            model=origin.model,
            tool=_tool(judged),
            status=status,
            kind=refused.kind.value if refused else None,
            reason=refused.reason if refused else None,
            rules=rules,
            origin=judged.call.origin,
            attempt=self.attempts,
            streamed=origin.streamed,
        )
        return later(record, "detail", partial(self._detail, judged, rules=bool(rules)))

    def _detail(self, judged: Judged, *, rules: bool) -> CallDetail:
        outcome = judged.outcome
        tool = getattr(outcome, "tool", None)
        tools = self._box if tool is None else (tool,)
        told = secret_names(tools)
        secret: dict[str, Any] = {"sensitive": told, "declared": known_names(tools) if told else None}
        text = as_text(judged.call.arguments)
        if isinstance(outcome, ValidCall):
            repairs = tuple(repair.to_dict() for repair in outcome.repairs) if rules else ()
            return CallDetail(arguments_text=text, arguments=outcome.arguments, repairs=repairs, **secret)
        if not isinstance(outcome, InvalidCall):
            return CallDetail(arguments_text=text, arguments=None, **secret)
        return CallDetail(
            arguments_text=text,
            arguments=None,
            repairs=tuple(repair.to_dict() for repair in outcome.repairs),
            issues=tuple(issue.to_dict() for issue in outcome.issues),
            message=compact(outcome.feedback),
            position=outcome.position,
            **secret,
        )

    def take_records(self) -> tuple[CallRecord, ...]:
        """The calls resolved since the last look."""
        records, self._records = tuple(self._records), []
        return records

    @property
    def told(self) -> bool:
        """Whether anything was changed, refused or asked again."""
        return bool(self._named) or self.attempts > 1 or self.reformed or self.strays

    def header(self) -> Mapping[str, str]:
        """The header of a whole reply: how many calls became what, by which rules, after how many attempts."""
        counts = {status: self._counts.get(status, 0) for status in ("valid", "mended", "refused")}
        more: dict[str, Any] = {"rules": sorted(self._rules)} if self._rules else {}
        if self._history:
            more["history"] = self._history
        if self._unmended:
            more["unmended"] = len(self._unmended)
        if self.stalled:
            more["stalled"] = True
        return {HEADER: json.dumps({**counts, "attempts": self.attempts, **more}, separators=(",", ":"))}

    def note(self) -> dict[str, Any]:
        """What stands in the reply: each call that was mended or refused, and after how many attempts."""
        more: dict[str, Any] = {"unmended": list(self._unmended)} if self._unmended else {}
        if self.stalled:
            more["stalled"] = True
        if self.reformed:
            more["reformed"] = True
        if self.strays:
            more["unmended_choices"] = True
        return {"attempts": self.attempts, "calls": [*self._named, *self._earlier], **more}


def _named(judged: Judged, status: Status, rules: tuple[str, ...]) -> dict[str, Any]:
    outcome = judged.outcome
    said: dict[str, Any] = {"id": judged.call.id, "tool": _tool(judged), "status": status}
    if judged.call.origin != "structured":
        said["origin"] = judged.call.origin
    if isinstance(outcome, InvalidCall):
        said |= {"kind": outcome.kind.value, "reason": outcome.reason, "message": outcome.summary}
    return said | ({"rules": list(rules)} if rules else {})


def _tool(judged: Judged) -> str:
    call: ToolCall = judged.call
    declared = getattr(getattr(judged.outcome, "tool", None), "name", None)
    return declared or sayable(call.name) or ""
