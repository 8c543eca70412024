"""Which call a piece belongs to.

On a sound wire a key says it, and `by_key` believes it. OpenAI-compatible servers send
index 0 for every call, ids that are empty, change, come late or twice, names in every
piece or in fragments; `by_rules` weighs index, id and name together. Two things are
never done: adding up ids, and merging two calls that the wire can tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from argwright.model import CallDelta, ToolCall, compact
from argwright.stream.progress import Progress
from argwright.stream.settle import Live
from argwright.wire.partial_args import PartialArgs


class OpenCall:
    """One call while it arrives."""

    __slots__ = (
        "blocked", "completed", "empty", "ended", "extra", "final", "id", "index", "initial", "input", "item", "live",
        "made", "members", "name", "number", "started",
    )  # fmt: skip

    def __init__(self, number: int, delta: CallDelta, progress: Progress) -> None:
        self.number = number
        self.index = delta.index
        self.item = delta.item
        self.id = delta.id
        self.name = delta.name
        self.live = Live(progress)
        self.initial: str | dict[str, object] | None = None
        self.final: str | dict[str, object] | None = None
        self.empty = False  # an empty fragment came
        self.input: list[str] | None = None
        self.members: PartialArgs | None = None
        self.extra: dict[str, object] = {}
        self.blocked = False
        self.started = False
        self.ended = False
        self.completed = False
        self.made: ToolCall | None = None  # a call that was found whole, in the text

    def absorb(self, delta: CallDelta) -> None:
        """Take everything of a piece but its arguments: the first id stays, the name grows only before arguments."""
        self.id = self.id or delta.id
        self.item = self.item or delta.item
        self.index = delta.index if self.index is None else self.index
        self.blocked = self.blocked or delta.blocked
        if delta.extra:
            self.extra.update(delta.extra)
        if delta.name and delta.name != self.name:
            self.name = self._grown(delta.name)
        if delta.input is not None:
            self._take_input(delta)

    def _take_input(self, delta: CallDelta) -> None:
        text = delta.input or ""
        if self.input is None or (delta.stage == "final" and text):
            self.input = []
        if delta.stage == "initial":
            self.initial = text
        elif text:
            self.input.append(text)

    def _grown(self, name: str) -> str:
        if self.name is None or name.startswith(self.name):
            return name
        return self.name if self.has_arguments else self.name + name

    @property
    def has_arguments(self) -> bool:
        """Whether anything of the arguments has come."""
        return bool(self.live) or self.members is not None or self.final is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said of the call: neither its name nor anything that it is given."""
        return not (self.name or self.has_arguments or self.initial or self.input or self.made)

    def settled(self) -> ToolCall:
        """The call as it stands."""
        if self.made is not None:
            return self.made
        text = None if self.input is None else "".join(self.input) or str(self.initial or "")
        return ToolCall(
            self.id,
            self.name,
            None if text is not None else self._arguments(),
            finish_reason="incomplete" if self.members is not None and not self.ended else None,
            input=text,
            blocked=self.blocked or self._is_contradictory,
            extra=self.extra,
        )

    @property
    def _is_contradictory(self) -> bool:
        """Whether arguments that came by path are two things at once, or differ from the whole."""
        members = self.members
        return members is not None and (members.fault is not None or not members.agrees(self.final))

    def _arguments(self) -> str | dict[str, object] | None:
        if self.final is not None:
            return self.final
        if self.members is not None:
            return self.members.text(complete=self.ended)
        if self.live:
            return self.live.settled()
        if self.initial is not None:
            return self.initial
        return "" if self.empty else None


class Calls:
    """The calls of one reply in the order of first appearance, and their keys: each names the call that had it last."""

    def __init__(self) -> None:
        self.all: list[OpenCall] = []
        self.by_id: dict[str, OpenCall] = {}
        self.by_index: dict[int | None, OpenCall] = {}
        self.by_item: dict[str, OpenCall] = {}

    @property
    def last(self) -> OpenCall | None:
        """The call opened last."""
        return self.all[-1] if self.all else None

    def open(self, delta: CallDelta, progress: Progress) -> OpenCall:
        """A new call."""
        call = OpenCall(len(self.all), delta, progress)
        self.all.append(call)
        if call.index is not None:
            self.by_index[call.index] = call
        self.register(call)
        return call

    def register(self, call: OpenCall) -> None:
        """Note the keys of a call that it may have got by a later piece."""
        if call.id is not None:
            self.by_id[call.id] = call
        if call.item is not None:
            self.by_item.setdefault(call.item, call)


Find: TypeAlias = Callable[[Calls, CallDelta, Collection[str]], "OpenCall | None"]
"""The call that a piece belongs to, `None` for a new one; the last argument is the declared names."""


def by_key(calls: Calls, delta: CallDelta, _declared: Collection[str] = ()) -> OpenCall | None:
    """By index, else item, else id, exactly; a piece without any belongs to the call opened last.

    An index that is given again, once its call has ended, to one that opens with another id is that one's.
    """
    if delta.index is not None and delta.index in calls.by_index:
        known = calls.by_index[delta.index]
        again = known.ended and delta.stage == "initial" and bool(delta.id and known.id) and delta.id != known.id
        return None if again else known
    if delta.item is not None and delta.item in calls.by_item:
        return calls.by_item[delta.item]
    if delta.index is not None:
        return None
    if delta.id is not None and delta.id in calls.by_id:
        return calls.by_id[delta.id]
    return calls.last if delta.name is None and delta.id is None else None


def by_rules(calls: Calls, delta: CallDelta, declared: Collection[str] = ()) -> OpenCall | None:
    """By index, id and name together."""
    if delta.id is not None:
        return _with_id(calls, delta, declared)
    if delta.index is not None:
        return _with_index(calls.by_index.get(delta.index), delta, declared)
    last = calls.last
    if last is None or delta.name is None:
        return last
    if last.ended or last.members is not None or delta.name != (last.name or delta.name):
        return None  # a wire whose arguments come by path names a call only where it begins
    return None if _opens(delta) and not last.live.progress.takes_object else last


def _with_id(calls: Calls, delta: CallDelta, declared: Collection[str]) -> OpenCall | None:
    known = calls.by_id.get(delta.id or "")
    if known is not None:
        same_index = delta.index is None or known.index is None or delta.index == known.index
        return known if same_index and _continues(known, delta, declared, fragments=False) else None
    if delta.index is None:
        return calls.last if delta.name is None else None
    same = calls.by_index.get(delta.index)
    if same is None or delta.name is None:
        return same
    unborn = same.name is None or (same.id is None and not same.has_arguments)
    return same if unborn and not same.ended else None


def _with_index(same: OpenCall | None, delta: CallDelta, declared: Collection[str]) -> OpenCall | None:
    if same is None or delta.name is None:
        return same
    return same if _continues(same, delta, declared, fragments=not declared) else None


def _continues(call: OpenCall, delta: CallDelta, declared: Collection[str], *, fragments: bool) -> bool:
    """Whether a piece that shares a key with a call goes on with it, judged by the name.

    `fragments`: whether another name counts as a fragment where nothing is known of the declared names.
    """
    if delta.name is None or call.name is None:
        return True
    if call.ended or _second_object(call, delta):
        return False
    if delta.name.startswith(call.name):
        return True
    if call.has_arguments:
        return False
    return fragments or (bool(declared) and not (call.name in declared and delta.name in declared))


def _second_object(call: OpenCall, delta: CallDelta) -> bool:
    """Whether the call holds one whole object already, and the piece begins another one that differs."""
    given = delta.arguments
    text = given if isinstance(given, str) else compact(given)
    return call.live.progress.whole and _opens(delta) and text != call.live.text()


def _opens(delta: CallDelta) -> bool:
    given = delta.arguments
    return isinstance(given, dict) or (isinstance(given, str) and given.lstrip().startswith("{"))
