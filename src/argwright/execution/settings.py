"""What holds for the calls of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from argwright.errors import DeclarationError
from argwright.model import ToolResult, ValidCall

Executing: TypeAlias = "Callable[[ValidCall], AbstractContextManager[Callable[[ToolResult], None]]]"


def unobserved(_outcome: ValidCall) -> AbstractContextManager[Callable[[ToolResult], None]]:
    """Surroundings that do nothing."""
    return nullcontext(lambda _result: None)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What holds for the calls of a run.

    Args:
        inject: values of injected parameters, by name.
        parallel: how many calls run at once; as many as a turn usually has, and few enough for what stands behind them.
        executing: surrounds the run of each call, in the thread or task in which it runs.

    Raises:
        DeclarationError: `parallel` is below 1.
    """

    inject: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parallel: int = 8
    executing: Executing = unobserved

    def __post_init__(self) -> None:
        if self.parallel < 1:
            raise DeclarationError(f"at least 1 call runs at once, not {self.parallel}")


DEFAULT = Settings()
