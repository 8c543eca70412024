"""Calls that a model wrote as text.

`read_text` reads a whole text, `TextScanner` one that is still arriving. `openers` is the
table of dialects.
"""

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
from argwright.dialects.openers import DIALECTS
from argwright.dialects.scanner import TextScanner
from argwright.dialects.text import read_text, without_echo

__all__ = [
    "DIALECTS",
    "CallFound",
    "Event",
    "Reading",
    "ReasoningText",
    "TextSafe",
    "TextScanner",
    "TextWasReasoning",
    "ToolNames",
    "add_up",
    "read_text",
    "without_echo",
]
