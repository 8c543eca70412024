"""What a delta does in each state of a stream: the table is the program.

A stream is `LIVE` until its provider gives a reason for the end, `FINISHED` until the
end marker, then `ENDED`. Whatever a table does not allow is reported and changes
nothing. Protocols with sound keys say all of a call before the reason; OpenAI-compatible
servers repeat reasons and send calls after them, which is taken.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TypeAlias

from argwright.model import CallDelta
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
from argwright.wire.format import Identity


class State(IntEnum):
    """Where a stream stands."""

    LIVE = 0
    FINISHED = 1
    ENDED = 2


class Action(Enum):
    """What the accumulator does with a delta."""

    CALL = "call"
    PIECE = "piece"
    MEMBER = "member"
    END_CALL = "end_call"
    TEXT = "text"
    REASONING = "reasoning"
    PART = "part"
    META = "meta"
    FINISH = "finish"
    ERROR = "error"
    END = "end"
    REPORT = "report"
    LATE = "late"
    """The delta came after the reason for the end: it is reported, and taken all the same."""
    REFUSE = "refuse"
    """The delta came after the end marker: it is reported and dropped."""


Transition: TypeAlias = tuple[Action, State]
Table: TypeAlias = "dict[tuple[State, type[Delta]], Transition]"

_LIVE, _FINISHED, _ENDED = State.LIVE, State.FINISHED, State.ENDED

_COMMON: Table = {
    (_LIVE, CallDelta): (Action.CALL, _LIVE),
    (_LIVE, ArgumentsDelta): (Action.PIECE, _LIVE),
    (_LIVE, MemberDelta): (Action.MEMBER, _LIVE),
    (_LIVE, CallEnd): (Action.END_CALL, _LIVE),
    (_LIVE, TextDelta): (Action.TEXT, _LIVE),
    (_LIVE, ReasoningDelta): (Action.REASONING, _LIVE),
    (_LIVE, PartDelta): (Action.PART, _LIVE),
    (_LIVE, MetaDelta): (Action.META, _LIVE),
    (_LIVE, FinishDelta): (Action.FINISH, _FINISHED),
    (_LIVE, ErrorDelta): (Action.ERROR, _FINISHED),
    (_LIVE, EndDelta): (Action.END, _ENDED),
    (_LIVE, ViolationDelta): (Action.REPORT, _LIVE),
    (_FINISHED, CallEnd): (Action.END_CALL, _FINISHED),
    (_FINISHED, TextDelta): (Action.TEXT, _FINISHED),
    (_FINISHED, ReasoningDelta): (Action.REASONING, _FINISHED),
    (_FINISHED, PartDelta): (Action.PART, _FINISHED),
    (_FINISHED, MetaDelta): (Action.META, _FINISHED),
    (_FINISHED, FinishDelta): (Action.FINISH, _FINISHED),
    (_FINISHED, ErrorDelta): (Action.ERROR, _FINISHED),
    (_FINISHED, EndDelta): (Action.END, _ENDED),
    (_FINISHED, ViolationDelta): (Action.REPORT, _FINISHED),
    (_ENDED, EndDelta): (Action.END, _ENDED),
    (_ENDED, MetaDelta): (Action.META, _ENDED),
}

TABLES: dict[Identity, Table] = {
    Identity.RULES: {
        **_COMMON,
        (_FINISHED, CallDelta): (Action.CALL, _FINISHED),
        (_FINISHED, ArgumentsDelta): (Action.PIECE, _FINISHED),
        (_FINISHED, MemberDelta): (Action.MEMBER, _FINISHED),
    },
    Identity.KEY: {
        **_COMMON,
        (_FINISHED, CallDelta): (Action.LATE, _FINISHED),
        (_FINISHED, ArgumentsDelta): (Action.LATE, _FINISHED),
        (_FINISHED, MemberDelta): (Action.LATE, _FINISHED),
    },
}

REFUSED: Transition = (Action.REFUSE, State.ENDED)
"""For every pair that is in no table: they all begin at `ENDED`."""
