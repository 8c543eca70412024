"""What a model says, as data: the shortest way to write a script.

"Good morning"                                    text
("search", {"query": "lamp"})                     a call; arguments as data, or as text with every fault wanted
[("search", "{query: lamp"), ("stock", {})]       several calls in one turn; a text among them stands before them
Turn(…)                                           everything else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from argwright.model import Finish, ToolCall, Turn, Value


@dataclass(frozen=True)
class Cut(Value):
    """A reply that was cut off by the output limit, by the provider's own word."""

    say: Any


Said: TypeAlias = "str | tuple[str, Any] | Sequence[str | tuple[str, Any]] | Cut | Turn"


def said(data: Any, number: int = 1) -> Turn:
    """The data as a turn.

    Args:
        data: what the model says.
        number: the reply's number in its script, from which the calls have their ids.

    Raises:
        TypeError: the data says nothing that is known here.
    """
    match data:
        case Turn():
            return data
        case Cut(inner):
            return replace(said(inner, number), finish=Finish(None, "length", truncated=True))
        case str():
            return Turn((), data, finish=Finish(None, "stop"))
        case (str(), str() | dict()):
            return _turn([data], number)
        case list():
            return _turn(data, number)
        case _:
            raise TypeError(f"a reply is text, (name, arguments), a list of these or a Turn; not {data!r}")


def _turn(parts: Sequence[Any], number: int) -> Turn:
    calls: list[ToolCall] = []
    texts: list[str] = []
    for part in parts:
        match part:
            case str():
                texts.append(part)
            case (str() as name, (str() | dict()) as arguments):
                calls.append(ToolCall(f"call_{number}_{len(calls) + 1}", name, arguments))
            case _:
                raise TypeError(f"a part of a reply is text or (name, arguments); not {part!r}")
    return Turn(tuple(calls), "\n".join(texts), finish=Finish(None, "tool_calls" if calls else "stop"))
