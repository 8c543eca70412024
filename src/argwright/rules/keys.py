"""Which names an object declares, and when two spellings are the same word.

A name is declared if the schema lists it, or admits it as a member of a map: by a
pattern, or by a typed `additionalProperties`. Two names are the same word if nothing
but case, blanks, `_` and `-` tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from argwright.rules.rule import RuleTool
from argwright.shape import Shape

_SEPARATORS = re.compile(r"[\s_-]+")


def fold(name: str) -> str:
    """The word without its spelling."""
    return _SEPARATORS.sub("", name).casefold()


def same_word(name: str, declared: Iterable[str]) -> str | None:
    """The only declared name that is the same word; `None` if there is none or more than one."""
    word = fold(name)
    found = [other for other in declared if fold(other) == word]
    return found[0] if len(found) == 1 and word else None


def is_declared(name: str, shape: Shape) -> bool:
    """Whether an object of this shape has a place for the name."""
    return name in shape.properties or bool(shape.member(name).types) or bool(shape.member(name).properties)


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
