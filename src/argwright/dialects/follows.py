"""What must follow an opener for one look to tell that a call may begin there.

White space, then one of some signs or words; what has not arrived yet counts as the right
thing. Openers that are not listed are always tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from argwright.dialects import token_calls
from argwright.dialects.json_tags import FORMS, Form

_BRACE = r"\{(?:\Z|[^<\"']|[\"'](?:\Z|[^<])|<(?:\Z|\|(?:\Z|\")))"
"""A brace; no marker stands behind it or behind the quotation mark there, but for Gemma's own."""


def ahead(signs: str, *literals: str) -> re.Pattern[str]:
    """White space, then one of these signs, one of these literals, or what has arrived of one."""
    others = signs.replace("{", "")
    parts = [r"\Z", *([f"[{others}]"] if others else []), *([_BRACE] if "{" in signs else []), *map(_begun, literals)]
    return re.compile(rf"\s*+(?:{'|'.join(parts)})")


def _begun(literal: str) -> str:
    """A pattern for the literal, or for its beginning at the end of the text."""
    pattern = re.escape(literal[-1])
    for sign in reversed(literal[:-1]):
        pattern = rf"{re.escape(sign)}(?:\Z|{pattern})"
    return pattern


def _begins_body(form: Form) -> re.Pattern[str]:
    return re.compile(rf"\s*+(?:\Z|{JSON_BODY}{'|' + _begun(form.between) if form.between else ''})")


JSON_BODY = rf"`|{_BRACE}|\[\s*+(?:\Z|[{{\]\",;]|\[(?:\Z|[^A-Z]))"
_INVOKES = r"<(?:\Z|[\w.-]{0,25}\Z|(?:[\w.-]{1,25}:)?(?:invoke|\w{0,6}\Z)|[|｜‖])"
NAME_SIGNS = r"\w.:/$\-"
FOLLOWS: Mapping[str, re.Pattern[str]] = {
    "<tool_call>": ahead(rf"{{`\[\],;{NAME_SIGNS}", "<function=", "<invoke"),
    "<tool_calls>": ahead(r"{\[`", "<tool_call>", "<invoke"),
    "<function_calls>": re.compile(rf"\s*+(?:\Z|[{NAME_SIGNS}`\[\],;]|{_BRACE}|{_INVOKES}|{_begun('<tool_call>')})"),
    "<dots_function_call>": re.compile(rf"\s*+(?:\Z|{JSON_BODY}|{_INVOKES})"),
    "<function=": re.compile(r"\Z|[^\s<>{}()=]"),
    "<function ": ahead(r"\w:"),
    "<invoke ": ahead(r"\w:"),
    "<invoke>": ahead("", "<tool_name>"),
    "<seed:tool_call>": ahead(r"{\[`", "<function="),
    "<iquest_tool_call>": ahead(rf"{{\[`{NAME_SIGNS}"),
    "<ifm|tool_call>": ahead(rf"{{`\[{NAME_SIGNS}"),
    "<ifm|tool_calls>": ahead("", "<ifm|tool_call>"),
    "<|tool_call>": ahead(NAME_SIGNS),
    "<start_function_call>": ahead(NAME_SIGNS),
    "<|tool_call_start|>": ahead(rf"{{`\[\],;{NAME_SIGNS}"),
    "<|python_start|>": ahead(rf"\[\],;{NAME_SIGNS}"),
    token_calls.BEGIN: ahead(r"^<\s", "<steptml:invoke"),
    **{key: ahead("", *(f"<{bar}tool" for bar in "|｜‖")) for key in token_calls.SECTIONS},
    "<|plamo:begin_tool_requests:plamo|>": ahead(r"^<\s", "<|plamo:"),
    "<|plamo:begin_tool_request:plamo|>": ahead(r"^<\s", "<|plamo:"),
    "<|message_sep|>": ahead("", "function"),
    "<|message_model|>": ahead(NAME_SIGNS, "<|content_"),
    "<tool>": ahead(r"^<\s"),
    **{form.opener: _begins_body(form) for form in FORMS if form.opener.startswith("<")},
    "<|channel|>": ahead(r"^<\s"),
    "<|start|>": ahead(r"^<\s"),
    "<|end|>": ahead("", "<|start|>", "<|channel|>"),
    "<|eom|>": ahead("", "<|start|>", "<|channel|>"),
    "<|open|>": ahead(r"^<\s"),
    "<|python_tag|>": ahead(r"^<\s"),
}
"""What must follow an opener, where one look tells; `\\Z` stands for what has not arrived yet."""

SUFFIXED_LIST = ahead(r"{\[`", "<tool_call", "<invoke")
"""What must follow a tag around calls that has a suffix."""
