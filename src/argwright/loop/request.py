"""The parts of a request that the loop itself changes, in each provider's form.

The sentence about the final tool goes into the system prompt, the output limit grows
after a cut, the last step may force the final tool, and the model is spoken to in a
user's message. Nothing is changed in place: each function gives the next value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from argwright.model import Json
from argwright.wire.services import Service

Messages: TypeAlias = tuple[dict[str, Any], ...]
Request: TypeAlias = Mapping[str, Any]

_SYSTEM = ("system", "developer")
_PROMPTS = {"openai-responses": "instructions", "anthropic": "system"}
"""The member of a request that holds the system prompt, where it is none of the messages."""
_LIMITS = {
    "openai-chat": ("max_completion_tokens", "max_tokens"),
    "openai-responses": ("max_output_tokens",),
    "anthropic": ("max_tokens",),
}
_IDS = ("id", "call_id", "tool_call_id", "tool_use_id")
_WANTED = {"anthropic": {"max_tokens": 4096}}
"""What a provider wants in every request; the limit is one that every model of theirs can write."""
_PARTS = {"openai-responses": "input_text"}


def ids(messages: Json) -> Iterator[str]:
    """Everything that goes by the name of an id in a conversation."""
    todo = [messages]
    while todo:
        value = todo.pop()
        if isinstance(value, Mapping):
            yield from (value[name] for name in _IDS if isinstance(value.get(name), str))
            todo += value.values()
        elif isinstance(value, (list, tuple)):
            todo += value


def spoken(text: str) -> dict[str, Any]:
    """A message to the model."""
    return {"role": "user", "content": text}


def completed(form: str, request: Request) -> Request:
    """The request with what its provider wants and the caller did not say."""
    return {**_WANTED.get(form, {}), **request}


def instructed(form: str, messages: Messages, request: Request, told: tuple[str, str]) -> tuple[Messages, Request]:
    """The conversation with a sentence in its system prompt, unless the name stands there already.

    Args:
        form: the format's name.
        messages: the conversation.
        request: the rest of the request.
        told: the sentence, and the name.
    """
    sentence, name = told
    first = next((message for message in messages if message.get("role") in _SYSTEM), None)
    prompt = _PROMPTS.get(form)
    given = request.get(prompt) if prompt else None
    if not sentence or name in _text(given) or any(name in _text(m.get("content")) for m in _prompts(messages)):
        return messages, request
    if given or (first is None and prompt):
        return messages, {**request, str(prompt): _appended(given, sentence, "text")}
    if first is None:
        return ({"role": "system", "content": sentence}, *messages), request
    content = _appended(first.get("content"), sentence, _PARTS.get(form, "text"))
    return tuple({**first, "content": content} if message is first else message for message in messages), request


def _prompts(messages: Messages) -> Sequence[dict[str, Any]]:
    return [message for message in messages if message.get("role") in _SYSTEM]


def _text(content: Json) -> str:
    """The text of a prompt: text, or a list of parts."""
    if isinstance(content, list):
        return "\n".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _appended(content: Json, sentence: str, kind: str) -> Json:
    if isinstance(content, list):
        return [*content, {"type": kind, "text": sentence}]
    return f"{content}\n\n{sentence}" if content else sentence


def grown(form: str, request: Request, factor: float) -> Request:
    """The request with more room for output, if it limits that, itself or in what is passed on as it is."""
    names = [name for name in _LIMITS.get(form, ()) if isinstance(request.get(name), int)]
    more = {name: math.ceil(request[name] * factor) for name in names}
    beside = request.get("extra_body")
    return {**request, **more, **({"extra_body": grown(form, beside, factor)} if isinstance(beside, Mapping) else {})}


def forced(form: str, name: str) -> Json:
    """The `tool_choice` that forces the tool of this name."""
    match form:
        case "anthropic":
            return {"type": "tool", "name": name}
        case "openai-responses":
            return {"type": "function", "name": name}
        case _:
            return {"type": "function", "function": {"name": name}}


def may_force(request: Request, service: Service | None) -> bool:
    """Whether a call may be forced here: not where the caller chose already, nor where the service refuses it."""
    if "tool_choice" in request:
        return False
    told = request.get("thinking") or _member(request.get("extra_body"), "thinking")
    thinking = _member(told, "type")
    if thinking in ("enabled", "adaptive"):
        return False
    if service is None or service.forced_choice == "yes":
        return True
    return service.forced_choice == "without_thinking" and (thinking == "disabled" or not service.thinking)


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None
