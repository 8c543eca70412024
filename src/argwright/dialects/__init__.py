"""Calls that a model wrote as text."""

from argwright.dialects.events import (
    CallFound,
    Event,
    Reading,
    ReasoningText,
    TextSafe,
    TextWasReasoning,
    ToolNames,
    add_up,
)
from argwright.dialects.scanner import TextScanner

__all__ = [
    "CallFound",
    "Event",
    "Reading",
    "ReasoningText",
    "TextSafe",
    "TextScanner",
    "TextWasReasoning",
    "ToolNames",
    "add_up",
]
