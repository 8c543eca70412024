"""One reply, read from its beginning to its end: text, fences, markers, reasoning.

The reader goes from one sign that may open something to the next, and what lies between
is text. An opener is tried where it stands (`trial`): what leads to nothing is released
as text; what is shown rather than meant (`markdown`) is not tried.
"""

from __future__ import annotations

import re

from argwright.dialects.beginning import beginning
from argwright.dialects.context import Context, Mark
from argwright.dialects.harmony import stripped
from argwright.dialects.markdown import Markdown, is_wrap
from argwright.dialects.marks import HEAD, MAX_HEAD, begun, head_of, mark_at
from argwright.dialects.openers import LITERALS, SIGNS, TRINITY, Opening, construct, opening
from argwright.dialects.outlet import Outlet
from argwright.dialects.prose import CALL_FENCES, ends_text, fence
from argwright.dialects.react import action
from argwright.dialects.reasoning import BLOCKS, CLOSERS, ONLY_FIRST, Inside, anything, block, trinity
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_space, word
from argwright.dialects.strays import is_lone, stray_end
from argwright.dialects.token_calls import functionary
from argwright.dialects.trial import Trial
from argwright.dialects.typed_tags import CLOSE, OPEN, THOUGHT_ENDS, thought

_HEADER_WORDS = ("assistantcommentary to=", "commentary to=functions.")
_BLOCK_SIGNS = tuple(opener for opener in BLOCKS if not opener.startswith("<"))
_SIGNS = (*LITERALS, ">>>", *_HEADER_WORDS, *_BLOCK_SIGNS, *(BLOCKS[opener] for opener in _BLOCK_SIGNS))
_NEXT = re.compile(r"<(?=[|｜‖!/A-Za-z])|`|~~~|" + "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))
_LONGEST = max(map(len, _SIGNS))
_BEGUN = re.compile("<\\Z|" + begun((*_SIGNS, "~~~")))
"""The beginning of a sign, at the end of a text."""
_ANY = re.compile(f"{_NEXT.pattern}|{_BEGUN.pattern}")
_TICKS = {"`": re.compile("`*+"), "~": re.compile("~*+")}
_INFO_END = re.compile(r"[\r\n`]")
_MAX_TICKS = 64
_MAX_INFO = 120
_MIN_FENCE = 3
_THOUGHT, _THOUGHT_TOKEN = "<|channel>thought", "<|channel>"
_SENTENCE_SIGNS = frozenset(".,;:!?…。，！？；：)]}\"'”’」")
_BEFORE_CLOSER = _SENTENCE_SIGNS | {">"}
_MAX_VAIN = 8_000  # openers that open nothing, in one reply: who writes more of them makes no call
_RESPONSE, _RESPONSE_END = "<response>", "</response>"


class Reply:
    """The reader of one reply and what is known of it so far."""

    def __init__(self, ctx: Context, src: Source) -> None:
        self._ctx = ctx
        self._src = src
        self._markdown = Markdown()
        self._response = False
        self._vain = 0  # openers that opened nothing
        self._at_rest = False  # what came is text, and nothing of it may be the beginning of a sign
        self.outlet = Outlet(src)
        self._trial = Trial(ctx, src, self._markdown, self.outlet)

    def read(self) -> Steps[None]:
        """The whole reply."""
        pos = yield from self._begin(0)
        while True:
            start = yield from self._plain(pos)
            if start is None:
                break
            pos = self.outlet.safe = yield from self._at(start)
        yield from self.outlet.finish()

    def is_plain(self, text: str) -> bool:
        """Whether the next piece is text, whatever follows it."""
        return self._at_rest and _ANY.search(text) is None

    def _begin(self, pos: int) -> Steps[int]:
        """The beginning of the reply, or of what stands behind its reasoning."""
        end = yield from self._trial.attempt(pos, lambda: beginning(self._ctx, self._src, pos))
        return pos if end is None else end

    def _plain(self, pos: int) -> Steps[int | None]:
        """Text up to the next sign that may open something; `None` at the end of the reply."""
        src = self._src
        while True:
            sign = _NEXT.search(src.text, pos)
            stop, sign = (sign.start() if sign else -1), None
            if stop >= 0 and (end := self._passed(stop)):
                pos = end
                continue
            safe = stop if stop >= 0 else len(src.text) - (0 if src.ended else _held(src.text, pos))
            pos = self.outlet.safe = max(pos, safe)
            if stop >= 0:
                return stop
            if src.ended:
                return None
            self._at_rest = safe == len(src.text)
            yield None
            self._at_rest = False

    def _passed(self, pos: int) -> int:
        """The position behind a sign of which one look tells that it is text; 0 if it needs more than a look."""
        text = self._src.text
        if self._vain >= _MAX_VAIN:
            return pos + 1
        if text[pos] == "<":
            head = HEAD.match(text, pos, pos + MAX_HEAD)
            end = head.end() if head else pos
            if end >= len(text) or end - pos >= MAX_HEAD or self.outlet.answer.after_cut:
                return 0
            name = head_of(text[pos : end + 1])
            if not self._may_be(name):
                return end
            by = opening(name)
            behind = end + (text[end] in "=>")
        else:
            sign = _NEXT.match(text, pos)
            by = LITERALS.get(sign.group()) if sign else None
            behind = sign.end() if sign else pos
        if by is None or not by.hopeless(text, behind):
            return 0
        self._vain += 1
        return behind

    def _at(self, pos: int) -> Steps[int]:
        """What stands at a sign; the position behind it."""
        sign = self._src.text[pos]
        if sign in _TICKS and (sign == "`" or self._src.text.startswith("~~~", pos)):
            return (yield from self._ticks(pos, sign))
        if sign == "<":
            return (yield from self._tag(pos))
        found = _NEXT.match(self._src.text, pos)
        sign, found = (found.group() if found else sign), None
        mark = Mark(pos, pos + len(sign), sign)
        quoted = self._markdown.quoted(self._src, pos, closes=sign in CLOSERS)
        end = yield from (self._shown(mark, LITERALS.get(sign)) if quoted else self._sign(mark))
        self._vain += end is None
        return mark.end if end is None else end

    def _shown(self, mark: Mark, by: Opening | None) -> Steps[int | None]:
        """Past the whole of a call that is shown, unless the code or quotation that shows it has an end of its own."""
        if by is None or self._markdown.enclosed(self._src, mark.start):
            return None
        return (yield from self._trial.pass_over(mark, by))

    def _ticks(self, pos: int, sign: str) -> Steps[int]:
        src = self._src
        run = yield from word(src, pos, _TICKS[sign], _MAX_TICKS)
        end = pos + _MAX_TICKS if run is None else run
        if end - pos >= _MIN_FENCE and self._markdown.line_start(src, pos):
            info = yield from find(src, end, _INFO_END, 1, within=_MAX_INFO)
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
            end = yield from self._trial.attempt(pos, lambda: fence(self._ctx, self._src, info_end, language))
            if end is not None:
                return end
        closer = re.compile(r"\n[ \t>]*" + re.escape(self._src.text[pos:ticks]) + r"[`~]*[ \t]*(?=[\r\n])")
        return (yield from self._fenced(info_end, closer))

    def _fenced(self, start: int, closer: re.Pattern[str]) -> Steps[int]:
        src = self._src
        while True:
            found = closer.search(src.text, start)
            end, found = (found.end() if found else -1), None
            safe = self.outlet.safe = end if end >= 0 else len(src.text)
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
            if mark and not self._may_be(mark.head):
                end = mark.end - (src.text[mark.end - 1] in "=>")
                mark = None
        if mark is None:
            return end
        behind = yield from self._markup(mark)
        self._vain += behind is None
        return mark.end if behind is None else behind

    def _may_be(self, head: str) -> bool:
        """Whether a tag of this head needs a look."""
        ours = opening(head) is not None or head in BLOCKS or head in CLOSERS or head == _THOUGHT_TOKEN
        return ours or self.outlet.answer.after_cut or is_wrap(head) or head == _RESPONSE_END or is_lone(head)

    def _markup(self, mark: Mark) -> Steps[int | None]:
        """What a tag opens or closes, unless it is text."""
        src = self._src
        if self._response and mark.head == _RESPONSE_END:
            yield from self.outlet.take(mark.start, mark.end)
            return mark.end
        if self.outlet.answer.after_cut:
            yield from self.outlet.flushed()
            if end := (yield from self._stray(mark)):
                yield from self.outlet.take(mark.start, end)
                return end
        if self._markdown.quoted(src, mark.start, closes=mark.head in CLOSERS):
            self._markdown.wrap(src, mark.start)
            return (yield from self._shown(mark, opening(mark.head)))
        if thinks := (yield from self._block(mark)):
            return (yield from self._reason(mark.start, *thinks))
        closer = yield from self._closer(mark)
        if closer and ((behind := (yield from self._unopened(closer))) or mark.head != CLOSE):
            return behind
        by = opening(mark.head)
        if by is not None:
            return (yield from self._trial.opened(mark, by))
        if is_lone(mark.head) and (yield from self._hangs(mark)):
            yield from self.outlet.take(mark.start, mark.end)
            return mark.end
        self._markdown.wrap(src, mark.start)
        return None

    def _hangs(self, mark: Mark) -> Steps[bool]:
        """Whether a closer that nothing opened hangs on a text, or begins it, with nothing behind it on its line."""
        before = self._src.text[max(mark.start - 1, 0) : mark.start]
        if before and (before.isspace() or not (before.isalnum() or before in _SENTENCE_SIGNS)):
            return False
        return (yield from peek(self._src, mark.end)) in ("", "\n", "\r", "<")

    def _closer(self, mark: Mark) -> Steps[Mark | None]:
        """The closer of reasoning that this tag is."""
        if mark.head != CLOSE:
            return mark if mark.head in CLOSERS else None
        written = yield from expect(self._src, mark.start, THOUGHT_ENDS)
        return Mark(mark.start, mark.start + len(written), mark.head) if written else None

    def _stray(self, mark: Mark) -> Steps[int]:
        """The position behind a closer that only belongs to the markup before; 0 if it is none."""
        if not self.outlet.answer.after_cut:
            return 0
        return (yield from stray_end(self._src, mark))

    def _block(self, mark: Mark) -> Steps[tuple[int, tuple[str, ...]] | None]:
        """Where the text of the reasoning begins that this tag opens, and what closes it."""
        if mark.head == OPEN:
            start = yield from thought(self._ctx, self._src, mark)
            return (start, THOUGHT_ENDS) if start else None
        opener = yield from self._block_opener(mark)
        return (mark.start + len(opener), (BLOCKS[opener],)) if opener else None

    def _block_opener(self, mark: Mark) -> Steps[str | None]:
        """The opener of a reasoning block that this tag is."""
        if mark.head == _THOUGHT_TOKEN:
            named = yield from expect(self._src, mark.end, (_THOUGHT.removeprefix(_THOUGHT_TOKEN),))
            return _THOUGHT if named else None
        if mark.head not in BLOCKS:
            return None
        first = mark.start < _MAX_INFO and not self._src.text[: mark.start].strip(SPACE)
        if mark.head in ONLY_FIRST:
            return mark.head if first else None
        loose = ":" in mark.head or "|" in mark.head
        return mark.head if loose or first or self._markdown.line_start(self._src, mark.start) else None

    def _reason(self, start: int, pos: int, closers: tuple[str, ...]) -> Steps[int]:
        """A reasoning block that opens at `start` and whose text begins at `pos`."""
        yield from self.outlet.take(start, pos)
        inside = self._inside_reasoning()
        end = yield from self.outlet.forward(block(self._ctx, self._src, pos, closers, inside=inside))
        return (yield from self._behind_reasoning(end))

    def _inside_reasoning(self) -> Inside | None:
        if self._ctx.reasoning:
            return anything(construct, SIGNS)
        return trinity(TRINITY) if self._ctx.pick("trinity") else None

    def _behind_reasoning(self, end: int) -> Steps[int]:
        self.outlet.skip_to(end)
        self._markdown.jump(end)
        ahead = yield from skip_space(self._src, end)
        if (yield from expect(self._src, ahead, (_RESPONSE,))):
            self._response = True
            end = ahead + len(_RESPONSE)
            self.outlet.skip_to(end)
            return end
        return (yield from self._begin(end))

    def _unopened(self, mark: Mark) -> Steps[int | None]:
        """A closer of reasoning whose opener stood in the prompt: all before was reasoning."""
        src = self._src
        if self.outlet.reasoned:
            return None
        following = yield from peek(src, mark.end)
        before = src.text[max(mark.start - 1, 0) : mark.start]
        alone = following in ("", "\n", "\r", "<") or before in ("", "\n")
        glued = "|" in mark.head and following.isalnum() and (before.isalnum() or before in _BEFORE_CLOSER)
        if not (alone or glued):
            return None
        calls = self.outlet.last_calls if self._ctx.reasoning and self.outlet.answer.after_cut else []
        if calls and (yield from ends_text(src, mark.end)):
            yield from self.outlet.all_was_reasoning(self.outlet.last_calls_start, mark.end)
            yield from calls
        else:
            yield from self.outlet.all_was_reasoning(mark.start, mark.end)
        return (yield from self._behind_reasoning(mark.end))

    def _sign(self, mark: Mark) -> Steps[int | None]:
        """What an opener that is no tag opens."""
        ctx, src, sign = self._ctx, self._src, mark.head
        by = LITERALS.get(sign)
        if by is not None:
            at_line_start = by.grammar is not action or self._markdown.line_start(src, mark.start)
            return (yield from self._trial.opened(mark, by)) if at_line_start else None
        if sign == ">>>":
            return (yield from self._trial.attempt(mark.start, lambda: functionary(ctx, src, mark.end)))
        if sign in _HEADER_WORDS:
            if sign.startswith("commentary") and not self._markdown.line_start(src, mark.start):
                return None
            return (yield from self._trial.attempt(mark.start, lambda: stripped(ctx, src, mark.start)))
        if sign in BLOCKS:
            return (yield from self._reason(mark.start, mark.end, (BLOCKS[sign],)))
        return (yield from self._unopened(mark)) if sign in CLOSERS else None


def _held(text: str, pos: int) -> int:
    """How many characters at the end of the text may be the beginning of a sign."""
    found = _BEGUN.search(text, max(pos, len(text) - _LONGEST))
    return len(text) - found.start() if found else 0
