"""`<invoke name="tool"><parameter name="key">value</parameter></invoke>` under any prefix and in any wrapper.

The grammar of Claude's leaked prompt format, MiniMax M2, dots, Muse, Step-3 and, with
`｜DSML｜` before each tag and a type on each parameter, of DeepSeek V3.2 to V4.1. The
prefix of the opening tag is the prefix of all: a value about plain tags does not end at
one. A bare `<invoke>` without prefix or wrapper may be anybody's XML: the tool must be
declared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from argwright.dialects.brackets import Notation, body_end
from argwright.dialects.context import Context, Mark, found, is_name, undoubled
from argwright.dialects.marks import mark_at
from argwright.dialects.objects import State
from argwright.dialects.source import Source, Steps, expect, peek, skip_space
from argwright.dialects.tag_values import (
    Given,
    Opener,
    Parameters,
    TagForm,
    arguments_text,
    attributes,
    opening_tag,
    parameters,
)

DIALECTS = (
    "claude_xml", "minimax_m2", "dots", "muse_atem", "step3",
    "deepseek_v32", "deepseek_v4", "deepseek_v41", "gigachat35",
)  # fmt: skip

_PREFIX = re.compile(r"<(?P<prefix>[|｜‖]{1,2}(?:DSML|GCML)[|｜‖]{1,2}\s?|[A-Za-z][\w.-]{0,24}:)?(?P<tag>[\w.-]*)")
_BY_WRAPPER = {
    "minimax:tool_call": "minimax_m2",
    "dots_function_call": "dots",
    "atem:function_calls": "muse_atem",
    "atem:invoke": "muse_atem",
    "steptml:invoke": "step3",
}
_HOLDERS = ("arguments", "input", "parameters")  # one parameter that holds all of them
_STRING = {"true": "string", "false": "json"}


@dataclass(frozen=True)
class Tags:
    """The prefix of a call's tags, and its dialect."""

    prefix: str
    dialect: str
    strong: bool


@lru_cache(maxsize=64)
def _form(prefix: str) -> TagForm:
    spelled = _prefixes(prefix)
    return TagForm(
        opener=lambda src, pos: _parameter(src, pos, prefix),
        heads=_heads(prefix),
        closers=tuple(f"</{p}parameter>" for p in spelled),
        ends=tuple(f"</{p}invoke>" for p in spelled),
        nexts=tuple(f"<{p}invoke" for p in spelled),
        pieces=spelled if len(spelled) > 1 else (),
    )


@lru_cache(maxsize=64)
def _heads(prefix: str) -> tuple[str, ...]:
    return tuple(f"<{spelled}parameter" for spelled in _prefixes(prefix))


def _prefixes(prefix: str) -> tuple[str, ...]:
    """The prefix, and of a special token's also the other bars that models write for it."""
    word = re.search("DSML|GCML", prefix)
    if word is None:
        return (prefix,)
    return tuple(
        dict.fromkeys(
            (prefix, *(f"{b}{word.group()}{b}{s}" for b in ("｜", "|", "｜｜", "||", "‖") for s in ("", " ")))
        )
    )


def _parameter(src: Source, pos: int, prefix: str) -> Steps[Opener | None]:
    tag = yield from opening_tag(src, pos, _heads(prefix))
    if tag is None:
        return None
    given = attributes(tag[0])
    name = given.get("name", "").strip()
    return Opener(name, tag[1], _STRING.get(given.get("string", "").lower())) if name else None


def invoke(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """One call without a wrapper."""
    tags = _tags(ctx, src, mark, None)
    return None if tags is None else (yield from invoke_at(ctx, src, mark.start, tags))


def wrapped(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A wrapper and the calls in it."""
    behind = mark.end if src.text[mark.end - 1] == ">" else (yield from _past(src, mark.end))
    pos = yield from skip_space(src, behind)
    outer = _PREFIX.match(src.text, mark.start)
    wrapper = "" if outer is None else outer.group()[1:]
    end: int | None = None
    while (yield from peek(src, pos)) == "<":
        inner = yield from mark_at(src, pos)
        tags = _tags(ctx, src, inner, wrapper) if inner and (yield from _is_invoke(src, inner)) else None
        if tags is None:
            break
        next_end = yield from invoke_at(ctx, src, pos, tags)
        if next_end is None:
            break
        end = next_end
        pos = yield from skip_space(src, end)
    return end


def _past(src: Source, pos: int) -> Steps[int]:
    """Past the wrapper's own `>`."""
    tag = yield from opening_tag(src, pos, ("",))
    return pos if tag is None else tag[1]


def _is_invoke(src: Source, mark: Mark) -> Steps[bool]:
    """Whether the tag is an `invoke` under whatever prefix."""
    yield from _past(src, mark.end)
    tag = _PREFIX.match(src.text, mark.start)
    return tag is not None and tag.group("tag") == "invoke"


def _tags(ctx: Context, src: Source, mark: Mark, wrapper: str | None) -> Tags | None:
    tag = _PREFIX.match(src.text, mark.start)
    if tag is None:
        return None
    prefix = tag.group("prefix") or ""
    dialect = ctx.pick(likeliest(prefix, wrapper), *DIALECTS)
    return None if dialect is None else Tags(prefix, dialect, bool(prefix) or wrapper is not None)


def likeliest(prefix: str, wrapper: str | None) -> str:
    """The dialect that writes this prefix before its tags, in this wrapper."""
    if "GCML" in prefix:
        return "gigachat35"
    if "DSML" in prefix:
        if prefix[-1].isspace():
            return "deepseek_v41"
        return "deepseek_v32" if wrapper and wrapper.endswith("function_calls") else "deepseek_v4"
    return _BY_WRAPPER.get(wrapper or "", _BY_WRAPPER.get(prefix + "invoke", "claude_xml"))


def invoke_at(ctx: Context, src: Source, pos: int, tags: Tags) -> Steps[int | None]:
    """The call whose `invoke` tag begins at `pos`."""
    head = f"<{tags.prefix}invoke"
    tag = yield from opening_tag(src, pos, (head,))
    if tag is None:
        return None
    name = undoubled(ctx, attributes(tag[0]).get("name", "").strip())
    if not (ctx.declared(name) or (tags.strong and is_name(name))):
        return None
    if tag[0].rstrip().endswith("/"):
        yield found(tags.dialect, name, "{}")
        return tag[1]
    start = yield from skip_space(src, tag[1])
    form = _form(tags.prefix)
    if (yield from peek(src, start)) == "{":
        return (yield from _json_body(src, start, name, tags=tags, form=form))
    read = yield from parameters(ctx, src, start, tool=name, form=form)
    return (yield from report(ctx, src, start, call=Call(tags.dialect, name), read=read))


@dataclass(frozen=True)
class Call:
    """A call being reported."""

    dialect: str
    name: str


def report(ctx: Context, src: Source, start: int, *, call: Call, read: Parameters) -> Steps[int]:
    """Report the call with these parameters, or the text from `start` on if they are not whole."""
    if read.state is State.CLOSED:
        yield found(
            call.dialect,
            call.name,
            _all_in_one(ctx, call.name, read.given) or arguments_text(ctx, call.name, read.given),
        )
    else:
        yield found(call.dialect, call.name, src.text[start : read.end], cut=True)
    return read.end


def _all_in_one(ctx: Context, tool: str, given: tuple[Given, ...]) -> str | None:
    """The arguments' text, if one undeclared parameter holds them all."""
    if len(given) != 1 or given[0].name not in _HOLDERS or given[0].name in ctx.shape(tool).properties:
        return None
    text = given[0].text.strip()
    return text if text.startswith("{") and text.endswith("}") else None


def _json_body(src: Source, pos: int, name: str, *, tags: Tags, form: TagForm) -> Steps[int]:
    """An object in the place of the parameters."""
    end, complete = yield from body_end(src, pos, Notation(stops=(*form.ends, *form.nexts)))
    ahead = yield from skip_space(src, end)
    closer = yield from expect(src, ahead, form.ends)
    tail = closer or "" if not complete else ""
    whole = bool(closer) or (complete and not (yield from peek(src, ahead)))
    yield found(tags.dialect, name, src.text[pos:end] + tail, cut=not whole)
    return ahead + len(closer) if closer else end
