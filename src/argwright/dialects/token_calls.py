"""A name, then its arguments as JSON, between special tokens.

DeepSeek and Kimi put tokens around both, Mistral before both, Solar and PLaMo around
each; some mark only the name. A token may be missing: what is left has to be
unmistakable. Kimi's id is the only carrier of the name, and models write it in many ways:
a declared name is taken out of it if exactly one fits between the known prefix and the
counter.
"""

from __future__ import annotations

import re

from argwright.dialects.context import MAX_NAME, NAME, Context, Mark, found, is_name
from argwright.dialects.invoke import Tags, invoke_at
from argwright.dialects.markdown import is_description
from argwright.dialects.marks import mark_at, spellings
from argwright.dialects.named_json import Ends, Head, json_arguments
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_space, word

SECTIONS = frozenset({"<|tool_calls_begin|>", "<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"})
BEGIN = "<|tool_call_begin|>"

_KIMI = "<|tool_call_argument_begin|>"
_SEP = "<|tool_sep|>"
_END = "<|tool_call_end|>"
_SECTION_ENDS = ("<|tool_calls_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>")
BEGIN_SPELLINGS = spellings(BEGIN)
END_SPELLINGS = spellings(_END)
SECTION_END_SPELLINGS = spellings(*_SECTION_ENDS)
_ENDS = Ends(END_SPELLINGS, (*SECTION_END_SPELLINGS, *spellings(BEGIN, *sorted(SECTIONS))))
_LABEL = re.compile(r"[^<]*+")
_MAX_LABEL = 256
_STEP = "steptml:"
_STEP_INVOKE = f"<{_STEP}invoke "
_DIALECTS = ("kimi_k2", "deepseek_v31", "deepseek_v3", "step3")
_MAX_LOST = 1000  # how far a call that cannot be read is followed

_CANONICAL = re.compile(r"functions\.(?P<name>[^\s]+?)(?::\d+)?")
_COUNTER = re.compile(r"[:_.]?\d+$")
_KIMI_PREFIXES = ("functions.", "functions:", "functions_", "functions")


def section(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """The marker that opens a list of calls, and the first of them."""
    pos = yield from skip_space(src, mark.end)
    if (yield from peek(src, pos)) != "<":
        return None
    inner = yield from mark_at(src, pos)
    if inner is None or ctx.pick(*_DIALECTS) is None:
        return None
    if inner.head in _SECTION_ENDS:
        return inner.end
    if inner.head != BEGIN:
        return None
    end = yield from token_call(ctx, src, inner)
    return mark.end if end is None and (yield from _is_lost(src, inner.end)) else end


def _is_lost(src: Source, pos: int) -> Steps[bool]:
    """Whether a call begins at `pos` that cannot be read, and is closed: it is reported on its own."""
    closer = yield from find(src, pos, _ENDS.pattern, _ENDS.longest, within=_MAX_LOST)
    return closer is not None and not is_description(src.text[pos : closer[0]])


def token_call(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """One call of DeepSeek's, Kimi's or Step's form."""
    end = yield from word(src, mark.end, _LABEL, _MAX_LABEL)
    if end is None:
        return None
    label = src.text[mark.end : end].strip()
    if end == len(src.text):
        return (yield from _cut_label(ctx, label, end))
    token = yield from mark_at(src, end)
    if token is None:
        return None
    if label in ("", "function") and token.head == _STEP_INVOKE:
        return (yield from _step(ctx, src, token.start))
    if not label:
        return None
    if token.head in (_KIMI, _END):
        dialect = ctx.pick("kimi_k2")
        start = token.end if token.head == _KIMI else end
        head = None if dialect is None else Head(dialect, kimi_name(ctx, label), label)
        return None if head is None else (yield from json_arguments(src, start, head, _ENDS))
    if token.head != _SEP:
        return None
    return (yield from _deepseek(ctx, src, token.end, label))


def _cut_label(ctx: Context, label: str, end: int) -> Steps[int | None]:
    dialect = ctx.pick(*_DIALECTS)
    if dialect is None or not label:
        return None
    yield found(dialect, kimi_name(ctx, label), "", cut=True)
    return end


def _deepseek(ctx: Context, src: Source, pos: int, label: str) -> Steps[int | None]:
    if (yield from expect(src, pos, (f"<{_STEP}invoke",))):
        return (yield from _step(ctx, src, pos))
    typed = label == "function"
    dialect = ctx.pick("deepseek_v3" if typed else "deepseek_v31", "deepseek_v3", "deepseek_v31", "step3")
    if dialect is None:
        return None
    name = label
    if typed:
        pos = yield from skip_space(src, pos)
        end = yield from word(src, pos, NAME, MAX_NAME)
        if end is None or end == pos:
            return None
        name, pos = src.text[pos:end], end
    return (yield from json_arguments(src, pos, Head(dialect, name), _ENDS))


def _step(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """Step-3's call, which stands in DeepSeek's tokens."""
    dialect = ctx.pick("step3")
    tags = None if dialect is None else Tags(_STEP, dialect, strong=True)
    end = None if tags is None else (yield from invoke_at(ctx, src, pos, tags))
    return None if end is None else (yield from _past_end(src, end))


def _past_end(src: Source, pos: int) -> Steps[int]:
    ahead = yield from skip_space(src, pos)
    closer = yield from expect(src, ahead, spellings(_END))
    return ahead + len(closer) if closer else pos


def kimi_name(ctx: Context, label: str) -> str:
    """The tool that an id of Kimi's names; the id's canonical part, or the id, if none is certain."""
    if not (label.startswith(_KIMI_PREFIXES) or _COUNTER.search(label)):
        return label
    canonical = _CANONICAL.fullmatch(label)
    if canonical and ctx.declared(canonical.group("name")):
        return canonical.group("name")
    stems = {label, *(label.removeprefix(prefix) for prefix in _KIMI_PREFIXES)}
    names = {*stems, *(_COUNTER.sub("", stem) for stem in stems)}
    fitting = sorted(name for name in names if ctx.declared(name))
    if len(fitting) == 1:
        return fitting[0]
    return canonical.group("name") if canonical else label


def may_become_label(ctx: Context, text: str) -> bool:
    """Whether this may be the beginning of an id of Kimi's that names a declared tool, or of the name alone."""
    if any(prefix.startswith(text) for prefix in _KIMI_PREFIXES):
        return True
    return any(ctx.may_begin(text.removeprefix(prefix)) for prefix in ("", *_KIMI_PREFIXES))


def solar(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """An id, a name and arguments, each behind its token."""
    dialect = ctx.pick("solar_open")
    end = yield from word(src, mark.end, _LABEL, _MAX_LABEL)
    if dialect is None or end is None or not (yield from expect(src, end, ("<|tool_call:name|>",))):
        return None
    id_ = src.text[mark.end : end].strip()
    start = end + len("<|tool_call:name|>")
    end = yield from word(src, start, _LABEL, MAX_NAME)
    name = "" if end is None else src.text[start:end].strip()
    if end is None or not (ctx.declared(name) or is_name(name)):
        return None
    token = yield from expect(src, end, ("<|tool_call:args|>", "<|tool_call:end|>"))
    if token is None:
        return None
    pos = end + len(token) if token == "<|tool_call:args|>" else end  # noqa: S105  # a marker
    return (yield from json_arguments(src, pos, Head(dialect, name, id_ or None), _SOLAR_ENDS))


_SOLAR_ENDS = Ends(("<|tool_call:end|>",), ("<|tool_call:begin|>",))

_PLAMO = "<|plamo:{}:plamo|>"
_PLAMO_LEADS = tuple(_PLAMO.format(name) for name in ("begin_tool_requests", "begin_tool_request", "begin_tool_name"))
_PLAMO_NAME_END = _PLAMO.format("end_tool_name")
_PLAMO_BEFORE_OBJECT = (_PLAMO.format("begin_tool_arguments"), "<|plamo:constrain|>", "json", "<|plamo:msg|>")
_PLAMO_ENDS = Ends((_PLAMO.format("end_tool_arguments"),), (_PLAMO.format("end_tool_request"),))


def plamo(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A request: its name and its arguments in tokens of their own."""
    dialect = ctx.pick("plamo3")
    pos = mark.start
    for lead in _PLAMO_LEADS:
        if (yield from expect(src, pos, (lead,))):
            pos = yield from skip_space(src, pos + len(lead))
    end = yield from word(src, pos, _LABEL, MAX_NAME)
    if dialect is None or end is None or not (yield from expect(src, end, (_PLAMO_NAME_END,))):
        return None
    name = src.text[pos:end].strip()
    pos = yield from skip_space(src, end + len(_PLAMO_NAME_END))
    for token in _PLAMO_BEFORE_OBJECT:
        if (yield from expect(src, pos, (token,))):
            pos += len(token)
    if not (ctx.declared(name) or is_name(name)):
        return None
    return (yield from json_arguments(src, pos, Head(dialect, name), _PLAMO_ENDS))


_MISTRAL_ENDS = Ends((), ("[TOOL_CALLS]",))
_MISTRAL_NAME = re.compile(r"[\w.:/$-]*+")
_ID = re.compile(r"[\w-]*+")


def mistral(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`[TOOL_CALLS]name[ARGS]{…}`, with an id or without, with `[ARGS]` or without."""
    dialect = ctx.pick("mistral_v11")
    pos = yield from skip_space(src, mark.end)
    end = yield from word(src, pos, _MISTRAL_NAME, MAX_NAME)
    name = "" if end is None else src.text[pos:end]
    if dialect is None or end is None or not (ctx.declared(name) or is_name(name)):
        return None
    id_ = None
    token = yield from expect(src, end, ("[CALL_ID]", "[ARGS]", "{"))
    if token == "[CALL_ID]":  # noqa: S105  # a marker
        start = end + len(token)
        end = yield from word(src, start, _ID, MAX_NAME)
        if end is None:
            return None
        id_ = src.text[start:end]
        token = yield from expect(src, end, ("[ARGS]", "{"))
    if token is None:
        return None
    start = end + len(token) if token == "[ARGS]" else end  # noqa: S105  # a marker
    return (yield from json_arguments(src, start, Head(dialect, name, id_), _MISTRAL_ENDS))


_GLM_ENDS = Ends((), ("<![",))


def glm_flash(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<![name>{…}`; a label may stand before the name."""
    dialect = ctx.pick("glm53_flash")
    name = mark.head[len("<![") : -1]
    if not ctx.declared(name):
        name = name.rpartition("/")[2]
    if dialect is None or not mark.head.endswith(">") or not (ctx.declared(name) or is_name(name)):
        return None
    pos = yield from skip_space(src, mark.end)
    if (yield from peek(src, pos)) != "{":
        return None
    return (yield from json_arguments(src, pos, Head(dialect, name), _GLM_ENDS))


_FUNCTIONARY_ENDS = Ends((), (">>>",))


def functionary(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """A recipient's line and what it is sent: an object for a declared tool, text for `all`."""
    dialect = ctx.pick("functionary_v32")
    if dialect is None:
        return None
    if (everybody := (yield from expect(src, pos, ("all\n", "all\r\n")))) is not None:
        return pos + len(everybody)
    end = yield from word(src, pos, NAME, MAX_NAME)
    name = "" if end is None else src.text[pos:end]
    if end is None or not ctx.declared(name) or not (yield from expect(src, end, ("\n", "\r\n"))):
        return None
    start = yield from skip_space(src, end)
    if (yield from peek(src, start)) != "{":
        return None
    return (yield from json_arguments(src, start, Head(dialect, name), _FUNCTIONARY_ENDS))


def lost_opener(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """`name{…}` of a declared tool, its opening marker lost: the whole text, or closed by `</function>`."""
    end = yield from word(src, pos, NAME, MAX_NAME)
    label = "" if end is None else src.text[pos:end]
    name = label if ctx.declared(label) else kimi_name(ctx, label)
    dialect = ctx.pick("mistral_v11" if name == label else "kimi_k2", "mistral_v11", "kimi_k2", "function_tag_json")
    if dialect is None or end is None or not ctx.declared(name):
        return None
    if (yield from peek(src, end)) != "{":
        return None
    return (yield from json_arguments(src, end, Head(dialect, name), _LOST_ENDS))


_LOST_ENDS = Ends(("</function>",))
