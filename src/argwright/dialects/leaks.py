"""Calls that were lost: their opener means nothing but a call, and what stands behind it cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from argwright.dialects import named_tags, token_calls
from argwright.dialects.json_tags import FORMS

MAX_LEAK = 1000  # how far behind an opener that cannot be read its closer is looked for


@dataclass(frozen=True)
class Leak:
    """A call that cannot be told from its opener on.

    The dialects whose it may be, what closes it, what opens others.
    """

    dialects: tuple[str, ...]
    closers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """Closers and other openers."""
        return re.compile("|".join(map(re.escape, (*self.closers, *self.others))) or "(?!)")

    @cached_property
    def longest(self) -> int:
        """The length of the longest of them."""
        return max(map(len, (*self.closers, *self.others, "<")))


_TOKEN_CALLS = ("kimi_k2", "deepseek_v31", "deepseek_v3")
LEAKS: Mapping[str, Leak] = {
    "<tool_call>": Leak(("hermes", "qwen3_coder", "glm45"), ("</tool_call>",)),
    "<tool_calls>": Leak(("tool_calls_array", "minimax_m1", "hunyuan_hy3"), ("</tool_calls>",)),
    "<function_calls>": Leak(("claude_xml", "olmo3"), ("</function_calls>",)),
    "<function=": Leak(("qwen3_coder", "function_tag_json"), ("</function>",)),
    "<seed:tool_call>": Leak(("seed_oss",), ("</seed:tool_call>",)),
    "<dots_function_call>": Leak(("dots",), ("</dots_function_call>",)),
    "<iquest_tool_call>": Leak(("iquest_q1",), ("</iquest_tool_call>",)),
    "<ifm|tool_call>": Leak(("k2_horizon",), ("</ifm|tool_call>",)),
    "<ifm|tool_calls>": Leak(("k2_horizon",), ("</ifm|tool_calls>",)),
    "<|tool_call>": Leak(("gemma4",), ("<tool_call|>",)),
    "<start_function_call>": Leak(("functiongemma",), ("<end_function_call>",)),
    "<|tool_call_start|>": Leak(("lfm2",), ("<|tool_call_end|>",)),
    "<|python_start|>": Leak(("pythonic",), ("<|python_end|>",)),
    token_calls.BEGIN: Leak(_TOKEN_CALLS, token_calls.END_SPELLINGS),
    **{
        key: Leak(_TOKEN_CALLS, token_calls.SECTION_END_SPELLINGS, token_calls.BEGIN_SPELLINGS)
        for key in token_calls.SECTIONS
    },
    "<|tool_call:begin|>": Leak(("solar_open",), ("<|tool_call:end|>",)),
    "<|plamo:begin_tool_requests:plamo|>": Leak(("plamo3",), ("<|plamo:end_tool_requests:plamo|>",)),
    "<|plamo:begin_tool_request:plamo|>": Leak(("plamo3",), ("<|plamo:end_tool_request:plamo|>",)),
    "<|content_invoke_tool_json|>": Leak(("inkling",), ("<|end_message|>",)),
    **{form.opener: Leak(form.dialects, form.closers) for form in FORMS if form.opener != "functools["},
    named_tags.SENTINEL: Leak(("minimax_m3",), (f"{named_tags.SENTINEL}</tool_call>",)),
}
"""The openers that mean nothing but a call: what stands behind one and cannot be read is a call that was lost."""
