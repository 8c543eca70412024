"""Closers that stand behind a call without belonging to what was read: they are markup, and go with it."""

from __future__ import annotations

import re

from argwright.dialects.context import Mark
from argwright.dialects.prose import END_TOKENS

_CLOSING_TAG = re.compile(
    r"</(?:\|(?:DSML|GCML)\||[\w.-]+[:|])?"
    r"(?:tool_calls?|function_calls?|function|invoke|parameters?|arg_value|longcat_tool_call|iquest_tool_call"
    r"|dots_function_call|TOOLCALL|tool_input|calls)(?::[\w-]+)?>"
)
_SPACED = re.compile(r"</\|(?:DSML|GCML)\| ")
_PLAMO = re.compile(r"<\|plamo:end_\w+:plamo\|>")
_TOKENS = frozenset({
    "<|tool_calls_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>", "<|tool_call_end|>",
    "<|python_end|>", "<tool_call|>", "<end_function_call>", "<|action_end|>", "<|END_ACTION|>", "<|tools_suffix|>",
    "<|/tool_call|>", "<|end_message|>", "<|end_of_sentence|>", "<|eom|>", "<|eot|>",
    *END_TOKENS,
})  # fmt: skip


def is_stray(mark: Mark) -> bool:
    """Whether this tag only closes."""
    head = mark.head
    return head in _TOKENS or any(pattern.fullmatch(head) for pattern in (_CLOSING_TAG, _SPACED, _PLAMO))


