"""Providers' JSON ↔ the model's values: one module a format, one line here.

`read` makes a whole body a `Turn`, `write` a turn with its outcomes and results the
provider's messages; streams are read by `argwright.stream` with a format's delta reader.
How to add a format stands in `argwright.wire.format`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argwright.errors import UnknownFormatError
from argwright.model import Finish, Outcome, ToolResult, Turn
from argwright.wire.ag_ui import AG_UI
from argwright.wire.anthropic import ANTHROPIC
from argwright.wire.bedrock_converse import BEDROCK_CONVERSE
from argwright.wire.cohere import COHERE
from argwright.wire.format import Format
from argwright.wire.gemini import GEMINI
from argwright.wire.gemini_interactions import GEMINI_INTERACTIONS
from argwright.wire.mcp import MCP
from argwright.wire.mistral_conversations import MISTRAL_CONVERSATIONS
from argwright.wire.ollama import OLLAMA
from argwright.wire.openai_chat import OPENAI_CHAT
from argwright.wire.openai_realtime import OPENAI_REALTIME
from argwright.wire.openai_responses import OPENAI_RESPONSES
from argwright.wire.plain import UnreadableError, plain
from argwright.wire.services import Service, service_named
from argwright.wire.suiting import suited
from argwright.wire.vercel_data import VERCEL_DATA
from argwright.wire.vercel_ui import VERCEL_UI
from argwright.wire.writing import reply

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        MCP,
        AG_UI,
        VERCEL_DATA,
        VERCEL_UI,
        GEMINI_INTERACTIONS,
        GEMINI,
        BEDROCK_CONVERSE,
        MISTRAL_CONVERSATIONS,
        COHERE,
        OLLAMA,
        OPENAI_REALTIME,
        OPENAI_RESPONSES,
        ANTHROPIC,
        OPENAI_CHAT,
    )
}
"""Every format by its name. The order is that in which `detect` asks: the more particular before the more general."""


def find(name: str) -> Format:
    """The format of this name.

    Raises:
        UnknownFormatError: there is none; the text lists those that exist.
    """
    try:
        return FORMATS[name]
    except (KeyError, TypeError):
        raise UnknownFormatError(f"no wire format {name!r}; there are {', '.join(FORMATS)}") from None


def read(form: str, body: Any) -> Turn:
    """A whole reply in this format's form.

    Args:
        form: the format's name.
        body: a dict, JSON text, or an object of the provider's SDK. What holds no JSON gives a turn without
            calls whose finish is `error`, with the reason under `error` in its `extra`.

    Raises:
        UnknownFormatError: no format has this name.
    """
    found = find(form)
    try:
        return found.read(plain(body))
    except UnreadableError as error:
        return Turn(finish=Finish(None, "error", truncated=True), extra={"error": {"message": str(error)}})


def write(
    form: str,
    turn: Turn,
    outcomes: Sequence[Outcome] | None = None,
    results: Sequence[ToolResult] = (),
    *,
    service: str | Service | None = None,
) -> list[dict[str, Any]]:
    """The messages that tell the provider of this turn and what became of it; always replayable.

    Args:
        form: the format's name.
        turn: what was read.
        outcomes: what the calls were resolved to, in order; `None` stands for the calls as they are.
        results: the answers, in the order of the outcomes; a call without one is answered as not run.
        service: the service behind the format, where it wants more or other than the format says.

    Returns:
        The assistant message with the effective arguments, then the results in the provider's grouping.

    Raises:
        UnknownFormatError: no format has this name.
        LookupError: no service has this name.
        ValueError: there are more results than calls.
    """
    found, behind = find(form), service_named(service)
    ids = found.ids if behind is None or behind.ids is None else behind.ids
    return suited(found.write(reply(turn, outcomes, results, names=found.names, ids=ids)), behind)


def detect(body: Any) -> str | None:
    """The name of the format of a body or of one event of a stream; `None` if no format is sure."""
    try:
        data = plain(body)
    except UnreadableError:
        return None
    return next((form.name for form in FORMATS.values() if form.recognises(data)), None)
