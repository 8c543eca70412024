"""Which opener means what: the one table from markers to grammars.

A dialect is added here: as a `Form` or `Pairs` in its family's table, or as a line with
its grammar below. Grammars under one key are tried in order; each looks at what follows
and fails within a few characters, or commits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from argwright.dialects import arg_pairs, call_syntax, function_tags, harmony, invoke, json_tags, messages, named_tags
from argwright.dialects import react, token_calls, typed_tags
from argwright.dialects.context import Context, Grammar, Mark
from argwright.dialects.json_tags import FORMS, HERMES, LFM2, TOOL_CALLS, Form, grammar
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
        if inner is None or inner.head not in heads:
            return None
        return (yield from TAGS[inner.head](ctx, src, inner))

    return read


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
    end = yield from call_syntax.builtin(ctx, src, pos, call_dialect)
    if end is None:
        end = yield from call_syntax.declared_calls(ctx, src, pos, call_dialect)
    return (yield from call_syntax.code(src, mark, pos, call_dialect)) if end is None else end


_LLAMA = Form("<|python_tag|>", ("llama3_json",), ("<|eom_id|>", "<|eot_id|>"))

_NAME_JSON_ENDS = ("</tool_call>",)

TOOL_CALL = first_of(
    grammar(HERMES),
    holding("<function=", "<invoke "),
    arg_pairs.grammar(arg_pairs.GLM),
    call_syntax.tagged_calls(_NAME_JSON_ENDS, "pythonic", "lfm2", "hermes"),
    json_tags.named("hermes", _NAME_JSON_ENDS, ("<tool_call>",)),
)

TAGS: dict[str, Grammar] = {
    "<tool_call>": TOOL_CALL,
    "<tool_calls>": first_of(grammar(TOOL_CALLS), holding("<tool_call>", "<invoke ")),
    "<function_calls>": first_of(
        invoke.wrapped, named_tags.legacy, call_syntax.tagged_calls(("</function_calls>",), "olmo3"), holding("<tool_call>")
    ),
    "<function=": function_tags.function_tag,
    "<function ": function_tags.function_name,
    "<seed:tool_call>": holding("<function="),
    "<invoke ": invoke.invoke,
    "<invoke>": named_tags.legacy,
    "<dots_function_call>": invoke.wrapped,
    "<parameter=": function_tags.orphan,
    "<iquest_tool_call>": arg_pairs.grammar(arg_pairs.IQUEST),
    "<ifm|tool_call>": arg_pairs.grammar(arg_pairs.HORIZON),
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
    "<|channel|>": harmony.message,
    "<|start|>": harmony.message,
    "<|end|>": harmony.message,
    "<|START_RESPONSE|>": messages.command_response,
    "<|message_sep|>": messages.gigachat,
    "<|message_model|>": messages.inkling,
    "<|content_text|>": messages.inkling,
    "<|content_invoke_tool_json|>": messages.inkling,
    "<tool>": react.xml_agent,
    **{key: token_calls.section for key in token_calls.SECTIONS},
    **{form.opener: grammar(form) for form in FORMS if form.opener.startswith("<")},
}

_NAMESPACE = re.compile(r"<(?P<space>[A-Za-z][\w.-]{0,24}):(?P<name>[\w.-]+)(?P<end>[> ])")
_SUFFIX = re.compile(r"(?P<tag><tool_calls?):[\w-]{1,32}>")
_WRAPPERS = frozenset({"function_calls", "tool_call", "tool_calls"})


def grammar_of(head: str) -> Grammar | None:
    """What may begin with a tag of this head."""
    if head in TAGS:
        return TAGS[head]
    if head.startswith(("<|DSML|", "<|GCML|")):
        return first_of(invoke.invoke, invoke.wrapped)
    if head.startswith("<!["):
        return token_calls.glm_flash
    if suffixed := _SUFFIX.fullmatch(head):
        return TAGS[suffixed.group("tag") + ">"]
    if spaced := _NAMESPACE.fullmatch(head):
        if spaced.group("name") == "invoke":
            return invoke.invoke
        if spaced.group("name") in _WRAPPERS and spaced.group("end") == ">":
            return invoke.wrapped
    return None


def tag(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """The construct that begins with this tag."""
    one = grammar_of(mark.head)
    return None if one is None else (yield from one(ctx, src, mark))


LITERALS: Mapping[str, Grammar] = {
    "[TOOL_CALLS]": first_of(next(grammar(form) for form in FORMS if form.opener == "[TOOL_CALLS]"), token_calls.mistral),
    "[TOOL_REQUEST]": next(grammar(form) for form in FORMS if form.opener == "[TOOL_REQUEST]"),
    "functools[": next(grammar(form) for form in FORMS if form.opener == "functools["),
    "[Calling tool:": call_syntax.calling_tool,
    named_tags.SENTINEL: named_tags.minimax_m3,
    **{
        decoration + word: react.action
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
