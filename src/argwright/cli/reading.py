"""One text read by the library, in the one shape that `fix` and `explain` show.

With a schema the answer is a `ValidCall` or an `InvalidCall`, without one a `Decoded`
or an `Undecodable`; a person is told the same things about either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

import click

from argwright.arguments import parse_arguments
from argwright.cli.source import STDIN, read_schema
from argwright.cli.terminal import NOTHING, clip
from argwright.decode import Decoded, Undecodable
from argwright.model import InvalidCall, Issue, Repair, Suspicion, ValidCall, compact
from argwright.policy import Policy

_POLICIES = {"strict": Policy.STRICT, "exact": Policy.EXACT, "standard": Policy.STANDARD, "lenient": Policy.LENIENT}
_PREVIEW = 40  # characters of a value before and after, enough to know it again

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a text was refused, and where in it reading stopped."""

    slug: str
    message: str
    position: int | None = None
    issues: tuple[Issue, ...] = ()
    suggestion: str | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The value and what was done for it, or the refusal."""

    value: Any = None
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Suspicion, ...] = ()
    refusal: Refusal | None = None


def input_options(command: _Command) -> _Command:
    """The argument and the options that `fix` and `explain` share."""
    path = click.Path(exists=True, dir_okay=False, allow_dash=True)
    for decorate in (
        click.option(
            "--policy", type=click.Choice(list(_POLICIES)), default="standard", help="How far a repair is trusted."
        ),
        click.option(
            "--schema", "schema_path", metavar="SCHEMA", type=path, help="JSON Schema of the arguments, as a file."
        ),
        click.argument("path", metavar="[FILE|-]", type=path, default=STDIN),
    ):
        command = decorate(command)
    return command


def read(raw: str | bytes, schema_path: str | None, policy: str) -> Reading:
    """Read one call's arguments."""
    schema = None if schema_path is None else read_schema(schema_path)
    result = parse_arguments(raw, schema, policy=_POLICIES[policy])
    match result:
        case Decoded(value, repairs):
            return Reading(value=value, repairs=repairs)
        case ValidCall():
            return Reading(value=result.arguments, repairs=result.repairs, warnings=result.warnings)
        case Undecodable():
            refusal = Refusal(slug=f"json_error/{result.reason}", message=result.message, position=result.position)
            return Reading(repairs=result.repairs, refusal=refusal)
        case InvalidCall():
            return Reading(repairs=result.repairs, refusal=_refusal(result))
        case _:
            assert_never(result)


def _refusal(call: InvalidCall) -> Refusal:
    return Refusal(
        slug=f"{call.kind}/{call.reason}",
        message=call.message,
        position=call.position,
        issues=call.issues,
        suggestion=call.suggestion,
    )


def preview(value: Any) -> str:
    """A value before or after a repair, short and on one line."""
    return clip(value if isinstance(value, str) else compact(value), _PREVIEW)


def change(repair: Repair) -> str:
    """`before → after`, and how many times."""
    times = f" ×{repair.count}" if repair.count > 1 else ""
    return f"{preview(repair.before) or NOTHING} → {preview(repair.after) or NOTHING}{times}"
