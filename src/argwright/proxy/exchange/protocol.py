"""What the gateway has to know of a protocol. To add one, write a module with these functions and name it in `TABLE`.

    see(name, data)      what one event of the upstream's stream is to the gateway: a `Seen`
    writer(ids)          a `Writer`, which keeps the numbering of the client's stream and writes events
    shaped(body)         whether a body is a whole reply, or the protocol's error
    apart(body)          a whole reply as replies of one choice each
    sound(body, legacy)  whether the calls of a whole reply have the documented form
    texts(body)          the texts of a whole reply that are read for calls, in order
    rewritten(body, …)   the whole reply with other texts and calls
    error(fault)         the protocol's own error, as a body
    declared(body), …    what a request declares and wants

The calls themselves are read by `argwright.wire`; nothing here reads them a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple
from typing import Protocol as Interface

from argwright.making import quick
from argwright.model import Json
from argwright.proxy.exchange.judging import Ids, Written

Body = dict[str, Any]


class Place(Enum):
    """Where an event stands."""

    OTHER = "other"
    OPEN = "open"
    """A part that holds text opens; it goes out with the first text of it."""
    TEXT = "text"
    CLOSE = "close"
    """The part that was opened last closes; what it says of its text must be true."""


@quick
@dataclass(frozen=True, kw_only=True)
class Seen:
    """What one event is to the gateway.

    Args:
        place: what it is to the text.
        part: the part that it opens or closes.
        text: the text that it carries.
        finish: it gives the reason for the end.
        usage: it tells what the reply cost.
        end: nothing of the reply follows.
        error: the provider reports an error.
        begins: the reply begins: comes once, whatever is asked again.
        reads: it may hold more than text and reasoning.
        pure: of what it holds, nothing is left without its pieces of calls.
        calls: it has members for pieces of calls, whether they hold any or not.
        odd: its form is not the documented one, so that a client may not read it as the gateway does.
        opens: the number of the item that it opens, where the items of a reply are numbered from 0.
        item: the id of the item that it goes on with, where it names it.
        others: it holds something of another choice, which is not read.
        strays: it holds a piece of a call in one.
    """

    place: Place = Place.OTHER
    part: Hashable = None
    text: str = ""
    finish: bool = False
    usage: bool = False
    end: bool = False
    error: bool = False
    begins: bool = False
    reads: bool = True
    pure: bool = True
    calls: bool = False
    odd: bool = False
    opens: int | None = None
    item: str | None = None
    others: bool = False
    strays: bool = False


OTHER = Seen()
END = Seen(end=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different in an event that goes to the client.

    Args:
        text: the text in place of its own.
        without_calls: the pieces of calls in it are left out.
        calls_made: the reason for the end says that calls were made.
        calls_lost: it does not, since none is left.
        goes_on: it is no reason for the end: another one follows.
        reason: the one that holds, in place of its own.
        usage: of all attempts, added up.
        note: what is told of the reply.
    """

    text: str | None = None
    without_calls: bool = False
    calls_made: bool = False
    calls_lost: bool = False
    goes_on: bool = False
    reason: str | None = None
    usage: Mapping[str, Any] | None = None
    note: Mapping[str, Any] | None = None

    def beside(self, other: Change) -> Change:
        """Both at once."""
        return Change(
            text=self.text if other.text is None else other.text,
            without_calls=self.without_calls or other.without_calls,
            calls_made=self.calls_made or other.calls_made,
            calls_lost=self.calls_lost or other.calls_lost,
            goes_on=self.goes_on or other.goes_on,
            reason=self.reason if other.reason is None else other.reason,
            usage=self.usage if other.usage is None else other.usage,
            note=self.note if other.note is None else other.note,
        )


UNCHANGED = Change()


INVALID_CALL = "argwright_invalid_call"
_TIMEOUTS = frozenset({"upstream_stalled", "out_of_time"})


class Fault(NamedTuple):
    """Why the client gets no reply."""

    code: str
    message: str
    note: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The `type` of OpenAI's error: the model's calls were refused, or something failed behind the gateway."""
        if self.code == INVALID_CALL:
            return "invalid_tool_call"
        return "timeout_error" if self.code in _TIMEOUTS else "server_error"


class Writer(Interface):
    """Writes the client's stream: upstream's events with the numbering that holds for the client, and new ones.

    Attributes:
        marks: what stands in the bytes of those pieces of calls that have to be noted; nothing: the first and last.
    """

    marks: bytes

    def again(self) -> None:
        """Another reply of the model continues the one that the client sees."""
        ...

    def renames(self, data: Body, /) -> bool:
        """Whether a later reply's beginning is told though the client's has begun: it has another name now."""
        ...

    def misplaced(self) -> None:
        """An item of the upstream's does not stand where clients look for it."""
        ...

    def even(self) -> bool:
        """Whether the numbering is the upstream's so far, so that its events go out as they came."""
        ...

    def passed(self, name: str | None, data: Body, /) -> None:
        """An event of the upstream's goes out as it came."""
        ...

    def event(self, name: str | None, data: Body, change: Change, /) -> bytes:
        """An event of the upstream's with what is different; nothing, if nothing of it is left."""
        ...

    def dropped(self, data: Body, /) -> None:
        """An event of the upstream's does not go out."""
        ...

    def call(self, call: Written, data: Body | None = None, /) -> bytes:
        """A call in events; `data`: the upstream's event that it takes the place of."""
        ...

    def rest(self, call: Written, rest: str, data: Body | None, /) -> bytes:
        """What is still to be said of a call whose beginning went out; `data`: the first of what was held of it."""
        ...

    def text(self, text: str, /) -> bytes:
        """Text that no event of the upstream's carries."""
        ...

    def last(self, note: Mapping[str, Any], /) -> bytes:
        """An event that only tells something, where the stream has no other that could."""
        ...

    def end(self) -> bytes:
        """What ends a stream, where the upstream gave its reason for the end and then forgot it."""
        ...

    def failed(self, fault: Fault, /) -> bytes:
        """The protocol's own error, which ends the stream."""
        ...


@dataclass(frozen=True, kw_only=True)
class Whole:
    """What is different in a whole reply.

    Args:
        texts: in place of its own, if they changed.
        calls: for each call of the reply, what takes its place; `None` leaves it as it is.
        added: calls that it did not have as calls.
        said: texts of earlier replies, which stand before its own.
        usage: of all attempts, added up.
        note: what is told of the reply.
        legacy: calls have no ids.
    """

    texts: Sequence[str] | None = None
    calls: Sequence[Sequence[Written] | None] = ()
    added: Sequence[Written] = ()
    said: Sequence[str] = ()
    usage: Mapping[str, Any] | None = None
    note: Mapping[str, Any] = field(default_factory=dict)
    legacy: bool = False


def _never(_body: Body) -> bool:
    return False


def _one(body: Body) -> list[Body]:
    return [body]


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """One protocol.

    Args:
        form: the wire format's name.
        history: the member of a request that holds the conversation.
        id_prefix: how the ids of its calls begin.
        declared: the declarations of a request's tools.
        may_call: whether a request allows calls.
        prose: whether the text of the reply is prose, not a document of a form that the client gave.
        extended: a request with messages added to its conversation.
        reminder: what a user says, as messages.
        textual: the arguments of a call are text; else an object.
        dense: the calls of a stream are numbered from 0.
        closes: each call of a stream has an event of its own that ends it.
        confirms: the last event of a stream says all calls once more.
        legacy: whether a request asks for calls without ids.
        several: whether a request asks for several choices.
        idle: whether an event adds nothing to a reply, so that it may stand behind its end.
        strays: whether an event holds a piece of a call in a choice that is not read.
        apart: a whole reply as replies of one choice each.
    """

    form: str
    history: str
    id_prefix: str
    declared: Callable[[Body], Iterator[Json]]
    may_call: Callable[[Body], bool]
    prose: Callable[[Body], bool]
    extended: Callable[[Body, list[Body]], Body]
    reminder: Callable[[str], list[Body]]
    textual: bool
    dense: bool = False
    closes: bool = False
    confirms: bool = False
    legacy: Callable[[Body], bool] = _never
    several: Callable[[Body], bool] = _never
    idle: Callable[[Body], bool] = _never
    strays: Callable[[Body], bool] = _never
    apart: Callable[[Body], list[Body]] = _one
    see: Callable[[str | None, Body], Seen]
    writer: Callable[[Ids, Body], Writer]
    texts: Callable[[Body], list[str]]
    shaped: Callable[[Json], bool]
    sound: Callable[[Body, bool], bool]
    rewritten: Callable[[Body, Whole], Body]
    error: Callable[[Fault], Body]


def added_up(first: Any, second: Any) -> Any:
    """Two usages as one: numbers are added, objects member by member; what is no number is the later one's."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        both = {**first, **second}
        return {key: added_up(first.get(key), second.get(key)) for key in both}
    if second is None:
        return first
    numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (first, second))
    return first + second if numbers else second
