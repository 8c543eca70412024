"""`<function=name>` with parameters in tags, or with JSON: Qwen3-Coder and kin, Functionary 3.1; `<function name=`.

What stands behind the tag decides: `{` is JSON, `<parameter=` are tags. Qwen3-Coder puts
a line break at each end of a value, which is not part of it; MiMo writes values as they
are. The tags are the same, so a call in which some value has no line breaks around it is
MiMo's. Closing tags are left out at times, and read as `tag_values` says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from argwright.dialects.context import MAX_NAME, Context, Mark, found, is_name
from argwright.dialects.invoke import Call, report
from argwright.dialects.named_json import Ends, Head, json_arguments
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_space, word
from argwright.dialects.tag_values import Given, Opener, TagForm, attributes, opening_tag, parameters, trimmed

_NAME = re.compile(r"[^\s<>{}()\"'=]*+")
_HEADS = ("<parameter=", "<parameter name=")
_ENDS = ("</function>", "</tool_call>", "</seed:tool_call>")
_NEXTS = ("<tool_call>", "<function=", "<seed:tool_call>")
_NEAR = 32  # how far before a call its wrapper may stand
_WRAPPED = {"<tool_call>": "qwen3_coder", "<seed:tool_call>": "seed_oss"}
_JSON_ENDS = Ends(("</function>",), ("<function=",))


def _parameter(src: Source, pos: int) -> Steps[Opener | None]:
    tag = yield from opening_tag(src, pos, _HEADS)
    name = tag[0].strip(SPACE + "\"'") if tag else ""
    return Opener(name, tag[1]) if tag and name and not re.search(r"[\s=]", name) else None


_QWEN = TagForm(opener=_parameter, heads=_HEADS, closers=("</parameter>",), ends=_ENDS, nexts=_NEXTS, lenient=True)


def function_tag(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A call from `<function=` on."""
    end = yield from word(src, mark.end, _NAME, MAX_NAME)
    name = "" if end is None else src.text[mark.end : end].strip("\"'")
    if end is None or not (ctx.declared(name) or is_name(name)):
        return None
    end = yield from skip_space(src, end)
    if (yield from expect(src, end, (">",))):
        end = yield from skip_space(src, end + 1)
    sign = yield from expect(src, end, ("{", *_HEADS, *_ENDS))
    if sign == "{":
        dialect = ctx.pick("function_tag_json")
        return None if dialect is None else (yield from json_arguments(src, end, Head(dialect, name), _JSON_ENDS))
    cut = not sign and not (yield from peek(src, end)) and ctx.declared(name)
    if not (sign or cut) or src.text[end - 1] not in ">" + SPACE:
        return None
    return (yield from _tagged(ctx, src, mark, name, start=end))


def _tagged(ctx: Context, src: Source, mark: Mark, name: str, *, start: int) -> Steps[int | None]:
    before = src.text[max(0, mark.start - _NEAR) : mark.start].rstrip()
    wrapper = next((dialect for tag, dialect in _WRAPPED.items() if before.endswith(tag)), "qwen3_coder")
    if ctx.pick(wrapper, "qwen3_coder", "mimo", "seed_oss") is None:
        return None
    read = yield from parameters(ctx, src, start, tool=name, form=_QWEN)
    likeliest = "mimo" if wrapper == "qwen3_coder" and _is_verbatim(read.given) else wrapper
    dialect = ctx.pick(likeliest, wrapper, "qwen3_coder", "mimo", "seed_oss") or wrapper
    if dialect == "mimo":
        given = tuple(replace(item, text=item.text.removesuffix("\n")) if item.open else item for item in read.given)
    else:
        given = tuple(replace(item, text=trimmed(item.text)) for item in read.given)
    read = replace(read, given=given)
    return (yield from report(ctx, src, start, call=Call(dialect, name), read=read))


def _is_verbatim(given: Sequence[Given]) -> bool:
    """Whether some value stands without line breaks around it."""
    return any(not item.text.startswith(("\n", "\r\n")) and not item.text.endswith("\n") for item in given)


def _param(src: Source, pos: int) -> Steps[Opener | None]:
    tag = yield from opening_tag(src, pos, ("<param",))
    name = attributes(tag[0]).get("name", "").strip() if tag else ""
    return Opener(name, tag[1]) if tag and name else None


_MINICPM = TagForm(
    opener=_param,
    heads=("<param",),
    closers=("</param>",),
    ends=("</function>",),
    nexts=("<function name=",),
    cdata=True,
)


def function_name(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<function name="tool"><param name="key">…</param></function>` of a declared tool, the blanks lost perhaps."""
    dialect = ctx.pick("minicpm5")
    tag = yield from opening_tag(src, mark.start, ("<function",))
    name = attributes(tag[0]).get("name", "").strip() if tag else ""
    if dialect is None or tag is None or not ctx.declared(name):
        return None
    if tag[0].rstrip().endswith("/"):
        yield found(dialect, name, "{}")
        return tag[1]
    read = yield from parameters(ctx, src, tag[1], tool=name, form=_MINICPM)
    return (yield from report(ctx, src, tag[1], call=Call(dialect, name), read=read))


_ORPHAN_END = re.compile(r"</parameter>|\n\n")
_MAX_ORPHAN = 1000


def orphan(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """Parameters of no call, the first one on a line of its own: a leak of which nothing can be run."""
    dialect = ctx.pick("qwen3_coder", "mimo", "seed_oss")
    line = src.text[max(0, mark.start - _NEAR) : mark.start].rpartition("\n")[2]
    if dialect is None or line.strip():
        return None
    end: int | None = None
    pos = mark.end
    while closer := (yield from find(src, pos, _ORPHAN_END, len("</parameter>"), within=_MAX_ORPHAN)):
        if src.text[slice(*closer)] == "\n\n":
            break
        end = closer[1]
        ahead = yield from skip_space(src, end)
        if not (yield from expect(src, ahead, _HEADS[:1])):
            break
        pos = ahead + len(_HEADS[0])
    if end is not None:
        yield found(dialect, None, src.text[mark.start : end], cut=True)
    return end
