"""Messages as the service behind a format wants them: fields that the format leaves open and the service demands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argwright.wire.plain import mapping, objects
from argwright.wire.services import Service

SIGNATURE = "skip_thought_signature_validator"  # what Gemini takes in place of a signature that never was


def suited(messages: Sequence[dict[str, Any]], service: Service | None) -> list[dict[str, Any]]:
    """Messages that were just written, as the service wants them; they are the assistant's and its results."""
    if service is None:
        return list(messages)
    made = [with_reasoning(message, service) for message in messages]
    if service.signatures:
        made = [with_signature(message) for message in made]
    return _with_names(made) if service.result_names else made


def with_reasoning(message: dict[str, Any], service: Service) -> dict[str, Any]:
    """An assistant message with calls, its reasoning told even where there is none."""
    if not service.echo_reasoning or "tool_calls" not in message or isinstance(message.get(service.reasoning), str):
        return message
    return {**message, service.reasoning: ""}


def with_signature(message: dict[str, Any]) -> dict[str, Any]:
    """A model's content, its first call signed."""
    parts = message.get("parts")
    if not isinstance(parts, list):
        return message
    at = next((at for at, part in enumerate(parts) if _is_call(part)), None)
    if at is None or not _SIGNED.isdisjoint(parts[at]):
        return message
    return {**message, "parts": [*parts[:at], {**parts[at], "thoughtSignature": SIGNATURE}, *parts[at + 1 :]]}


_SIGNED = frozenset({"thoughtSignature", "thought_signature"})


def _is_call(part: Any) -> bool:
    """Whether a part of a Gemini content is a call."""
    return isinstance(part, dict) and isinstance(part.get("functionCall", part.get("function_call")), dict)


def _with_names(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results with the names of their tools."""
    names = {
        entry.get("id"): mapping(entry.get("function")).get("name")
        for message in messages
        for entry in objects(message.get("tool_calls"))
    }
    return [
        {**message, "name": names[message["tool_call_id"]]} if message.get("tool_call_id") in names else message
        for message in messages
    ]
