"""How often a model may fail, by cause.

A budget counts how often the model is asked *again*: with 2, a call may fail three
times, and the third answer says that the tool is not to be called any more. Failures of
one tool in one turn are one failure, since they are answered by one request. Nothing
that succeeds in between gives anything back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from argwright.errors import DeclarationError
from argwright.model import ErrorKind, InvalidCall


class Cause(StrEnum):
    """Why the model has to be asked again."""

    JSON_ERROR = "json_error"
    SCHEMA_ERROR = "schema_error"
    UNKNOWN_TOOL = "unknown_tool"
    TRUNCATED = "truncated"
    FINAL = "final"
    """A final answer that is not valid, for whatever reason but a cut."""
    PREMATURE = "premature"
    """A final answer before its time; as many as of `FINAL`."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How often the model is asked again for each cause, tool by tool, and what a run may cost.

    Args:
        json_error: arguments that could not be read.
        schema_error: arguments that do not fit.
        unknown_tool: names that are not declared, all together.
        truncated: calls and replies that were cut.
        final: final answers that do not fit; likewise those that came too early.
        steps: requests to the model.
        tokens: tokens used, in and out, before no more request is made; `None` sets no limit.
        grow_output: by how much the request's output limit is multiplied after a cut.

    Raises:
        DeclarationError: a number is out of range.
    """

    json_error: int = 2
    schema_error: int = 2
    unknown_tool: int = 2
    truncated: int = 1
    final: int = 2
    steps: int = 20
    tokens: int | None = None
    grow_output: float = 2.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = {"steps": 1, "tokens": 1, "grow_output": 1}.get(field.name, 0)
            if value is not None and value < least:
                raise DeclarationError(f"budget: {field.name} is at least {least}, not {value}")

    def allowed(self, cause: Cause) -> int:
        """How often the model is asked again for this cause."""
        return int(getattr(self, Cause.FINAL if cause is Cause.PREMATURE else cause))


def cause_of(outcome: InvalidCall, *, final: bool) -> Cause:
    """Why a call failed, as budgets see it.

    Args:
        outcome: the failing call.
        final: the call is a submission of the final answer.
    """
    if outcome.reason == "truncated":
        return Cause.TRUNCATED
    if final:
        return Cause.FINAL
    match outcome.kind:
        case ErrorKind.UNKNOWN_TOOL:
            return Cause.UNKNOWN_TOOL
        case ErrorKind.JSON_ERROR:
            return Cause.JSON_ERROR
        case ErrorKind.SCHEMA_ERROR:
            return Cause.SCHEMA_ERROR


def allowed(cause: Cause, budget: Budget, own: Any) -> int:
    """How often the model is asked again: by the tool's own word, else by the budget's.

    Args:
        cause: why.
        budget: the run's.
        own: the tool's: a number for every cause, a mapping by cause, a `Budget`, or `None`.

    Raises:
        DeclarationError: the tool's budget is none of these.
    """
    match own:
        case None:
            return budget.allowed(cause)
        case Budget():
            return own.allowed(cause)
        case int() if own >= 0 and not isinstance(own, bool):
            return own
        case Mapping() if not own.keys() - set(Cause):
            return int(own.get(cause, budget.allowed(cause)))
        case _:
            raise DeclarationError(
                f"a tool's budget is a number, a Budget or a mapping of {', '.join(Cause)}; not {own!r}"
            )
