"""Kimi K3: tags between special tokens, `<|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>`.

The wire names each value's type. The same tokens wrap the answer and the reasoning.
"""

from __future__ import annotations

import re

from argwright.dialects.context import MAX_NAME, Context, Mark, found
from argwright.dialects.events import ReasoningText, TextSafe
from argwright.dialects.invoke import Call, report
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_space
from argwright.dialects.streams import passage, until
from argwright.dialects.tag_values import Opener, TagForm, parameters

_OPEN, _CLOSE, _SEP = "<|open|>", "<|close|>", "<|sep|>"
_MAX_HEAD = 400
_ATTRIBUTE = re.compile(r'([\w:.-]+)\s*=\s*"([^"]*)"')
_TAG_END = re.compile(re.escape(_SEP))


def _tag(src: Source, pos: int) -> Steps[tuple[str, dict[str, str], int] | None]:
    """The name and the attributes of the tag at `pos`, and the position behind it."""
    if not src.text.startswith(_OPEN, pos):
        return None
    end = yield from find(src, pos, _TAG_END, len(_SEP), within=_MAX_HEAD)
    if end is None:
        return None
    name, _, rest = src.text[pos + len(_OPEN) : end[0]].strip().partition(" ")
    return name, {key: _unescaped(value) for key, value in _ATTRIBUTE.findall(rest)}, end[1]


def _unescaped(value: str) -> str:
    """An attribute's text; this dialect escapes the quote, and what that needs."""
    for entity, sign in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        value = value.replace(entity, sign)
    return value


def _closers(name: str) -> tuple[str, ...]:
    """A closing tag, and how it looks where a tokenizer put blanks around the name."""
    return tuple(f"{_CLOSE}{blank}{name}{blank}{_SEP}" for blank in ("", " "))


OPEN, CLOSE = _OPEN, _CLOSE
THOUGHT_ENDS = _closers("think")
_CALLS = tuple(f"{_OPEN}{blank}tools{blank}{_SEP}" for blank in ("", " "))
_PARTS = ("response", "message", "think", "tools", "call", "argument")
_LOST_CLOSERS = tuple(closer for part in _PARTS for closer in _closers(part))


def closing(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A closing tag whose opening tag stood in the prompt: markup, of which nothing is shown."""
    closer = yield from expect(src, mark.start, _LOST_CLOSERS)
    return mark.start + len(closer) if closer and ctx.pick("kimi_k3") else None


def thought(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """Behind the tag that opens reasoning, if this is one."""
    tag = (yield from _tag(src, mark.start)) if ctx.pick("kimi_k3") else None
    return tag[2] if tag and tag[0] == "think" else None


def _argument(src: Source, pos: int) -> Steps[Opener | None]:
    yield from _ahead(src, pos)
    tag = yield from _tag(src, pos)
    if tag is None or tag[0] != "argument" or not tag[1].get("key"):
        return None
    kind = tag[1].get("type")
    return Opener(tag[1]["key"], tag[2], None if kind is None else "string" if kind == "string" else "json")


def _ahead(src: Source, pos: int) -> Steps[None]:
    """Wait until a token could stand at `pos`."""
    yield from peek(src, pos + len(_OPEN) - 1)


_FORM = TagForm(
    opener=_argument,
    heads=(f"{_OPEN}argument", f"{_OPEN} argument"),
    closers=_closers("argument"),
    ends=_closers("call"),
    nexts=(f"{_OPEN}call", f"{_OPEN} call"),
    pieces=(_OPEN, _CLOSE, _SEP),
)


def _cut(src: Source, pos: int, dialect: str) -> Steps[int | None]:
    """A tag that the end of the text cuts: markup, and perhaps a call's."""
    if not src.ended or len(src.text) - pos > _MAX_HEAD:
        return None
    if re.match(r"\s*(?:tools|call)", src.text[pos + len(_OPEN) :]):
        yield found(dialect, None, src.text[pos:], cut=True)
    return len(src.text)


def kimi_k3(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A tag of the answer, of the reasoning, around calls, or of one call."""
    dialect = ctx.pick("kimi_k3")
    tag = yield from _tag(src, mark.start)
    if dialect is None or tag is None:
        return None if dialect is None else (yield from _cut(src, mark.start, dialect))
    name, given, pos = tag
    if name in ("response", "message"):
        end, closer = yield from until(src, pos, (*_closers(name), *_CALLS), TextSafe)
        return end if closer in _CALLS else end + len(closer)
    if name == "think":
        return (yield from passage(src, pos, _closers(name), ReasoningText))
    if name == "tools":
        inner = yield from skip_space(src, pos)
        yield from _ahead(src, inner)
        tag = yield from _tag(src, inner)
        if tag is None:
            return (yield from _cut(src, mark.start, dialect))
        name, given, pos = tag
    tool = given.get("tool", "")
    if name != "call" or not 0 < len(tool) <= MAX_NAME:
        return None
    read = yield from parameters(ctx, src, pos, tool=tool, form=_FORM)
    return (yield from report(ctx, src, pos, call=Call(dialect, tool), read=read))
