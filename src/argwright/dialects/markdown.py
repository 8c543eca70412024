"""Where in a Markdown text a marker stands: in code, in a quotation, inside a sentence.

A model that explains a notation quotes it. A marker in a fence, in a code span or block,
in a block quotation, right behind an opening quote, or behind a line that announces an
example opens no call.
"""

from __future__ import annotations

import re

from argwright.dialects.introductions import introduces, shows, speaks_for_itself
from argwright.dialects.source import SPACE, Source
from argwright.possessive import compiled

_QUOTES = frozenset("\"'`“‘«‹„‚")
_CORNERS = frozenset("「『《【\\")  # what opens a quotation wherever it stands
_BEFORE_QUOTE = frozenset("([{:,;—–-=>") | frozenset(SPACE)
_QUOTATION = compiled(r"[ \t]*>")
_WRAPS = compiled(r"</?(?:pre|code|example|samp|kbd|blockquote)[ >]|<!--", re.IGNORECASE)
_INLINE = compiled(r"</?(?:code|samp|kbd)", re.IGNORECASE)
_LITERAL = compiled(r"(?:\"\"\"|'''|(?:\A|\W)(?:[bfruBFRU]{1,2}|[bc]?r#+)[\"'])\Z")  # a string's, in code
_COMMENTED = compiled(r"[ \t]*(?:#|//|/\*|\|)")
_BULLET = compiled(r"[-*+•]|\d{1,3}[.)]")
_HEADING = compiled(r"^(?:#{1,6} \S|={3,}\s*$)", re.MULTILINE)
_PASSED = compiled(r"(?:\s|</[^<>]{1,60}>|<[|｜][^<>]{0,40}end[^<>]{0,40}[|｜]>)*+")
_MAX_PASSED = 200
_SENTENCE_ENDS = frozenset('.!?:;…。！？：；)]}>|*_~"”」»）】')


_CODE, _BLOCK, _COMMENT = "code", "block", "comment"
_CODE_INDENT = compiled(r" {4,}|\t")
_INDENT = 4
_COLONS = ":："
_UNSPACED = "\u2e80"  # from here on are the scripts that put no blanks between words
_NEAR = 160  # how far back the line before is looked at


def is_wrap(head: str) -> bool:
    """Whether a tag of this head may show text as code."""
    return _WRAPS.match(head) is not None


_MAX_INDENT = 16
_PLACEHOLDER = compiled(r"\.{3}|…|\{\{|<([A-Za-z][\w -]*)>(?!.*</\1>)", re.DOTALL)


def is_description(body: str) -> bool:
    """Whether what stands between markers describes a notation: nothing, an ellipsis, a name in angle brackets."""
    return not body.strip() or _PLACEHOLDER.search(body) is not None


def _may_go_on(before: str) -> bool:
    """Whether a sentence may take up a marker behind this sign: a blank, or a sign of a writing without blanks."""
    return before in " \t，、；" or (before.isalpha() and before >= _UNSPACED)


class Markdown:
    """What is open at the position that was looked at last. Positions must not go back."""

    __slots__ = ("_document", "_floor", "_line", "_passed", "_seen", "_span", "_wraps")

    def __init__(self) -> None:
        self._seen = 0
        self._line = 0
        self._floor = 0
        self._span = 0
        self._wraps = ""
        self._passed = -1
        self._document = False

    def reach(self, src: Source, pos: int) -> None:
        """Move on to this position."""
        last = src.text.rfind("\n", self._seen, pos)
        if not self._document and pos > self._seen:
            self._document = _HEADING.search(src.text, self._seen, pos) is not None
        if last >= 0:
            self._line = last + 1
            self._span = 0
            if self._wraps == _CODE:
                self._wraps = ""
        if self._wraps == _COMMENT and src.text.find("-->", max(self._seen - 2, 0), pos) >= 0:
            self._wraps = ""
        self._seen = max(self._seen, pos)

    def jump(self, pos: int) -> None:
        """Move on behind a call: nothing is open there."""
        self._seen = self._line = self._floor = pos
        self._span = 0

    def passed(self, end: int) -> None:
        """A call up to here was shown; one right behind it is shown as well."""
        self._passed = end

    def ticks(self, src: Source, start: int, end: int) -> None:
        """Backticks that open or close a code span."""
        self.reach(src, start)
        count = end - start
        if not self._span:
            self._span = count
        elif self._span == count:
            self._span = 0
        self._seen = end

    def wrap(self, src: Source, pos: int) -> None:
        """An HTML tag, which may show text as code until it is closed; a block's only at the start of a line."""
        tag = _WRAPS.match(src.text, pos)
        if tag is None:
            return
        inline = _INLINE.match(src.text, pos) is not None
        if src.text.startswith("</", pos):
            self._wraps = ""
        elif inline or self.line_start(src, pos):
            self._wraps = _COMMENT if tag.group() == "<!--" else _CODE if inline else _BLOCK

    def line_start(self, src: Source, pos: int) -> bool:
        """Whether nothing but blanks stands before this position on its line."""
        self.reach(src, pos)
        return not src.text[max(self._line, pos - _MAX_INDENT) : pos].strip(" \t") and pos - self._line <= _MAX_INDENT

    def enclosed(self, src: Source, pos: int) -> bool:
        """Whether this position is in code or in a quotation that ends by a sign of its own."""
        self.reach(src, pos)
        return bool(self._span or self._wraps or _QUOTATION.match(src.text, self._line, pos))

    def quoted(self, src: Source, pos: int, *, closes: bool = False) -> bool:
        """Whether what begins here is shown, not meant; `closes`: it ends reasoning, which a shown call may end."""
        if self.enclosed(src, pos) or self._commented(src, pos) or (not closes and self._follows_shown(src, pos)):
            return True
        before = src.text[max(pos - 5, 0) : pos]
        quote = before[-1:] in _QUOTES and (
            before[-2:-1] in {"", *_BEFORE_QUOTE} or _LITERAL.search(before) is not None
        )
        return quote or before[-1:] in _CORNERS or shows(self._words(src, pos))

    def doubtful(self, src: Source, pos: int) -> bool:
        """Whether a call here may be one that is shown, if the text goes on behind it."""
        self.reach(src, pos)
        own = self._own(src, pos)
        if self._document or (pos - self._line >= _INDENT and not own) or _BULLET.fullmatch(own):
            return True
        if own and own[-1] not in _COLONS:
            goes_on = own[-1] not in _SENTENCE_ENDS and _may_go_on(src.text[pos - 1])
            return goes_on and not speaks_for_itself(own)
        return introduces(self._words(src, pos))

    def _own(self, src: Source, pos: int) -> str:
        """The text before on the line, as far as it is looked at."""
        return src.text[max(self._line, pos - _NEAR) : pos].strip(" \t")

    def _words(self, src: Source, pos: int) -> str:
        """The text before on the line, or the line above."""
        if own := self._own(src, pos):
            return own
        return src.text[max(self._floor, self._line - _NEAR) : self._line].rstrip().rpartition("\n")[2]

    def _commented(self, src: Source, pos: int) -> bool:
        """Whether what begins here stands in an indented block of code, in a comment, a heading or a table."""
        if self._line == pos:
            return False
        if not _CODE_INDENT.fullmatch(src.text, self._line, pos):
            return _COMMENTED.match(src.text, self._line, pos) is not None
        before = src.text[max(self._floor, self._line - _NEAR) : self._line]
        return before.endswith("\n\n") and bool(before.strip())

    def _follows_shown(self, src: Source, pos: int) -> bool:
        """Whether nothing but closing markup stands between here and a call that was shown."""
        near = 0 <= self._passed <= pos <= self._passed + _MAX_PASSED
        return near and _PASSED.fullmatch(src.text, self._passed, pos) is not None

    def in_sentence(self, src: Source, pos: int) -> bool:
        """Whether the text before on the line is a sentence that has not ended."""
        self.reach(src, pos)
        start = max(self._line, pos - 64)
        before = src.text[start:pos].rstrip(" \t")
        return bool(before) and before[-1] not in _SENTENCE_ENDS and src.text[pos - 1] in " \t"
