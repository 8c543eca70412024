"""What one event of a stream says, in words that all formats share.

A format's delta reader turns one decoded event into any number of these values, in the
order in which they apply, the finish last. The set is closed: the accumulator has a
transition for each of them, and a protocol that says something else says it with the
same words or not at all. Each field has its own rule for growing; dicts are never
merged blindly, since that turns a re-sent id into `call_1call_1`.

    CallDelta       a piece of a call (`argwright.model`)
    ArgumentsDelta  the same where it holds a piece of the arguments' text and nothing else
    MemberDelta     one member of a call's arguments, by JSON path
    CallEnd         the provider said that this call's arguments are at their end
    TextDelta       a piece of the reply's text
    ReasoningDelta  a piece of the model's reasoning
    PartDelta       a change to an opaque part that the provider wants back
    MetaDelta       the model's name, the usage, opaque top-level data
    FinishDelta     why the reply ended, in the provider's word
    ErrorDelta      the provider reported an error inside the stream
    EndDelta        the end marker: nothing follows
    ViolationDelta  the event does not say what this protocol says
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from argwright.model import CallDelta as CallDelta  # noqa: PLC0414  # one of the set, re-exported
from argwright.model import Json, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from argwright.model import Turn


@dataclass(frozen=True, slots=True)
class ArgumentsDelta(Value):
    """A piece of the arguments' text and nothing else: what most events of a stream are, so it is kept small.

    Args:
        text: the piece, not empty.
        index: which call; `None` for the call opened last.
    """

    text: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class MemberDelta(Value):
    """One entry of arguments that come as values at JSON paths; the accumulator hands it to the call's `PartialArgs`.

    Args:
        entry: the entry as on the wire, path and value (`argwright.wire.partial_args`).
        index, id: which call; both `None` for the call opened last.
    """

    entry: Mapping[str, Json]
    index: int | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class CallEnd(Value):
    """The provider ended a call (or, by the same key, a part that is none: then it means nothing)."""

    index: int | None = None
    id: str | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class TextDelta(Value):
    """A piece of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta(Value):
    """A piece of the model's reasoning; `key` names the message member that wants the whole of it back, if any."""

    text: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class PartDelta(Value):
    """A change to one part of `Turn.extra[key]`, a list of the provider's own parts.

    Args:
        index: which part; `None` adds one.
        put: members to set.
        append: members to grow: text to text, list to list.
        arguments: the member that takes the pieces of a `CallDelta` with this index and nothing else, where no call
            has it: a call of the provider's own tool streams like one of ours, but is none.
    """

    key: str
    index: int | None = None
    put: Mapping[str, Json] | None = None
    append: Mapping[str, str | list[Json]] | None = None
    arguments: str | None = None


@dataclass(frozen=True, slots=True)
class MetaDelta(Value):
    """Facts about the reply: what is not `None` replaces what was known; `extra` is merged key by key."""

    model: str | None = None
    usage: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class FinishDelta(Value):
    """The provider's word for why the reply ended, as it stands on the wire.

    `reason` is set only by a protocol for which the common table (`argwright.wire.finish`) does not hold.
    """

    raw: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorDelta(Value):
    """An error reported inside the stream; `raw` is the finish word that came with it, if any."""

    error: Json
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class EndDelta(Value):
    """The protocol's end marker."""


@dataclass(frozen=True, slots=True)
class ViolationDelta(Value):
    """Something that this protocol does not say: a slug, and one line for a person."""

    reason: str
    message: str


Delta: TypeAlias = (
    CallDelta
    | ArgumentsDelta
    | MemberDelta
    | CallEnd
    | TextDelta
    | ReasoningDelta
    | PartDelta
    | MetaDelta
    | FinishDelta
    | ErrorDelta
    | EndDelta
    | ViolationDelta
)


def unknown_event(kind: str) -> ViolationDelta:
    """An event that no one has heard of."""
    return ViolationDelta("unknown_event", f"no event of this protocol: {kind[:80]!r}")


def whole(turn: Turn) -> Iterator[Delta]:
    """The deltas of a reply that came as one body where a stream was expected."""
    if turn.reasoning:
        yield ReasoningDelta(turn.reasoning)
    if turn.text:
        yield TextDelta(turn.text)
    for number, call in enumerate(turn.calls):
        arguments = call.arguments.decode("utf-8", "replace") if isinstance(call.arguments, bytes) else call.arguments
        yield CallDelta(
            number,
            call.id,
            call.name,
            arguments,
            stage="final",
            input=call.input,
            blocked=call.blocked,
            extra=call.extra,
        )
        yield CallEnd(number, call.id)
    yield MetaDelta(turn.model, turn.usage, {key: value for key, value in turn.extra.items() if key != "error"})
    if turn.finish.reason == "error":
        yield ErrorDelta(turn.extra.get("error"), turn.finish.raw)
    elif turn.finish.raw is not None:
        yield FinishDelta(turn.finish.raw)
