"""OpenAI Realtime (WebSocket): the items and events of Responses in a session that the server keeps.

Its events have an `event_id`; `response.done` ends a reply, with a status that alone tells
whether it was interrupted. An `error` event concerns one message of the client and ends
nothing. The conversation stands on the server, so only the results are written, and the
wish for the next reply.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from argwright.model import Json, Turn
from argwright.wire import openai_responses as responses
from argwright.wire.deltas import Delta, ViolationDelta
from argwright.wire.format import Declaration, Format, Framing, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.plain import mapping, text

_SESSION = (
    "session.",
    "conversation.",
    "input_audio_buffer.",
    "output_audio_buffer.",
    "rate_limits.",
    "transcription_",
)


def read(body: Json) -> Turn:
    """A `response.done` event, its response, or one item."""
    top = mapping(body)
    inner = top.get("response", top.get("item"))
    return responses.read(inner if isinstance(inner, dict) else body)


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One message of the server."""
    top = mapping(data)
    kind = text(top.get("type")) or event or ""
    if kind == "error":
        yield ViolationDelta(
            "error", text(mapping(top.get("error")).get("message"))[:200] or "the server reported an error"
        )
    elif not kind.startswith(_SESSION):
        yield from responses.deltas(kind, data)


def write(reply: Reply) -> list[dict[str, Any]]:
    """One message per result, then the one that asks for the next reply."""
    items = [{"type": "conversation.item.create", "item": responses.output_item(answer)} for answer in reply.answers]
    return [*items, {"type": "response.create"}] if items else []


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of the session's `tools`; there is no `strict` here."""
    declared = responses.declare(declaration)
    del declared["strict"]
    return declared


def recognises(body: Json) -> bool:
    """An event with an `event_id`, or a `realtime.` object."""
    top = mapping(body)
    kind = text(top.get("type"))
    event = "event_id" in top and kind.startswith(("response.", *_SESSION))
    return event or text(top.get("object")).startswith("realtime.")


OPENAI_REALTIME = Format(
    name="openai-realtime",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    framing=Framing.VALUES,
    names=NAME_64,
    ids=Rule(longest=64),
    settle=responses.settle,
)
