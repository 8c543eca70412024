"""The values of a history: what is changed, what is wrong, and a conversation as steps.

A stored conversation is read into steps whatever its format: the model asks (calls), is
told (results), or something else is said. A part that is neither call nor result is kept
as it stands, in its place, and every call and result keeps the entry it was read from,
so that what is not mended goes out as it came in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from argwright.model import Json, Value

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Change(Value):
    """One thing that was mended.

    Args:
        rule: the slug of what was wrong; the same slugs as in `Problem`.
        pointer: the place in the messages as they were given, as a JSON Pointer.
        message: what was wrong and what was done, one line, without quoting what a model wrote.
        before: an id or a name as it was.
        after: what it became.
    """

    rule: str
    pointer: str
    message: str
    before: Json = None
    after: Json = None


@dataclass(frozen=True, kw_only=True)
class Problem(Value):
    """One thing for which the provider would refuse the conversation, or misread it.

    Args:
        rule: the slug of what is wrong; the same slugs as in `Change`.
        pointer: the place in the messages as they were given, as a JSON Pointer.
        message: what is wrong, one line, without quoting what a model wrote.
    """

    rule: str
    pointer: str
    message: str


class Effective(NamedTuple):
    """A conversation that its provider accepts; a tuple, so that it unpacks.

    Args:
        messages: the conversation, in new dicts where something was changed.
        changes: what was changed, in order; empty if it could be sent as it was.
    """

    messages: list[Message]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call in a history.

    Args:
        place: where it stands, as a JSON Pointer.
        raw: the entry it was read from.
        id: as stored; `None` for none, and for what servers write for none.
        arguments: as stored: text, an object, or anything.
        free: a call with free text in place of arguments.
        old: in the form that OpenAI had before calls had ids.
    """

    place: str
    raw: Message
    id: str | None
    name: str | None
    arguments: Any = None
    free: bool = False
    old: bool = False


@dataclass(frozen=True, kw_only=True)
class Result:
    """A result in a history; `error` is set if it is flagged as one."""

    place: str
    raw: Message
    id: str | None
    name: str | None
    content: Any = None
    error: bool = False
    old: bool = False


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the model said when it called tools: calls and other parts in order.

    Args:
        place: of the message.
        shell: the message; of no meaning where each part is an item of its own.
    """

    place: str
    shell: Message
    parts: tuple[Call | Json, ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls in order."""
        return tuple(part for part in self.parts if isinstance(part, Call))


@dataclass(frozen=True, kw_only=True)
class Told:
    """Results and what stands beside them in one message."""

    place: str
    shell: Message
    parts: tuple[Result | Json, ...]

    @property
    def results(self) -> tuple[Result, ...]:
        """The results in order."""
        return tuple(part for part in self.parts if isinstance(part, Result))

    @property
    def others(self) -> tuple[Json, ...]:
        """The other parts in order."""
        return tuple(part for part in self.parts if not isinstance(part, Result))


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message without calls and results."""

    place: str
    shell: Message
    parts: tuple[Json, ...] = field(default=())


Step: TypeAlias = Asked | Told | Said


def raw_parts(step: Asked | Told) -> list[Json]:
    """The parts as they were stored."""
    return [part.raw if isinstance(part, (Call, Result)) else part for part in step.parts]
