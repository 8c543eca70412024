"""Which opener means what: the one table from markers to grammars.

A dialect is added here: as a `Form` or `Pairs` in its family's table, or as a line with
its grammar below. Grammars under one key are tried in order; each looks at what follows
and fails within a few characters, or commits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from argwright.dialects import (
    arg_pairs,
    call_syntax,
    function_tags,
    harmony,
    invoke,
    json_tags,
    messages,
    named_tags,
    react,
    token_calls,
    typed_tags,
)
from argwright.dialects.context import Context, Grammar, Mark
from argwright.dialects.json_tags import FORMS, HERMES, HORIZON_JSON, LFM2, TOOL_CALLS, Form, grammar
from argwright.dialects.marks import mark_at
from argwright.dialects.source import Source, Steps, peek, skip_space

MAX_LEAK = 1000  # how far behind an opener that cannot be read its closer is looked for

TRINITY = grammar(Form("<tool_call>", ("trinity",), ("</tool_call>",)))


def first_of(*grammars: Grammar) -> Grammar:
    """Grammars under one opener, tried in order."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        for one in grammars:
            end = yield from one(ctx, src, mark)
            if end is not None:
                return end
        return None

    return read


def holding(*heads: str) -> Grammar:
    """A wrapper around calls of other dialects, whose openers have these heads."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        pos = yield from skip_space(src, mark.end)
        if (yield from peek(src, pos)) != "<":
            return None
        inner = yield from mark_at(src, pos)
        if inner is None or inner.head not in heads:
            return None
        return (yield from TAGS[inner.head](ctx, src, inner))

    return read


@lru_cache(maxsize=64)
def _tagged(opener: str, dialects: tuple[str, ...]) -> Grammar:
    return grammar(Form(opener, dialects, (f"</{opener[1:]}",)))


def json_inside(*dialects: str) -> Grammar:
    """Calls as JSON in a wrapper that is meant for calls of another notation."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        opener = src.text[mark.start : mark.end]
        if not opener.endswith(">"):
            return None
        return (yield from _tagged(opener, dialects)(ctx, src, mark))

    return read


def _form(opener: str) -> Grammar:
    return next(grammar(form) for form in FORMS if form.opener == opener)


def _python_tag(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """Llama's tag for calls: JSON, a built-in tool's call, a call list, or code for the interpreter."""
    json_dialect = ctx.pick("llama3_json")
    call_dialect = ctx.pick("llama3_builtin")
    pos = yield from skip_space(src, mark.end)
    if json_dialect and (yield from peek(src, pos)) in ("{", "["):
        end = yield from grammar(_LLAMA)(ctx, src, mark)
        if end is not None:
            return end
    if call_dialect is None:
        return None
    end = yield from call_syntax.builtin(src, pos, call_dialect)
    if end is None:
        end = yield from call_syntax.declared_calls(ctx, src, pos, call_dialect)
    return (yield from call_syntax.code(src, mark, pos, call_dialect)) if end is None else end


_LLAMA = Form("<|python_tag|>", ("llama3_json",), ("<|eom_id|>", "<|eot_id|>"))

_NAME_JSON_ENDS = ("</tool_call>",)

_HERMES_NAMED = first_of(
    arg_pairs.grammar(arg_pairs.GLM),
    call_syntax.tagged_calls(_NAME_JSON_ENDS, "pythonic", "lfm2", "hermes"),
    json_tags.named("hermes", _NAME_JSON_ENDS, ("<tool_call>",)),
)
_HERMES_LISTED = first_of(grammar(HERMES), call_syntax.tagged_calls(_NAME_JSON_ENDS, "pythonic", "lfm2", "hermes"))
_BY_SIGN = {"{": grammar(HERMES), "`": grammar(HERMES), "[": _HERMES_LISTED, "<": holding("<function=", "<invoke ")}


def _tool_call(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """The tag that most dialects share; what stands behind it decides."""
    sign = yield from peek(src, (yield from skip_space(src, mark.end)))
    return (yield from _BY_SIGN.get(sign, _HERMES_NAMED)(ctx, src, mark))


TAGS: dict[str, Grammar] = {
    "<tool_call>": _tool_call,
    "<tool_calls>": first_of(grammar(TOOL_CALLS), holding("<tool_call>", "<invoke ")),
    "<function_calls>": first_of(
        invoke.wrapped,
        named_tags.legacy,
        call_syntax.tagged_calls(("</function_calls>",), "olmo3"),
        holding("<tool_call>"),
        json_inside("claude_xml", "olmo3"),
    ),
    "<function=": function_tags.function_tag,
    "<function ": function_tags.function_name,
    "<functionname=": function_tags.function_name,
    "<seed:tool_call>": first_of(holding("<function="), json_inside("seed_oss")),
    "<invoke ": invoke.invoke,
    "<invoke>": named_tags.legacy,
    "<dots_function_call>": first_of(invoke.wrapped, json_inside("dots")),
    "<parameter=": function_tags.orphan,
    "<iquest_tool_call>": first_of(arg_pairs.grammar(arg_pairs.IQUEST), json_inside("iquest_q1")),
    "<ifm|tool_call>": first_of(grammar(HORIZON_JSON), arg_pairs.grammar(arg_pairs.HORIZON)),
    "<ifm|tool_calls>": holding("<ifm|tool_call>"),
    "<|tool_call>": call_syntax.gemma,
    "<start_function_call>": call_syntax.gemma,
    "<|tool_call_start|>": first_of(grammar(LFM2), call_syntax.tagged_calls(("<|tool_call_end|>",), "lfm2")),
    "<|python_start|>": call_syntax.tagged_calls(("<|python_end|>",), "pythonic"),
    "<|python_tag|>": _python_tag,
    token_calls.BEGIN: token_calls.token_call,
    "<|tool_call:begin|>": token_calls.solar,
    "<|plamo:begin_tool_requests:plamo|>": token_calls.plamo,
    "<|plamo:begin_tool_request:plamo|>": token_calls.plamo,
    "<|open|>": typed_tags.kimi_k3,
    "<|close|>": typed_tags.closing,
    "<|channel|>": harmony.message,
    "<|start|>": harmony.message,
    "<|end|>": harmony.message,
    "<|eom|>": harmony.message,
    "<|START_RESPONSE|>": messages.command_response,
    "<|message_sep|>": messages.gigachat,
    "<|message_model|>": messages.inkling,
    **dict.fromkeys(messages.CONTENTS, messages.inkling),
    "<|content_invoke_tool_json|>": messages.inkling,
    "<tool>": react.xml_agent,
    **dict.fromkeys(token_calls.SECTIONS, token_calls.section),
    **{form.opener: grammar(form) for form in FORMS if form.opener.startswith("<")},
}

_NAMESPACE = re.compile(r"<(?P<space>[A-Za-z][\w.-]{0,24}):(?P<name>[\w.-]+)(?P<end>[> ])")
_SUFFIX = re.compile(r"(?P<tag><tool_calls?):[\w-]{1,32}>")
_WRAPPERS = frozenset({"function_calls", "tool_call", "tool_calls"})


_BRACE = r"\{(?:\Z|[^<]|<(?:\Z|\|(?:\Z|\")))"  # no marker stands behind a brace, but for Gemma's quotation mark


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
    return re.compile(rf"\s*+(?:\Z|{_JSON}{'|' + _begun(form.between) if form.between else ''})")


_JSON = rf"`|{_BRACE}|\[\s*+(?:\Z|[{{\]\",;]|\[(?:\Z|[^A-Z]))"
_INVOKES = r"<(?:\Z|[\w.-]{0,25}\Z|(?:[\w.-]{1,25}:)?(?:invoke|\w{0,6}\Z)|[|｜‖])"
_NAME_SIGNS = r"\w.:/$\-"
FOLLOWS: Mapping[str, re.Pattern[str]] = {
    "<tool_call>": ahead(rf"{{`\[\],;{_NAME_SIGNS}", "<function=", "<invoke"),
    "<tool_calls>": ahead(r"{\[`", "<tool_call>", "<invoke"),
    "<function_calls>": re.compile(rf"\s*+(?:\Z|[{_NAME_SIGNS}`\[\],;]|{_BRACE}|{_INVOKES}|{_begun('<tool_call>')})"),
    "<dots_function_call>": re.compile(rf"\s*+(?:\Z|{_JSON}|{_INVOKES})"),
    "<function=": re.compile(r"\Z|[^\s<>{}()=]"),
    "<function ": ahead(r"\w:"),
    "<invoke ": ahead(r"\w:"),
    "<invoke>": ahead("", "<tool_name>"),
    "<seed:tool_call>": ahead(r"{\[`", "<function="),
    "<iquest_tool_call>": ahead(rf"{{\[`{_NAME_SIGNS}"),
    "<ifm|tool_call>": ahead(rf"{{`\[{_NAME_SIGNS}"),
    "<ifm|tool_calls>": ahead("", "<ifm|tool_call>"),
    "<|tool_call>": ahead(_NAME_SIGNS),
    "<start_function_call>": ahead(_NAME_SIGNS),
    "<|tool_call_start|>": ahead(rf"{{`\[\],;{_NAME_SIGNS}"),
    "<|python_start|>": ahead(rf"\[\],;{_NAME_SIGNS}"),
    token_calls.BEGIN: ahead(r"^<\s", "<steptml:invoke"),
    **{key: ahead("", *(f"<{bar}tool" for bar in "|｜‖")) for key in token_calls.SECTIONS},
    "<|plamo:begin_tool_requests:plamo|>": ahead(r"^<\s", "<|plamo:"),
    "<|plamo:begin_tool_request:plamo|>": ahead(r"^<\s", "<|plamo:"),
    "<|message_sep|>": ahead("", "function"),
    "<|message_model|>": ahead(_NAME_SIGNS, "<|content_"),
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


@dataclass(frozen=True)
class Opening:
    """What may begin with a marker.

    Its grammar, what must follow it, and whether the marker means nothing but a call.
    """

    grammar: Grammar
    follow: re.Pattern[str] | None = None
    leak: Leak | None = None

    def hopeless(self, text: str, end: int) -> bool:
        """Whether what has arrived behind the opener shows at once that neither a call nor a lost one begins there."""
        if self.follow is None or len(text) - end < MAX_LEAK or self.follow.match(text, end):
            return False
        return self.leak is None or not self.leak.marks.search(text, end, end + MAX_LEAK)


_TOKEN_CALLS = ("kimi_k2", "deepseek_v31", "deepseek_v3")
_LEAKS: Mapping[str, Leak] = {
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


@lru_cache(maxsize=1024)
def opening(head: str) -> Opening | None:
    """What may begin with a tag of this head."""
    if head in TAGS:
        return Opening(TAGS[head], FOLLOWS.get(head), _LEAKS.get(head))
    if head.startswith(("<|DSML|", "<|GCML|")):
        read = first_of(invoke.invoke, invoke.wrapped, json_inside("deepseek_v4", *invoke.DIALECTS))
        return Opening(read, None, Leak(("deepseek_v4", *invoke.DIALECTS)))
    if head.startswith("<!["):
        return Opening(token_calls.glm_flash, None, Leak(("glm53_flash",)))
    if suffixed := _SUFFIX.fullmatch(head):
        return opening(suffixed.group("tag") + ">")
    if spaced := _NAMESPACE.fullmatch(head):
        if spaced.group("name") == "invoke":
            return Opening(invoke.invoke, FOLLOWS["<invoke "])
        if spaced.group("name") in _WRAPPERS and spaced.group("end") == ">":
            read = first_of(invoke.wrapped, json_inside(*invoke.DIALECTS))
            return Opening(read, FOLLOWS["<dots_function_call>"], Leak(invoke.DIALECTS, (f"</{head[1:]}",)))
    return None


def tag(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """The construct that begins with this tag."""
    found = opening(mark.head)
    return None if found is None else (yield from found.grammar(ctx, src, mark))


LITERALS: Mapping[str, Opening] = {
    "[TOOL_CALLS]": Opening(
        first_of(_form("[TOOL_CALLS]"), token_calls.mistral),
        re.compile(rf"\s*+(?:\Z|[{_NAME_SIGNS}]|{_JSON})"),
        _LEAKS["[TOOL_CALLS]"],
    ),
    "[TOOL_REQUEST]": Opening(_form("[TOOL_REQUEST]"), re.compile(rf"\s*+(?:\Z|{_JSON})"), _LEAKS["[TOOL_REQUEST]"]),
    "functools[": Opening(_form("functools["), ahead(r"{\[\],;\"")),
    "[Calling tool:": Opening(call_syntax.calling_tool, ahead(_NAME_SIGNS)),
    named_tags.SENTINEL: Opening(
        named_tags.minimax_m3, ahead("", "<tool_call>", "<invoke"), _LEAKS[named_tags.SENTINEL]
    ),
    **{
        decoration + word: Opening(react.action, re.compile(r"[*_`# \t]*+(?:\Z|:)"))
        for decoration in ("", "**", "*", "__", "# ", "## ", "### ", "#### ")
        for word in ("Action", "action", "ACTION")
    },
}
"""Openers that are no tags. Those of `react.action` count at the start of a line only."""

DIALECTS = frozenset({
    "apertus", "bare_json", "bare_json_array", "beam", "calling_tool_bracket", "claude2_xml", "claude_xml", "command_a",
    "command_r", "deepseek_v3", "deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41", "dots", "ernie45",
    "function_tag_json", "functionary_v32", "functiongemma", "functools", "gemma4", "gigachat3", "gigachat35", "glm45",
    "glm47", "glm53_flash", "granite20b", "granite_array", "harmony", "hermes", "hunyuan_hy3", "hunyuan_hy4", "inkling",
    "internlm2", "iquest_q1", "json_fence", "k2_horizon", "kimi_k2", "kimi_k3", "lfm2", "ling3", "llama3_builtin",
    "llama3_json", "lmstudio", "longcat", "mimo", "minicpm5", "minimax_m1", "minimax_m2", "minimax_m3", "mistral_v11",
    "mistral_v3", "muse_atem", "olmo3", "openai_json", "parallel_wrapper", "phi4_tags", "plamo3", "poolside_v1",
    "pythonic", "qwen3_coder", "react", "react_structured", "seed_oss", "smolagents", "solar_open", "spark25", "step3",
    "tool_calls_array", "tool_code", "toolcall_upper", "trinity", "xml_agent",
})  # fmt: skip
"""The names of all dialects."""
