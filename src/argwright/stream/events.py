"""What the accumulator reports while a reply arrives.

`call` is always the number of the call in the order of first appearance, the same as
its place in `snapshot()`. Nothing of these events may be executed but the call of a
`CallCompleted`, after it was resolved like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from argwright.model import ToolCall, Value
from argwright.wire.deltas import ReasoningDelta, TextDelta


@dataclass(frozen=True, slots=True)
class CallStarted(Value):
    """A call began, and its name is known.

    Args:
        call: the call's number in the reply, from 0.
        id: the provider's id, if it has come.
        name: the tool's name as the model wrote it.
    """

    call: int
    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class CallProgress(Value):
    """A member of the arguments gained something.

    Args:
        call: the call's number in the reply, from 0.
        pointer: which member, as a JSON Pointer; the empty one for the text of a free-text tool.
        text: what came: a piece of a string's value (escapes read), or all of another scalar, as JSON text.
    """

    call: int
    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class CallDoomed(Value):
    """The call can no longer become valid; a caller may cancel the reply and ask again. Comes once per call.

    Args:
        call: the call's number in the reply, from 0.
        pointer: the place that cannot be right.
        reason: `unknown`, `unexpected`, `enum` or `type`.
        message: what was found and expected, one line.
    """

    call: int
    pointer: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class CallCompleted(Value):
    """A call is at its end by the provider's word.

    Args:
        call: the call's number in the reply, from 0.
        tool_call: what `close()` will have for it; it may run only after it was resolved like any other.
    """

    call: int
    tool_call: ToolCall


@dataclass(frozen=True, slots=True)
class ProtocolViolation(Value):
    """The stream said something that its protocol does not say; reading went on.

    Args:
        reason: a slug: `not_json`, `not_an_object`, `too_long`, `too_many`, `late`, `after_end`, `encoding`, `error`,
            or one of a format's own.
        message: one line, without the data itself.
    """

    reason: str
    message: str


StreamEvent: TypeAlias = (
    CallStarted | CallProgress | CallDoomed | CallCompleted | TextDelta | ReasoningDelta | ProtocolViolation
)
