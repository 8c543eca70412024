"""A client as the drivers see it: one function from a request to whatever the client answers.

The answer is a whole reply, an iterator of events, or an awaitable of either; which of
them is the client's own business, and `run` takes each as it comes. Official SDKs are
known by what they can do, none of them is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from argwright.loop import CallModel

Create: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Client:
    """Somebody who can be asked.

    Args:
        form: the wire format's name.
        create: asks; takes a `CallModel`, and `stream`.
        base_url: where requests go, if that is known.
        is_async: whether `create` gives an awaitable without doing anything first.
    """

    form: str
    create: Callable[[CallModel, bool], Any]
    base_url: str | None = None
    is_async: bool = False


def is_refusal(error: BaseException) -> bool:
    """Whether the provider refused the request for what stands in it, by the status that SDKs' errors carry."""
    return getattr(error, "status_code", None) in (400, 422)


def is_broken(error: BaseException) -> bool:
    """Whether a stream broke off, as HTTP clients and SDKs report it."""
    names = {base.__name__ for base in type(error).__mro__}
    return bool(names & {"TransportError", "APIConnectionError", "ConnectionError", "IncompleteRead"})
