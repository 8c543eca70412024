"""How one format lays out calls and results: a value of a few functions.

`parse` reads messages into steps without changing anything; the other functions write a
part back into the entry it was read from, touching only the fields that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from argwright.history.values import Asked, Call, Message, Result, Step
from argwright.model import Json


@dataclass(frozen=True, kw_only=True)
class Layout:
    """One format.

    Args:
        parse: messages → steps.
        call: a call as an entry; its arguments are an object, or text for a free call.
        result: a result as an entry.
        blank: an entry for the result of a call that has none.
        asked: the messages of a step that calls, its calls written already.
        told: the messages of results and other parts, written already, in a message's shell if there is one.
        said: what is wrong with a message without calls and results is mended; `None` drops it.
        errored: a result's content with an error put in front.
        stub: the content of a result that was not recorded.
        content: a result's content in the form that the provider takes.
        grouped: all results of a turn stand in one message, first in it.
        joined: results without a message of their own go into the user's next one.
        objects: arguments are objects, not text.
        ids: every call and result has an id.
        named: a result carries its tool's name.
        bare: a call without arguments may lack the field.
        outside: results whose calls the messages do not show may be legitimate.
        parts: the blocks of a message.
        alternating: the roles of messages alternate.
    """

    parse: Callable[[Sequence[Message]], list[Step]]
    call: Callable[[Call, Any], Json]
    result: Callable[[Result], Json]
    blank: Callable[[Call], Message]
    asked: Callable[[Asked, Sequence[Json]], list[Message]]
    told: Callable[[Message | None, Sequence[Json]], list[Message]]
    said: Callable[[Message], Message | None]
    errored: Callable[[Any, Json], Any]
    stub: Callable[[Json], Any]
    content: Callable[[Any], Any]
    grouped: bool = False
    joined: bool = False
    objects: bool = False
    ids: bool = True
    named: bool = False
    bare: bool = False
    outside: Callable[[Sequence[Message]], bool] = lambda _: False
    parts: Callable[[Message], list[Json]] = lambda _: []
    alternating: bool = False
