"""Which names an object declares, and when two spellings are the same word.

A name is declared if the schema lists it, or admits it as a member of a map: by a
pattern, or by a typed `additionalProperties`. Two names are the same word if nothing
but case, blanks, `_` and `-` between letters tells them apart. Where those could change
a number they count: a sign stays a sign, and digits on two sides of a break stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from argwright.rules.rule import RuleTool
from argwright.shape import Shape

_MOST_PLACES = 500  # of a schema that are looked through, once; a recursive one never ends
_SEPARATORS = re.compile(r"[\s_-]+")


@lru_cache(maxsize=4096)  # the same names in every call
def fold(name: str) -> str:
    """The word without its spelling."""
    return _SEPARATORS.sub(_kept, name.strip()).casefold()


def _kept(found: re.Match[str]) -> str:
    """What counts of blanks, `_` and `-` at one place of a word."""
    text, run = found.string, found[0]
    if not found.start() or found.end() == len(text):
        return "".join(run.split())
    before, after = text[found.start() - 1], text[found.end()]
    if after.isnumeric() and len(run) > 1 and run.endswith("-"):
        return "-"
    if before.isnumeric() and after.isnumeric():
        return "_"
    return "" if _joins(before) and _joins(after) else run


def _joins(char: str) -> bool:
    return char.isalnum() or not char.isascii()


def same_word(name: str, declared: Iterable[str]) -> str | None:
    """The only declared name that is the same word; `None` if there is none or more than one."""
    word, names = fold(name), tuple(declared)
    found = [other for other in names if fold(other) == word]
    if len(found) != 1 or not word:
        return None
    return found[0] if name.strip().casefold() == found[0].casefold() or _is_sole(word, names) else None


def _is_sole(word: str, names: Iterable[str]) -> bool:
    """Whether no two names are the word even if a plus counts like a minus: "UTC 5" is neither "UTC+5" nor "UTC-5"."""
    return sum(fold(name.replace("+", "-")) == word for name in names) == 1


def is_declared(name: str, shape: Shape) -> bool:
    """Whether an object of this shape has a place for the name."""
    return name in shape.properties or bool(shape.member(name).types) or bool(shape.member(name).properties)


@lru_cache(maxsize=1024)  # of a shape, which never changes and is known by identity
def every_name(shape: Shape) -> frozenset[str] | None:
    """All names that members may have, at the top only declared ones; `None` if there is no end to them."""
    names: set[str] = set(shape.properties)
    todo = [shape.member(name) for name in names]
    for here in islice(_below(todo), _MOST_PLACES):
        if here.allows("object"):
            if not here.fixed:
                return None
            names |= here.properties.keys()
    return None if todo else frozenset(names)


def _below(todo: list[Shape]) -> Iterator[Shape]:
    while todo:
        shape = todo.pop()
        if shape.allows("object"):
            todo += [shape.member(name) for name in shape.properties]
        if shape.allows("array"):
            todo.append(shape.item)
        yield shape


def top_level(tool: RuleTool) -> frozenset[str]:
    """The old names that the tool's aliases give to members of the arguments themselves."""
    names = (alias.removeprefix("/") for alias in tool.aliases)
    return frozenset(name for name in names if "/" not in name)


def admits(tool: RuleTool, name: str) -> bool:
    """Whether the arguments of the tool have a place for the name: declared, matching a pattern, or an old name."""
    return is_declared(name, tool.shape) or name in top_level(tool) or _matches_pattern(tool, name)


def _matches_pattern(tool: RuleTool, name: str) -> bool:
    patterns = tool.schema.get("patternProperties")
    if not isinstance(patterns, dict):
        return False
    return any(_search(pattern, name) for pattern in patterns)


def _search(pattern: str, name: str) -> bool:
    """Whether an ECMA pattern is found; one that Python cannot read admits everything, which is the careful answer."""
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return True
