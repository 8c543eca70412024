"""What the gateway tells of one tool call: the value that the exchange makes and journal, metrics and page read.

A record without `detail` holds no word that the model wrote except the tool's name: it is what the journal keeps by
default. The detail holds the call's text; it is made when somebody reads it, and kept only where someone asked for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from argwright.making import Later, quick

Status = Literal["valid", "mended", "refused"]


def _none() -> None:
    """What a record has in place of a detail, unless one is given or made later."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CallDetail:
    """What a call said and what became of it; sensitive fields are masked before it is stored."""

    arguments_text: str  # as the model wrote it
    arguments: Mapping[str, Any] | None  # the effective ones; none if refused
    repairs: tuple[Mapping[str, Any], ...] = ()  # `Repair.to_dict()`, spans in characters of `arguments_text`
    issues: tuple[Mapping[str, Any], ...] = ()  # `Issue.to_dict()`
    message: str = ""  # what the model was told, or would have been
    position: int | None = None  # where in the text reading stopped, if it did
    sensitive: tuple[str, ...] = ()  # the tool's sensitive fields (of an unknown one: every tool's), to be masked
    declared: tuple[str, ...] | None = None  # all names of fields of that tool, or those; any other may be a secret's


@quick
@dataclass(frozen=True, kw_only=True)
class CallRecord(Later):
    """One call of one reply, resolved."""

    request_id: str
    at: float  # seconds since the epoch
    protocol: str  # the wire format's name
    upstream: str
    model: str
    tool: str  # as declared; as written, if unknown
    status: Status
    kind: str | None = None  # ErrorKind of a refused call
    reason: str | None = None
    rules: tuple[str, ...] = ()  # that mended it, in their order, each once
    origin: str = "structured"
    attempt: int = 1  # 2 is the reply to the first feedback
    streamed: bool = False
    detail: CallDetail | None = field(default_factory=_none)

    def without_detail(self) -> CallRecord:
        """The record without what the call said, and without what that would be made of."""
        return CallRecord(**{name: value for name, value in self.__dict__.items() if name in _PLAIN})


_PLAIN = frozenset(one.name for one in fields(CallRecord)) - {"detail"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ExchangeRecord:
    """One request with tools, answered: the calls of its replies are told apart."""

    request_id: str
    at: float
    protocol: str
    upstream: str
    model: str
    status: int  # what the client was answered
    streamed: bool
    attempts: int
    stalled: bool = False  # announced an action and made no call
    left_out: int = 0  # events behind the end of the reply that did not go out
    seconds: float = 0.0
