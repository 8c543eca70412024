"""Calls that can only be told by standing at the very beginning of a reply.

Bare JSON and call lists, and what is left of a notation when the server dropped its
special tokens. Each needs a declared name, and most that nothing else is in the text.
"""

from __future__ import annotations

from dataclasses import replace

from argwright.dialects.call_syntax import NAME_RUN, gemma_bare
from argwright.dialects.context import MAX_NAME, NAME, Context
from argwright.dialects.events import CallFound, Event
from argwright.dialects.harmony import message_at, stripped
from argwright.dialects.messages import gigachat_call
from argwright.dialects.prose import bare_json, collect, ends_text, pythonic
from argwright.dialects.source import Source, Steps, expect, peek, skip_blanks, skip_space, word
from argwright.dialects.token_calls import functionary, kimi_name, lost_opener, may_become_label

_HEADERS = ("commentary", "assistantcommentary", "assistantanalysis", "assistantfinal")
_ANALYSIS = "analysis"
_CALL = "call:"
_LONG = (*_HEADERS, _ANALYSIS, _CALL)  # words that go on with something else
_WORDS = ("to", "function", "all", *_LONG)


def beginning(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """What a reply begins with at `pos`, if that is a call or belongs to one."""
    pos = yield from skip_space(src, pos)
    sign = yield from peek(src, pos)
    if sign == "{":
        return (yield from bare_json(ctx, src, pos))
    if sign == "[":
        return (yield from _list(ctx, src, pos))
    if sign == "<" and (yield from expect(src, pos, ("<|message|>",))):
        return (yield from message_at(ctx, src, pos))
    end = yield from word(src, pos, NAME, MAX_NAME, hopeless=lambda text: not _may_become(ctx, text))
    if end is None or end == pos:
        return None
    return (yield from _worded(ctx, src, pos, src.text[pos:end]))


def _list(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    start = yield from skip_space(src, pos + 1)
    end = yield from word(src, start, NAME_RUN, MAX_NAME)
    if end is None:
        return None
    if end == start:
        return (yield from bare_json(ctx, src, pos))
    return (yield from pythonic(ctx, src, pos)) if ctx.declared(src.text[start:end]) else None


def _may_become(ctx: Context, text: str) -> bool:
    """Whether a word that begins so may be one that begins a call."""
    if any(word.startswith(text) for word in _WORDS) or text.startswith(_LONG):
        return True
    return may_become_label(ctx, text)


def _worded(ctx: Context, src: Source, pos: int, text: str) -> Steps[int | None]:
    """By the first word."""
    if text == "to" or text.startswith(_HEADERS) or _is_analysis(text):
        return (yield from (message_at if text == "to" else stripped)(ctx, src, pos))
    if text.startswith(_CALL):
        return (yield from _alone(src, gemma_bare(ctx, src, pos)))
    if text == "function":
        return (yield from gigachat_call(ctx, src, pos))
    if text == "all":
        return (yield from functionary(ctx, src, pos))
    if ctx.declared(text) or ctx.declared(kimi_name(ctx, text)):
        return (yield from _named(ctx, src, pos, pos + len(text)))
    return None


def _alone(src: Source, steps: Steps[int | None]) -> Steps[int | None]:
    """What these steps read, if their last line says nothing else."""
    reported: list[Event] = []
    end = yield from collect(steps, reported)
    if end is None:
        return None
    ahead = yield from skip_blanks(src, end)
    if (yield from peek(src, ahead)) not in ("", "\n", "\r", "<"):
        return None
    yield from reported
    return end


def _is_analysis(text: str) -> bool:
    """Whether a thought runs on right behind its header."""
    after = text.removeprefix(_ANALYSIS)[:1]
    return text.startswith(_ANALYSIS) and after.isalpha() and not after.islower()


def _named(ctx: Context, src: Source, pos: int, end: int) -> Steps[int | None]:
    """A declared name with its object behind it or below it."""
    sign = yield from peek(src, end)
    if sign not in ("{", "\n", "\r"):
        return None
    reported: list[Event] = []
    stop = yield from collect((lost_opener if sign == "{" else functionary)(ctx, src, pos), reported)
    if stop is None:
        return None
    closed = src.text.endswith("</function>", 0, stop)
    if not closed and not (yield from ends_text(src, stop)):
        ahead = yield from skip_space(src, stop)
        if not (yield from expect(src, ahead, (">>>",))):
            return None
    yield from map(_tagged, reported) if closed and ctx.pick("function_tag_json") else reported
    return stop


def _tagged(event: Event) -> Event:
    """The call, as one whose opening tag was lost."""
    if not isinstance(event, CallFound):
        return event
    return CallFound(replace(event.call, origin="text:function_tag_json"))
