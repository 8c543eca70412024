"""Calls as JSON between markers: `<tool_call>{"name": …, "arguments": {…}}</tool_call>` and its kin.

A dialect is one `Form`: its opener, its closers, its name. The body is one object,
several, or an array of them; what ends an object is the object, so that a closing tag
inside a string is content, and a missing closing tag costs nothing. An array's junk is
passed over. Keys are read in any order (`envelope`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from argwright.dialects.brackets import Notation, body_end, string_end
from argwright.dialects.context import MAX_NAME, NAME, Context, Grammar, Mark, bare_name, found
from argwright.dialects.envelope import Entry, entries, keyed
from argwright.dialects.events import CallFound
from argwright.dialects.named_json import Ends, Head, json_arguments
from argwright.dialects.objects import State
from argwright.dialects.source import SPACE, Source, Steps, expect, find, peek, skip_blanks, skip_space, word

_FENCES = ("```json", "```")
_STRAY = frozenset("\"':")  # what can only follow an object whose end was misjudged
_NEAR = 64  # how far behind a closing marker the next call may begin


@dataclass(frozen=True)
class Form:
    """One dialect of the family.

    Args:
        opener: its marker.
        dialects: its names, the likeliest first.
        closers: what may close it; empty if nothing does.
        begins: what a body may begin with.
        between: a marker that must stand between the opener and the body.
        keyed: each object's only key is the tool's name.
    """

    opener: str
    dialects: tuple[str, ...]
    closers: tuple[str, ...] = ()
    begins: str = "{["
    between: str = ""
    keyed: bool = False

    @cached_property
    def notation(self) -> Notation:
        """Strings and brackets of JSON, ended by the form's own markers."""
        return Notation(stops=(self.opener, *self.closers))

    @cached_property
    def marks(self) -> tuple[re.Pattern[str], int]:
        """The form's markers as a pattern, and the length of the longest."""
        marks = (self.opener, *self.closers)
        return re.compile("|".join(map(re.escape, marks))), max(map(len, marks))


FORMS = (
    Form("<longcat_tool_call>", ("longcat",), ("</longcat_tool_call>",)),
    Form("[TOOL_REQUEST]", ("lmstudio",), ("[END_TOOL_REQUEST]",)),
    Form("<TOOLCALL>", ("toolcall_upper",), ("</TOOLCALL>",)),
    Form("<function_call>", ("granite20b",), ("</function_call>",)),
    Form("<|tool_call|>", ("granite_array", "phi4_tags"), ("<|/tool_call|>", "</|tool_call|>", "<|tool_call_end|>")),
    Form("<|function_call|>", ("gigachat3",), ()),
    Form("<|tools_prefix|>", ("apertus",), ("<|tools_suffix|>",), begins="[", keyed=True),
    Form("<|action_start|>", ("internlm2",), ("<|action_end|>",), between="<|plugin|>"),
    Form("<|START_ACTION|>", ("command_a",), ("<|END_ACTION|>",)),
    Form("functools[", ("functools",), ()),
    Form("[TOOL_CALLS]", ("mistral_v3",), ("[/TOOL_CALLS]",)),
)

HERMES = Form("<tool_call>", ("hermes", "ernie45", "trinity"), ("</tool_call>",))
TOOL_CALLS = Form("<tool_calls>", ("tool_calls_array", "minimax_m1"), ("</tool_calls>",))
HORIZON_JSON = Form("<ifm|tool_call>", ("k2_horizon",), ("</ifm|tool_call>",))
LFM2 = Form("<|tool_call_start|>", ("lfm2",), ("<|tool_call_end|>",))


def grammar(form: Form) -> Grammar:
    """The grammar of one form."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        dialect = ctx.pick(*form.dialects)
        if dialect is None:
            return None
        pos = mark.end - 1 if form.opener.endswith("[") and form.opener != "[" else mark.end
        if form.between:
            pos = yield from skip_space(src, pos)
            if (yield from expect(src, pos, (form.between,))) is None:
                return None
            pos += len(form.between)
        return (yield from block(ctx, src, pos, Reader(form, dialect)))

    return read


def named(dialect: str, closers: tuple[str, ...], others: tuple[str, ...]) -> Grammar:
    """The grammar of a declared tool's name and its object between such tags, as models mix them up."""
    ends = Ends(closers, others)

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        pos = yield from skip_space(src, mark.end)
        end = yield from word(src, pos, NAME, MAX_NAME)
        if end is None or ctx.pick(dialect) is None or not ctx.declared(src.text[pos:end]):
            return None
        start = yield from skip_space(src, end)
        if (yield from peek(src, start)) != "{":
            return None
        return (yield from json_arguments(src, start, Head(dialect, src.text[pos:end]), ends))

    return read


@dataclass(frozen=True)
class Reader:
    """A form being read under one of its names."""

    form: Form
    dialect: str


def block(ctx: Context, src: Source, pos: int, reader: Reader) -> Steps[int | None]:
    """The objects of one body, then its closer."""
    pos = yield from skip_space(src, pos)
    if fence := (yield from expect(src, pos, _FENCES)):
        pos = yield from skip_space(src, pos + len(fence))
    first = yield from peek(src, pos)
    if not first or first not in reader.form.begins or (yield from expect(src, pos, reader.form.notation.stops)):
        return None
    inside = empty = first == "["
    pos += inside
    calls = 0
    while True:
        behind, pos = pos, (yield from _past_commas(src, pos))
        sign = yield from peek(src, pos)
        if sign == "{":
            end, count = yield from _object(ctx, src, pos, reader)
            if not count and not calls and not inside:
                return None
            calls += count
            pos = end
        elif inside and sign and sign != "]" and not (yield from expect(src, pos, reader.form.notation.stops)):
            if not calls and sign not in '"[':
                return None
            pos, empty = (yield from _junk(src, pos, reader)), False
        elif sign == "]" and inside:
            inside = False
            pos += 1
        elif not calls:
            return (yield from _empty(src, pos, reader)) if empty and not inside else None
        else:
            closed = yield from _closed(src, pos, reader, fenced=bool(fence))
            return behind if closed is None else closed


def _empty(src: Source, pos: int, reader: Reader) -> Steps[int | None]:
    """Past the closing marker of a list without calls, or the end of the text: the model called nothing."""
    if not (yield from peek(src, pos)):
        return pos
    closer = yield from expect(src, pos, reader.form.closers or ("\0",))
    return pos + len(closer) if closer else None


def _past_commas(src: Source, pos: int) -> Steps[int]:
    while True:
        pos = yield from skip_space(src, pos)
        if (yield from peek(src, pos)) not in (",", ";"):
            return pos
        pos += 1


def _junk(src: Source, pos: int, reader: Reader) -> Steps[int]:
    """Past an entry of an array that is no object."""
    sign = src.text[pos]
    if sign == '"':
        return (yield from string_end(src, pos))
    if sign == "[":
        return (yield from body_end(src, pos, reader.form.notation))[0]
    end = pos + 1
    while (yield from peek(src, end)) not in ("", ",", "]", "{"):
        end += 1
    return end


def _closed(src: Source, pos: int, reader: Reader, *, fenced: bool) -> Steps[int | None]:
    """Past the closing fence and the closing marker, if they are there."""
    end: int | None = None
    if fenced and (yield from expect(src, pos, ("```",))):
        end = pos = yield from skip_space(src, pos + 3)
    if reader.form.closers and (closer := (yield from expect(src, pos, reader.form.closers))):
        end = pos + len(closer)
    return end


def _object(ctx: Context, src: Source, pos: int, reader: Reader) -> Steps[tuple[int, int]]:
    """The calls of the object at `pos`: the position behind, and how many they are."""
    form = reader.form
    end, complete = yield from body_end(src, pos, form.notation)
    tail = ""
    if complete and (yield from _runs_on(src, end)):
        return (yield from _broken(ctx, src, pos, reader))
    if not complete and end < len(src.text):
        tail = (yield from expect(src, end, form.closers or ("\0",))) or ""
    elif not complete and (cut := _recovered(src.text, pos, form)):
        end, tail = cut
    calls = _read(ctx, form, src.text[pos:end], tail)
    if not complete and not tail and end < len(src.text):  # another call begins: of this one its name is left at least
        calls = [entry for entry in calls if entry.name]
    behind = (yield from _extra_closers(src, end)) if complete else end
    for entry in calls:
        last = entry is calls[-1]
        more = src.text[end:behind] if last and entry.arguments.endswith("}") else ""
        yield _call(entry, more, reader.dialect, cut=last and not complete and not tail)
    return behind, len(calls)


def _read(ctx: Context, form: Form, body: str, tail: str) -> list[Entry]:
    return keyed(ctx, body) if form.keyed else entries(ctx, body, tail)


def _call(entry: Entry, more: str, dialect: str, *, cut: bool) -> CallFound:
    name = bare_name(entry.name) if entry.wrapper == "tool_uses" and entry.name else entry.name
    broken = entry.state is not State.CLOSED and not entry.doubtful
    return found(dialect, name, entry.arguments + more, id=entry.id, cut=cut or broken)


def _runs_on(src: Source, pos: int) -> Steps[bool]:
    """Whether what follows on the line shows that the object did not end here."""
    ahead = yield from skip_blanks(src, pos)
    return (yield from peek(src, ahead)) in _STRAY


def _extra_closers(src: Source, pos: int) -> Steps[int]:
    """Past braces too many, which stay with the arguments."""
    while (yield from peek(src, pos)) == "}":
        pos += 1
    return pos


def _broken(ctx: Context, src: Source, pos: int, reader: Reader) -> Steps[tuple[int, int]]:
    """An object whose end cannot be told: up to the form's next marker it is one call that cannot be read."""
    pattern, longest = reader.form.marks
    mark = yield from find(src, pos, pattern, longest)
    end = mark[0] if mark else len(src.text)
    calls = _read(ctx, reader.form, src.text[pos:end], "")
    if not calls:
        return end, 0
    yield found(reader.dialect, calls[0].name, src.text[pos:end].rstrip(SPACE), cut=True)
    return end, 1


def _recovered(text: str, pos: int, form: Form) -> tuple[int, str] | None:
    """Where a body that runs on to the end of the text, by an unclosed string, was meant to end."""
    pattern, _ = form.marks
    for mark in pattern.finditer(text, pos):
        before = mark.start() - 1
        while before > pos and text[before] in SPACE:
            before -= 1
        behind = text[mark.end() : mark.end() + _NEAR].lstrip(SPACE)
        ends = text[before] in "}]" or not behind or behind.startswith(form.opener)
        if mark.group() != form.opener and ends:
            return mark.start(), mark.group()
    return None
