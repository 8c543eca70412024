"""The calls of one reply while they arrive: pieces in, events and snapshots out."""

from __future__ import annotations

from collections.abc import Iterable, KeysView
from typing import Any

from argwright.model import CallDelta, ToolCall, compact
from argwright.policy import Limits
from argwright.rules.names import readings
from argwright.stream.calls import Calls, Find, OpenCall, by_key, by_rules
from argwright.stream.doom import Doom, is_plain
from argwright.stream.events import CallCompleted, CallDoomed, CallProgress, CallStarted, ProtocolViolation, StreamEvent
from argwright.stream.growing import value_of
from argwright.stream.progress import Change, Progress
from argwright.wire.deltas import CallEnd, FinishDelta, MemberDelta
from argwright.wire.finish import finished
from argwright.wire.format import Identity
from argwright.wire.partial_args import PartialArgs

_MAX_CALLS = 10_000  # of one reply; the most that any provider makes is some hundred
_FIND: dict[Identity, Find] = {Identity.KEY: by_key, Identity.RULES: by_rules}


class Snapshot:
    """A call as it stood when it was asked for. Nothing of it may be executed.

    Attributes:
        id: the provider's id, if it has come.
        name: the tool's name as far as it has come.
        complete: the pointers of the members that will not change again: a live, read-only set.
    """

    __slots__ = ("_frames", "_rope", "_size", "_value", "complete", "id", "name")

    def __init__(self, call: OpenCall) -> None:
        progress = call.live.progress
        self.id = call.id
        self.name = call.name
        self.complete: KeysView[str] = progress.complete
        self._frames = progress.frames()
        self._rope = rope = progress.text
        self._size = rope.size if rope is not None else 0
        self._value: dict[str, Any] | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments as far as they had come: complete members, and the string that was growing."""
        if self._value is None:
            self._value = value_of(self._frames, self._rope, self._size)
        return self._value

    def __repr__(self) -> str:
        return f"Snapshot(id={self.id!r}, name={self.name!r}, {len(self.complete)} members complete)"


class CallLog:
    """Keeps the calls.

    Args:
        identity: how a piece finds its call.
        tools: the declared tools, if calls that cannot become valid are to be reported.
        limits: length and nesting of one call's arguments.
        events: where everything is reported.
    """

    def __init__(self, identity: Identity, tools: Any, limits: Limits, events: list[StreamEvent]) -> None:
        self.calls = Calls()
        self.by_index = self.calls.by_index
        self.size = 0
        self._identity = identity
        self._find = _FIND[identity]
        self._tools = tools
        self._declared = frozenset(tools.names) if tools is not None else frozenset[str]()
        self._limits = limits
        self._max_chars = limits.max_chars
        self._events = events
        self._waiting: dict[int, list[Change]] = {}
        self._open: dict[int, OpenCall] = {}
        self._shown: list[Snapshot] = []
        self._snapshot: tuple[Snapshot, ...] = ()
        self._stale: set[int] = set()  # calls that have changed since they were last shown
        self._doomed: set[int] = set()
        self._plain: dict[str, bool] = {}
        self._full = False

    # pieces

    def call(self, delta: CallDelta) -> None:
        """A piece of a call."""
        call = self._find(self.calls, delta, self._declared)
        if call is None:
            call = self._opened(delta)
            if call is None:
                return
        elif delta.id or delta.name or delta.extra or delta.input is not None or delta.blocked or delta.item:
            call.absorb(delta)
            self.calls.register(call)
            self._stale.add(call.number)
        if call.completed and _changes(call, delta):
            self._reopen(call)
        if not call.started and call.name is not None and self._name_is_whole(call, delta):
            self._start(call)
        self._arguments(call, delta)
        if delta.input and delta.stage == "piece":
            self._changed(call, [("", delta.input)])

    def _opened(self, delta: CallDelta) -> OpenCall | None:
        before = self.calls.last
        if len(self.calls.all) >= _MAX_CALLS:
            if not self._full:
                self._full = True
                self._events.append(
                    ProtocolViolation("too_many", f"more than {_MAX_CALLS} calls: the rest is not read")
                )
            return None
        if before is not None:
            self._advance(before)
        call = self.calls.open(delta, Progress(max_depth=self._limits.max_depth))
        call.absorb(delta)
        self._open[call.number] = call
        self._stale.add(call.number)
        return call

    def _advance(self, call: OpenCall) -> None:
        """Another call begins: this one gets no more of its name, and if it has ended, it is complete."""
        self._begin(call)
        if call.ended and not call.completed:
            self._complete(call, call.settled())

    def _reopen(self, call: OpenCall) -> None:
        call.completed = False
        self._open[call.number] = call
        self._events.append(ProtocolViolation("late", "a call goes on after it was reported complete"))

    def _arguments(self, call: OpenCall, delta: CallDelta) -> None:
        given = delta.arguments
        if given is None:
            return
        call.empty = True
        if delta.stage == "initial":
            call.initial = given if call.initial is None else call.initial
        elif delta.stage == "final":
            if given != "":
                call.final = given
                self._catch_up(call, given)
        elif given != "":
            self.grow(call, given)

    def grow(self, call: OpenCall, given: str | dict[str, Any]) -> None:
        """A piece of the arguments of this very call."""
        live, before = call.live, call.live.size
        if before > self._max_chars:
            return  # longer than what is read already: the decoder will say so
        self._begin(call)
        self._changed(call, live.add(given))
        self.size += live.size - before
        if live.size > self._max_chars:
            self._events.append(ProtocolViolation("too_long", "the arguments of a call are longer than what is read"))

    def _catch_up(self, call: OpenCall, final: str | dict[str, Any]) -> None:
        """The final value came: what the pieces did not show yet is shown now."""
        if isinstance(final, dict) and not call.live:
            self.grow(call, final)
        elif isinstance(final, str) and final.startswith(call.live.text()):
            rest = final[call.live.size :]
            if rest:
                self.grow(call, rest)

    def member(self, delta: MemberDelta) -> None:
        """One member of the arguments, by path."""
        call = self.calls.last if delta.index is None else self.calls.by_index.get(delta.index)
        call = self.calls.by_id.get(delta.id, call) if delta.id is not None else call
        if call is None:
            self._events.append(ProtocolViolation("late", "a member of the arguments of no call"))
            return
        if call.members is None:
            call.members = PartialArgs()
        self._begin(call)
        text = call.members.add(delta.entry)
        self.size += len(text)
        if text:
            self._changed(call, call.live.progress.feed(text))

    def end(self, delta: CallEnd) -> None:
        """The provider ended a call; it is complete when another one begins, or with the reply."""
        call = self._named(delta)
        if call is None or call.ended:
            return
        call.ended = True
        self._show_rest(call)
        if call is not self.calls.last and not call.completed:
            self._complete(call, call.settled())

    def _show_rest(self, call: OpenCall) -> None:
        """At the end of a call, what it holds without a piece of text having said so."""
        self._begin(call)
        if call.members is not None:
            self._changed(call, call.live.progress.feed(call.members.rest()))
        elif call.initial is not None and not call.live and call.final is None:
            text = call.initial if isinstance(call.initial, str) else compact(call.initial)
            self._changed(call, call.live.progress.feed(text))

    def _named(self, delta: CallEnd) -> OpenCall | None:
        """The call that has exactly this key; the one opened last, if there is no key."""
        calls = self.calls
        if delta.index is not None:
            return calls.by_index.get(delta.index)
        if delta.item is not None:
            return calls.by_item.get(delta.item)
        return calls.last if delta.id is None else calls.by_id.get(delta.id)

    def adopt(self, found: Iterable[ToolCall]) -> None:
        """Calls found in the text, where the reply has no others."""
        for made in found:
            call = self.calls.open(CallDelta(None, made.id, made.name), Progress(max_depth=self._limits.max_depth))
            call.made = made
            self._open[call.number] = call
            self._stale.add(call.number)
            if isinstance(made.arguments, (str, dict)):
                self._start(call)
                self._changed(call, call.live.add(made.arguments))

    # events

    def _name_is_whole(self, call: OpenCall, delta: CallDelta) -> bool:
        """Whether the name can grow no more: on a sound wire it comes whole, else it does so before the arguments."""
        return self._identity is Identity.KEY or bool(delta.arguments) or call.has_arguments or call.input is not None

    def _begin(self, call: OpenCall) -> None:
        """Report a call whose name has come; before its arguments are read, since they are watched from the first."""
        if not call.started and call.name is not None:
            self._start(call)

    def _start(self, call: OpenCall) -> None:
        call.started = True
        self._events.append(CallStarted(call.number, call.id, call.name))
        if self._tools is not None:
            self._watch(call)
        for change in self._waiting.pop(call.number, ()):
            self._events.append(CallProgress(call.number, *change))

    def _changed(self, call: OpenCall, changes: Iterable[Change]) -> None:
        number = call.number
        self._stale.add(number)
        self._begin(call)
        if call.started:
            for pointer, text in changes:
                self._events.append(CallProgress(number, pointer, text))
        else:
            self._waiting.setdefault(number, []).extend(changes)

    def _watch(self, call: OpenCall) -> None:
        """Watch the arguments of a declared tool; a call of a tool that nobody declared is doomed by its name."""
        number, name = call.number, call.name or ""
        tool = self._tool(name)

        def report(pointer: str, reason: str, message: str) -> None:
            if number not in self._doomed:
                self._doomed.add(number)
                self._events.append(CallDoomed(number, pointer, reason, message))

        if tool is None:
            report("", "unknown", "no tool of this name is declared")
        elif not getattr(self._tools, "rules", ()) and self._is_plain(name, tool):  # one's own rules may mend anything
            policy = getattr(tool, "policy", None) or getattr(self._tools, "policy", None)
            lenient = bool(getattr(policy, "drop_undeclared", False))
            call.live.progress.watch(Doom(tool, report, undeclared=lenient))

    def _tool(self, written: str) -> Any:
        for name in (written, *readings(written)):
            tool = self._tools.get(name)
            if tool is not None:
                return tool
        return None

    def _is_plain(self, name: str, tool: Any) -> bool:
        known = self._plain.get(name)
        if known is None:
            known = self._plain[name] = is_plain(tool.schema)
        return known

    def complete(self, given: FinishDelta | None) -> None:
        """The reply gave a reason for its end: every call is complete."""
        waiting = tuple(call for call in self._open.values() if not call.is_empty)
        if not waiting:
            return
        calls, _ = finished(
            (call.settled() for call in waiting),
            given.raw if given else None,
            reason=given.reason if given else None,
            streamed=True,
        )
        for call, made in zip(waiting, calls, strict=True):
            if not call.started:
                self._start(call)
            if not call.ended:
                self._show_rest(call)
            self._complete(call, made)

    def _complete(self, call: OpenCall, made: ToolCall) -> None:
        call.completed = True
        self._open.pop(call.number, None)
        self._events.append(CallCompleted(call.number, made))

    def snapshot(self) -> tuple[Snapshot, ...]:
        """Each call as it stands."""
        if self._stale:
            calls, shown = self.calls.all, self._shown
            for number in self._stale:
                if number < len(shown):
                    shown[number] = Snapshot(calls[number])
            shown += [Snapshot(call) for call in calls[len(shown) :]]
            self._stale.clear()
            self._snapshot = tuple(shown)
        return self._snapshot

    @property
    def structured(self) -> bool:
        """Whether the reply has calls of its own."""
        return any(call.made is None and not call.is_empty for call in self.calls.all)

    def settled(self) -> tuple[ToolCall, ...]:
        """The calls at the end of the reply, in the order of their indices where these are sound."""
        calls = self.calls.all
        if self.structured:
            calls = [call for call in calls if call.made is None]
        if self._identity is Identity.KEY and all(call.index is not None for call in calls):
            calls = sorted(calls, key=lambda call: call.index or 0)
        return tuple(call.settled() for call in calls if not call.is_empty)


def _changes(call: OpenCall, delta: CallDelta) -> bool:
    """Whether a piece says something new of a call that was complete."""
    if delta.stage == "piece":
        return bool(delta.arguments or delta.input or (delta.name and delta.name != call.name))
    return delta.stage == "final" and delta.arguments not in (None, "", call.settled().arguments)
