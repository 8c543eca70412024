"""What the loop asks its driver to do, and what it is told in return.

CallModel  → Turn, Refused or Cancelled
RunTools   → Ran
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from argwright.model import Json, ToolResult, ValidCall, Value


@dataclass(frozen=True, kw_only=True, repr=False)
class CallModel(Value):
    """Ask the model.

    Args:
        messages: the conversation so far, in the provider's form.
        tools: the declared tools, in the provider's form.
        choice: the provider's `tool_choice`; `None` leaves it out.
        request: everything else that goes into the provider's call.
    """

    messages: tuple[dict[str, Any], ...]
    tools: Json
    choice: Json = None
    request: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __repr__(self) -> str:
        return f"CallModel({len(self.messages)} messages, choice={self.choice!r})"


@dataclass(frozen=True, kw_only=True)
class RunTools(Value):
    """Run these calls; their results are wanted in the same order."""

    calls: tuple[ValidCall, ...]


Command: TypeAlias = CallModel | RunTools


@dataclass(frozen=True, kw_only=True)
class Refused(Value):
    """The provider did not take the request, for what stands in it; `error` is raised if nothing can be done."""

    error: Exception


@dataclass(frozen=True)
class Cancelled(Value):
    """The run was cancelled before the reply was there."""


@dataclass(frozen=True, kw_only=True)
class Ran(Value):
    """The results, one for each call; where the run was cancelled, some say that they were not started."""

    results: tuple[ToolResult, ...]
    cancelled: bool = False
