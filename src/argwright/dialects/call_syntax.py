"""Calls written like calls: `[name(key='text', n=2)]` and Gemma's `call:name{key:<|"|>text<|"|>}`.

The end of each call is found by its brackets, then its arguments are read by `literals`.
What is off the notation goes on as written. Nothing counts before the closing bracket.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from argwright.decode import Undecodable, decode
from argwright.dialects.brackets import PYTHON, Notation, body_end, settle, whole
from argwright.dialects.context import MAX_NAME, Context, Grammar, Mark, bare_name, found, is_name
from argwright.dialects.literals import PYTHON as PYTHON_RULES
from argwright.dialects.literals import LiteralError, Rules, arguments
from argwright.dialects.source import Source, Steps, expect, find, peek, repeated, skip_space, word
from argwright.dialects.typing import object_text

NAME_RUN = re.compile(r"[\w.$-]*+")
_BETWEEN = ",;[]"

_QUOTES = ('<|"|>', "<escape>")
_GEMMA_STOPS = ("<tool_call|>", "<|tool_call>", "<end_function_call>", "<start_function_call>")
_GEMMA = Notation(stops=_GEMMA_STOPS, brackets="{[(", tokens=_QUOTES)
_GEMMA_RULES = Rules(assign=":=", tokens=_QUOTES, bare_keys=True)


@dataclass(frozen=True)
class Style:
    """How calls in one place are written: the dialect, what closes the place, what opened it."""

    dialect: str
    closers: tuple[str, ...] = ()
    opener: str = ""

    @cached_property
    def notation(self) -> Notation:
        """Python's brackets and strings, ended by the closers and by the opener of the next."""
        return replace(PYTHON, stops=(*self.closers, *filter(None, (self.opener,))))


_style = lru_cache(maxsize=64)(Style)


def keyword_text(written: str, name: str, rules: Rules = PYTHON_RULES) -> str:
    """The arguments between these brackets as JSON text; as written, behind the name, if they are off the notation."""
    try:
        end, pairs = arguments(written, 0, rules)
    except LiteralError:
        return _as_written(written, name)
    return object_text(pairs) if end == len(written) else _as_written(written, name)


def _as_written(written: str, name: str) -> str:
    """The call for the decoder to mend; without its name if that leads it to take the end of the call for a cut."""
    if written.startswith("{"):
        return written
    read = decode(name + written)
    misled = isinstance(read, Undecodable) and read.reason == "truncated"
    return written if misled and isinstance(decode(written), Undecodable) else name + written


def call_list(ctx: Context, src: Source, pos: int, style: Style) -> Steps[int | None]:
    """Calls one behind the other, in a list or line by line, then the closer."""
    end: int | None = None
    while True:
        pos = yield from _past_separators(src, pos)
        if style.closers and (closer := (yield from expect(src, pos, style.closers))):
            return pos + len(closer) if end is not None else None
        next_end = yield from _python_call(ctx, src, pos, style)
        if next_end is None:
            return end
        end = pos = next_end
        if (yield from expect(src, pos, ("]",))):
            end = pos + 1


def _past_separators(src: Source, pos: int) -> Steps[int]:
    while True:
        pos = yield from skip_space(src, pos)
        sign = yield from peek(src, pos)
        if not sign or sign not in _BETWEEN:
            return pos
        pos += 1


def _python_call(ctx: Context, src: Source, pos: int, style: Style) -> Steps[int | None]:
    end = yield from word(src, pos, NAME_RUN, MAX_NAME)
    name = "" if end is None else src.text[pos:end]
    if end is None or not (ctx.known(name) or is_name(name)):
        return None
    start = yield from skip_space(src, end)
    if (yield from peek(src, start)) != "(":
        return None
    end, complete = yield from body_end(src, start, style.notation)
    if name == "print" and complete and not ctx.declared(name):
        inner = yield from _python_call(ctx, src, (yield from skip_space(src, start + 1)), style)
        return None if inner is None else end
    name = name if ctx.declared(name) else bare_name(name)
    if complete:
        yield found(style.dialect, name, keyword_text(src.text[start:end], name))
    else:
        yield found(style.dialect, name, src.text[start:end], cut=True)
    return end


def tagged_calls(closers: tuple[str, ...], *dialects: str) -> Grammar:
    """The grammar of calls between tags."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        dialect = ctx.pick(*dialects)
        if dialect is None:
            return None
        end = yield from call_list(ctx, src, mark.end, _style(dialect, closers, mark.head))
        return None if end is None else (yield from _past_echo(src, mark.end, end))

    return read


def _past_echo(src: Source, start: int, end: int) -> Steps[int]:
    """Past the same calls written once more right behind their closing tag."""
    body = src.text[start:end]
    calls = body[: body.rfind("<")].strip() if body.endswith(">") else ""
    if calls.startswith("[") and (yield from repeated(src, end, calls)):
        return end + len(calls)
    return end


def gemma(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<|tool_call>call:name{…}<tool_call|>`, and FunctionGemma's between its own two tags."""
    small = mark.head == "<start_function_call>"
    dialect = ctx.pick(*(("functiongemma", "gemma4") if small else ("gemma4", "functiongemma")))
    if dialect is None:
        return None
    pos = yield from skip_space(src, mark.end)
    lead = yield from expect(src, pos, ("call:", ":"))
    pos = yield from skip_space(src, pos + len(lead or ""))
    end = yield from _gemma_call(ctx, src, pos, dialect)
    if end is None:
        return None
    ahead = yield from skip_space(src, end)
    closer = yield from expect(src, ahead, ("<tool_call|>", "<end_function_call>"))
    return ahead + len(closer) if closer else end


def gemma_bare(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """`call:name{…}` of declared tools, their special tokens lost, one behind the other."""
    dialect = ctx.pick("gemma4", "functiongemma")
    behind: int | None = None
    while (yield from expect(src, pos, ("call:",))):
        start = pos + len("call:")
        end = yield from word(src, start, NAME_RUN, MAX_NAME)
        if dialect is None or end is None or not ctx.declared(src.text[start:end]):
            return behind
        call_end = yield from _gemma_call(ctx, src, start, dialect)
        if call_end is None:
            return behind
        behind = call_end
        pos = yield from skip_space(src, behind)
    return behind


def _gemma_call(ctx: Context, src: Source, pos: int, dialect: str) -> Steps[int | None]:
    end = yield from word(src, pos, NAME_RUN, MAX_NAME)
    name = "" if end is None else src.text[pos:end]
    if end is None or not (ctx.known(name) or is_name(name)):
        return None
    start = yield from skip_space(src, end)
    sign = yield from peek(src, start)
    if not sign and ctx.begins(name):
        yield found(dialect, name, "", cut=True)
        return start
    if sign not in ("{", "("):
        return None
    end, complete = yield from body_end(src, start, _GEMMA)
    written = src.text[start:end]
    tail = "" if complete else (yield from expect(src, end, _GEMMA_STOPS[:1])) or ""
    if complete:
        yield found(dialect, name, keyword_text(written, name, _GEMMA_RULES))
    else:
        yield found(dialect, name, written + tail, cut=not tail)
    return end + len(tail)


def builtin(src: Source, pos: int, dialect: str) -> Steps[int | None]:
    """`name.call(key="value")`, the form of the tools that Llama 3 has built in."""
    end = yield from word(src, pos, NAME_RUN, MAX_NAME)
    if end is None or not src.text[pos:end].endswith(".call") or (yield from peek(src, end)) != "(":
        return None
    name = src.text[pos : end - len(".call")]
    stop, complete = yield from body_end(src, end, PYTHON)
    text = keyword_text(src.text[end:stop], name) if complete else src.text[end:stop]
    yield found(dialect, name, text, cut=not complete)
    return stop


def declared_calls(ctx: Context, src: Source, pos: int, dialect: str) -> Steps[int | None]:
    """Calls of which the first is a declared tool's."""
    start = yield from _past_separators(src, pos)
    end = yield from word(src, start, NAME_RUN, MAX_NAME)
    if end is None or not ctx.declared(src.text[start:end]):
        return None
    return (yield from call_list(ctx, src, pos, Style(dialect)))


_NEAR_START = 64  # white space that may stand before the tag
_CODE_ENDS = re.compile(r"<\|e(?:om|ot)_id\|>")


def code(src: Source, mark: Mark, pos: int, dialect: str) -> Steps[int | None]:
    """Code for the interpreter, at the beginning of a text, up to its end token or the text's."""
    if mark.start > _NEAR_START or src.text[: mark.start].strip() or not (yield from peek(src, pos)):
        return None
    end = yield from find(src, pos, _CODE_ENDS, len("<|eom_id|>"))
    text = src.text[pos : end[0] if end else len(src.text)]
    yield found(dialect, "code_interpreter", object_text([("code", text)]), cut=not end and not _balanced(text))
    return end[1] if end else len(src.text)


def _balanced(text: str) -> bool:
    """Whether every bracket and every string of the code is closed."""
    end, complete = settle(body_end(whole(f"({text}\n)"), 0, PYTHON))
    return complete and end == len(text) + 3


def calling_tool(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`[Calling tool: name({…})]`, as frameworks flatten earlier calls and models copy it."""
    dialect = ctx.pick("calling_tool_bracket")
    pos = yield from skip_space(src, mark.end)
    end = yield from word(src, pos, NAME_RUN, MAX_NAME)
    name = "" if end is None else src.text[pos:end]
    if dialect is None or end is None or not ctx.declared(name) or (yield from peek(src, end)) != "(":
        return None
    stop, complete = yield from body_end(src, end, PYTHON)
    inside = src.text[end + 1 : stop - 1].strip()
    text = inside if inside.startswith("{") else keyword_text(src.text[end:stop], name)
    yield found(dialect, name, text if complete else src.text[end:stop], cut=not complete)
    after = yield from skip_space(src, stop)
    return after + 1 if (yield from expect(src, after, ("]",))) else stop
