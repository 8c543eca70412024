"""One reply, read from its beginning to its end: text, fences, markers, reasoning.

The reader goes from one sign that may open something to the next, and what lies between
is text. An opener is tried where it stands: what leads to nothing is released as text;
what is shown rather than meant (`markdown`) is not tried. A call inside a sentence that
goes on behind it, or one of an undeclared tool with more text on its line, is an example.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from argwright.dialects.beginning import beginning
from argwright.dialects.channel import Channel
from argwright.dialects.context import Context, Mark
from argwright.dialects.events import CallFound, Event, ReasoningText, TextSafe, TextWasReasoning
from argwright.dialects.harmony import stripped
from argwright.dialects.markdown import Markdown
from argwright.dialects.marks import mark_at
from argwright.dialects.openers import LITERALS, TRINITY, tag
from argwright.dialects.prose import CALL_FENCES, fence
from argwright.dialects.react import action
from argwright.dialects.reasoning import BLOCKS, CLOSERS, ONLY_FIRST, Inside, anything, block, trinity
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_blanks, skip_space, word
from argwright.dialects.strays import is_stray
from argwright.dialects.token_calls import functionary

_HEADER_WORDS = ("assistantcommentary to=", "commentary to=functions.")
_SPECIAL_BLOCKS = tuple(opener for opener in BLOCKS if not opener.startswith("<"))
_SIGNS = (*LITERALS, ">>>", *_HEADER_WORDS, *_SPECIAL_BLOCKS, *(BLOCKS[opener] for opener in _SPECIAL_BLOCKS))
_NEXT = re.compile(
    r"<(?=[|｜‖!/A-Za-z])|`+|~~~+|" + "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
)
_BEGINNINGS = frozenset(sign[:length] for sign in (*_SIGNS, "<", "~~~") for length in range(1, len(sign))) | {"<"}
_LONGEST = max(map(len, _SIGNS))
_TICKS = {"`": re.compile("`*+"), "~": re.compile("~*+")}
_MAX_TICKS = 64
_MAX_INFO = 120
_MIN_FENCE = 3
_RESPONSE = "<response>"
_CLOSE_TAG = "<|close|>"

Start = Callable[[], Steps[int | None]]


class Reply:
    """The reader of one reply and what is known of it so far."""

    def __init__(self, ctx: Context, src: Source) -> None:
        self._ctx = ctx
        self._src = src
        self._markdown = Markdown()
        self._answer = Channel()
        self._thoughts = Channel()
        self._reasoned = False
        self._response = False
        self._inside = self._inside_reasoning()

    def _inside_reasoning(self) -> Inside | None:
        if self._ctx.reasoning:
            return anything(tag)
        return trinity(TRINITY) if self._ctx.pick("trinity") else None

    def read(self) -> Steps[None]:
        """The whole reply."""
        pos = yield from self._begin(0)
        while True:
            start = yield from self._plain(pos)
            if start is None:
                break
            pos = yield from self._at(start)
        if rest := self._answer.finish():
            yield TextSafe(rest)

    def _begin(self, pos: int) -> Steps[int]:
        """The beginning of the reply, or of what stands behind its reasoning."""
        end = yield from self._attempt(pos, lambda: beginning(self._ctx, self._src, pos))
        return pos if end is None else end

    def _plain(self, pos: int) -> Steps[int | None]:
        """Text up to the next sign that may open something; `None` at the end of the reply."""
        src = self._src
        while True:
            sign = _NEXT.search(src.text, pos)
            stop, sign = (sign.start() if sign else -1), None
            safe = stop if stop >= 0 else len(src.text) - (0 if src.ended else _held(src.text, pos))
            yield from self._show(pos, safe)
            pos = max(pos, safe)
            if stop >= 0:
                return stop
            if src.ended:
                return None
            yield None

    def _show(self, start: int, end: int) -> Steps[None]:
        if end > start and (text := self._answer.add(self._src.text[start:end])):
            yield TextSafe(text)

    def _at(self, pos: int) -> Steps[int]:
        """What stands at a sign; the position behind it."""
        sign = self._src.text[pos]
        if sign in _TICKS and (sign == "`" or self._src.text.startswith("~~~", pos)):
            return (yield from self._ticks(pos, sign))
        if sign == "<":
            return (yield from self._tag(pos))
        return (yield from self._literal(pos))

    def _ticks(self, pos: int, sign: str) -> Steps[int]:
        src = self._src
        run = yield from word(src, pos, _TICKS[sign], _MAX_TICKS)
        end = pos + _MAX_TICKS if run is None else run
        if end - pos >= _MIN_FENCE and self._markdown.line_start(src, pos):
            info = yield from find(src, end, re.compile(r"[\r\n`]"), 1)
            stop = info[0] if info else len(src.text)
            if stop - end <= _MAX_INFO and src.text[stop : stop + 1] != "`":
                return (yield from self._fence(pos, end, stop))
        if sign == "`":
            self._markdown.ticks(src, pos, end)
        yield from self._show(pos, end)
        return end

    def _fence(self, pos: int, ticks: int, info_end: int) -> Steps[int]:
        """A fence: calls, if it is of their kind; else text to its closing line."""
        language = self._src.text[ticks:info_end].strip().lower()
        if language in CALL_FENCES and not self._markdown.quoted(self._src, pos):
            end = yield from self._attempt(pos, lambda: fence(self._ctx, self._src, info_end, language))
            if end is not None:
                return end
        closer = re.compile(r"\n[ \t>]*" + re.escape(self._src.text[pos:ticks]) + r"[`~]*[ \t]*(?=[\r\n])")
        return (yield from self._fenced(pos, info_end, closer))

    def _fenced(self, pos: int, start: int, closer: re.Pattern[str]) -> Steps[int]:
        src = self._src
        while True:
            found = closer.search(src.text, start)
            end, found = (found.end() if found else -1), None
            safe = end if end >= 0 else len(src.text)
            yield from self._show(pos, safe)
            pos = safe
            if end >= 0 or src.ended:
                self._markdown.jump(safe)
                return safe
            start = max(start, src.text.rfind("\n", start))
            yield None

    def _tag(self, pos: int) -> Steps[int]:
        src = self._src
        mark = yield from mark_at(src, pos)
        if mark is None:
            yield from self._show(pos, pos + 1)
            return pos + 1
        end = yield from self._markup(mark)
        if end is None:
            self._markdown.wrap(src, pos)
            yield from self._show(pos, mark.end)
            return mark.end
        return end

    def _markup(self, mark: Mark) -> Steps[int | None]:
        """What a tag opens or closes, unless it is text."""
        src = self._src
        if self._answer.after_cut and (end := (yield from self._stray(mark))):
            return end
        if self._markdown.quoted(src, mark.start):
            return None
        opener = yield from self._block(mark)
        if opener is not None:
            return (yield from self._reason(mark.start + len(opener), BLOCKS[opener]))
        if mark.head in CLOSERS:
            return (yield from self._unopened(mark))
        return (yield from self._attempt(mark.start, lambda: tag(self._ctx, src, mark)))

    def _stray(self, mark: Mark) -> Steps[int]:
        """The position behind a closer that only belongs to the markup before; 0 if it is none."""
        if is_stray(mark):
            end = mark.end
            if mark.head.endswith(" "):
                closed = yield from find(self._src, end, re.compile("[<>\n]"), 1)
                end = closed[1] if closed else len(self._src.text)
            return end
        if mark.head == _CLOSE_TAG:
            closed = yield from find(self._src, mark.end, re.compile(r"<\|sep\|>|\n"), len("<|sep|>"))
            return closed[1] if closed else len(self._src.text)
        if self._response and mark.head == "</response>":
            return mark.end
        return 0

    def _block(self, mark: Mark) -> Steps[str | None]:
        """The opener of a reasoning block that this tag is."""
        if mark.head == "<|channel>":
            named = yield from expect(self._src, mark.end, ("thought",))
            return "<|channel>thought" if named else None
        if mark.head not in BLOCKS:
            return None
        first = not self._src.text[: mark.start].strip(SPACE) if mark.start < _MAX_INFO else False
        if mark.head in ONLY_FIRST:
            return mark.head if first else None
        loose = ":" in mark.head or "|" in mark.head
        return mark.head if loose or first or self._markdown.line_start(self._src, mark.start) else None

    def _reason(self, pos: int, closer: str) -> Steps[int]:
        """A reasoning block."""
        self._reasoned = True
        self._answer.cut()
        self._thoughts.cut("\n")
        end = yield from self._forward(block(self._ctx, self._src, pos, closer, self._inside))
        return (yield from self._behind_reasoning(end))

    def _behind_reasoning(self, end: int) -> Steps[int]:
        self._answer.cut()
        self._markdown.jump(end)
        ahead = yield from skip_space(self._src, end)
        if (yield from expect(self._src, ahead, (_RESPONSE,))):
            self._response = True
            return ahead + len(_RESPONSE)
        return (yield from self._begin(end))

    def _forward(self, steps: Steps[int]) -> Steps[int]:
        while True:
            try:
                event = next(steps)
            except StopIteration as stop:
                end: int = stop.value
                return end
            if event is None:
                yield None
            else:
                yield from self._report(event)

    def _unopened(self, mark: Mark) -> Steps[int | None]:
        """A closer of reasoning whose opener stood in the prompt: all before was reasoning."""
        src = self._src
        if self._reasoned:
            return None
        following = yield from peek(src, mark.end)
        alone = following in ("", "\n", "\r", "<") or src.text[mark.start - 1 : mark.start] in ("", "\n")
        if not alone:
            return None
        self._reasoned = True
        self._answer, self._thoughts = Channel(), Channel()
        text = src.text[: mark.start].strip(SPACE)
        yield TextWasReasoning(text)
        self._thoughts.add(text)
        return (yield from self._behind_reasoning(mark.end))

    def _literal(self, pos: int) -> Steps[int]:
        """An opener that is no tag."""
        src = self._src
        sign = (yield from expect(src, pos, _SIGNS)) or src.text[pos]
        end: int | None = None
        if not self._markdown.quoted(src, pos):
            end = yield from self._opened(pos, sign)
        if end is not None:
            return end
        yield from self._show(pos, pos + len(sign))
        return pos + len(sign)

    def _opened(self, pos: int, sign: str) -> Steps[int | None]:
        ctx, src = self._ctx, self._src
        mark = Mark(pos, pos + len(sign), sign)
        if sign in LITERALS:
            if LITERALS[sign] is action and not self._markdown.line_start(src, pos):
                return None
            return (yield from self._attempt(pos, lambda: LITERALS[sign](ctx, src, mark)))
        if sign == ">>>":
            return (yield from self._attempt(pos, lambda: functionary(ctx, src, mark.end)))
        if sign in _HEADER_WORDS:
            if sign.startswith("commentary") and not self._markdown.line_start(src, pos):
                return None
            return (yield from self._attempt(pos, lambda: stripped(ctx, src, pos)))
        if sign in BLOCKS:
            return (yield from self._reason(mark.end, BLOCKS[sign]))
        return (yield from self._unopened(mark)) if sign in CLOSERS else None

    def _attempt(self, pos: int, start: Start) -> Steps[int | None]:
        """Try to read a construct; report its events as soon as it is certain that they are meant."""
        src = self._src
        embedded = pos > 0 and self._markdown.in_sentence(src, pos)
        held: list[Event] = []
        shown = False
        steps = start()
        while True:
            try:
                event = next(steps)
            except StopIteration as stop:
                end: int | None = stop.value
                break
            if event is None:
                yield None
            elif embedded or not self._meant(event):
                held.append(event)
            else:
                if not shown:
                    self._answer.cut("\n" if isinstance(event, TextSafe) else "")
                shown = True
                yield from self._report(event)
        if end is None:
            return None
        if held and not shown and (yield from self._goes_on(end)):
            yield from self._show(pos, end)
            self._markdown.jump(end)
            return end
        self._answer.cut()
        for event in held:
            yield from self._report(event)
        self._answer.cut()
        self._markdown.jump(end)
        return end

    def _meant(self, event: Event) -> bool:
        return not isinstance(event, CallFound) or self._ctx.known(event.call.name or "")

    def _goes_on(self, pos: int) -> Steps[bool]:
        """Whether a sentence goes on behind a call."""
        ahead = yield from skip_blanks(self._src, pos)
        return (yield from peek(self._src, ahead)) not in ("", "\n", "\r", "<", "[", "`")

    def _report(self, event: Event) -> Steps[None]:
        match event:
            case TextSafe():
                if text := self._answer.add(event.text):
                    yield TextSafe(text)
            case ReasoningText():
                self._reasoned = True
                if text := self._thoughts.add(event.text):
                    yield ReasoningText(text)
            case CallFound():
                self._answer.cut()
                yield event
            case _:
                yield event


def _held(text: str, pos: int) -> int:
    """How many characters at the end of the text may be the beginning of a sign."""
    for length in range(min(_LONGEST, len(text) - pos), 0, -1):
        if text[-length:] in _BEGINNINGS:
            return length
    return 0


