"""Answers that come in wrappers of their own: Command A's response, Inkling's messages, GigaChat's call message."""

from __future__ import annotations

from collections.abc import Mapping

from argwright.dialects.context import MAX_NAME, NAME, Context, Mark
from argwright.dialects.events import ReasoningText, TextSafe
from argwright.dialects.json_tags import Form, Reader, block
from argwright.dialects.source import Source, Steps, expect, skip_space, word
from argwright.dialects.streams import passage

_END = "<|end_message|>"
_INKLING: Mapping[str, type[TextSafe | ReasoningText]] = {
    "<|content_text|>": TextSafe,
    "<|content_thinking|>": ReasoningText,
    "<|content_reasoning|>": ReasoningText,
}
CONTENTS = tuple(_INKLING)
"""What opens Inkling's text and reasoning."""

_INKLING_CALL = "<|content_invoke_tool_json|>"
_INKLING_FORM = Form(_INKLING_CALL, ("inkling",), (_END,))
_GIGACHAT = "function call<|role_sep|>"
_GIGACHAT_FORM = Form(_GIGACHAT, ("gigachat3",), ("<|message_sep|>",))


def command_response(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<|START_RESPONSE|>` text `<|END_RESPONSE|>`."""
    if ctx.pick("command_a") is None:
        return None
    return (yield from passage(src, mark.end, "<|END_RESPONSE|>", TextSafe))


def inkling(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """One message: its content is text, reasoning, or a call."""
    dialect = ctx.pick("inkling")
    if dialect is None:
        return None
    pos = mark.start
    if (yield from expect(src, pos, ("<|message_model|>",))):
        author = yield from word(src, pos + len("<|message_model|>"), NAME, MAX_NAME)
        pos = pos if author is None else author
    kind = yield from expect(src, pos, (*_INKLING, _INKLING_CALL))
    if kind is None:
        return None
    pos += len(kind)
    if kind in _INKLING:
        return (yield from passage(src, pos, _END, _INKLING[kind]))
    return (yield from block(ctx, src, pos, Reader(_INKLING_FORM, dialect)))


def gigachat(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """A message that is a call, behind the separator of messages."""
    pos = yield from skip_space(src, mark.end)
    return (yield from gigachat_call(ctx, src, pos))


def gigachat_call(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """`function call<|role_sep|>` and an object."""
    dialect = ctx.pick("gigachat3")
    if dialect is None or not (yield from expect(src, pos, (_GIGACHAT,))):
        return None
    return (yield from block(ctx, src, pos + len(_GIGACHAT), Reader(_GIGACHAT_FORM, dialect)))
