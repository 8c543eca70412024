"""How far a scan is: a bar for a person, a line now and then for a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from argwright.batch.log.inputs import Source
    from argwright.batch.log.scan import Progress as Step

_EVERY = 10.0  # seconds between two lines where no bar can be drawn
_REDRAWN = 0.1  # seconds between two looks of the bar


@contextmanager
def progress(sources: Sequence[Source]) -> Generator[Callable[[Step], None]]:
    """A bar for a person, a line now and then for a file."""
    total = sum(source.size for source in sources)
    if not sys.stderr.isatty():
        yield _Lines(total).told
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from argwright.cli.terminal import err

    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )  # fmt: skip
    bar = Progress(*columns, console=err(), transient=True, speed_estimate_period=120, auto_refresh=False)
    with bar:  # drawn when a part is done, and not by a thread: a process that has one is not forked
        task = bar.add_task(count_of(len(sources), "file"), total=total, rate="")
        rate, drawn = _Rate(), 0.0

        def told(step: Step) -> None:
            nonlocal drawn
            rate.add(step)
            now = time.monotonic()
            due = now - drawn >= _REDRAWN
            drawn = now if due else drawn
            bar.update(task, advance=step.weight, rate=str(rate), refresh=due)

        yield told


class _Rate:
    """How fast it goes."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.calls = self.weight = 0

    def add(self, step: Step) -> None:
        """A part is done; what an earlier run did does not count."""
        if step.figures is not None:
            self.calls += step.figures.calls
            self.weight += step.weight

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return max(time.monotonic() - self._began, 1e-9)

    def __str__(self) -> str:
        return f"{self.calls / self.seconds:,.0f} calls/s, {self.weight / self.seconds / 1e6:.1f} MB/s"


class _Lines:
    """Progress as lines of text."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._next = total, 0, time.monotonic() + _EVERY
        self._rate = _Rate()

    def told(self, step: Step) -> None:
        """A part is done."""
        self._rate.add(step)
        self._done += step.weight
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        share = self._done / self._total if self._total else 1.0
        left = self._rate.seconds * (1 - share) / share if share else 0.0
        click.echo(f"{share:.0%}, {self._rate.calls:,} calls, {self._rate}, {left:,.0f} s left", err=True)


def count_of(number: int, what: str) -> str:
    """So many of them, in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
