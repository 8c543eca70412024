"""Which opener means what: the one table from markers to grammars.

A dialect is added here: as a `Form` or `Pairs` in its family's table, or as a line with
its grammar below. Grammars under one key are tried in order; each looks at what follows
and fails within a few characters, or commits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

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
from argwright.dialects.follows import FOLLOWS, JSON_BODY, NAME_SIGNS, SUFFIXED_LIST, ahead
from argwright.dialects.json_tags import FORMS, HERMES, HORIZON_JSON, LFM2, TOOL_CALLS, Form, grammar
from argwright.dialects.leaks import LEAKS, MAX_LEAK, Leak
from argwright.dialects.marks import mark_at
from argwright.dialects.source import Source, Steps, peek, skip_space

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
        by = opening(inner.head) if inner is not None and inner.head in heads else None
        return None if inner is None or by is None else (yield from by.grammar(ctx, src, inner))

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
_SUFFIX = re.compile(r"<tool_call(?P<many>s?)(?P<suffix>:[\w-]{1,32})>")
_WRAPPERS = frozenset({"function_calls", "tool_call", "tool_calls"})


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


@lru_cache(maxsize=1024)
def opening(head: str) -> Opening | None:
    """What may begin with a tag of this head."""
    if head in TAGS:
        return Opening(TAGS[head], FOLLOWS.get(head), LEAKS.get(head))
    if head.startswith(("<|DSML|", "<|GCML|")):
        read = first_of(invoke.invoke, invoke.wrapped, json_inside("deepseek_v4", *invoke.DIALECTS))
        return Opening(read, None, Leak(("deepseek_v4", *invoke.DIALECTS)))
    if head.startswith("<!["):
        return Opening(token_calls.glm_flash, None, Leak(("glm53_flash",)))
    if tag := _SUFFIX.fullmatch(head):
        return _suffixed(tag.group("suffix"), "s" if tag.group("many") else "")
    if spaced := _NAMESPACE.fullmatch(head):
        if spaced.group("name") == "invoke":
            return Opening(invoke.invoke, FOLLOWS["<invoke "])
        if spaced.group("name") in _WRAPPERS and spaced.group("end") == ">":
            read = first_of(invoke.wrapped, json_inside(invoke.likeliest("", head[1:-1]), *invoke.DIALECTS))
            return Opening(read, FOLLOWS["<dots_function_call>"], Leak(invoke.DIALECTS, (f"</{head[1:]}",)))
    return None


def _suffixed(suffix: str, many: str) -> Opening:
    """What begins with one of Hunyuan's tags with a suffix, or with another dialect's."""
    plain = f"<tool_call{many}>"
    pairs = arg_pairs.grammar(arg_pairs.suffixed(suffix))
    leak = Leak(LEAKS[plain].dialects, (f"</tool_call{many}{suffix}>", *LEAKS[plain].closers))
    if not many:
        return Opening(first_of(pairs, TAGS[plain]), FOLLOWS[plain], leak)
    return Opening(first_of(TAGS[plain], holding(f"<tool_call{suffix}>")), SUFFIXED_LIST, leak)


LITERALS: Mapping[str, Opening] = {
    "[TOOL_CALLS]": Opening(
        first_of(_form("[TOOL_CALLS]"), token_calls.mistral),
        re.compile(rf"\s*+(?:\Z|[{NAME_SIGNS}]|{JSON_BODY})"),
        LEAKS["[TOOL_CALLS]"],
    ),
    "[TOOL_REQUEST]": Opening(_form("[TOOL_REQUEST]"), re.compile(rf"\s*+(?:\Z|{JSON_BODY})"), LEAKS["[TOOL_REQUEST]"]),
    "functools[": Opening(_form("functools["), ahead(r"{\[\],;\"")),
    "[Calling tool:": Opening(call_syntax.calling_tool, ahead(NAME_SIGNS)),
    named_tags.SENTINEL: Opening(
        named_tags.minimax_m3, ahead("", "<tool_call>", "<invoke"), LEAKS[named_tags.SENTINEL]
    ),
    **{
        decoration + word: Opening(react.action, re.compile(r"[*_`# \t]*+(?:\Z|:)"))
        for decoration in ("", "**", "*", "__", "# ", "## ", "### ", "#### ")
        for word in ("Action", "action", "ACTION")
    },
}
"""Openers that are no tags. Those of `react.action` count at the start of a line only."""

SIGNS = tuple(sign for sign, by in LITERALS.items() if by.grammar is not react.action)
"""Those that count anywhere."""


def construct(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """What begins with this opener."""
    found = LITERALS.get(mark.head) or opening(mark.head)
    return None if found is None else (yield from found.grammar(ctx, src, mark))


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
