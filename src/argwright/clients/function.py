"""Any callable as a client: `messages, tools -> reply`.

The reply is a `Turn`, text, a body of the format (a dict or an SDK's object), an iterator
of its events, or an awaitable of these. A callable that takes further keywords gets the
rest of the request as well: the model's name, a forced `tool_choice`, what `request` holds.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from argwright.clients.client import Client
from argwright.loop import CallModel


def function(called: Callable[..., Any], form: str) -> Client:
    """A callable that answers in this format."""
    open_ended = _takes_more(called)

    def ask(asked: CallModel, stream: bool) -> Any:  # noqa: FBT001  # the drivers' one way to call it
        more = dict(asked.request) if open_ended else {}
        more |= {"tool_choice": asked.choice} if open_ended and asked.choice is not None else {}
        more |= {"stream": True} if open_ended and stream else {}
        try:
            return called(list(asked.messages), asked.tools, **more)
        except StopIteration as error:  # which means something else to whoever waits in a generator or a future
            raise RuntimeError("the client has no reply left") from error

    target = called if inspect.isroutine(called) else type(called).__call__
    return Client(form=form, create=ask, is_async=inspect.iscoroutinefunction(target))


def _takes_more(called: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
