"""Asking the model again: when, with what, and what of the earlier replies is kept.

A reply with a refused call is asked for anew. The model is told what was wrong with the refused calls, and of each
valid one that it was not run, and what becomes of it: it is kept, and runs beside the calls of the next reply, unless
that calls the same tool again or calls nothing; or, where a refused call may be corrected into one of the same tool, it
is to be sent again. So a call of an earlier reply is added to the last one exactly if that makes calls, and none of its
tool. What is withdrawn so is not run: to ask again is cheap, to run what was taken back is not. The note tells either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from argwright import wire
from argwright.dialects import read_text
from argwright.model import ErrorKind, InvalidCall, ToolResult, Turn, ValidCall
from argwright.proxy.exchange.closing import Read
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.frames import encoded
from argwright.proxy.exchange.judging import Judged, Written, written
from argwright.proxy.exchange.protocol import added_up
from argwright.proxy.exchange.stall import announces
from argwright.wire.deltas import FinishDelta
from argwright.wire.finish import finished

_NOT_RUN = {"error": "this call was not run", "kind": "not_run"}
_AGAIN = "another call of the same reply was refused: send this call again, together with the corrected one"
_KEPT = (
    "another call of the same reply was refused: send that one corrected. "
    "this call is kept and runs beside it, unless you call this tool again, or make no call"
)
_REMINDER = "You announced an action, but made no tool call. Make the call now, or say that none is needed."
_PARTS = ("content_parts", "content_blocks", "output")
"""Members of `Turn.extra` that hold a reply's text once more."""


class Verdict(Enum):
    """What becomes of a reply."""

    TAKE = "take"
    ASK = "ask"
    FAIL = "fail"


@dataclass(frozen=True)
class _Kept:
    """A valid call of an earlier reply, and which one that was."""

    judged: Judged
    attempt: int


class Dialogue:
    """What the gateway and the model have said to each other in one exchange."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._body = course.asked.body
        self._usage: Any = None
        self._kept: list[_Kept] = []
        self._left = course.mending.retries if course.mending.on_invalid == "retry" else 0
        self._reminds = course.mending.on_stall == "reask"
        self._stalls = False
        self.said: list[str] = []

    @property
    def owes(self) -> bool:
        """Whether calls of earlier replies may have to be added to the next one."""
        return bool(self._kept)

    def enter(self, read: Read) -> None:
        """Record what became of a reply's calls."""
        for judged in (*read.judged[read.released :], *read.left):
            self._course.ledger.enter(judged)
        self._stalls = not read.judged and self._is_stall(read.turn.finish.reason, read.turn.text)
        self._course.ledger.stalled = self._course.ledger.stalled or self._stalls

    def pass_over(self, ends: FinishDelta | None, ending: str) -> None:
        """Record a reply that was text and nothing else, and is the client's as it came."""
        if ends is not None:
            reason = finished((), ends.raw, reason=ends.reason, streamed=True)[1].reason
            self._course.ledger.stalled = self._is_stall(reason, ending)

    def _is_stall(self, reason: str, text: str) -> bool:
        """Whether a reply without calls announces one."""
        return self._course.asked.may_call and reason in ("stop", "unknown") and announces(text)

    def verdict(self, read: Read, *, final: bool = False) -> Verdict:
        """What becomes of the reply; `final`: nothing more can be asked."""
        if read.broke_promise:
            return Verdict.FAIL
        if read.refused and self._course.mending.on_invalid != "pass":
            return Verdict.ASK if self._left > 0 and not final and not read.begun else Verdict.FAIL
        return Verdict.ASK if self._stalls and self._reminds and not final else Verdict.TAKE

    def ask(self, read: Read) -> bytes:
        """The body of the next request."""
        messages = self._reminder(read.turn) if self._stalls else self._feedback(read)
        self._kept = [*(self._kept if self._stalls else self._missing(read)), *self._valid(read)]
        self._usage = self._summed(read.turn)
        if read.turn.text:
            self.said.append(_clean(read.turn, self._course.asked.box).text)
        self._body = self._course.protocol.extended(self._body, messages)
        self._course.ledger.attempts += 1
        return encoded(self._body)

    def _reminder(self, turn: Turn) -> list[dict[str, Any]]:
        self._reminds = False
        return [*wire.write(self._course.protocol.form, turn, (), ()), *self._course.protocol.reminder(_REMINDER)]

    def _feedback(self, read: Read) -> list[dict[str, Any]]:
        """The reply as it can be sent again, and what became of its calls."""
        self._left -= 1
        turn = _clean(read.turn, self._course.asked.box)
        outcomes: list[Any] = [one.outcome or one.call for one in read.judged]
        results = [_result(one, self._left, read.judged) for one in read.judged]
        return wire.write(self._course.protocol.form, turn, outcomes, results)

    def _summed(self, turn: Turn) -> Any:
        return added_up(self._usage, turn.usage) if turn.usage else self._usage

    def usage(self, read: Read) -> Any:
        """What all attempts cost; nothing, if there was one."""
        return self._summed(read.turn) if self._course.ledger.attempts > 1 else None

    def unrepeated(self, read: Read) -> list[Written]:
        """Valid calls of earlier replies that this one leaves to be added to it."""
        used = {one.call.id for one in read.judged}
        added: list[Written] = []
        for one in self._missing(read):
            own, ids = one.judged.call.id or "", self._course.ids
            own = own if ids.free(own) and own not in used else ids.new()
            used.add(own)
            self._course.ledger.carried(own, one.judged, one.attempt)
            added.append(written(one.judged, own))
        return added

    def _valid(self, read: Read) -> Iterator[_Kept]:
        for one in read.judged:
            if isinstance(one.outcome, ValidCall):
                yield _Kept(one, self._course.ledger.attempts)

    def _missing(self, read: Read) -> list[_Kept]:
        """What of the earlier replies goes on; of the rest, what this one does not repeat is told."""
        tools = set(map(_tool, read.judged))
        repeated = [(_tool(one), _arguments(one)) for one in read.judged]
        missing: list[_Kept] = []
        for one in self._kept:
            said = (_tool(one.judged), _arguments(one.judged))
            if said in repeated:
                repeated.remove(said)
            elif tools and said[0] not in tools:
                missing.append(one)
            else:
                self._course.ledger.withdrawn(one.judged, one.attempt)
        return missing


def _tool(judged: Judged) -> str:
    declared = getattr(getattr(judged.outcome, "tool", None), "name", None)
    return declared or judged.call.name or ""


def _arguments(judged: Judged) -> Any:
    return judged.outcome.arguments if isinstance(judged.outcome, ValidCall) else None


def _result(judged: Judged, left: int, all_: Sequence[Judged]) -> ToolResult:
    if isinstance(judged.outcome, InvalidCall):
        return judged.outcome.result(attempts_left=left)
    kept = isinstance(judged.outcome, ValidCall) and not _may_be_called(_tool(judged), all_)
    told = _NOT_RUN | {"instruction": _KEPT if kept else _AGAIN}
    return ToolResult(judged.call.id, judged.call.name, told, is_error=True)


def _may_be_called(tool: str, judged: Sequence[Judged]) -> bool:
    """Whether a refused call may be corrected into one of this tool."""
    refused = [(_tool(one), one.outcome.kind) for one in judged if isinstance(one.outcome, InvalidCall)]
    return any(name == tool or kind is ErrorKind.UNKNOWN_TOOL for name, kind in refused)


def _clean(turn: Turn, box: Any) -> Turn:
    """The turn without the markup of calls that stood in its text."""
    if all(call.origin == "structured" for call in turn.calls):
        return turn
    extra = {key: value for key, value in turn.extra.items() if key not in _PARTS}
    return replace(turn, text=read_text(turn.text, box).text, extra=extra)


def texts_before(said: Sequence[str]) -> list[str]:
    """What earlier replies said, blanks left out."""
    return [text for text in said if text.strip()]
