"""Parameters in tags that are named after them: Claude's oldest form, and MiniMax M3.

M3 puts a sentinel before every tag, so that tags inside values are no tags, and nests:
objects as tags, arrays as `<item>`. Claude's form is plain XML one level deep.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from argwright.dialects.context import Context, Mark, found, is_name
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_space
from argwright.dialects.tag_values import attributes, opening_tag
from argwright.dialects.typing import member_shape, object_text, typed
from argwright.model import Json
from argwright.shape import Shape

SENTINEL = "]<]minimax[>["

_NAME = re.compile(r"<tool_name>\s*([^<>\n]{1,128}?)\s*</tool_name>")
_PARAMETER = re.compile(r"\s*<([\w.:-]+)>")
_TAG = re.compile(r"<(/?)([^\s<>/]+)([^<>]*)>")
_OUTER = f"{SENTINEL}</tool_call>"
_CLOSER = re.compile(re.escape(SENTINEL) + r"</[^<>]{1,64}>")
_LONGEST_CLOSER = len(SENTINEL) + 67
_MAX_HEAD = 200  # a tool's name and its tags
_MAX_DEPTH = 64  # tags in tags; deeper ones are no arguments


def legacy(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<invoke><tool_name>…</tool_name><parameters>…</parameters></invoke>`, with its wrapper or without."""
    dialect = ctx.pick("claude2_xml")
    if dialect is None:
        return None
    pos = mark.end
    end: int | None = None
    if mark.head != "<invoke>":
        pos = yield from skip_space(src, pos)
        if not (yield from expect(src, pos, ("<invoke>",))):
            return None
        pos += len("<invoke>")
    while True:
        next_end = yield from _legacy_call(ctx, src, pos, dialect)
        if next_end is None:
            return end
        end = next_end
        pos = yield from skip_space(src, end)
        if not (yield from expect(src, pos, ("<invoke>",))):
            return end
        pos += len("<invoke>")


def _legacy_call(ctx: Context, src: Source, pos: int, dialect: str) -> Steps[int | None]:
    pos = yield from skip_space(src, pos)
    if not (yield from expect(src, pos, ("<tool_name>",))):
        return None
    close = yield from find(src, pos, re.compile("</tool_name>"), len("</tool_name>"), within=_MAX_HEAD)
    head = _NAME.fullmatch(src.text[pos : close[1]]) if close else None
    name = head.group(1) if head else ""
    if close is None or not (ctx.declared(name) or is_name(name)):
        return None
    pos = yield from skip_space(src, close[1])
    if (yield from expect(src, pos, ("</invoke>",))):
        yield found(dialect, name, "{}")
        return pos + len("</invoke>")
    if not (yield from expect(src, pos, ("<parameters>",))):
        return None
    start = pos + len("<parameters>")
    stop = yield from _before(src, start, "</parameters>", "</invoke>")
    given = None if stop is None else _legacy_parameters(src.text[start : stop[0]], ctx.shape(name).properties)
    if stop is None or given is None:
        end = len(src.text) if stop is None else stop[1]
        yield found(dialect, name, src.text[start:end].rstrip(SPACE), cut=True)
        return end
    shape = ctx.shape(name)
    yield found(dialect, name, object_text((key, typed(text, member_shape(shape, key))) for key, text in given))
    return stop[1]


def _before(src: Source, pos: int, closer: str, outer: str) -> Steps[tuple[int, int] | None]:
    """Where this closing tag stands with the outer one right behind it: its start, and the end of both."""
    pattern = re.compile(re.escape(closer))
    while mark := (yield from find(src, pos, pattern, len(closer))):
        ahead = yield from skip_space(src, mark[1])
        if (yield from expect(src, ahead, (outer,))):
            return mark[0], ahead + len(outer)
        pos = mark[1]
    return None


def _legacy_parameters(body: str, declared: Collection[str]) -> list[tuple[str, str]] | None:
    """The parameters; `None` if something else stands between them, or one inside another."""
    given: list[tuple[str, str]] = []
    pos = 0
    while opened := _PARAMETER.match(body, pos):
        closer = f"</{opened.group(1)}>"
        end = body.find(closer, opened.end())
        if end < 0:
            return None
        value = body[opened.end() : end]
        if f"<{opened.group(1)}>" in value or any(f"<{name}>" in value for name in declared):
            return None
        given.append((opened.group(1), value))
        pos = end + len(closer)
    return given if not body[pos:].strip() else None


def minimax_m3(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A wrapper and its calls, or calls without a wrapper, every tag behind the sentinel."""
    dialect = ctx.pick("minimax_m3")
    if dialect is None:
        return None
    pos = mark.start
    wrapper = f"{SENTINEL}<tool_call>"
    if (yield from expect(src, pos, (wrapper,))):
        pos = yield from skip_space(src, pos + len(wrapper))
    end: int | None = None
    while (yield from expect(src, pos, (f"{SENTINEL}<invoke",))):
        next_end = yield from _m3_call(ctx, src, pos, dialect)
        if next_end is None:
            return end
        end = next_end
        pos = yield from skip_space(src, end)
    closer = f"{SENTINEL}</tool_call>"
    return pos + len(closer) if end is not None and (yield from expect(src, pos, (closer,))) else end


def _m3_call(ctx: Context, src: Source, pos: int, dialect: str) -> Steps[int | None]:
    tag = yield from opening_tag(src, pos + len(SENTINEL), ("<invoke",))
    name = attributes(tag[0]).get("name", "").strip() if tag else ""
    if tag is None or not (ctx.declared(name) or is_name(name)):
        return None
    closer = f"{SENTINEL}</invoke>"
    mark = yield from find(src, tag[1], re.compile(re.escape(closer)), len(closer))
    start = tag[1]
    pieces = None if mark is None else src.text[start : mark[0]].split(SENTINEL)
    members = None if pieces is None else _tree(pieces, ctx.shape(name))
    if mark is None or members is None or (yield from _runs_on(src, mark[1])):
        end = len(src.text) if mark is None else mark[1]
        yield found(dialect, name, src.text[start:end].rstrip(SPACE), cut=True)
        return end
    yield found(dialect, name, object_text(members))
    return mark[1]


def _runs_on(src: Source, pos: int) -> Steps[bool]:
    """Whether text hangs on a call's closing tag that a parameter's closing tag ends: it belonged to the call."""
    sign = yield from peek(src, pos)
    if not sign or sign.isspace() or sign in "<[]":
        return False
    tag = yield from find(src, pos, _CLOSER, _LONGEST_CLOSER, within=_MAX_HEAD)
    return tag is not None and src.text[slice(*tag)] != _OUTER


@dataclass
class _Node:
    """An open tag: its name, the text in it, the tags in it."""

    name: str
    shape: Shape
    text: str = ""
    children: list[tuple[str, Json]] = field(default_factory=list)

    def value(self) -> Json:
        """What the tag stands for, typed by the schema."""
        if not self.children:
            return typed(self.text, self.shape)
        names = {name for name, _ in self.children}
        if names == {"item"} and "item" not in self.shape.properties:
            return [value for _, value in self.children]
        return dict(self.children) if len(names) == len(self.children) else None

    def child(self, name: str) -> Shape:
        """The shape of a tag of this name inside."""
        if name == "item" and "item" not in self.shape.properties:
            return self.shape.item
        return member_shape(self.shape, name)


def _tree(pieces: Sequence[str], shape: Shape) -> list[tuple[str, Json]] | None:
    """The parameters in the text between sentinels; `None` if tags do not match."""
    root = _Node("", shape)
    stack = [root]
    lost = pieces[0]  # the first parameter's value, where its opening tag was left out
    for piece in pieces[1:]:
        tag = _TAG.match(piece)
        if tag is None:
            return None
        closing, name, text = tag.group(1), tag.group(2), piece[tag.end() :]
        if not closing:
            if len(stack) > _MAX_DEPTH:
                return None
            stack.append(_Node(name, stack[-1].child(name), text))
        elif len(stack) > 1 and stack[-1].name == name and not text.strip():
            node = stack.pop()
            if node.children and node.text.strip():
                return None
            value = node.value()
            if value is None and node.children:
                return None
            stack[-1].children.append((name, value))
        elif lost.strip() and len(stack) == 1 and not root.children and name in shape.properties:
            root.children.append((name, typed(lost, shape.member(name))))
            lost = ""
        else:
            return None
    return root.children if len(stack) == 1 and not lost.strip() else None
