"""Reasoning blocks: `<think>…</think>` and its kin.

What stands inside is no call, with two exceptions. Where reasoning is read because the
caller asked for it, calls that end a block with nothing behind it are taken. And Trinity
writes its calls, in Hermes' notation, there: a block that ends in such calls, and a text
that ends with the block, is Trinity's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from argwright.dialects.context import Context, Mark
from argwright.dialects.events import Event, ReasoningText
from argwright.dialects.marks import mark_at
from argwright.dialects.prose import collect, ends_text
from argwright.dialects.source import Source, Steps, expect, peek, skip_space
from argwright.dialects.strays import stray_end

BLOCKS: Mapping[str, str] = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "<mm:think>": "</mm:think>",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|channel>thought": "<channel|>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}
"""Openers and closers."""

CLOSERS = frozenset(BLOCKS.values()) - {"</thought>", "</reasoning>"} | {"<|close|>"}
"""Closers that show, without their opener, that all before was reasoning. Kimi K3's is a tag of several tokens."""

ONLY_FIRST = frozenset({"<thinking>", "<thought>", "<reasoning>"})
"""Openers that are words of other markup too, and count at the beginning of a text only."""

_TRINITY = "<tool_call>"
_TAG = r"<(?=[|｜‖!A-Za-z])"

Reader = Callable[[Context, Source, Mark], Steps[int | None]]


@dataclass(frozen=True)
class Inside:
    """Which calls in a block are looked at: a pattern for what they begin with, and how they are read.

    `signs` are the openers among them that are no tags.
    """

    opener: str
    longest: int
    read: Reader
    signs: tuple[str, ...] = ()


def block(ctx: Context, src: Source, pos: int, closers: tuple[str, ...], *, inside: Inside | None) -> Steps[int]:
    """A block from behind its opener on; the position behind its closer."""
    stops = _stops(closers, inside.opener if inside else "")
    longest = max(*map(len, closers), inside.longest if inside else 0)
    while True:
        end = yield from _passage(src, pos, stops, longest)
        if end is None:
            return len(src.text)
        if closer := (yield from expect(src, end, closers)):  # a closer may begin as a call does
            return end + len(closer)
        assert inside is not None  # noqa: S101  # nothing else stops a passage
        reported: list[Event] = []
        stop = yield from _calls(ctx, src, end, _Place(inside, closers), reported=reported)
        if stop is None:
            yield ReasoningText(src.text[end])
            pos = end + 1
            continue
        behind = yield from _ends_block(ctx, src, stop, closers)
        if behind is not None:
            yield from reported
            return behind
        yield ReasoningText(src.text[end:stop])
        pos = stop


@lru_cache(maxsize=64)
def _stops(closers: tuple[str, ...], opener: str) -> re.Pattern[str]:
    return re.compile("|".join((*map(re.escape, closers), *filter(None, (opener,)))))


def _passage(src: Source, pos: int, stops: re.Pattern[str], longest: int) -> Steps[int | None]:
    """Report reasoning up to the closer or to something that may be a call; `None` at the end of the text."""
    scan = pos
    while True:
        stop = stops.search(src.text, scan)
        end, stop = (stop.start() if stop else -1), None
        scan = max(scan, len(src.text) - longest + 1)
        safe = end if end >= 0 else len(src.text) if src.ended else scan
        if safe > pos:
            yield ReasoningText(src.text[pos:safe])
            pos = safe
        if end >= 0 or src.ended:
            return end if end >= 0 else None
        yield None


@dataclass(frozen=True)
class _Place:
    """The block in which calls are looked for: which calls, and what may close it."""

    inside: Inside
    closers: tuple[str, ...]


def _calls(ctx: Context, src: Source, pos: int, place: _Place, *, reported: list[Event]) -> Steps[int | None]:
    """The calls at `pos`, one behind the other."""
    end: int | None = None
    while not (end and (yield from expect(src, pos, place.closers))):
        mark = yield from _opener(src, pos, place.inside.signs)
        if mark is None:
            return end
        next_end: int | None = (yield from stray_end(src, mark)) if reported else 0
        next_end = next_end or (yield from collect(place.inside.read(ctx, src, mark), reported))
        if next_end is None:
            return end
        end = next_end
        pos = yield from skip_space(src, end)
    return end


def _opener(src: Source, pos: int, signs: tuple[str, ...]) -> Steps[Mark | None]:
    if (yield from peek(src, pos)) == "<":
        return (yield from mark_at(src, pos))
    sign = yield from expect(src, pos, signs)
    return Mark(pos, pos + len(sign), sign) if sign else None


def _ends_block(ctx: Context, src: Source, pos: int, closers: tuple[str, ...]) -> Steps[int | None]:
    """Whether the block, and with it the text, ends here: the position behind it."""
    pos = yield from skip_space(src, pos)
    closed = yield from expect(src, pos, closers)
    if closed is None:
        return pos if (ctx.forced or ctx.reasoning) and (yield from ends_text(src, pos)) else None
    pos += len(closed)
    return pos if (ctx.pick("trinity") and ctx.forced) or (yield from ends_text(src, pos)) else None


def trinity(read: Reader) -> Inside:
    """Calls in Trinity's notation."""
    return Inside(re.escape(_TRINITY), len(_TRINITY), read)


def anything(read: Reader, signs: tuple[str, ...]) -> Inside:
    """Calls in any dialect that marks them: by a tag, or by one of these signs."""
    return Inside("|".join((_TAG, *map(re.escape, signs))), max(2, *map(len, signs)), read, signs)
