"""`Accumulator`: the events of one streamed reply become its calls, while they arrive.

A sans-IO machine: it is fed decoded events or bytes, gives events, and at the end the
same `Turn` as the whole body would. Which call a piece belongs to is decided by
`calls`, what a delta does by the tables of `machine`, what the fragments amount to by
`settle`. Nothing that a stream holds raises. A call that cannot be right never ends the
stream for the others; a stream that breaks off leaves its last call cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias, get_args

from argwright.model import CallDelta, Turn
from argwright.policy import Limits
from argwright.stream.call_log import CallLog, Snapshot
from argwright.stream.events import ProtocolViolation, StreamEvent
from argwright.stream.framing import Decoder, decoder
from argwright.stream.leaks import Leaks
from argwright.stream.machine import REFUSED, TABLES, Action, State, Table
from argwright.stream.parts import Parts
from argwright.wire import find
from argwright.wire.deltas import (
    ArgumentsDelta,
    CallEnd,
    Delta,
    EndDelta,
    ErrorDelta,
    FinishDelta,
    MemberDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
)
from argwright.wire.finish import finished, reason_of
from argwright.wire.plain import UnreadableError, plain

_CALLS_WORTH = 16  # a reply may be as long as so many calls of the greatest length, all its texts and calls together
_LIMITS = Limits()
_DONE = "[DONE]"
DELTAS: tuple[type[Delta], ...] = get_args(Delta)
_Act: TypeAlias = "Callable[[Accumulator, Any], None]"
_Row: TypeAlias = "dict[type[Delta], tuple[_Act, bool, State]]"  # what is done, if only while there is room, and then
_BOUNDED = frozenset({Action.CALL, Action.MEMBER, Action.TEXT, Action.REASONING, Action.PART})
_FIRST_CALLED = ("length", "error", "malformed", "tool_calls")
"""Reasons that a later one does not take back, the strongest first."""
_NORMAL = frozenset({"stop", "tool_calls"})


def _rows(table: Table, acts: dict[Action, _Act]) -> dict[State, _Row]:
    """A protocol's table, one row per state."""
    return {
        state: {
            kind: (acts[action], action in _BOUNDED, then)
            for kind in DELTAS
            for action, then in (table.get((state, kind), REFUSED),)
        }
        for state in State
    }


class Accumulator:
    """Reads one streamed reply.

    Args:
        format: the wire format's name.
        tools: the declared tools (a `Toolbox`): calls leaked into the text are read too, and calls that can no
            longer become valid are reported early.
        dialects: which text dialects are looked for; `None` all, `()` none.
        limits: length and nesting of one call's arguments.

    Raises:
        UnknownFormatError: no format or dialect has this name.
    """

    def __init__(
        self,
        format: str,
        tools: Any = None,
        dialects: Sequence[str] | None = None,
        *,
        limits: Limits = _LIMITS,
    ) -> None:
        self._format = find(format)
        self._events: list[StreamEvent] = []
        self._log = CallLog(self._format.identity, tools, limits, self._events)
        self._leaks = Leaks(tools, dialects, self._events)
        self._parts = Parts()
        self._max_reply = _CALLS_WORTH * limits.max_chars
        self._model: str | None = None
        self._usage: dict[str, Any] = {}
        self._extra: dict[str, Any] = {}
        self._reasons: list[FinishDelta] = []
        self._error: Any = None
        self._failed = False
        self._decoder: Decoder | None = None
        self._turn: Turn | None = None
        self._reported: set[str] = set()
        self._rows = _ROWS[self._format.identity]
        self._row = self._rows[State.LIVE]

    def feed(self, chunk: Any, event: str | None = None) -> list[StreamEvent]:
        """Take one decoded event: a dict, an SDK object, JSON text, or the text `[DONE]`.

        Args:
            chunk: the event's data.
            event: the name of the SSE event, where the protocol has it.
        """
        if isinstance(chunk, dict):
            self._read(event, chunk)
        elif isinstance(chunk, str) and chunk.strip() == _DONE:
            self._take((EndDelta(),))
        else:
            self._read_any(event, chunk)
        return self._drained()

    def feed_bytes(self, data: bytes | bytearray | memoryview) -> list[StreamEvent]:
        """Take bytes as they came from the network, cut anywhere."""
        if self._decoder is None:
            self._decoder = decoder(self._format.framing)
        self._read_frames(self._decoder.feed(bytes(data)))
        return self._drained()

    def snapshot(self) -> tuple[Snapshot, ...]:
        """Each call as it stands, in the order of first appearance. Nothing of it may be executed."""
        return self._log.snapshot()

    def close(self) -> Turn:
        """The reply is over, or the connection broke: the turn. Asking again gives the same one."""
        if self._turn is None:
            if self._decoder is not None:
                self._read_frames(self._decoder.close())
            made = self._settled()
            turn = self._format.settle(made)
            self._turn = replace(turn, text=made.text) if self._leaks.taken_out else turn
            self._row = self._rows[State.ENDED]
        return self._turn

    def _drained(self) -> list[StreamEvent]:
        if not self._events:
            return []
        events = self._events.copy()
        self._events.clear()
        return events

    def _read_frames(self, frames: Iterable[tuple[str | None, Any] | ViolationDelta]) -> None:
        for frame in frames:
            if isinstance(frame, ViolationDelta):
                self._take((frame,))
            elif frame[1] == _DONE:
                self._take((EndDelta(),))
            else:
                self._read(*frame)

    def _read_any(self, event: str | None, chunk: Any) -> None:
        try:
            data = plain(chunk)
        except UnreadableError as error:
            self._take(
                (ViolationDelta("not_json" if isinstance(chunk, (str, bytes)) else "not_an_object", str(error)),)
            )
            return
        for item in data if isinstance(data, list) and event is None else (data,):
            self._read(event, item)

    def _read(self, event: str | None, data: Any) -> None:
        try:
            deltas = self._format.deltas(event, data)
            self._take(deltas)
        except Exception as error:  # noqa: BLE001  # the last line of defence: what a server sends never raises
            self._take((ViolationDelta("unreadable", f"the event could not be read: {type(error).__name__}"),))

    def _take(self, deltas: Iterable[Delta]) -> None:
        for delta in deltas:
            act, bounded, state = self._row[type(delta)]
            self._row = self._rows[state]
            if bounded:
                self._unless_full(act, delta)
            else:
                act(self, delta)

    # the actions

    def _call(self, delta: CallDelta) -> None:
        index, piece = delta.index, delta.arguments
        if index is None or delta.id or delta.name or not isinstance(piece, str) or not self._is_a_parts(index, piece):
            self._log.call(delta)

    def _piece(self, delta: ArgumentsDelta) -> None:
        call = self._log.by_index.get(delta.index)
        if call is not None and not call.completed and self._log.size < self._max_reply:
            self._log.grow(call, delta.text)
        else:
            self._unless_full(Accumulator.ACTS[Action.CALL], CallDelta(delta.index, arguments=delta.text))

    def _is_a_parts(self, index: int, piece: str) -> bool:
        """Whether the piece belongs to a call of the provider's own, and was given to it."""
        return index not in self._log.by_index and self._parts.take_arguments(index, piece)

    def _unless_full(self, act: _Act, delta: Delta) -> None:
        """The action as long as the reply is not longer than what is kept."""
        if self._log.size + self._leaks.size + self._parts.size <= self._max_reply:
            act(self, delta)
        else:
            self._once("too_long", "the reply is longer than what is read")

    def _member(self, delta: MemberDelta) -> None:
        self._log.member(delta)

    def _end_call(self, delta: CallEnd) -> None:
        self._log.end(delta)

    def _text(self, delta: TextDelta) -> None:
        self._leaks.text(delta)

    def _reasoning(self, delta: ReasoningDelta) -> None:
        self._leaks.reasoning(delta)

    def _part(self, delta: PartDelta) -> None:
        self._parts.take(delta)

    def _late(self, delta: CallDelta | ArgumentsDelta | MemberDelta) -> None:
        self._once("late", "a call goes on after the reply gave its reason for the end")
        match delta:
            case CallDelta():
                self._call(delta)
            case ArgumentsDelta():
                self._piece(delta)
            case MemberDelta():
                self._log.member(delta)

    def _meta(self, delta: MetaDelta) -> None:
        self._model = delta.model or self._model
        self._usage.update(delta.usage or {})
        self._extra.update(delta.extra or {})

    def _finish(self, delta: FinishDelta) -> None:
        self._reasons.append(delta)
        self._adopt()
        self._log.complete(self._reason())

    def _adopt(self) -> None:
        """The text is at its end: calls found in it are the reply's, if it has no others."""
        if not self._log.structured:
            self._log.adopt(self._leaks.calls(self._error, finished=self._ended_well()))

    def _failure(self, delta: ErrorDelta) -> None:
        self._failed, self._error = True, delta.error
        if delta.raw:
            self._reasons.append(FinishDelta(delta.raw))
        self._events.append(ProtocolViolation("error", "the provider reported an error inside the stream"))

    def _end(self, _delta: EndDelta) -> None:
        """The end marker: what follows is not read."""

    def _report(self, delta: ViolationDelta) -> None:
        self._events.append(ProtocolViolation(delta.reason, delta.message))

    def _refuse(self, _delta: Delta) -> None:
        self._once("after_end", "the stream went on after its end marker")

    def _once(self, reason: str, message: str) -> None:
        if reason not in self._reported:
            self._reported.add(reason)
            self._events.append(ProtocolViolation(reason, message))

    def _reason(self) -> FinishDelta | None:
        """The reason that holds: one that means a cut, else that calls were made, else the last one given."""
        for wanted in _FIRST_CALLED:
            for given in reversed(self._reasons):
                if (given.reason or reason_of(given.raw)) == wanted:
                    return given
        return self._reasons[-1] if self._reasons else None

    def _ended_well(self) -> bool:
        """Whether the provider's word is that the reply is whole."""
        given = self._reason()
        return not self._failed and given is not None and (given.reason or reason_of(given.raw)) in _NORMAL

    def _settled(self) -> Turn:
        self._adopt()
        reading = self._leaks.close(structured=self._log.structured, finished=self._ended_well())
        given = self._reason()
        made = self._log.settled() if self._log.structured or not self._leaks.continued else reading.calls
        calls, end = finished(
            () if self._leaks.salvaged else made,
            given.raw if given else None,
            reason=given.reason if given else None,
            streamed=True,
            error=self._failed,
        )
        error = {"error": self._error} if self._failed else {}
        return Turn(
            calls or made,
            reading.text,
            reading.reasoning,
            end,
            self._model,
            self._usage or None,
            {**self._extra, **self._leaks.keyed, **self._parts.value(), **error},
        )

    ACTS: ClassVar[dict[Action, _Act]] = {
        Action.CALL: _call,
        Action.PIECE: _piece,
        Action.MEMBER: _member,
        Action.END_CALL: _end_call,
        Action.TEXT: _text,
        Action.REASONING: _reasoning,
        Action.PART: _part,
        Action.META: _meta,
        Action.FINISH: _finish,
        Action.ERROR: _failure,
        Action.END: _end,
        Action.REPORT: _report,
        Action.LATE: _late,
        Action.REFUSE: _refuse,
    }


_ROWS = {identity: _rows(table, Accumulator.ACTS) for identity, table in TABLES.items()}
