"""Whether a provider takes a conversation as it stands, read straight off its messages.

Nothing here looks at how a conversation is mended: ids are compared as they stand, each
turn is followed by its results and nothing else is, and every entry must be what the
layout itself would write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any

from argwright.history.content import is_clean, strict_object, without_lone_surrogates
from argwright.history.mending import Rules
from argwright.history.values import Asked, Call, Message, Problem, Result, Said, Step, Told, raw_parts
from argwright.model import compact
from argwright.wire.plain import word
from argwright.wire.suiting import with_reasoning, with_signature


def problems(rules: Rules, messages: Sequence[Message], *, known_ids: Collection[str]) -> tuple[Problem, ...]:
    """Everything for which the provider would refuse the conversation, or misread it."""
    return tuple(_Check(rules, messages, frozenset(known_ids)).found())


def _problem(rule: str, place: str, message: str) -> Problem:
    return Problem(rule=rule, pointer=place, message=message)


class _Check:
    """One conversation under check."""

    def __init__(self, rules: Rules, messages: Sequence[Message], known: frozenset[str]) -> None:
        self._rules = rules
        self._layout = rules.layout
        self._messages = messages
        self._steps: list[Step] = rules.layout.parse(messages)
        self._known = known
        self._outside = rules.layout.outside(messages)
        self._ids: set[str] = set()

    def found(self) -> Iterator[Problem]:
        """The problems, in order."""
        for place in without_lone_surrogates(list(self._messages), "")[1]:
            yield _problem("surrogate", place, "a lone half of a surrogate pair")
        for number, step in enumerate(self._steps):
            match step:
                case Asked():
                    yield from self._asked(step)
                    yield from self._answered(number, step)
                case Told():
                    if not number or not isinstance(self._steps[number - 1], (Asked, Told)):
                        yield from self._stray(step, self._turn_before(number))
                case Said() if self._layout.said(step.shell) != step.shell:
                    yield _problem("empty", step.place, "something that says nothing, which is refused")
                case _:
                    pass
        yield from self._roles()

    def _turn_before(self, number: int) -> bool:
        return any(isinstance(step, Asked) for step in self._steps[:number])

    def _stray(self, step: Told, after_calls: bool) -> Iterator[Problem]:  # noqa: FBT001  # private, one caller
        rule = "order" if after_calls else "orphan_result"
        for result in step.results:
            if not self._is_outside(result):
                yield _problem(rule, result.place, "the result does not stand behind its call")

    def _is_outside(self, result: Result) -> bool:
        return result.id is not None and (self._outside or result.id in self._known)

    # --- calls

    def _asked(self, step: Asked) -> Iterator[Problem]:
        service = self._rules.service
        entries: list[Any] = []
        for part in step.parts:
            if isinstance(part, Call):
                yield from self._call(part)
                entries.append(self._layout.call(part, {} if part.arguments is None else part.arguments))
                if entries[-1] != part.raw:
                    yield _problem("shape", part.place, "the call lacks a field, or has one that is refused")
            else:
                entries.append(part)
        raw = raw_parts(step)
        if self._layout.asked(step, raw) != ([step.shell] if step.shell else raw):
            yield _problem("empty", step.place, "something that says nothing, which is refused")
        if service is not None and with_reasoning(step.shell, service) is not step.shell:
            yield _problem("reasoning", step.place, f"{service.reasoning!r} is missing beside calls")
        if service is not None and service.signatures and with_signature(step.shell) is not step.shell:
            yield _problem("signature", step.calls[0].place, "the first call of a turn has no thought signature")

    def _call(self, call: Call) -> Iterator[Problem]:
        yield from self._id(call)
        if call.name is None or not self._rules.names.fits(call.name):
            yield _problem("name", call.place, "the name of the call is missing, or refused")
        if call.free:
            if not isinstance(call.arguments, str):
                yield _problem("arguments", call.place, "the input of a custom tool is text")
            return
        if call.arguments is None and self._layout.bare:
            return
        value = strict_object(call.arguments)
        if value is None or isinstance(call.arguments, dict) != self._layout.objects:
            form = "a JSON object" if self._layout.objects else "the text of a JSON object"
            yield _problem("arguments", call.place, f"the arguments are not {form}")
        elif isinstance(call.arguments, str) and not is_clean(compact(value)):
            yield _problem("surrogate", call.place, "a lone half of a surrogate pair in the arguments")

    def _id(self, call: Call) -> Iterator[Problem]:
        if call.id is None:
            if self._layout.ids and not call.old:
                yield _problem("id", call.place, "the call has no id")
            return
        if not self._rules.ids.fits(call.id):
            yield _problem("id", call.place, "the provider refuses the id")
        if call.id in self._ids:
            yield _problem("id", call.place, "another call has this id")
        self._ids.add(call.id)

    # --- results

    def _answered(self, number: int, step: Asked) -> Iterator[Problem]:
        """The results right behind a turn: one for each call, and no other."""
        behind: list[Told] = []
        for told in self._steps[number + 1 :]:
            if not isinstance(told, Told):
                break
            behind.append(told)
        if self._layout.grouped and (len(behind) > 1 or any(self._is_mixed(told) for told in behind)):
            yield _problem("order", behind[0].place, "the results of a turn stand first in one message")
        for told in behind:
            if self._layout.grouped and self._layout.told(told.shell, raw_parts(told)) != [told.shell]:
                yield _problem("empty", told.place, "something that says nothing, which is refused")
        results = [result for told in behind for result in told.results if not self._is_outside(result)]
        waiting = list(step.calls)
        for result in results:
            call = next((call for call in waiting if self._answers(result, call)), None)
            if call is None:
                again = any(self._answers(result, one) for one in step.calls)
                yield _problem(
                    "duplicate_result" if again else "orphan_result",
                    result.place,
                    "the result answers no call of the turn",
                )
                continue
            waiting.remove(call)
            yield from self._result(result)
        for call in waiting:
            yield _problem("missing_result", call.place, "no result stands behind the turn of this call")

    def _answers(self, result: Result, call: Call) -> bool:
        if call.id is not None:
            return result.id == call.id
        return result.id is None and (result.name is None or result.name == call.name)

    def _is_mixed(self, told: Told) -> bool:
        flags = [isinstance(part, Result) for part in told.parts]
        return flags != sorted(flags, reverse=True)

    def _result(self, result: Result) -> Iterator[Problem]:
        content = self._layout.content(result.content)
        if content != result.content or type(content) is not type(result.content):
            yield _problem("result_content", result.place, "the content of the result is not in the provider's form")
        elif self._layout.result(result) != result.raw:
            yield _problem("shape", result.place, "the result lacks a field, or has one that is refused")
        if self._layout.named and result.name is None:
            yield _problem("name", result.place, "the result lacks the name of its tool")

    def _roles(self) -> Iterator[Problem]:
        if not self._layout.alternating:
            return
        for number, (one, other) in enumerate(pairwise(self._messages)):
            if word(one.get("role")) == word(other.get("role")) is not None:
                yield _problem("roles", f"/{number + 1}", "two messages of one role in a row")
