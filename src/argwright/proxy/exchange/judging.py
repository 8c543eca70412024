"""The calls of a reply, resolved: which are the gateway's, what became of each, and how it is written if it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from argwright.making import quick
from argwright.model import InvalidCall, Json, Outcome, ToolCall, Turn, ValidCall, compact
from argwright.policy import Policy
from argwright.toolbox import Toolbox

_NOTHING = "no-arguments"  # the repair that makes an empty object of nothing
_DIGITS = 24  # of a made id: as many as providers use


@quick
@dataclass(frozen=True, kw_only=True)
class Judged:
    """One call and what became of it; without an outcome it is not the gateway's and passes as it is."""

    call: ToolCall
    outcome: Outcome | None = None

    @property
    def refused(self) -> bool:
        """Whether the call must not run."""
        return isinstance(self.outcome, InvalidCall)

    @property
    def mended(self) -> bool:
        """Whether the call is valid, but not as the model wrote it."""
        return isinstance(self.outcome, ValidCall) and (
            bool(self.outcome.repairs)
            or self.call.name != self.outcome.tool.name
            or self.call.origin != "structured"
            or not isinstance(self.call.arguments, (str, dict))
        )


@quick
@dataclass(frozen=True, kw_only=True)
class Written:
    """A call as it is written to the client.

    Args:
        id: unique in the reply.
        name: the tool's, as declared.
        text: the arguments as JSON text; the text of a free-text call.
        arguments: the same as an object, where it is one.
        free: the call has free text in place of arguments.
        extra: what the provider sent beside the call, as `ToolCall.extra` has it.
    """

    id: str
    name: str
    text: str
    arguments: Json
    free: bool = False
    extra: Mapping[str, Any]


def judge(calls: Iterable[ToolCall], box: Toolbox, bare: Toolbox | None = None) -> tuple[Judged, ...]:
    """What became of the calls; one that held several glued together, and may be taken apart, is several.

    Args:
        calls: as the model wrote them; a free text is none of ours.
        box: the declared tools.
        bare: those of which no schema is known.
    """
    return tuple(judged for call in calls for judged in _judged(call, box, bare))


def _judged(call: ToolCall, box: Toolbox, bare: Toolbox | None) -> Iterator[Judged]:
    if call.input is not None:
        yield Judged(call=call)
        return
    unknown = bare is not None and call.name in bare
    outcomes = _looked_at(call, bare) if bare and unknown else box.resolve_turn(Turn((call,)))
    yield from (Judged(call=outcome.call, outcome=outcome) for outcome in outcomes)


def _looked_at(call: ToolCall, bare: Toolbox) -> tuple[Outcome, ...]:
    """What became of a call of which no schema is known: that nothing stands for no arguments is not known either."""
    outcomes = bare.resolve_turn(Turn((call,)))
    invented = any(repair.rule == _NOTHING for outcome in outcomes for repair in outcome.repairs)
    return bare.resolve_turn(Turn((call,)), Policy.STRICT) if invented else outcomes


def is_valid(call: ToolCall, box: Toolbox) -> bool:
    """Whether a call may run."""
    return not any(one.refused for one in judge((call,), box))


def written(judged: Judged, own_id: str) -> Written:
    """The call with its effective arguments; what was refused or is not ours, as the model wrote it."""
    call, outcome = judged.call, judged.outcome
    name, given = call.name or "", call.arguments
    if isinstance(outcome, ValidCall):
        name = outcome.tool.name
        given = outcome.arguments if outcome.repairs or not isinstance(given, str) else given
    text = call.input if call.input is not None else as_text(given)
    arguments = outcome.arguments if isinstance(outcome, ValidCall) else given
    return Written(id=own_id, name=name, text=text, arguments=arguments, free=call.input is not None, extra=call.extra)


def as_text(arguments: str | bytes | dict[str, Json] | None) -> str:
    """Arguments as they stand in a text."""
    if isinstance(arguments, bytes):
        return arguments.decode("utf-8", "replace")
    return arguments if isinstance(arguments, str) else "" if arguments is None else compact(arguments)


class Ids:
    """Ids of the calls of one reply: each its own if it is the first to have it, else one made from the request's."""

    def __init__(self, seed: str, prefix: str) -> None:
        self._seed = seed
        self._prefix = prefix
        self._used: set[str] = set()
        self._made = 0

    def free(self, own: str | None) -> bool:
        """Whether a call may keep its id."""
        return bool(own) and own not in self._used

    def note(self, own: str | None) -> None:
        """An id went out by other means."""
        if own:
            self._used.add(own)

    def take(self, own: str | None) -> str:
        """The id to write."""
        while not own or own in self._used:
            own = self.new()
        self._used.add(own)
        return own

    def apart(self, number: int) -> Ids:
        """Ids of another choice, which may repeat those of the others."""
        return Ids(f"{self._seed}:{number}", self._prefix) if number else self

    def others(self, prefix: str) -> Ids:
        """Ids of another kind."""
        return Ids(f"{self._seed}:{prefix}", prefix)

    def new(self) -> str:
        """An id that no call has."""
        self._made += 1
        digest = hashlib.sha256(f"{self._seed}:{self._made}".encode("utf-8", "surrogatepass")).hexdigest()
        return f"{self._prefix}{digest[:_DIGITS]}"


def identified(calls: Iterable[ToolCall], ids: Ids) -> tuple[ToolCall, ...]:
    """The calls, each with an id."""
    return tuple(call if call.id else replace(call, id=ids.new()) for call in calls)


def cut_off(call: ToolCall) -> ToolCall:
    """The call as one that the provider never ended."""
    return replace(call, finish_reason="incomplete")
