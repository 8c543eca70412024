"""The protocols that the gateway mends, by the names of their wire formats."""

from __future__ import annotations

from argwright.proxy.exchange.anthropic import ANTHROPIC
from argwright.proxy.exchange.openai_chat import OPENAI_CHAT
from argwright.proxy.exchange.openai_responses import OPENAI_RESPONSES
from argwright.proxy.exchange.protocol import Protocol

TABLE: dict[str, Protocol] = {protocol.form: protocol for protocol in (OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC)}
