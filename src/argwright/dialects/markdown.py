"""Where in a Markdown text a marker stands: in code, in a quotation, inside a sentence.

A model that explains a notation quotes it. A marker in a fence, in a code span or block,
in a block quotation, right behind an opening quote, or behind a line that announces an
example opens no call.
"""

from __future__ import annotations

import re

from argwright.dialects.source import SPACE, Source

_OPENING_QUOTES = frozenset("\"'“‘«‹「『„‚`")
_BEFORE_QUOTE = frozenset("([{:,;—–-=>") | frozenset(SPACE)
_QUOTATION = re.compile(r"[ \t]*>")
_WRAPS = re.compile(r"</?(?:pre|code|example|samp|kbd|blockquote)[ >]|<!--", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:code|samp|kbd)", re.IGNORECASE)
_SENTENCE_ENDS = frozenset('.!?:;…。！？：；)]}>|*_~"”」»）】')


_CODE, _BLOCK, _COMMENT = "code", "block", "comment"
_CODE_INDENT = re.compile(r" {4,}|\t")
_ANNOUNCES = re.compile(
    r"\b(?:examples?|for instance|e\.g\.|samples?|illustrat\w+|like (?:this|so)|looks? like|syntax|notation|beispiel\w*"
    r"|ejemplos?|exemples?|exemplos?)\b"
    r"|пример|مثال|דוגמה|例|示例|예시|语法|語法|格式如下|写法|如下所示",
    re.IGNORECASE,
)
_NEAR = 160  # how far back the line before is looked at


def is_wrap(head: str) -> bool:
    """Whether a tag of this head may show text as code."""
    return _WRAPS.match(head) is not None


_MAX_INDENT = 16
_PLACEHOLDER = re.compile(r"\.{3}|…|\{\{|<([A-Za-z][\w -]*)>(?!.*</\1>)", re.DOTALL)


def is_description(body: str) -> bool:
    """Whether what stands between markers describes a notation: nothing, an ellipsis, a name in angle brackets."""
    return not body.strip() or _PLACEHOLDER.search(body) is not None


class Markdown:
    """What is open at the position that was looked at last. Positions must not go back."""

    __slots__ = ("_line", "_seen", "_span", "_wraps")

    def __init__(self) -> None:
        self._seen = 0
        self._line = 0
        self._span = 0
        self._wraps = ""

    def reach(self, src: Source, pos: int) -> None:
        """Move on to this position."""
        last = src.text.rfind("\n", self._seen, pos)
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
        self._seen = self._line = pos
        self._span = 0

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

    def quoted(self, src: Source, pos: int) -> bool:
        """Whether what begins here is shown, not meant."""
        self.reach(src, pos)
        if self._span or self._wraps or _QUOTATION.match(src.text, self._line, pos) or self._shown(src, pos):
            return True
        before = src.text[pos - 1 : pos]
        return before in _OPENING_QUOTES and src.text[max(pos - 2, 0) : pos - 1] in {"", *_BEFORE_QUOTE}

    def _shown(self, src: Source, pos: int) -> bool:
        """Whether what begins here stands in an indented block of code, or is announced as an example."""
        if self._line < pos and not _CODE_INDENT.fullmatch(src.text, self._line, pos):
            before = src.text[self._line : pos] if pos - self._line <= _NEAR else ""
        else:
            before = src.text[max(0, self._line - _NEAR) : self._line]
            if self._line < pos and before.endswith("\n\n") and before.strip():
                return True
        before = before.rstrip()
        return before.endswith((":", "：")) and _ANNOUNCES.search(before.rpartition("\n")[2]) is not None

    def in_sentence(self, src: Source, pos: int) -> bool:
        """Whether the text before on the line is a sentence that has not ended."""
        self.reach(src, pos)
        start = max(self._line, pos - 64)
        before = src.text[start:pos].rstrip(" \t")
        return bool(before) and before[-1] not in _SENTENCE_ENDS and src.text[pos - 1] in " \t"
