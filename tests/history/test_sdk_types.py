"""The official SDKs' own request types take what comes out."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argwright.history import effective

_spec = importlib.util.spec_from_file_location("history_conversations", Path(__file__).with_name("conversations.py"))
assert _spec is not None
assert _spec.loader is not None
conversations = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(conversations)


def _exhausted(value: Any) -> None:
    """Look into lazily validated lists too."""
    if isinstance(value, dict):
        for item in value.values():
            _exhausted(item)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for item in value:
            _exhausted(item)


def _adapter(kind: Any) -> Any:
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(kind)
    return lambda messages: [_exhausted(adapter.validate_python(message)) for message in messages]


@cache
def _openai_chat() -> Any:
    pytest.importorskip("openai")
    from openai.types.chat import ChatCompletionMessageParam

    return _adapter(ChatCompletionMessageParam)


@cache
def _openai_responses() -> Any:
    pytest.importorskip("openai")
    from openai.types.responses import ResponseInputItemParam

    return _adapter(ResponseInputItemParam)


@cache
def _anthropic() -> Any:
    pytest.importorskip("anthropic")
    from anthropic.types import MessageParam

    return _adapter(MessageParam)


@cache
def _gemini() -> Any:
    pytest.importorskip("google.genai")
    from google.genai import types

    return lambda messages: [types.Content.model_validate(message) for message in messages]


@cache
def _bedrock() -> Any:
    """botocore's own model of the service, as its client validates a request with it."""
    pytest.importorskip("botocore")
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.validate import ParamValidator

    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2")).operation_model("Converse")

    def take(messages: list[dict[str, Any]]) -> None:
        report = ParamValidator().validate({"modelId": "m", "messages": messages}, model.input_shape)
        assert not report.has_errors(), report.generate_report()

    return take


@cache
def _cohere() -> Any:
    pytest.importorskip("cohere")
    from cohere import ChatMessageV2

    return _adapter(ChatMessageV2)


@cache
def _ollama() -> Any:
    pytest.importorskip("ollama")
    from ollama import Message

    return lambda messages: [Message.model_validate(message) for message in messages]


@cache
def _mistral() -> Any:
    pytest.importorskip("mistralai")
    from mistralai.client.models import AssistantMessage, ToolMessage, UserMessage

    kinds = {"assistant": AssistantMessage, "tool": ToolMessage, "user": UserMessage}
    return lambda messages: [kinds[message["role"]].model_validate(message) for message in messages]


@cache
def _mistral_conversations() -> Any:
    pytest.importorskip("mistralai")
    from mistralai.client.models import InputEntries

    return _adapter(InputEntries)


TAKERS = {
    "mistral": _mistral,
    "mistral-conversations": _mistral_conversations,
    "openai-chat": _openai_chat,
    "openai-responses": _openai_responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock-converse": _bedrock,
    "cohere": _cohere,
    "ollama": _ollama,
}
slow = settings(suppress_health_check=[HealthCheck.too_slow], max_examples=settings.default.max_examples // 3)


@pytest.mark.parametrize("provider", TAKERS)
@slow
@given(data=st.data())
def test_what_is_written_and_mended_is_taken(provider, data):
    take = TAKERS[provider]()
    form, service = ("openai-chat", "mistral") if provider == "mistral" else (provider, None)
    messages = data.draw(conversations.written(form))
    take(messages if service is None else effective(form, messages, service=service).messages)
    broken = data.draw(conversations.misplaced(form))
    take(effective(form, broken, service=service).messages)
