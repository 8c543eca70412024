"""What declaring a tool to a provider cost: one `Adjustment` for each thing that is not said as it was declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from argwright.model import Value

Action: TypeAlias = Literal["moved", "dropped", "rewritten", "closed", "relaxed", "renamed", "left_out"]
"""`moved` into the description; `dropped`; `rewritten` in other keywords; `closed` for strict mode (no further
members, or an optional member that is now always sent, `null` for none); `relaxed`, strict mode was not possible;
`renamed`, the tool goes under another name; `left_out`, the tool does not go at all."""

LOSSES: frozenset[str] = frozenset({"moved", "dropped"})
"""The actions after which the provider no longer holds the model to something."""


@dataclass(frozen=True, kw_only=True)
class Adjustment(Value):
    """One thing of a tool's declaration that the provider does not take as it is.

    Args:
        tool: the tool's declared name.
        pointer: the place in the tool's schema.
        keyword: the keyword of JSON Schema; `name` or `strict` for the tool itself.
        action: what was done.
        why: the reason, one line.
    """

    tool: str
    pointer: str
    keyword: str
    action: Action
    why: str


class CannotFit(Exception):  # noqa: N818  # a verdict that the caller turns into a value, never seen outside
    """The schema cannot be said in this subset at all; the text is the reason."""
