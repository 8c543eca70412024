"""Closers that stand behind a call without belonging to what was read: they are markup, and go with it."""

from __future__ import annotations

import re
from functools import lru_cache

from argwright.dialects.context import Mark
from argwright.dialects.prose import END_TOKENS
from argwright.dialects.source import Source, Steps, expect, find
from argwright.dialects.typed_tags import CLOSE, THOUGHT_ENDS

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
    "<|content_model_end_sampling|>", "<|tool_response>", "<|tool_sep|>",
    *END_TOKENS,
})  # fmt: skip


_SEP = "<|sep|>"
_TAG_END = re.compile(r"[<>\n]")
_SEP_END = re.compile(r"<\|sep\|>|\n")
_MAX_TAG = 120


_SPECIAL_CLOSER = re.compile(r"</\|(?:DSML|GCML)\|\w+>")
_LONE = frozenset(token for token in (*_TOKENS, "<|tool_call_argument_begin|>") if "|" in token)


@lru_cache(maxsize=1024)
def is_lone(head: str) -> bool:
    """Whether a tag of this head is a special token that closes something, which no answer writes on purpose."""
    return head in _LONE or _SPECIAL_CLOSER.fullmatch(head) is not None or _PLAMO.fullmatch(head) is not None


def stray_end(src: Source, mark: Mark) -> Steps[int]:
    """The position behind a tag that only closes; 0 if it is none, or the end of reasoning, which says more."""
    head = mark.head
    if head == CLOSE:
        if (yield from expect(src, mark.start, THOUGHT_ENDS)):
            return 0
        closed = yield from find(src, mark.end, _SEP_END, len(_SEP), within=_MAX_TAG)
        return closed[1] if closed else mark.end
    if _SPACED.fullmatch(head):
        closed = yield from find(src, mark.end, _TAG_END, 1, within=_MAX_TAG)
        return closed[1] if closed else mark.end
    return mark.end if head in _TOKENS or _CLOSING_TAG.fullmatch(head) or _PLAMO.fullmatch(head) else 0
