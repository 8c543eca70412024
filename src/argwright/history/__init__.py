"""Stored conversations, made acceptable to their provider again.

One bad call in a history makes every later request fail: arguments that are no JSON
object, an id that occurs twice, a call that was never answered. `effective` mends what a
provider refuses and says what it changed; `check` says what it would refuse. Both work on
the provider's own messages and know no tool: whether arguments fit a schema was decided
when the call was resolved.

    messages, changes = aw.history.effective("anthropic", messages)

What is in order is not touched, and what was mended once stays as it is: mending it again
changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from argwright.errors import UnknownFormatError
from argwright.history.checking import problems
from argwright.history.content import without_lone_surrogates
from argwright.history.laying import laid_out
from argwright.history.layouts import LAYOUTS, NAMED_CHAT
from argwright.history.mending import Mending, Outcomes, Rules
from argwright.history.pairing import pair
from argwright.history.values import Change, Effective, Message, Problem
from argwright.model import Outcome
from argwright.wire import find
from argwright.wire.plain import plain, thoroughly
from argwright.wire.services import Service, service_named

__all__ = ["Change", "Effective", "Problem", "check", "effective"]


def effective(
    form: str,
    messages: Iterable[Any],
    *,
    service: str | Service | None = None,
    outcomes: Iterable[Outcome] = (),
    known_ids: Collection[str] = (),
) -> Effective:
    """Make a stored conversation acceptable to its provider.

    Args:
        form: the format's name: `openai-chat`, `openai-responses`, `openai-realtime`, `anthropic`, `gemini`,
            `bedrock-converse`, `cohere`, `ollama`, `mistral-conversations`.
        messages: the conversation in the provider's form, as dicts or the SDK's objects; not changed.
        service: the service behind the format, where it differs from it.
        outcomes: what the calls were resolved to; a valid call's effective arguments replace the stored ones, an
            invalid call's feedback becomes the error in its result.
        known_ids: ids of calls that the provider holds itself (a Responses request that goes on from a previous
            one): results for them stay.

    Returns:
        The messages and the changes; with no changes, the messages are equal to those given.

    Raises:
        UnknownFormatError: no format of this name keeps histories.
        LookupError: no service has this name.
        ValueError: something in the list is no message.
    """
    rules, plain_messages = _prepared(form, messages, service)
    cleaned, places = without_lone_surrogates(plain_messages, "")
    steps = rules.layout.parse(cleaned)
    pairing = pair(steps, known_ids=known_ids, outside=rules.layout.outside(cleaned))
    work = Mending(rules=rules, steps=steps, pairing=pairing, outcomes=Outcomes(outcomes))
    for place in dict.fromkeys(places):
        work.change("surrogate", place, "a lone half of a surrogate pair became U+FFFD")
    work.mend_calls()
    return Effective(laid_out(work), tuple(work.changes))


def check(
    form: str,
    messages: Iterable[Any],
    *,
    service: str | Service | None = None,
    known_ids: Collection[str] = (),
) -> tuple[Problem, ...]:
    """What a provider would refuse in a conversation, or misread; nothing, if it is in order.

    Args:
        form: the format's name, as for `effective`.
        messages: the conversation in the provider's form.
        service: the service behind the format, where it differs from it.
        known_ids: ids of calls that the provider holds itself.

    Raises:
        UnknownFormatError: no format of this name keeps histories.
        LookupError: no service has this name.
        ValueError: something in the list is no message.
    """
    rules, plain_messages = _prepared(form, messages, service)
    return problems(rules, plain_messages, known_ids=known_ids)


def _prepared(form: str, messages: Iterable[Any], service: str | Service | None) -> tuple[Rules, list[Message]]:
    found, behind = find(form), service_named(service)
    if form not in LAYOUTS:
        raise UnknownFormatError(f"{form!r} keeps no histories; these do: {', '.join(LAYOUTS)}")
    if isinstance(messages, (str, bytes, Mapping)):
        raise ValueError(f"expected a list of messages, found {type(messages).__name__}")  # noqa: TRY004  # a wrong value
    listed = [thoroughly(plain(message)) for message in messages]
    for number, message in enumerate(listed):
        if not isinstance(message, dict):
            raise ValueError(f"/{number}: expected a message, found {type(message).__name__}")  # noqa: TRY004  # as above
    layout = NAMED_CHAT if behind is not None and behind.result_names and form == "openai-chat" else LAYOUTS[form]
    ids = found.ids if behind is None or behind.ids is None else behind.ids
    return Rules(layout=layout, names=found.names, ids=ids, service=behind), listed
