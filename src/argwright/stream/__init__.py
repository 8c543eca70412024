"""Streams: bytes to events, events to calls, the value so far; nothing of it does I/O."""

from argwright.stream.accumulator import Accumulator
from argwright.stream.call_log import Snapshot
from argwright.stream.events import (
    CallCompleted,
    CallDoomed,
    CallProgress,
    CallStarted,
    ProtocolViolation,
    StreamEvent,
)
from argwright.stream.whole import read
from argwright.wire.deltas import ReasoningDelta, TextDelta

__all__ = [
    "Accumulator",
    "CallCompleted",
    "CallDoomed",
    "CallProgress",
    "CallStarted",
    "ProtocolViolation",
    "ReasoningDelta",
    "Snapshot",
    "StreamEvent",
    "TextDelta",
    "read",
]
