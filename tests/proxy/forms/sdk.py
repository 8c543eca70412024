"""The SDKs' own types as judges of one event: strictly, so that `"0"` is no index."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import pydantic


def members(union: Any) -> Mapping[str, type[pydantic.BaseModel]]:
    """The models of a discriminated union by the value of their `type`."""
    inner = typing.get_args(union)[0] if typing.get_origin(union) is typing.Annotated else union
    return {
        word: model
        for model in typing.get_args(inner)
        for word in typing.get_args(model.model_fields["type"].annotation)
    }


@lru_cache(maxsize=50_000)
def complaint(model: type[pydantic.BaseModel], text: str) -> str | None:
    """What the model does not take of this JSON; `None` if it takes it."""
    try:
        model.model_validate_json(text, strict=True)
    except pydantic.ValidationError as error:
        return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3])
    return None


@cache
def chat_chunk() -> type[pydantic.BaseModel]:
    from openai.types.chat import ChatCompletionChunk

    return ChatCompletionChunk


@cache
def responses_events() -> Mapping[str, type[pydantic.BaseModel]]:
    from openai.types.responses import ResponseStreamEvent

    return members(ResponseStreamEvent)


@cache
def anthropic_events() -> Mapping[str, type[pydantic.BaseModel]]:
    from anthropic.types import RawMessageStreamEvent

    return members(RawMessageStreamEvent)


@cache
def whole(form: str) -> type[pydantic.BaseModel]:
    """The type of a whole body."""
    import anthropic.types
    import openai.types.chat
    import openai.types.responses

    return {
        "openai-chat": openai.types.chat.ChatCompletion,
        "openai-responses": openai.types.responses.Response,
        "anthropic": anthropic.types.Message,
    }[form]
