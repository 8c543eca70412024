"""Who does the work: the cores of this machine, Daft, Ray or Spark.

Each module has two functions. `clean` runs `argwright.batch.clean` over what the engine
calls a table; `run` does the parts of a scan. Which rows come out does not depend on the
engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from argwright.errors import ArgwrightError

if TYPE_CHECKING:
    from argwright.batch.log.scan import Engine

NAMES = {"local": None, "daft": "daft", "ray": "ray", "spark": "pyspark"}
"""The engines, with the distribution that each needs."""

T = TypeVar("T")


class MissingEngineError(ArgwrightError):
    """The engine is not installed; the text says how to install it."""


def engine(name: str) -> Engine:
    """What does the parts of a scan.

    Raises:
        MissingEngineError: the engine is not installed.
    """
    needed = NAMES[name]
    if needed is not None and find_spec(needed) is None:
        raise MissingEngineError(f"the engine {name} needs {needed}; install it with: pip install 'argwright[{name}]'")
    found: Engine = import_module(f"argwright.batch.engines.{name}").run
    return found


def waves(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at a time, for an engine that takes a list."""
    source = iter(items)
    while wave := list(islice(source, size)):
        yield wave
