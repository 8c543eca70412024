"""The official SDKs: openai (chat completions and Responses, any server behind it) and anthropic."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from argwright.clients.client import Client, Create
from argwright.errors import DeclarationError
from argwright.loop import CallModel

_UNSTREAMED = 21_333
"""Tokens above which Anthropic's client refuses to wait for a whole reply: ten minutes, as it reckons."""
_UNSTREAMED_SLOW = ("opus-4", 8_192)
"""The same for models that it knows as slow."""


def openai_chat(client: Any) -> Client:
    """An `openai` client's chat completions."""
    return _client("openai-chat", client, client.chat.completions.create, _chat)


def openai_responses(client: Any) -> Client:
    """An `openai` client's Responses."""
    return _client("openai-responses", client, client.responses.create, _responses)


def anthropic(client: Any) -> Client:
    """An `anthropic` client's Messages."""
    return _client("anthropic", client, client.messages.create, _anthropic)


def _client(form: str, client: Any, create: Create, arguments: Callable[..., dict[str, Any]]) -> Client:
    def ask(asked: CallModel, stream: bool) -> Any:  # noqa: FBT001  # the drivers' one way to call it
        if not asked.request.get("model"):
            raise DeclarationError("the model's name is missing: run(client, messages, model=…)")
        return create(**arguments(asked, stream=stream))

    base_url = getattr(client, "base_url", None)
    is_async = inspect.iscoroutinefunction(inspect.unwrap(create))
    return Client(form=form, create=ask, base_url=None if base_url is None else str(base_url), is_async=is_async)


def _common(asked: CallModel, *, stream: bool) -> dict[str, Any]:
    """What is the same for all: the request as the caller wants it, the tools, whether it is streamed."""
    request = dict(asked.request)
    tools = [*asked.tools, *request.pop("tools", ())]
    more = {"tools": tools} if tools else {}
    more |= {} if asked.choice is None else {"tool_choice": asked.choice}
    return {**request, **more, **({"stream": True} if stream else {})}


def _chat(asked: CallModel, *, stream: bool) -> dict[str, Any]:
    return {"messages": list(asked.messages), **_common(asked, stream=stream)}


def _responses(asked: CallModel, *, stream: bool) -> dict[str, Any]:
    return {"input": list(asked.messages), **_common(asked, stream=stream)}


def _anthropic(asked: CallModel, *, stream: bool) -> dict[str, Any]:
    """Messages, and those that are a system prompt as one, since Anthropic has no such role."""
    request = _common(asked, stream=stream or _is_long(asked.request))
    prompts = [message["content"] for message in asked.messages if message.get("role") == "system"]
    if prompts:
        request["system"] = _joined([*([request["system"]] if request.get("system") else []), *prompts])
    said = [message for message in asked.messages if message.get("role") != "system"]
    return {"messages": said, **request}


def _is_long(request: Mapping[str, Any]) -> bool:
    """Whether the client would not wait for the whole reply; the drivers take a stream as well."""
    slow, fewer = _UNSTREAMED_SLOW
    most = fewer if slow in str(request.get("model")) else _UNSTREAMED
    return "timeout" not in request and int(request.get("max_tokens", 0)) > most


def _joined(prompts: list[Any]) -> Any:
    if all(isinstance(prompt, str) for prompt in prompts):
        return "\n\n".join(prompts)
    blocks: list[Mapping[str, Any]] = []
    for prompt in prompts:
        blocks += [{"type": "text", "text": prompt}] if isinstance(prompt, str) else prompt
    return blocks
