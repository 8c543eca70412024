"""A name, then pairs of `<arg_key>` and `<arg_value>`: GLM 4.5 to 5 and kin, Hunyuan, K2 Horizon.

Values are verbatim. A dialect of the family is a `Pairs`: its tags and its names. The
name alone, closed at once, is a call without arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from argwright.dialects.context import MAX_NAME, NAME, Context, Grammar, Mark, is_name
from argwright.dialects.invoke import Call, report
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_space, word
from argwright.dialects.tag_values import Opener, TagForm, parameters

_NEAR = 32  # how far before a call its wrapper may stand
_KEY_END = re.compile(r"[^<>\n]*+")


@dataclass(frozen=True)
class Pairs:
    """The tags of one dialect.

    Args:
        opener: the call's opening tag.
        dialects: its names, the likeliest first.
        prefix: what stands before `arg_key` and `arg_value`.
        separator: a tag that may follow the name.
        suffix: what stands behind the name of each tag.
    """

    opener: str
    dialects: tuple[str, ...]
    prefix: str = ""
    separator: str = ""
    suffix: str = ""

    @property
    def closer(self) -> str:
        """The call's closing tag."""
        return "</" + self.opener[1:]

    @cached_property
    def form(self) -> TagForm:
        """How parameters are written."""
        return TagForm(
            opener=self._pair,
            heads=(self._tag("arg_key"),),
            closers=(self._tag("arg_value", "/"),),
            ends=(self.closer,),
            nexts=(self.opener,),
            pieces=(self._tag("arg_key", "/"), self._tag("arg_value")),
        )

    def _tag(self, name: str, slash: str = "") -> str:
        return f"<{slash}{self.prefix}{name}{self.suffix}>"

    def _pair(self, src: Source, pos: int) -> Steps[Opener | None]:
        """A key and the opening tag of its value. Models write the call's own tag for the key's at times."""
        head = yield from expect(src, pos, (self._tag("arg_key"), self.opener))
        if head is None:
            return None
        start = pos + len(head)
        end = yield from word(src, start, _KEY_END, MAX_NAME)
        closer = self._tag("arg_key", "/")
        if end is None or not (yield from expect(src, end, (closer,))):
            return None
        key = src.text[start:end].strip()
        pos = yield from self._past_type(src, end + len(closer))
        value = self._tag("arg_value")
        if not key or not (yield from expect(src, pos, (value,))):
            return None
        return Opener(key, pos + len(value))

    def _past_type(self, src: Source, pos: int) -> Steps[int]:
        """Past white space, and the type that some dialects name."""
        pos = yield from skip_space(src, pos)
        if not (yield from expect(src, pos, (self._tag("arg_type"),))):
            return pos
        closer = self._tag("arg_type", "/")
        end = yield from find(src, pos, re.compile(re.escape(closer)), len(closer), within=MAX_NAME)
        return pos if end is None else (yield from skip_space(src, end[1]))


GLM = Pairs(
    "<tool_call>",
    ("glm45", "glm47", "poolside_v1", "spark25", "ling3", "hunyuan_hy3", "hunyuan_hy4"),
    separator="<tool_sep>",
)
IQUEST = Pairs("<iquest_tool_call>", ("iquest_q1",))
HORIZON = Pairs("<ifm|tool_call>", ("k2_horizon",), prefix="ifm|")


@lru_cache(maxsize=64)
def suffixed(suffix: str) -> Pairs:
    """Hunyuan's tags as a tokenizer writes them that puts something behind each name: `<tool_call:open>`."""
    names = ("hunyuan_hy4", "hunyuan_hy3")
    return Pairs(f"<tool_call{suffix}>", names, separator=f"<tool_sep{suffix}>", suffix=suffix)


def grammar(pairs: Pairs) -> Grammar:
    """The grammar of one dialect of the family."""

    def read(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        return (yield from pair_call(ctx, src, mark, pairs))

    return read


def pair_call(ctx: Context, src: Source, mark: Mark, pairs: Pairs) -> Steps[int | None]:
    """One call from its opening tag on."""
    start = yield from skip_space(src, mark.end)
    end = yield from word(src, start, NAME, MAX_NAME)
    if end is None or end == start:
        return None
    name = src.text[start:end]
    ahead = yield from skip_space(src, end)
    if pairs.separator and (yield from expect(src, ahead, (pairs.separator,))):
        ahead = yield from skip_space(src, ahead + len(pairs.separator))
    form = pairs.form
    sign = yield from expect(src, ahead, (*form.legal, *form.nexts, *form.pieces[:1]))
    at_end = not (yield from peek(src, ahead)) and ctx.begins(name)
    dialect = ctx.pick(_likeliest(src, mark, end, ahead, pairs=pairs), *pairs.dialects)
    if dialect is None or not (sign or at_end) or not (ctx.declared(name) or is_name(name)):
        return None
    if sign in form.nexts and not (yield from form.opener(src, ahead)):
        return None
    read = yield from parameters(ctx, src, ahead, tool=name, form=form)
    return (yield from report(ctx, src, ahead, call=Call(dialect, name), read=read))


def _likeliest(src: Source, mark: Mark, end: int, ahead: int, *, pairs: Pairs) -> str:
    """The version, by what stands between the name and the first pair."""
    if pairs.opener != "<tool_call>":
        return pairs.dialects[0]
    if "<tool_sep>" in src.text[end:ahead]:
        return "hunyuan_hy3"
    if src.text[max(0, mark.start - _NEAR) : mark.start].rstrip().endswith("<tool_calls>"):
        return "hunyuan_hy4"
    return "glm45" if "\n" in src.text[end:ahead] else "glm47"
