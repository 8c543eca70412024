"""A wire format is one value: `Format`, a name and a few pure functions.

To add a format, write one module with functions of the signatures below and a constant
of this type, and name that constant in `FORMATS` (`argwright.wire`). Nothing else is
touched. `openai_chat` is the module to follow; this is all it has to know:

**read(body) -> Turn.** `body` is plain JSON already (`wire.plain` did dicts, text and
SDK objects), but any field may be missing or of another type: take fields through
`plain.mapping`, `objects`, `text`, `word`, `identifier`, `number`. It is a whole reply,
or just an assistant message of a history: what `write` puts out is read back to the same
turn. Make `ToolCall`s with `arguments` exactly as on the wire (text stays text, an object
stays an object, nothing is parsed or repaired), opaque data of a call in `ToolCall.extra`,
of the reply in `Turn.extra` by the provider's own keys, and hand all to `finish.turn`,
which normalizes the provider's finish word and tells the last call of it.

**deltas(event, data) -> deltas.** One decoded event of the stream (`event` is the SSE
event's name, or None), as plain JSON, becomes any number of the values of
`wire.deltas`, in order, the finish last. A pure function without memory: what must be
remembered between events (which call a piece belongs to, what came so far) is the
accumulator's work, told by the fields of the delta. An event that says nothing yields
nothing; one that this protocol does not know at all yields a `ViolationDelta`; nothing
raises. A whole body where a stream was expected yields `deltas.whole(read(body))`.
The text `[DONE]` never comes here. Placeholders and repeats are told apart by
`CallDelta.stage`: `initial` holds unless pieces come, `final` replaces the pieces.

**identity**: how a piece finds its call. `KEY`: by index, else item, else id, exactly; a
piece without any goes to the call opened last; the turn's calls stand in the order of
the indices. `RULES`: index, id and name are all unreliable (OpenAI-compatible servers,
or a wire without keys). A call that has ended (`CallEnd`) takes no more pieces under
`RULES`: a named piece after it opens another one.

**write(reply) -> messages.** `Reply` has the turn and one `Answer` per call, prepared:
an id and a name that the provider takes, the effective arguments as an object and as
text, the result as text, and whether it is an error. Return the assistant message and the results in the
provider's grouping, as new dicts; nothing of the turn is changed. Without answers, just
the message; without anything to say, nothing.

**declare(declaration) -> dict** wraps one tool, its name and schema made fit already by
the rules in `names` and `subset`; **collect** wraps the list of them into what goes into
the request (`tools=[…]` itself where nothing is to be wrapped).

**recognises(body)**: whether a body or event is certainly of this format, for `detect`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from argwright.model import Json, ToolCall, Turn
from argwright.wire.deltas import Delta
from argwright.wire.names import NAME_64, Rule


class Framing(Enum):
    """How a stream's bytes are cut into events."""

    SSE = "sse"
    VALUES = "values"
    """JSON values one after the other: NDJSON, or one JSON array that trickles in."""
    PREFIXED = "prefixed"
    """Lines of `PREFIX:JSON`; the prefix is the event's name."""
    EVENT_STREAM = "event-stream"
    """`application/vnd.amazon.eventstream`: binary frames, the event's name in a header."""


class Identity(Enum):
    """How a piece finds the call it belongs to."""

    KEY = "key"
    RULES = "rules"


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One tool on its way to a provider: everything in it is fit for that provider."""

    name: str
    description: str
    schema: Mapping[str, Json]
    strict: bool = False


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One call and its result, ready to be written.

    Args:
        call: what the model wrote; its `extra` goes back with the call.
        id: unique in the turn and fit for the provider, also where the wire had none.
        name: fit for the provider; the declared tool's, if the call is valid.
        arguments: the effective arguments; `{}` for a call that could not be read.
        text: the same as JSON text; what the model wrote, if that stands unchanged.
        content: the result: text or JSON data.
        result: the same as text.
        is_error: whether the result is an error.
    """

    call: ToolCall
    id: str
    name: str
    arguments: Mapping[str, Json]
    text: str
    content: Json
    result: str
    is_error: bool


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One reply of the model with its answers, ready to be written."""

    turn: Turn
    answers: tuple[Answer, ...]


def as_list(declared: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The declarations as they are: the default of `collect`."""
    return list(declared)


def as_it_is(turn: Turn) -> Turn:
    """The turn as it is: the default of `settle`."""
    return turn


@dataclass(frozen=True, kw_only=True)
class Format:
    """One provider's wire form; see the module's docstring for each function's contract.

    Args:
        framing: how its streams are cut; the first byte of a body overrules it.
        names: what it takes as a tool's name.
        ids: what it takes as a call's id.
        subset: what it takes of JSON Schema; see `argwright.wire.declaring`.
        settle: the last touch on the turn of a stream, for what its events show only together.
    """

    name: str
    read: Callable[[Json], Turn]
    deltas: Callable[[str | None, Json], Iterable[Delta]]
    write: Callable[[Reply], list[dict[str, Any]]]
    declare: Callable[[Declaration], dict[str, Any]]
    recognises: Callable[[Json], bool]
    collect: Callable[[Sequence[dict[str, Any]]], Json] = as_list
    framing: Framing = Framing.SSE
    identity: Identity = Identity.KEY
    names: Rule = NAME_64
    ids: Rule = NAME_64
    subset: Any = None
    settle: Callable[[Turn], Turn] = as_it_is
