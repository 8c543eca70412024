"""The mended steps as messages again: each turn's results right behind it, nothing else between."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from argwright.history.mending import Mending
from argwright.history.pairing import Key
from argwright.history.values import Asked, Call, Message, Result, Said, Told, raw_parts
from argwright.model import Json
from argwright.wire.plain import word
from argwright.wire.services import Service
from argwright.wire.suiting import with_reasoning, with_signature


def laid_out(work: Mending) -> list[Message]:
    """The conversation in the provider's layout."""
    for key, fate in work.pairing.loose.items():
        if fate != "outside":
            told = work.steps[key[0]].parts[key[1]]
            why = "no call has this id" if fate == "orphan_result" else "the call has a result already"
            work.change(fate, told.place if isinstance(told, Result) else "", f"{why}, the result was left out")
    made: list[Message] = []
    number = 0
    while number < len(work.steps):
        step = work.steps[number]
        if isinstance(step, Asked):
            made += _asked(work, number, step)
            messages, number = _answers(work, number, step)
            made += messages
        else:
            made += _other(work, number)
            number += 1
    return _alternating(work, made) if work.rules.layout.alternating else made


def _other(work: Mending, number: int) -> list[Message]:
    """A step that no turn of calls takes in."""
    step, layout = work.steps[number], work.rules.layout
    if isinstance(step, Said):
        kept = layout.said(step.shell)
        if kept is None:
            work.change("empty", step.place, "the message says nothing and was left out")
        elif kept != step.shell:
            work.change("empty", step.place, "a field that says nothing was left out of the message")
        return [] if kept is None else [kept]
    rest = _rest(work, number)
    made = layout.told(step.shell if layout.grouped else None, rest) if rest else []
    return [kept for message in made if (kept := layout.said(message)) is not None]


def _rest(work: Mending, number: int) -> list[Json]:
    """What stands in a message of results beside results that go with their calls."""
    step = work.steps[number]
    return [
        part.raw if isinstance(part, Result) else part
        for at, part in enumerate(step.parts)
        if not isinstance(part, Result) or work.pairing.loose.get((number, at)) == "outside"
    ]


# --- calls


def _asked(work: Mending, number: int, step: Asked) -> list[Message]:
    layout, service = work.rules.layout, work.rules.service
    entries: list[Any] = []
    for at, part in enumerate(step.parts):
        if isinstance(part, Call):
            entries.append(layout.call(*work.calls[number, at]))
            if entries[-1] != part.raw and part.place not in work.touched:
                work.change("shape", part.place, "the call lacks a field, or has one that the provider refuses")
        else:
            entries.append(part)
    raw = raw_parts(step)
    if layout.asked(step, raw) != ([step.shell] if step.shell else raw):
        work.change("empty", step.place, "a field of the message is missing, or says nothing")
    messages = layout.asked(step, entries)
    return messages if service is None else [_suited(work, step, messages[0], service), *messages[1:]]


def _suited(work: Mending, step: Asked, message: Message, service: Service) -> Message:
    """The model's message, with what the service wants beside calls."""
    told = with_reasoning(message, service)
    if told is not message:
        work.change("reasoning", step.place, f"the service wants {service.reasoning!r} beside calls, even empty")
    signed = with_signature(told) if service.signatures else told
    if signed is not told:
        work.change("signature", step.calls[0].place, "the first call of a turn carries a thought signature")
    return signed


# --- results


def _answers(work: Mending, number: int, step: Asked) -> tuple[list[Message], int]:
    """The results of a turn, and the number of the first step that they do not take in."""
    layout = work.rules.layout
    keys = [(number, at) for at, part in enumerate(step.parts) if isinstance(part, Call)]
    behind = number + 1
    while behind < len(work.steps) and isinstance(work.steps[behind], Told):
        behind += 1
    results = [_result(work, key) for key in _ordered(work, keys)]
    for key in keys:
        found = work.pairing.answers.get(key)
        if found is not None and not number < found[0] < behind:
            work.change("order", _place(work, found), "the result was moved behind the turn of its call")
    if not layout.grouped:
        return [*layout.told(None, [*results, *_outside(work, number + 1, behind)])], behind
    return _grouped(work, results, (number + 1, behind))


def _result(work: Mending, key: Key) -> Json:
    result = work.answer(key)
    entry = work.rules.layout.result(result)
    if entry != result.raw and result.place not in work.touched:
        work.change("shape", result.place, "the result lacks a field, or has one that the provider refuses")
    return entry


def _outside(work: Mending, first: int, behind: int) -> list[Json]:
    return [part for number in range(first, behind) for part in _rest(work, number)]


def _place(work: Mending, key: Key) -> str:
    part = work.steps[key[0]].parts[key[1]]
    return part.place if isinstance(part, Result) else ""


def _ordered(work: Mending, keys: Sequence[Key]) -> list[Key]:
    """The calls of a turn in the order of their results, those without one last."""
    answers = work.pairing.answers
    answered = sorted((key for key in keys if key in answers), key=lambda key: answers[key])
    return [*answered, *(key for key in keys if key not in answers)]


def _grouped(work: Mending, results: Sequence[Json], span: tuple[int, int]) -> tuple[list[Message], int]:
    """The results of a turn in one message, first in it."""
    layout, (first, behind) = work.rules.layout, span
    told = work.steps[first] if first < behind else None
    if isinstance(told, Told):
        if behind - first > 1 or _is_mixed(work, first):
            work.change("order", told.place, "the results of a turn stand first in one message")
        return _told(work, told, [*results, *_outside(work, first, behind)]), behind
    after = work.steps[behind] if behind < len(work.steps) else None
    if layout.joined and isinstance(after, Said) and after.shell.get("role") == "user":
        return _told(work, after, [*results, *layout.parts(after.shell)]), behind + 1
    return layout.told(None, results), behind


def _told(work: Mending, step: Told | Said, parts: Sequence[Json]) -> list[Message]:
    """The message of a step with these parts."""
    layout = work.rules.layout
    messages = layout.told(step.shell, parts)
    as_stored = layout.told(step.shell, raw_parts(step)) if isinstance(step, Told) else [step.shell]
    if as_stored != [step.shell] or len(layout.parts(messages[0])) < len(parts):
        work.change("empty", step.place, "a field of the message is missing, or says nothing")
    return messages


def _is_mixed(work: Mending, number: int) -> bool:
    """Whether something stands before a result in a message."""
    flags = [isinstance(part, Result) for part in work.steps[number].parts]
    return any(later and not earlier for earlier, later in pairwise(flags))


def _alternating(work: Mending, messages: Sequence[Message]) -> list[Message]:
    """The messages, neighbours of one role as one."""
    made: list[Message] = []
    for message in messages:
        if made and word(message.get("role")) == word(made[-1].get("role")) is not None:
            work.change("roles", "", "two messages of one role in a row became one")
            parts = [*work.rules.layout.parts(made[-1]), *work.rules.layout.parts(message)]
            made[-1] = {**made[-1], "content": parts}
        else:
            made.append(message)
    return made
