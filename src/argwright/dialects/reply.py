"""One reply, read from its beginning to its end: text, fences, markers, reasoning.

The reader goes from one sign that may open something to the next, and what lies between
is text. An opener is tried where it stands: what leads to nothing is released as text;
what is shown rather than meant (`markdown`) is not tried. A call inside a sentence that
goes on behind it, or one of an undeclared tool with more text on its line, is an example.

Text is only counted while it is passed over (`_shown` to `_safe`); `flush` reports it,
before anything else is reported and whenever the reader waits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from argwright.dialects.beginning import beginning
from argwright.dialects.channel import Channel
from argwright.dialects.context import Context, Mark, found
from argwright.dialects.events import CallFound, Event, ReasoningText, TextSafe, TextWasReasoning
from argwright.dialects.harmony import stripped
from argwright.dialects.markdown import Markdown, is_description, is_wrap
from argwright.dialects.marks import HEAD, MAX_HEAD, head_of, mark_at
from argwright.dialects.openers import LITERALS, TRINITY, Leak, Opening, opening, tag
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
    r"<(?=[|｜‖!/A-Za-z])|`|~~~|" + "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
)
_BEGINNINGS = frozenset(sign[:length] for sign in (*_SIGNS, "<", "~~~") for length in range(1, len(sign))) | {"<"}
_LONGEST = max(map(len, _SIGNS))
_TICKS = {"`": re.compile("`*+"), "~": re.compile("~*+")}
_MAX_TICKS = 64
_MAX_INFO = 120
_MIN_FENCE = 3
_MAX_HEADER = 160  # of a call that is cut before its name ends
_MAX_WORDS = 4
_MAX_LEAK = 1000  # how far behind an opener that cannot be read its closer is looked for
_AFTER_WORDS = frozenset(" \t.,;:!?)]}'\"")  # what stands behind a marker that a sentence is about
_RESPONSE = "<response>"
_CLOSE_TAG = "<|close|>"

Start = Callable[[], Steps[int | None]]


@dataclass(frozen=True)
class _Lost:
    """An opener that means nothing but a call."""

    mark: Mark
    leak: Leak


def _lost(mark: Mark, by: Opening) -> _Lost | None:
    return None if by.leak is None else _Lost(mark, by.leak)


class Reply:
    """The reader of one reply and what is known of it so far."""

    def __init__(self, ctx: Context, src: Source) -> None:
        self._ctx = ctx
        self._src = src
        self._markdown = Markdown()
        self._shown = 0
        self._safe = 0
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
            pos = self._safe = yield from self._at(start)
        yield from self._flushed()
        if rest := self._answer.finish():
            yield TextSafe(rest)

    def flush(self) -> Event | None:
        """The text passed over since the last report, if any of it may be shown."""
        if self._safe <= self._shown:
            return None
        text = self._answer.add(self._src.text[self._shown : self._safe])
        self._shown = self._safe
        return TextSafe(text) if text else None

    def _flushed(self) -> Steps[None]:
        if event := self.flush():
            yield event

    def _take(self, start: int, end: int) -> Steps[None]:
        """What stands from `start` to `end` is markup: report the text before, leave this out."""
        self._safe = max(self._safe, start)
        yield from self._flushed()
        self._shown = self._safe = max(end, start)

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
            pos = self._safe = max(pos, safe)
            if stop >= 0:
                return stop
            if src.ended:
                return None
            yield None

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
            info = yield from find(src, end, re.compile(r"[\r\n`]"), 1, within=_MAX_INFO)
            stop = info[0] if info else len(src.text)
            if (info or (src.ended and stop - end <= _MAX_INFO)) and src.text[stop : stop + 1] != "`":
                return (yield from self._fence(pos, end, stop))
        if sign == "`":
            self._markdown.ticks(src, pos, end)
        return end

    def _fence(self, pos: int, ticks: int, info_end: int) -> Steps[int]:
        """A fence: calls, if it is of their kind; else text to its closing line."""
        language = self._src.text[ticks:info_end].strip().lower()
        if language in CALL_FENCES and not self._markdown.quoted(self._src, pos):
            end = yield from self._attempt(pos, lambda: fence(self._ctx, self._src, info_end, language))
            if end is not None:
                return end
        closer = re.compile(r"\n[ \t>]*" + re.escape(self._src.text[pos:ticks]) + r"[`~]*[ \t]*(?=[\r\n])")
        return (yield from self._fenced(info_end, closer))

    def _fenced(self, start: int, closer: re.Pattern[str]) -> Steps[int]:
        src = self._src
        while True:
            found = closer.search(src.text, start)
            end, found = (found.end() if found else -1), None
            safe = self._safe = end if end >= 0 else len(src.text)
            if end >= 0 or src.ended:
                self._markdown.jump(safe)
                return safe
            start = max(start, src.text.rfind("\n", start))
            yield None

    def _tag(self, pos: int) -> Steps[int]:
        """A tag: the position behind what it opens or closes, or behind its head, which is text."""
        src = self._src
        head = HEAD.match(src.text, pos, pos + MAX_HEAD)
        end, head = (head.end() if head else pos), None
        if end < len(src.text) and end - pos < MAX_HEAD:
            name = head_of(src.text[pos : end + 1])
            mark = Mark(pos, end + (src.text[end] in "=>"), name) if self._may_be(name) else None
        else:
            mark = yield from mark_at(src, pos)
            end = pos + 1
        if mark is None:
            return end
        behind = yield from self._markup(mark)
        return mark.end if behind is None else behind

    def _follows(self, by: Opening, pos: int) -> Steps[bool]:
        """Whether behind an opener stands what must follow it."""
        src = self._src
        while by.follow:
            match = by.follow.match(src.text, pos)
            if match is None:
                return False
            end, match = match.end(), None
            if end < len(src.text) or src.ended:
                return True
            yield None
        return True

    def _unread(self, mark: Mark, by: Opening) -> Steps[int | None]:
        """An opener behind which nothing stands that its grammars read."""
        if by.leak is None or not (yield from self._may_leak(mark, by.leak)):
            return None
        if self._markdown.in_sentence(self._src, mark.start):
            return None
        return (yield from self._leaked(mark, by.leak))

    def _may_be(self, head: str) -> bool:
        """Whether a tag of this head needs a look."""
        return opening(head) is not None or head in BLOCKS or head in CLOSERS or self._answer.after_cut or is_wrap(head)

    def _markup(self, mark: Mark) -> Steps[int | None]:
        """What a tag opens or closes, unless it is text."""
        src = self._src
        found_opening = opening(mark.head)
        if found_opening and not (yield from self._follows(found_opening, mark.end)):
            return (yield from self._unread(mark, found_opening))
        if self._answer.after_cut:
            yield from self._flushed()
            if end := (yield from self._stray(mark)):
                yield from self._take(mark.start, end)
                return end
        if self._markdown.quoted(src, mark.start):
            self._markdown.wrap(src, mark.start)
            return None
        opener = yield from self._block(mark)
        if opener is not None:
            return (yield from self._reason(mark.start, mark.start + len(opener), BLOCKS[opener]))
        if mark.head in CLOSERS:
            return (yield from self._unopened(mark))
        if found_opening is None:
            self._markdown.wrap(src, mark.start)
            return None
        return (yield from self._attempt(mark.start, lambda: tag(self._ctx, src, mark), _lost(mark, found_opening)))

    def _stray(self, mark: Mark) -> Steps[int]:
        """The position behind a closer that only belongs to the markup before; 0 if it is none."""
        if not self._answer.after_cut:
            return 0
        if is_stray(mark):
            end = mark.end
            if mark.head.endswith(" "):
                closed = yield from find(self._src, end, re.compile("[<>\n]"), 1, within=_MAX_INFO)
                end = closed[1] if closed else end
            return end
        if mark.head == _CLOSE_TAG:
            closed = yield from find(self._src, mark.end, re.compile(r"<\|sep\|>|\n"), len("<|sep|>"), within=_MAX_INFO)
            return closed[1] if closed else mark.end
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

    def _reason(self, start: int, pos: int, closer: str) -> Steps[int]:
        """A reasoning block that opens at `start` and whose text begins at `pos`."""
        yield from self._take(start, pos)
        self._reasoned = True
        self._answer.cut()
        self._thoughts.cut("\n")
        end = yield from self._forward(block(self._ctx, self._src, pos, closer, self._inside))
        return (yield from self._behind_reasoning(end))

    def _behind_reasoning(self, end: int) -> Steps[int]:
        self._answer.cut()
        self._markdown.jump(end)
        self._shown = self._safe = end
        ahead = yield from skip_space(self._src, end)
        if (yield from expect(self._src, ahead, (_RESPONSE,))):
            self._response = True
            self._shown = self._safe = ahead + len(_RESPONSE)
            return self._shown
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
        self._shown = self._safe = mark.end
        text = src.text[: mark.start].strip(SPACE)
        yield TextWasReasoning(text)
        self._thoughts.add(text)
        return (yield from self._behind_reasoning(mark.end))

    def _literal(self, pos: int) -> Steps[int]:
        """An opener that is no tag."""
        src = self._src
        found_sign = _NEXT.match(src.text, pos)
        sign, found_sign = (found_sign.group() if found_sign else src.text[pos]), None
        by = LITERALS.get(sign)
        if by and not (yield from self._follows(by, pos + len(sign))):
            unread = yield from self._unread(Mark(pos, pos + len(sign), sign), by)
            return pos + len(sign) if unread is None else unread
        end: int | None = None
        if not self._markdown.quoted(src, pos):
            end = yield from self._opened(pos, sign)
        return pos + len(sign) if end is None else end

    def _opened(self, pos: int, sign: str) -> Steps[int | None]:
        ctx, src = self._ctx, self._src
        mark = Mark(pos, pos + len(sign), sign)
        if sign in LITERALS:
            return (yield from self._opened_by(LITERALS[sign], mark))
        if sign == ">>>":
            return (yield from self._attempt(pos, lambda: functionary(ctx, src, mark.end)))
        if sign in _HEADER_WORDS:
            if sign.startswith("commentary") and not self._markdown.line_start(src, pos):
                return None
            return (yield from self._attempt(pos, lambda: stripped(ctx, src, pos)))
        if sign in BLOCKS:
            return (yield from self._reason(pos, mark.end, BLOCKS[sign]))
        return (yield from self._unopened(mark)) if sign in CLOSERS else None

    def _opened_by(self, found_opening: Opening, mark: Mark) -> Steps[int | None]:
        if found_opening.grammar is action and not self._markdown.line_start(self._src, mark.start):
            return None
        grammar = found_opening.grammar
        lost = _lost(mark, found_opening)
        return (yield from self._attempt(mark.start, lambda: grammar(self._ctx, self._src, mark), lost))

    def _attempt(self, pos: int, start: Start, leak: _Lost | None = None) -> Steps[int | None]:
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
                    yield from self._take(pos, pos)
                    self._answer.cut("\n" if isinstance(event, TextSafe) else "")
                shown = True
                yield from self._report(event)
        if end is None:
            if leak is None or embedded or not (yield from self._may_leak(leak.mark, leak.leak)):
                return None
            return (yield from self._leaked(leak.mark, leak.leak))
        if held and not shown and (yield from self._goes_on(end)):
            self._markdown.jump(end)
            return end
        yield from self._take(pos, end)
        self._answer.cut()
        for event in held:
            yield from self._report(event)
        self._answer.cut()
        self._markdown.jump(end)
        return end

    def _leaked(self, mark: Mark, leak: Leak) -> Steps[int | None]:
        """A call that was cut before it said anything, or one between whose markers stands nothing that can be read."""
        src = self._src
        dialect = self._ctx.pick(*leak.dialects)
        if dialect is None:
            return None
        end = yield from self._leak_end(mark, leak)
        if end is None:
            return None
        yield from self._take(mark.start, end)
        self._answer.cut()
        yield found(dialect, None, src.text[mark.start : end], cut=True)
        self._answer.cut()
        self._markdown.jump(end)
        return end

    def _leak_end(self, mark: Mark, leak: Leak) -> Steps[int | None]:
        """The end of a leak: its closing marker near by, or the text's; none if the text is about the markers."""
        src = self._src
        closer = yield from find(src, mark.end, leak.marks, leak.longest, within=_MAX_LEAK)
        if closer is None:
            return len(src.text) if src.ended and _is_cut_header(src.text[mark.end : mark.end + _MAX_LEAK]) else None
        if src.text[slice(*closer)] not in leak.closers:
            return None
        if is_description(src.text[mark.end : closer[0]]) or (yield from self._goes_on(closer[1])):
            return None
        return closer[1]

    def _may_leak(self, mark: Mark, leak: Leak) -> Steps[bool]:
        """Whether what follows the opener, though it cannot be read, may yet be a call and not a sentence."""
        if (yield from peek(self._src, mark.end)) in _AFTER_WORDS:
            return False
        text = self._src.text
        within = len(text) - mark.end < _MAX_LEAK or leak.marks.search(text, mark.end, mark.end + _MAX_LEAK) is not None
        return within and not self._markdown.quoted(self._src, mark.start)

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


def _is_cut_header(rest: str) -> bool:
    """Whether the text behind an opener is no more than the beginning of what belongs there."""
    bare = rest.strip()
    markup = not bare or bare[0] in "[{" or "<" in bare or "call:".startswith(bare)
    return markup and len(rest) <= _MAX_HEADER and len(rest.split()) <= _MAX_WORDS


def _held(text: str, pos: int) -> int:
    """How many characters at the end of the text may be the beginning of a sign."""
    for length in range(min(_LONGEST, len(text) - pos), 0, -1):
        if text[-length:] in _BEGINNINGS:
            return length
    return 0


