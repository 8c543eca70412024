"""What every grammar is given: the declared tools, the dialects to read, and how a call is reported."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from argwright.dialects.events import CallFound, ToolNames
from argwright.dialects.source import Source, Steps
from argwright.model import Json, ToolCall
from argwright.shape import ANY, Shape

NAME = re.compile(r"[\w.:/$-]*+")
"""The characters of a tool's name, a provider's separators among them."""

MAX_NAME = 128
INCOMPLETE = "incomplete"

_PREFIXES = ("functions.", "functions:", "default_api.", "default_api:", "tools.", "tools:")


@dataclass(frozen=True)
class Mark:
    """An opener: where it begins, where it ends, and its head with all bars, blanks and underscores alike."""

    start: int
    end: int
    head: str


class Grammar(Protocol):
    """Reads one construct from its opener on: the position behind it, or `None` if it is none and all is text."""

    def __call__(self, ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
        """Read from the opener on."""
        ...


@dataclass(frozen=True)
class Context:
    """The declared tools, the names of the dialects that are read, and whether reasoning is read too.

    `forced` says that one dialect was asked for by name.
    """

    tools: ToolNames
    enabled: frozenset[str]
    forced: bool = False
    reasoning: bool = False
    shapes: dict[str, Shape] = field(default_factory=dict)

    def pick(self, *names: str) -> str | None:
        """The first of these dialects that is read."""
        return next((name for name in names if name in self.enabled), None)

    def declared(self, name: str | None) -> bool:
        """Whether a tool of this name is declared."""
        return bool(name) and self.tools.get(name or "") is not None

    def known(self, name: str) -> bool:
        """Whether the name is declared, behind one of the usual prefixes or without."""
        return self.declared(name) or self.declared(bare_name(name))

    def begins(self, text: str) -> bool:
        """Whether a declared name begins with this text."""
        return any(name.startswith(text) for name in self.tools.names)

    def may_begin(self, text: str) -> bool:
        """Whether a name that leads to a tool may begin with this text, or the text with such a name.

        Tools that do not tell all names that lead to them may have any.
        """
        names: Collection[str] | None = getattr(self.tools, "all_names", None)
        return names is None or any(name.startswith(text) or text.startswith(name) for name in names)

    def schema(self, name: str | None) -> Mapping[str, Json]:
        """The schema of the tool of this name; empty if there is none."""
        tool = self.tools.get(name or "") or self.tools.get(bare_name(name or ""))
        return {} if tool is None else tool.schema

    def shape(self, name: str | None) -> Shape:
        """The shape of the arguments of the tool of this name."""
        if not name:
            return ANY
        if name not in self.shapes:
            self.shapes[name] = Shape(self.schema(name))
        return self.shapes[name]


def bare_name(name: str) -> str:
    """The name without the prefix under which some formats offer every tool."""
    for prefix in _PREFIXES:
        if name.startswith(prefix) and len(name) > len(prefix):
            return name[len(prefix) :]
    return name


def undoubled(ctx: Context, name: str) -> str:
    """A declared name that was written twice, as a namespace and as itself, once."""
    first, _, second = name.partition(".")
    return first if first == second and ctx.declared(first) and not ctx.declared(name) else name


def found(
    dialect: str, name: str | None, arguments: str | None, *, id: str | None = None, cut: bool = False
) -> CallFound:
    """A call as reported; `cut` says that it is not whole or cannot be read."""
    reason = INCOMPLETE if cut else None
    return CallFound(ToolCall(id, name, arguments, finish_reason=reason, origin=f"text:{dialect}"))


def is_name(text: str) -> bool:
    """Whether the text can be a tool's name."""
    return 0 < len(text) <= MAX_NAME and NAME.fullmatch(text) is not None
