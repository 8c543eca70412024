"""Parameters written as tags: `<parameter=city>Oslo</parameter>`, and how their values end.

Nothing is escaped in these dialects, so a value may hold its own closing tag. It ends at
the first closing tag behind which a tag stands that may legally come next; without such
a one, at the first closing tag, and then what follows does not belong there and the call
cannot be read. A missing closing tag is understood only where the dialect's models are
known to leave it out, and only if what stands there next is a declared parameter at the
start of a line, or the end of the call. The call is whole when its own closing tag has
come, since another parameter could follow. Types come from the schema (`typing`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from argwright.decode import Decoded, decode
from argwright.dialects.context import Context
from argwright.dialects.objects import State
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_space
from argwright.dialects.typing import member_shape, object_text, typed
from argwright.model import Json
from argwright.policy import Policy
from argwright.shape import Shape

MAX_TAG = 512  # a parameter's opening tag; its attributes are a name and a flag

_NEAR = 64  # how far before the end of a value that lacks its closing tag a misspelt one is looked for

_CDATA = "<![CDATA["
_CDATA_END = "]]>"
_CDATA_CLOSE = re.compile(r"\]\]>")


@dataclass(frozen=True)
class Opener:
    """A parameter's opening tag: its name, where the value begins, and the type the wire gives (`string`, `json`)."""

    name: str
    start: int
    kind: str | None = None


@dataclass(frozen=True)
class Given:
    """A parameter as written; `open` says that its closing tag is missing."""

    name: str
    text: str
    kind: str | None = None
    open: bool = False


@dataclass(frozen=True)
class Parameters:
    """The parameters of one call, where they end, and whether the call is whole, cut, or not to be read."""

    given: tuple[Given, ...]
    end: int
    state: State


@dataclass(frozen=True)
class TagForm:
    """How one dialect writes parameters.

    Args:
        opener: reads an opening tag.
        heads: what an opening tag begins with.
        closers: the closing tags of a value.
        ends: the closing tags of a call.
        nexts: the openers of a next call.
        lenient: values may lack their closing tag.
        cdata: a value may be one or more CDATA sections.
        pieces: more markup of the dialect; a value that holds such has swallowed something.
    """

    opener: Callable[[Source, int], Steps[Opener | None]]
    heads: tuple[str, ...]
    closers: tuple[str, ...]
    ends: tuple[str, ...]
    nexts: tuple[str, ...] = ()
    lenient: bool = False
    cdata: bool = False
    pieces: tuple[str, ...] = ()

    @cached_property
    def drifted(self) -> re.Pattern[str]:
        """What models write for a closing tag, where none stands: `</parameter1>`, `</parameter`, `</param>`."""
        head, _, _ = self.closers[0].removeprefix("</").rstrip(">").partition("eter")
        rest = rf"{re.escape(head)}[\w=\"\s-]{{0,24}}"
        return re.compile(rf"(?:<\s?\\?/\s?{rest}>?|(?<=\n)/{rest}>)\s*\Z")

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """Whatever may end a value."""
        return re.compile("|".join(map(re.escape, sorted(self._all, key=len, reverse=True))))

    @cached_property
    def longest(self) -> int:
        """The length of the longest of them."""
        return max(map(len, self._all))

    @cached_property
    def stops(self) -> re.Pattern[str]:
        """Where a call that cannot be read ends."""
        return re.compile("|".join(map(re.escape, (*self.ends, *self.nexts))))

    @property
    def _all(self) -> set[str]:
        return {*self.heads, *self.closers, *self.ends, *self.nexts}

    @cached_property
    def swallowed(self) -> re.Pattern[str]:
        """What no value holds unless a tag of its own was lost or is quoted, and nobody can tell which."""
        return re.compile("|".join(map(re.escape, (*self.heads, *self.closers, *self.pieces))))

    @cached_property
    def pairs(self) -> tuple[re.Pattern[str], int]:
        """What opens and what closes a parameter, and the length of the longest of them."""
        tags = (*self.heads, *self.closers, *(piece for piece in self.pieces if piece.startswith("</")))
        return re.compile("|".join(map(re.escape, tags))), max(map(len, tags))

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """What may follow a value's closing tag."""
        return (*self.heads, *self.ends)


def parameters(ctx: Context, src: Source, pos: int, *, tool: str, form: TagForm) -> Steps[Parameters]:
    """The parameters from `pos` to the end of the call."""
    given: list[Given] = []
    names: set[str] = set()
    shape = ctx.shape(tool)
    while True:
        pos = yield from skip_space(src, pos)
        if end := (yield from expect(src, pos, form.ends)):
            if any(item.open and _is_unclear(item.text, member_shape(shape, item.name), form) for item in given):
                return Parameters(tuple(given), pos + len(end), State.BROKEN)
            return (yield from _closed(src, pos + len(end), tuple(given), form))
        opener = yield from form.opener(src, pos)
        if opener is None:
            return Parameters(tuple(given), *(yield from _unreadable(src, pos, form)))
        if form.cdata and (section := (yield from _cdata(src, opener.start, form))):
            text, pos = section
            given.append(Given(opener.name, text, "cdata"))
            continue
        names.add(opener.name)
        missing = _Missing(ctx, tool, names) if form.lenient else None
        value_end, pos, closed = yield from _value(src, opener.start, form, missing)
        if not closed:
            return Parameters(tuple(given), value_end, State.CUT)
        unclosed = value_end == pos
        if unclosed and (drifted := form.drifted.search(src.text, max(opener.start, pos - _NEAR), pos)):
            value_end = drifted.start()
        given.append(Given(opener.name, src.text[opener.start : value_end], opener.kind, unclosed))


def _closed(src: Source, pos: int, given: tuple[Given, ...], form: TagForm) -> Steps[Parameters]:
    """A call whose closing tag has come. A value that holds opening tags may have been ended by one of theirs."""
    values = [item.text for item in given if item.kind != "cdata"]
    if not any(form.swallowed.search(text) or any(map(text.__contains__, form.nexts)) for text in values):
        return Parameters(given, pos, State.BROKEN if (yield from _runs_on(src, pos, form)) else State.CLOSED)
    pattern = re.compile("|".join(map(re.escape, (*form.closers, *form.nexts))))
    mark = yield from find(src, pos, pattern, form.longest)
    closer = mark is not None and src.text[slice(*mark)] in form.closers
    if mark is not None and closer:
        ahead = yield from skip_space(src, mark[1])
        end = yield from expect(src, ahead, form.ends)
        return Parameters(given, ahead + len(end) if end else mark[1], State.BROKEN)
    return Parameters(given, pos, State.BROKEN if any(map(form.swallowed.search, values)) else State.CLOSED)


def _is_unclear(text: str, shape: Shape, form: TagForm) -> bool:
    """Whether nobody can tell what a value is that lacks its closing tag: empty, with markup in it, its end blank."""
    bare = text.rstrip()
    blank = text.count("\n", len(bare)) > 1 and shape.allows("string")
    return not bare or blank or any(map(text.__contains__, (*form.ends, *form.nexts)))


def _runs_on(src: Source, pos: int, form: TagForm) -> Steps[bool]:
    """Whether text hangs on the closing tag that a parameter's closing tag ends: it belonged to the call."""
    sign = yield from peek(src, pos)
    if not sign or sign.isspace() or sign in "<[]":
        return False
    mark = yield from find(src, pos, *form.pairs, within=MAX_TAG)
    return mark is not None and src.text[slice(*mark)] not in form.heads


def _unreadable(src: Source, pos: int, form: TagForm) -> Steps[tuple[int, State]]:
    """Where a call ends that holds something between its parameters."""
    if not (yield from peek(src, pos)):
        return pos, State.CUT
    mark = yield from find(src, pos, form.stops, form.longest)
    if mark is None:
        return len(src.text), State.CUT
    return (mark[1] if src.text[slice(*mark)] in form.ends else mark[0]), State.BROKEN


@dataclass(frozen=True)
class _Missing:
    """Which opening tags show that the value before them was not closed: declared, and not given yet."""

    ctx: Context
    tool: str
    given: AbstractSet[str]

    def shown_by(self, src: Source, start: int, end: int) -> Steps[bool]:
        """Whether the opening tag whose head is this span is one of them, at the start of a line."""
        if not (yield from _tag_end(src, end)):
            return False
        text = src.text
        stop = text.find(">", end, end + MAX_TAG)
        name = text[end:stop].strip(" \"'") if stop > 0 else ""
        line = text.rfind("\n", 0, start)
        begins = line >= 0 and not text[line:start].strip()
        return begins and name in self.ctx.shape(self.tool).properties and name not in self.given


def _value(src: Source, pos: int, form: TagForm, missing: _Missing | None) -> Steps[tuple[int, int, bool]]:
    """The end of the value that begins at `pos`, the position behind its closing tag, and whether it was closed."""
    doubtful: tuple[int, int] | None = None
    at_end: int | None = None
    scan = pos
    while mark := (yield from find(src, scan, form.marks, form.longest)):
        start, scan = mark
        tag = src.text[start:scan]
        if tag in form.closers:
            if (yield from _legal(src, scan, form)):
                return start, scan, True
            doubtful = doubtful or mark
        elif doubtful:
            if tag in form.nexts or tag in form.ends:
                break
        elif tag in form.ends and missing:
            ends, scan = yield from _ends_call(src, scan, form)
            if ends:
                return start, start, True
            at_end = start if at_end is None else at_end
        elif tag in form.heads and missing and (yield from missing.shown_by(src, start, scan)):
            return start, start, True
    end = doubtful or ((at_end, at_end) if at_end is not None else None)
    return (*end, True) if end else (len(src.text), len(src.text), False)


def _legal(src: Source, pos: int, form: TagForm) -> Steps[bool]:
    """Whether a tag that may follow a value, or the end of the text, comes next."""
    pos = yield from skip_space(src, pos)
    return not (yield from peek(src, pos)) or bool((yield from expect(src, pos, form.legal)))


def _ends_call(src: Source, pos: int, form: TagForm) -> Steps[tuple[bool, int]]:
    """Whether nothing but closing tags, another call or the end of the text follows; the position behind those tags."""
    while True:
        behind = pos
        pos = yield from skip_space(src, pos)
        end = yield from expect(src, pos, form.ends)
        if not end:
            ends = not (yield from peek(src, pos)) or bool(form.nexts and (yield from expect(src, pos, form.nexts)))
            return ends, behind
        pos += len(end)


def _tag_end(src: Source, pos: int) -> Steps[bool]:
    """Wait until the tag is closed, or cannot be one."""
    return (yield from find(src, pos, _ANGLE, 1, within=MAX_TAG)) is not None


def _cdata(src: Source, pos: int, form: TagForm) -> Steps[tuple[str, int] | None]:
    """The text of the CDATA sections that are the whole value, and the position behind its closing tag."""
    parts: list[str] = []
    while True:
        pos = yield from skip_space(src, pos)
        if not (yield from expect(src, pos, (_CDATA,))):
            break
        end = yield from find(src, pos + len(_CDATA), _CDATA_CLOSE, len(_CDATA_END))
        if end is None:
            return None
        parts.append(src.text[pos + len(_CDATA) : end[0]])
        pos = end[1]
    closer = yield from expect(src, pos, form.closers)
    return ("".join(parts), pos + len(closer)) if parts and closer else None


def attributes(tag: str) -> dict[str, str]:
    """The attributes of an opening tag."""
    found = _ATTRIBUTE.findall(tag)
    return {name: double or single or bare for name, double, single, bare in found}


_ANGLE = re.compile("[<>]")
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>/]+))")


def opening_tag(src: Source, pos: int, heads: tuple[str, ...]) -> Steps[tuple[str, int] | None]:
    """What stands in the tag at `pos` behind one of these heads, and the position behind its `>`."""
    head = yield from expect(src, pos, heads)
    if head is None:
        return None
    end = yield from find(src, pos + len(head), _ANGLE, 1, within=MAX_TAG)
    if end is None or src.text[end[0]] == "<":
        return None
    return src.text[pos + len(head) : end[0]], end[1]


def trimmed(text: str) -> str:
    """The value without one line break at each end."""
    for line_break in ("\r\n", "\n"):
        if text.startswith(line_break):
            text = text[len(line_break) :]
            break
    for line_break in ("\r\n", "\n"):
        if text.endswith(line_break):
            return text[: -len(line_break)]
    return text


def arguments_text(ctx: Context, tool: str, given: Sequence[Given]) -> str:
    """The parameters as an object's JSON text, typed by the wire where it says so, else by the schema."""
    shape = ctx.shape(tool)

    def value(item: Given) -> Json:
        if item.kind == "string":
            return item.text
        if item.kind == "json":
            read = decode(item.text.strip(), policy=Policy.STRICT)
            return read.value if isinstance(read, Decoded) and not read.repairs else item.text
        return typed(item.text, member_shape(shape, item.name))

    return object_text((item.name, value(item)) for item in given)
