"""Who can be asked: official SDKs, and any callable."""

from __future__ import annotations

from typing import Any

from argwright.clients.client import Client, is_broken, is_refusal
from argwright.clients.function import function
from argwright.clients.sdk import anthropic, openai_chat, openai_responses
from argwright.errors import DeclarationError
from argwright.wire import find

__all__ = ["Client", "client_of", "is_broken", "is_refusal"]

_CHAT, _RESPONSES, _ANTHROPIC = "openai-chat", "openai-responses", "anthropic"


def client_of(client: Any, form: str | None = None) -> Client:
    """A client as the drivers see it.

    Args:
        client: an `openai` or `anthropic` client, sync or async; anything with their interface; or a callable
            `messages, tools -> reply`.
        form: the wire format's name; `None`: chat completions, or Messages for an Anthropic client.

    Raises:
        DeclarationError: it is none of these, or it does not speak the format.
        UnknownFormatError: no format has this name.
    """
    if form is not None:
        find(form)
    match client:
        case Client():
            return client
        case _ if _has(client, "chat", "completions", "create") and form in (None, _CHAT):
            return openai_chat(client)
        case _ if _has(client, "responses", "create") and form == _RESPONSES:
            return openai_responses(client)
        case _ if _has(client, "messages", "create") and form in (None, _ANTHROPIC):
            return anthropic(client)
        case _ if callable(client):
            return function(client, form or _CHAT)
        case _:
            spoken = "no client that is known here" if form is None else f"no client that speaks {form}"
            raise DeclarationError(
                f"{type(client).__name__} is {spoken}; known are those of openai and anthropic, and any callable "
                "messages, tools -> reply"
            )


def _has(client: Any, *path: str) -> bool:
    for name in path:
        client = getattr(client, name, None)
    return callable(client)
