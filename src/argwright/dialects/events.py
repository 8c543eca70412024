"""What a `TextScanner` reports, and how the reports add up to one reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, assert_never

from argwright.model import Json, ToolCall, Value


@dataclass(frozen=True)
class TextSafe(Value):
    """Text that belongs to the answer and may be shown; the pieces, joined, are the answer's text."""

    text: str


@dataclass(frozen=True)
class ReasoningText(Value):
    """Text of a reasoning block, without its markers."""

    text: str


@dataclass(frozen=True)
class CallFound(Value):
    """A call, at the moment it became whole (or, at the end of the text, was found to be cut).

    `call.origin` is `text:<dialect>`. A call that is not whole, or whose markup cannot be read, has the
    `finish_reason` `incomplete` and as `arguments` the text that is there; it must stay so whatever reason
    the provider gives for the turn.
    """

    call: ToolCall


@dataclass(frozen=True)
class TextWasReasoning(Value):
    """A reasoning block ended that never opened (the opener stood in the prompt).

    Everything reported so far was reasoning: the text is taken back, and so are the calls found in it.
    `text` is the whole reasoning, the markup of those calls included. Only where calls that end reasoning are asked
    for, those that end this one, with nothing behind it, are reported once more, and `text` is what stood before them.
    """

    text: str


Event: TypeAlias = TextSafe | ReasoningText | CallFound | TextWasReasoning


class ToolNames(Protocol):
    """What the dialects ask of a toolbox: which names are declared, and each one's schema."""

    @property
    def names(self) -> Iterable[str]:
        """The declared names."""
        ...

    def get(self, name: str, /) -> HasSchema | None:
        """The tool of this name, or `None`."""
        ...


class HasSchema(Protocol):
    """A declared tool, as far as the dialects look at it."""

    @property
    def schema(self) -> Mapping[str, Json]:
        """The JSON Schema of the tool's arguments."""
        ...


@dataclass(frozen=True)
class Reading(Value):
    """What a text holds: its calls in order, the text around them, the reasoning."""

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    reasoning: str = ""


def add_up(events: Iterable[Event]) -> Reading:
    """The calls, the text and the reasoning that a scanner's events amount to."""
    calls: list[ToolCall] = []
    text: list[str] = []
    reasoning: list[str] = []
    for event in events:
        match event:
            case TextSafe():
                text.append(event.text)
            case ReasoningText():
                reasoning.append(event.text)
            case CallFound():
                calls.append(event.call)
            case TextWasReasoning():
                calls.clear()
                text.clear()
                reasoning[:] = [event.text]
            case _:
                assert_never(event)
    return Reading(tuple(calls), "".join(text), "".join(reasoning))
