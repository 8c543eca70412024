from __future__ import annotations

import re

import pytest

from argwright.wire.declaring.subset import MODES
from argwright.wire.services import SERVICES, service_named, service_of

FOUND = [
    ("https://api.openai.com/v1", None, "openai"),
    ("https://me.openai.azure.com/openai/deployments/x", "gpt-4o", "azure"),
    ("https://api.deepseek.com", None, "deepseek"),
    ("https://api.deepseek.com/beta", "whatever", "deepseek"),
    ("https://api.x.ai/v1", "grok-4", "xai"),
    ("https://api.mistral.ai", None, "mistral"),
    ("https://api.moonshot.cn/v1", None, "kimi"),
    ("api.groq.com/openai/v1", None, "groq"),
    ("https://openrouter.ai/api/v1", "deepseek/deepseek-chat", "openrouter"),
    ("https://us-central1-aiplatform.googleapis.com/v1", "gemini-2.5-pro", "gemini"),
    ("https://generativelanguage.googleapis.com", "gemini-3-pro-preview", "gemini-3"),
    ("https://bedrock-runtime.eu-central-1.amazonaws.com", "eu.amazon.nova-pro-v1:0", "nova"),
    ("https://bedrock-runtime.eu-central-1.amazonaws.com", "anthropic.claude-x", "bedrock"),
    ("http://localhost:11434/v1", "qwen3", "ollama"),
    ("http://[::1]:1234/v1", None, "lmstudio"),
    ("http://192.168.0.7:11434", None, "ollama"),
    (None, "deepseek-reasoner", "deepseek"),
    (None, "DeepSeek-V4", "deepseek"),
    (None, "kimi-k2-thinking", "kimi"),
    (None, "magistral-medium-latest", "mistral"),
    (None, "gpt-5", "openai"),
    (None, "o3", "openai"),
    ("https://gateway.example.com/v1", "grok-4-fast", "xai"),
]
NOT_FOUND = [
    (None, None),
    ("", ""),
    ("https://gateway.example.com/v1", "my-model"),
    ("http://localhost:8000/v1", "deepseek-chat"),
    ("http://10.0.0.3/v1", "kimi-k2"),
    ("http://gpu-box:8000/v1", "grok-4"),
    ("https://api.openai.com.evil.example/v1", "my-model"),
    ("https://notopenrouter.ai/v1", None),
    (None, "deepseek-ai/DeepSeek-V3"),
    ("http://[bad", None),
    ("https://host:notaport", None),
]


@pytest.mark.parametrize(("base_url", "model", "name"), FOUND)
def test_found_by_address_or_model(base_url, model, name):
    found = service_of(base_url, model)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(("base_url", "model"), NOT_FOUND)
def test_nothing_is_guessed(base_url, model):
    assert service_of(base_url, model) is None


def test_by_name():
    assert service_named(None) is None
    assert service_named("xai") is SERVICES["xai"]
    assert service_named(SERVICES["kimi"]) is SERVICES["kimi"]
    with pytest.raises(LookupError, match="no service 'nope'; there are openai, "):
        service_named("nope")


def test_facts():
    deepseek = SERVICES["deepseek"]
    assert (deepseek.forced_choice, deepseek.thinking, deepseek.reasoning, deepseek.echo_reasoning) == (
        "without_thinking",
        True,
        "reasoning_content",
        True,
    )
    assert (SERVICES["xai"].strict, SERVICES["xai"].whole_calls) == ("always", True)
    ids = SERVICES["mistral"].ids
    assert ids is not None
    assert re.fullmatch(r"[a-zA-Z0-9]{9}", ids.apply("call_0123456789"))
    kept = SERVICES["kimi"].ids
    assert kept is not None
    assert kept.apply("functions.get_weather:0") == "functions.get_weather:0"


def test_every_row_is_sound():
    for name, service in SERVICES.items():
        assert name == service.name
        assert service.schema is None or service.schema in MODES
        re.compile(service.models)
        assert all("/" not in host and ":" not in host for host in service.hosts)
