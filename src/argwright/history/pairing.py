"""Which result answers which call.

By id first: the nearest call before the result that has it and is not answered yet, then
one that comes later. Results without a usable id belong to the last turn before them, by
their tool's name, or by order where there are as many as unanswered calls. What is left
answers nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from argwright.history.values import Asked, Call, Result, Step, Told

Key: TypeAlias = tuple[int, int]
"""A part: the number of its step, and its number in the step."""

Fate: TypeAlias = Literal["orphan_result", "duplicate_result", "outside"]


@dataclass(frozen=True)
class Pairing:
    """Result by call, and what becomes of results without a call."""

    answers: Mapping[Key, Key]
    loose: Mapping[Key, Fate]


@dataclass
class _Open:
    """Calls that wait for their result."""

    steps: Sequence[Step]
    answers: dict[Key, Key] = field(default_factory=dict[Key, Key])
    by_id: dict[str, list[deque[Key]]] = field(default_factory=lambda: defaultdict(list))
    """Calls by id; those of one turn together, the last turn last."""

    def add(self, number: int, step: Asked) -> None:
        turns: dict[str, deque[Key]] = {}
        for key, call in _calls(number, step):
            if call.id is not None:
                turns.setdefault(call.id, deque()).append(key)
        for one, keys in turns.items():
            self.by_id[one].append(keys)

    def take(self, result: Result, *, first: bool = False) -> Key | None:
        """The call that a result's id names, of the last turn, or of the first."""
        turns = self.by_id.get(result.id or "")
        if not turns:
            return None
        place = 0 if first else -1
        same = [key for key in turns[place] if self.call(key).name == result.name] if result.name else []
        found = same[0] if same else turns[place][0]
        turns[place].remove(found)
        if not turns[place]:
            del turns[place]
        return found

    def answer(self, key: Key, result: Result, *, first: bool = False) -> bool:
        """Pair a result by its id, if a call waits for it."""
        call = self.take(result, first=first)
        if call is not None:
            self.answers[call] = key
        return call is not None

    def call(self, key: Key) -> Call:
        part = self.steps[key[0]]
        assert isinstance(part, Asked)  # noqa: S101  # keys are made of calls only
        call = part.parts[key[1]]
        assert isinstance(call, Call)  # noqa: S101  # as above
        return call


def _calls(number: int, step: Asked) -> list[tuple[Key, Call]]:
    return [((number, at), part) for at, part in enumerate(step.parts) if isinstance(part, Call)]


def _results(steps: Sequence[Step]) -> list[tuple[Key, Result]]:
    return [
        ((number, at), part)
        for number, step in enumerate(steps)
        if isinstance(step, Told)
        for at, part in enumerate(step.parts)
        if isinstance(part, Result)
    ]


def pair(steps: Sequence[Step], *, known_ids: Collection[str] = (), outside: bool = False) -> Pairing:
    """Pair the results of a conversation with its calls.

    Args:
        steps: the conversation.
        known_ids: ids of calls that the provider holds itself; their results stay.
        outside: some items stand for others that are not shown, so a result without a call may be right.
    """
    waiting = _Open(steps)
    left = _by_id(waiting)
    ids = {call.id for step in steps if isinstance(step, Asked) for call in step.calls}
    loose: dict[Key, Fate] = {}
    for key, result in left.items():
        if result.id is not None and result.id in ids:
            loose[key] = "duplicate_result"
        elif result.id is not None and (outside or result.id in known_ids):
            loose[key] = "outside"
    orphans = _by_turn(waiting, {key: result for key, result in left.items() if key not in loose})
    for key in orphans:
        loose[key] = "orphan_result"
    return Pairing(waiting.answers, loose)


def _by_id(waiting: _Open) -> dict[Key, Result]:
    """Pair what ids pair; the results that are left."""
    left: dict[Key, Result] = {}
    results = deque(_results(waiting.steps))
    for number, step in enumerate(waiting.steps):
        if isinstance(step, Asked):
            waiting.add(number, step)
        while results and results[0][0][0] == number:
            key, result = results.popleft()
            if not waiting.answer(key, result):
                left[key] = result
    return {key: result for key, result in left.items() if not waiting.answer(key, result, first=True)}


def _by_turn(waiting: _Open, left: dict[Key, Result]) -> dict[Key, Result]:
    """Pair what no id pairs, turn by turn, by name and by order; the results that are left."""
    keys = deque(sorted(left))
    turns = [number for number, step in enumerate(waiting.steps) if isinstance(step, Asked)]
    for number, after in pairwise([*turns, len(waiting.steps)]):
        while keys and keys[0][0] < number:
            keys.popleft()
        told: list[Key] = []
        while keys and keys[0][0] < after:
            told.append(keys.popleft())
        step = waiting.steps[number]
        calls = (
            [key for key, _ in _calls(number, step) if key not in waiting.answers] if isinstance(step, Asked) else []
        )
        for call, result in _matched(waiting, calls, {key: left[key] for key in told}):
            waiting.answers[call] = result
            del left[result]
    return left


def _matched(waiting: _Open, calls: Sequence[Key], results: Mapping[Key, Result]) -> list[tuple[Key, Key]]:
    """Calls and results of one turn. A result with an id of its own answers no call that has another one."""
    found: list[tuple[Key, Key]] = []
    named: dict[str | None, deque[Key]] = defaultdict(deque)
    for call in calls:
        named[waiting.call(call).name].append(call)
    nameless = [key for key, result in results.items() if result.name is None]
    for key, result in results.items():
        same = named[result.name] if result.name is not None else ()
        answered = next((call for call in same if waiting.call(call).id is None or result.id is None), None)
        if answered is not None:
            found.append((answered, key))
            named[result.name].remove(answered)
    taken = {call for call, _ in found}
    rest = [call for call in calls if call not in taken]
    foreign = any(results[key].id is not None for key in nameless)
    if foreign:
        rest = [call for call in rest if waiting.call(call).id is None]
    return found + list(zip(rest, nameless, strict=True)) if len(rest) == len(nameless) else found
