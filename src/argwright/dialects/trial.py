"""Trying to read a construct where an opener stands, and deciding whether it is meant.

A call inside a sentence that goes on behind it, or one of an undeclared tool with more
text on its line, is an example, and all of it is text. A marker that means nothing but
a call, with something behind it that cannot be read, is a call that was lost: it is
reported as one that is not whole, unless the text is about the marker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from argwright.dialects.context import Context, Mark, found
from argwright.dialects.events import CallFound, Event, TextSafe
from argwright.dialects.leaks import MAX_LEAK, Leak
from argwright.dialects.markdown import Markdown, is_description
from argwright.dialects.marks import mark_at
from argwright.dialects.openers import LITERALS, Opening, opening
from argwright.dialects.outlet import Outlet
from argwright.dialects.prose import collect
from argwright.dialects.reasoning import BLOCKS
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_blanks, skip_space
from argwright.dialects.strays import stray_end
from argwright.dialects.typed_tags import THOUGHT_ENDS

Start = Callable[[], Steps[int | None]]

_MAX_HEADER = 160  # of a call that is cut before its name ends
_MAX_WORDS = 4
_AFTER_WORDS = frozenset(" \t.,;:!?)]}'\"")  # what stands behind a marker that a sentence is about
_REASONING_ENDS = (*BLOCKS.values(), *THOUGHT_ENDS)
_NEXT_CALLS = (">>>", *LITERALS)
_LINE_ENDS = frozenset(("", "\n", "\r", "<", "[", "`"))


@dataclass(frozen=True)
class Trial:
    """What trying needs: the tools, the text, where in it what is quoted, and where the events go."""

    ctx: Context
    src: Source
    markdown: Markdown
    outlet: Outlet

    def attempt(self, pos: int, start: Start) -> Steps[int | None]:
        """Read a construct, report it as soon as it is certain that it is meant; the position behind it."""
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
            elif shown or not (held or self._waits(pos, event)):
                yield from self._show(pos, event, first=not shown)
                shown = True
            else:
                held.append(event)
        if end is None or (not held and not shown and pos and self.markdown.in_sentence(self.src, pos)):
            return None
        if held:
            far = pos > 0 and self.markdown.doubtful(self.src, pos)
            end = (yield from self._with_next(end, held)) if far else end
            if (yield from self._goes_on(end, far=far)):
                self.markdown.passed(end)
                return end
        yield from self.outlet.take(pos, end)
        for event in held:
            yield from self.outlet.report(event)
        self.outlet.answer.cut()
        self.markdown.jump(end)
        return end

    def _waits(self, pos: int, event: Event) -> bool:
        """Whether it is not certain yet that what a construct says first is meant."""
        if pos and self.markdown.in_sentence(self.src, pos):
            return True
        if not isinstance(event, CallFound):
            return False
        return not self.ctx.known(event.call.name or "") or (pos > 0 and self.markdown.doubtful(self.src, pos))

    def _show(self, pos: int, event: Event, *, first: bool) -> Steps[None]:
        if first:
            yield from self.outlet.take(pos, pos)
            self.outlet.answer.cut("\n" if isinstance(event, TextSafe) else "")
        yield from self.outlet.report(event)

    def opened(self, mark: Mark, by: Opening) -> Steps[int | None]:
        """What an opener opens, or what was lost behind it."""
        end: int | None = None
        if (yield from self._follows(by, mark.end)):
            end = yield from self.attempt(mark.start, lambda: by.grammar(self.ctx, self.src, mark))
        return (yield from self._lost(mark, by.leak)) if end is None and by.leak else end

    def _follows(self, by: Opening, pos: int) -> Steps[bool]:
        """Whether behind an opener stands what must follow it."""
        while by.follow:
            match = by.follow.match(self.src.text, pos)
            if match is None:
                return False
            end, match = match.end(), None
            if end < len(self.src.text) or self.src.ended:
                return True
            yield None
        return True

    def _lost(self, mark: Mark, leak: Leak) -> Steps[int | None]:
        """A call that was cut before it said anything, or one between whose markers stands nothing that can be read."""
        dialect = self.ctx.pick(*leak.dialects)
        if dialect is None or not (yield from self._may_leak(mark, leak)):
            return None
        end = yield from self._leak_end(mark, leak)
        if end is None:
            return None
        yield from self.outlet.take(mark.start, end)
        yield found(dialect, None, self.src.text[mark.start : end], cut=True)
        self.markdown.jump(end)
        return end

    def _may_leak(self, mark: Mark, leak: Leak) -> Steps[bool]:
        """Whether what follows the opener, though it cannot be read, may yet be a call and not a sentence."""
        after = yield from peek(self.src, mark.end)
        if after in _AFTER_WORDS and not (after == ":" and (yield from peek(self.src, mark.end + 1)).isalpha()):
            return False
        text = self.src.text
        if len(text) - mark.end >= MAX_LEAK and not leak.marks.search(text, mark.end, mark.end + MAX_LEAK):
            return False
        return not self.markdown.in_sentence(self.src, mark.start)

    def _leak_end(self, mark: Mark, leak: Leak) -> Steps[int | None]:
        """The end of a leak: its closing marker near by, or the text's; none if the text is about the markers."""
        src = self.src
        closer = yield from find(src, mark.end, leak.marks, leak.longest, within=MAX_LEAK)
        if closer is None:
            return len(src.text) if src.ended and _is_cut_header(src.text[mark.end : mark.end + MAX_LEAK]) else None
        if src.text[slice(*closer)] not in leak.closers:
            return None
        if is_description(src.text[mark.end : closer[0]]) or (yield from self._goes_on(closer[1])):
            return None
        return closer[1]

    def _with_next(self, end: int, held: list[Event]) -> Steps[int]:
        """Past closing markup and further calls behind a call; what they report is held as well."""
        while True:
            pos = yield from skip_space(self.src, end)
            mark = (yield from mark_at(self.src, pos)) if (yield from peek(self.src, pos)) == "<" else None
            if mark is None or (yield from expect(self.src, pos, _REASONING_ENDS)):
                return end
            behind: int | None = yield from stray_end(self.src, mark)
            if not behind:
                by = opening(mark.head)
                behind = (yield from self._read(mark, by, held)) if by else None
            if behind is None:
                return end
            end = behind

    def _read(self, mark: Mark, by: Opening, held: list[Event]) -> Steps[int | None]:
        if not (yield from self._follows(by, mark.end)):
            return None
        return (yield from collect(by.grammar(self.ctx, self.src, mark), held))

    def pass_over(self, mark: Mark, by: Opening) -> Steps[int | None]:
        """Past a call that is shown, all of which is text."""
        end = yield from self._read(mark, by, [])
        if end is not None:
            self.markdown.passed(end)
        return end

    def _goes_on(self, pos: int, *, far: bool = False) -> Steps[bool]:
        """Whether the sentence goes on behind a call; `far`: whether any text does."""
        if not far:
            ahead = yield from skip_blanks(self.src, pos)
            return (yield from peek(self.src, ahead)) not in _LINE_ENDS
        while True:
            ahead = yield from skip_space(self.src, pos)
            closed = yield from self._closed(ahead)
            if closed is None:
                break
            pos = closed
        sign = yield from peek(self.src, ahead)
        return bool(sign) and not (yield from expect(self.src, ahead, _NEXT_CALLS))

    def _closed(self, pos: int) -> Steps[int | None]:
        """Behind a closing tag, or one of reasoning, that stands here."""
        if (yield from expect(self.src, pos, ("</",))):
            mark = yield from mark_at(self.src, pos)
            return mark.end if mark else None
        closer = yield from expect(self.src, pos, _REASONING_ENDS)
        return pos + len(closer) if closer else None


def _is_cut_header(rest: str) -> bool:
    """Whether the text behind an opener is no more than the beginning of what belongs there."""
    bare = rest.strip()
    markup = not bare or bare[0] in "[{" or "<" in bare or "call:".startswith(bare)
    return markup and len(rest) <= _MAX_HEADER and len(rest.split()) <= _MAX_WORDS
