"""The services behind a format, and in what each differs from it: one table of facts.

Many servers speak OpenAI's form, and some differ in what they refuse. A service is named
by the caller, or found by the host it is called at, or by the model's name. A model's
name alone proves little, since anyone can serve the weights: it is asked only where the
host is not known, and never for a server on this machine or a private network.
What is not listed behaves as the format says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from argwright.wire.names import Rule

_KEPT = Rule()


@dataclass(frozen=True, kw_only=True)
class Service:
    """What is known of one service.

    Args:
        name: the word it is called by.
        hosts: ends of host names.
        port: the port of its usual local server; 0 if it has none of its own.
        models: a pattern for the names of models that only this service serves under such a name.
        ids: which ids of calls it takes back; `None` as the format says.
        minted: how an id is made where there is none, of the tool's `name` and the call's `number`; `""`: freely.
        result_names: a tool's result must carry the tool's name.
        forced_choice: a call may be forced by `tool_choice`: `yes`, `no`, or only `without_thinking`.
        thinking: the model thinks unless told not to.
        reasoning: the field of a message in which reasoning comes and goes.
        echo_reasoning: an assistant message with calls must carry that field in every later request, even empty.
        signatures: the first call of a model's turn must carry a thought signature.
        schema: which subset of JSON Schema it takes, by its name in `declaring`; `None` as the format says.
        strict: `asked` for tool by tool, `always` on, on the `beta` address only, or there is `none`.
        whole_calls: in a stream a call comes in one piece.
    """

    name: str
    hosts: tuple[str, ...] = ()
    port: int = 0
    models: str = ""
    ids: Rule | None = None
    minted: str = ""
    result_names: bool = False
    forced_choice: Literal["yes", "no", "without_thinking"] = "yes"
    thinking: bool = False
    reasoning: Literal["reasoning_content", "reasoning", ""] = ""
    echo_reasoning: bool = False
    signatures: bool = False
    schema: str | None = None
    strict: Literal["asked", "always", "beta", "none"] = "asked"
    whole_calls: bool = False


_ROWS = (
    Service(name="openai", hosts=("api.openai.com",), models=r"(gpt-|chatgpt-|o[134](-|$)).*", ids=Rule(longest=40)),
    Service(name="azure", hosts=("openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com")),
    Service(
        name="deepseek",
        hosts=("api.deepseek.com",),
        models=r"deepseek-(chat|reasoner|flash|pro|v\d.*)",
        forced_choice="without_thinking",
        thinking=True,
        reasoning="reasoning_content",
        echo_reasoning=True,
        schema="deepseek",
        strict="beta",
    ),
    Service(
        name="xai",
        hosts=("api.x.ai",),
        models=r"grok-.*",
        reasoning="reasoning_content",
        schema="xai",
        strict="always",
        whole_calls=True,
    ),
    Service(
        name="mistral",
        hosts=("api.mistral.ai",),
        models=r"(mistral|magistral|ministral|codestral|devstral|pixtral|open-mi[sx]tral)-.*",
        ids=Rule("a-zA-Z0-9", exact=9),
        result_names=True,
        schema="mistral",
        whole_calls=True,
    ),
    Service(
        name="kimi",
        hosts=("api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"),
        models=r"(kimi|moonshot)-.*",
        ids=_KEPT,
        minted="functions.{name}:{number}",
        reasoning="reasoning_content",
        schema="kimi",
    ),
    Service(name="groq", hosts=("api.groq.com",), reasoning="reasoning"),
    Service(name="openrouter", hosts=("openrouter.ai",), ids=_KEPT, reasoning="reasoning"),
    Service(name="litellm", ids=_KEPT, reasoning="reasoning_content"),
    Service(name="together", hosts=("api.together.xyz", "api.together.ai"), reasoning="reasoning"),
    Service(name="fireworks", hosts=("api.fireworks.ai",), reasoning="reasoning_content"),
    Service(name="cerebras", hosts=("api.cerebras.ai",), reasoning="reasoning"),
    Service(
        name="dashscope",
        hosts=("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"),
        models=r"qwen(-|\d.*-)(max|plus|turbo|flash).*",
        reasoning="reasoning_content",
        strict="none",
    ),
    Service(
        name="zai",
        hosts=("api.z.ai", "open.bigmodel.cn"),
        models=r"glm-\d.*",
        reasoning="reasoning_content",
        strict="none",
    ),
    Service(name="minimax", hosts=("api.minimax.io", "api.minimaxi.com"), models=r"minimax-.*", strict="none"),
    Service(name="vllm", reasoning="reasoning_content", ids=_KEPT),
    Service(name="sglang", reasoning="reasoning_content", ids=_KEPT),
    Service(name="llama.cpp", reasoning="reasoning_content", ids=_KEPT, strict="none"),
    Service(
        name="ollama",
        hosts=("ollama.com",),
        port=11434,
        reasoning="reasoning",
        schema="ollama",
        strict="none",
        whole_calls=True,
    ),
    Service(name="lmstudio", port=1234, reasoning="reasoning_content", ids=_KEPT, strict="none"),
    Service(
        name="gemini-3",
        models=r"(models/|google/)?gemini-3.*",
        signatures=True,
        whole_calls=True,
    ),
    Service(
        name="gemini",
        hosts=("generativelanguage.googleapis.com", "aiplatform.googleapis.com"),
        models=r"(models/|google/)?gemini-.*",
        whole_calls=True,
    ),
    Service(name="anthropic", hosts=("api.anthropic.com",), models=r"claude-.*"),
    Service(name="cohere", hosts=("api.cohere.com", "api.cohere.ai"), models=r"command-.*"),
    Service(name="nova", models=r"(\w+\.)?amazon\.nova-.*", schema="nova", strict="none"),
    Service(
        name="bedrock",
        hosts=("amazonaws.com",),
        models=r"((us|eu|apac|global)\.)?(anthropic|meta|mistral|cohere|ai21|deepseek|qwen)\..*",
    ),
)  # fmt: skip

SERVICES: Mapping[str, Service] = {service.name: service for service in _ROWS}
"""Every service by its name; the order is that in which hosts and models are compared."""


def service_named(service: str | Service | None) -> Service | None:
    """The service of this name, or the one that is meant already.

    Raises:
        LookupError: no service has this name; the text lists those that exist.
    """
    if service is None or isinstance(service, Service):
        return service
    if service not in SERVICES:
        raise LookupError(f"no service {service!r}; there are {', '.join(SERVICES)}")
    return SERVICES[service]


def service_of(base_url: str | None = None, model: str | None = None) -> Service | None:
    """The service at this address, or the one that serves this model.

    Args:
        base_url: the address that requests go to; the host counts, and for a local server the port.
        model: the model's name as it stands in the request.
    """
    host, port = _address(base_url)
    at_host = _first(host, port) if host else None
    by_model = _by_model(model)
    if at_host is None:
        return None if host and _is_local(host) else by_model
    return by_model if by_model is not None and by_model.name in _NARROWER.get(at_host.name, ()) else at_host


_NARROWER: Mapping[str, frozenset[str]] = {"gemini": frozenset({"gemini-3"}), "bedrock": frozenset({"nova"})}
"""Services whose models differ: there the model's name says which rules hold."""


def _address(base_url: str | None) -> tuple[str, int]:
    if not base_url:
        return "", 0
    try:
        parts = urlsplit(base_url if "//" in base_url else f"//{base_url}")
        return (parts.hostname or "").lower(), parts.port or 0
    except ValueError:
        return "", 0


def _first(host: str, port: int) -> Service | None:
    """The service of a host, or of a port on a local one."""
    for service in _ROWS:
        if any(host == end or host.endswith((f".{end}", f"-{end}")) for end in service.hosts):
            return service
        if service.port and service.port == port and _is_local(host):
            return service
    return None


def _is_local(host: str) -> bool:
    """Whether a host is this machine or stands in a private network."""
    if not {".", ":"} & set(host) or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


def _by_model(model: str | None) -> Service | None:
    if not model:
        return None
    return next((one for one in _ROWS if one.models and re.fullmatch(one.models, model, re.IGNORECASE)), None)
