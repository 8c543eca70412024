"""One layout a format that keeps histories."""

from collections.abc import Mapping

from argwright.history.layouts.blocks import ANTHROPIC, BEDROCK, GEMINI
from argwright.history.layouts.chat import COHERE, NAMED_CHAT, OLLAMA, OPENAI_CHAT
from argwright.history.layouts.items import CONVERSATIONS, RESPONSES
from argwright.history.layouts.layout import Layout

LAYOUTS: Mapping[str, Layout] = {
    "openai-chat": OPENAI_CHAT,
    "openai-responses": RESPONSES,
    "openai-realtime": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "bedrock-converse": BEDROCK,
    "cohere": COHERE,
    "ollama": OLLAMA,
    "mistral-conversations": CONVERSATIONS,
}

__all__ = ["LAYOUTS", "NAMED_CHAT", "Layout"]
