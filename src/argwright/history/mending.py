"""One conversation, mended call by call and result by result, and laid out again.

What is in order stays as it is; every step below changes only what is wrong and puts it
on record. Nothing is invented: a result that was not recorded is told as such, arguments
that cannot be read become `{}` with an error in the result.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from argwright.history.content import (
    NOT_RECORDED,
    UNREADABLE,
    is_clean,
    is_nothing,
    strict_object,
    tolerant_object,
    without_lone_surrogates,
)
from argwright.history.layouts import Layout
from argwright.history.pairing import Key, Pairing
from argwright.history.values import Asked, Call, Change, Result, Step
from argwright.model import Json, Outcome, ValidCall, compact
from argwright.wire.names import Rule
from argwright.wire.services import Service


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What the provider takes: the format's rules, narrowed by the service's."""

    layout: Layout
    names: Rule
    ids: Rule
    service: Service | None


@dataclass
class Mending:
    """The work on one conversation."""

    rules: Rules
    steps: Sequence[Step]
    pairing: Pairing
    outcomes: Outcomes
    changes: list[Change] = field(default_factory=list[Change])
    touched: set[str] = field(default_factory=set[str])
    """The places of the changes."""
    calls: dict[Key, tuple[Call, Any]] = field(default_factory=dict[Key, tuple[Call, Any]])
    """Each call mended, with its arguments."""
    errors: dict[Key, Json] = field(default_factory=dict[Key, Json])
    """What is to be told in the result of a call."""

    def change(self, rule: str, place: str, message: str, **values: Json) -> None:
        """Put one change on record."""
        self.changes.append(Change(rule=rule, pointer=place, message=message, **values))
        self.touched.add(place)

    # --- calls

    def mend_calls(self) -> None:
        """Ids, names and arguments of all calls, in order."""
        ids = _Ids(self.rules, {call.id for step in self.steps if isinstance(step, Asked) for call in step.calls})
        for number, step in enumerate(self.steps):
            for at, part in enumerate(step.parts):
                if isinstance(part, Call):
                    key = (number, at)
                    outcome = self.outcomes.take(part)
                    name = self._name(part, outcome, key)
                    own = ids.next(replace(part, name=name))
                    if own != part.id:
                        why = (
                            "has no id" if part.id is None else "has an id that is taken, or that the provider refuses"
                        )
                        self.change("id", part.place, f"the call {why}", before=part.id, after=own)
                    self.calls[key] = (replace(part, id=own, name=name), self._arguments(part, outcome, key))

    def _name(self, call: Call, outcome: Outcome | None, key: Key) -> str:
        name = call.name
        if name is None and key in self.pairing.answers:
            name = self._result(self.pairing.answers[key]).name
        if isinstance(outcome, ValidCall) and not self.rules.names.fits(name or ""):
            name = getattr(outcome.tool, "name", name)
        fitting = self.rules.names.apply(name or "unknown")
        if fitting != call.name:
            self.change("name", call.place, "the provider does not take the name", before=call.name, after=fitting)
        return fitting

    def _arguments(self, call: Call, outcome: Outcome | None, key: Key) -> Any:
        if call.free:
            return self._free(call)
        written = strict_object(call.arguments)
        if isinstance(outcome, ValidCall) and (written is None or compact(written) != compact(outcome.arguments)):
            self.change("arguments", call.place, "replaced by the effective arguments")
            return outcome.arguments
        if written is None:
            return self._unreadable(call, outcome, key)
        if not is_clean(compact(written)):
            self.change("surrogate", call.place, "a lone half of a surrogate pair became U+FFFD")
            return without_lone_surrogates(written, "")[0]
        if isinstance(call.arguments, dict) != self.rules.layout.objects:
            form = "an object" if self.rules.layout.objects else "text"
            self.change("arguments", call.place, f"the provider takes arguments as {form}")
            return written
        return call.arguments

    def _free(self, call: Call) -> str:
        if isinstance(call.arguments, str):
            return call.arguments
        self.change("arguments", call.place, "the input of a custom tool is text")
        return "" if call.arguments is None else compact(call.arguments)

    def _unreadable(self, call: Call, outcome: Outcome | None, key: Key) -> dict[str, Json]:
        if is_nothing(call.arguments):
            if call.arguments is not None or not self.rules.layout.bare:
                self.change("arguments", call.place, "no arguments are written as {}")
            return {}
        mended = tolerant_object(call.arguments)
        if mended is not None:
            self.change("arguments", call.place, "replaced by the only reading that they have")
            return dict(without_lone_surrogates(mended, "")[0])
        self.change("arguments", call.place, "no JSON object, replaced by {} with an error in the result")
        feedback = getattr(outcome, "feedback", None)
        self.errors[key] = dict(feedback) if feedback else UNREADABLE
        return {}

    # --- results

    def _result(self, key: Key) -> Result:
        part = self.steps[key[0]].parts[key[1]]
        assert isinstance(part, Result)  # noqa: S101  # keys of results are made of results only
        return part

    def answer(self, key: Key) -> Result:
        """The result of a call, mended; one that says that none was recorded, if there is none."""
        call, layout = self.calls[key][0], self.rules.layout
        error = self.errors.get(key)
        if key not in self.pairing.answers:
            self.change("missing_result", call.place, "the call has no result, one that says so was added")
            content = layout.stub(NOT_RECORDED if error is None else error)
            raw = layout.blank(call)
            return Result(
                place=call.place,
                raw=raw,
                id=call.id,
                name=self._result_name(call),
                content=content,
                error=True,
                old=call.old,
            )
        result = self._result(self.pairing.answers[key])
        content = layout.content(result.content)
        if compact_or_repr(content) != compact_or_repr(result.content):
            self.change("result_content", result.place, "the content of the result is not in the provider's form")
        if error is not None and not result.error:
            content = layout.errored(content, error)
            self.change("result_content", result.place, "the result tells that the arguments could not be read")
        if result.id != call.id and not call.old:
            self.change("id", result.place, "the result goes by the id of its call", before=result.id, after=call.id)
        name = self._result_name(call)
        if name is not None and result.name != name:
            self.change("name", result.place, "the result carries the name of its call", before=result.name, after=name)
        return replace(result, id=call.id, name=name, content=content, error=result.error or error is not None)

    def _result_name(self, call: Call) -> str | None:
        return call.name if self.rules.layout.named or call.old else None


def compact_or_repr(value: Any) -> str:
    """A text that two values share only if they are the same JSON."""
    try:
        return compact(value)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


class _Ids:
    """The ids of a conversation's calls: each fit for the provider, no two the same."""

    def __init__(self, rules: Rules, stored: Collection[str | None]) -> None:
        self._rules = rules
        self._stored = stored
        self._used: set[str] = set()
        self._seen: dict[str, int] = defaultdict(int)
        self._number = -1

    def next(self, call: Call) -> str | None:
        """The id of the next call."""
        self._number += 1
        if call.old or (call.id is None and not self._rules.layout.ids):
            return None
        own = None if call.id is None else self._rules.ids.apply(call.id)
        if own is None or own in self._used or (own != call.id and own in self._stored):
            own = self._another(call)
        self._used.add(own)
        return own

    def _another(self, call: Call) -> str:
        service = self._rules.service
        if service is not None and service.minted:
            made = service.minted.format(name=call.name, number=self._number)
            if made not in self._used and made not in self._stored:
                return made
        digest = hashlib.sha256(f"{self._number}:{call.name}".encode("utf-8", "surrogatepass")).hexdigest()
        seed = call.id if call.id is not None else f"call_{digest[:16]}"
        while True:
            self._seen[seed] += 1
            number = self._seen[seed] + (call.id is not None)
            made = self._rules.ids.apply(seed if number == 1 else f"{seed}_{number}")
            if made not in self._used and made not in self._stored:
                return made


class Outcomes:
    """What the calls of a conversation were resolved to, to be found by the stored call."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._by_id: dict[str | None, deque[Outcome]] = defaultdict(deque)
        for outcome in outcomes:
            self._by_id[outcome.call.id].append(outcome)

    def take(self, call: Call) -> Outcome | None:
        """The outcome of a stored call, each once: by its id, and by its arguments where it has none."""
        waiting = self._by_id.get(call.id)
        for outcome in waiting or ():
            named = call.name in (None, outcome.call.name, getattr(getattr(outcome, "tool", None), "name", None))
            if named and (call.id is not None or outcome.call.arguments == call.arguments):
                waiting.remove(outcome)  # type: ignore[union-attr]  # it came out of it
                return outcome
        return None
