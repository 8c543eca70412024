"""Running the calls of one turn: beside each other where they may, with a limit, results in the model's order.

A call that may not run beside others waits for those before it, and those after it wait
for it. A single call runs in the caller's own thread, which is where a connection that
belongs to a thread works.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeAlias

from argwright.execution import results
from argwright.execution.batch import Batch
from argwright.execution.one import arun, carried_out, in_thread, run, runnable
from argwright.execution.settings import DEFAULT, Settings
from argwright.model import ToolResult

IsCancelled: TypeAlias = "Callable[[], bool] | None"

_PULSE = 0.02  # seconds between two looks at whether the run was cancelled


def run_all(batch: Batch, settings: Settings = DEFAULT, cancelled: IsCancelled = None) -> tuple[ToolResult, ...]:
    """Run the calls and wait for them.

    Args:
        batch: the calls.
        settings: what holds for them.
        cancelled: says whether to give up; asked before each call and while it runs.

    Raises:
        ArgwrightError: a function is async and this thread's event loop is running already.
        DeclarationError: a tool has no function, or an injected parameter no value.
    """
    for outcome in batch.calls:
        runnable(outcome, settings)
    for group in batch.groups():
        if len(group) == 1 and cancelled is None:
            batch.put(group[0], run(batch.start(group[0]), settings))
        else:
            _Threads(batch, settings, cancelled).run(group)
    return batch.settled()


class _Threads:
    """Calls that run beside each other in threads, as many at once as the settings say."""

    def __init__(self, batch: Batch, settings: Settings, cancelled: IsCancelled) -> None:
        self._batch = batch
        self._settings = settings
        self._cancelled = cancelled or _never
        self._pulse = None if cancelled is None else _PULSE
        self._running: dict[Future[ToolResult], tuple[int, float | None]] = {}

    def run(self, group: Sequence[int]) -> None:
        """Run the calls of these numbers."""
        waiting = deque(group)
        while (waiting or self._running) and not self._cancelled():
            while waiting and len(self._running) < self._settings.parallel:
                self._start(waiting.popleft())
            done, _ = wait(self._running, timeout=self._patience(), return_when=FIRST_COMPLETED)
            for future in done:
                number, _ = self._running.pop(future)
                self._batch.put(number, future.result())
            self._give_up()

    def _start(self, number: int) -> None:
        outcome = self._batch.start(number)
        timeout = outcome.tool.timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        self._running[in_thread(lambda: carried_out(outcome, self._settings))] = (number, deadline)

    def _patience(self) -> float | None:
        """How long to wait before something has to be looked at."""
        now = time.monotonic()
        times = [max(0.0, deadline - now) for _, deadline in self._running.values() if deadline is not None]
        return min([*times, *([] if self._pulse is None else [self._pulse])], default=None)

    def _give_up(self) -> None:
        now = time.monotonic()
        for future, (number, deadline) in [*self._running.items()]:
            if deadline is not None and deadline <= now and not future.done():
                del self._running[future]
                self._batch.put(number, results.timed_out(self._batch.calls[number]))


def _never() -> bool:
    return False


async def arun_all(batch: Batch, settings: Settings = DEFAULT, cancelled: IsCancelled = None) -> tuple[ToolResult, ...]:
    """As `run_all`, in tasks.

    Raises:
        DeclarationError: a tool has no function, or an injected parameter no value.
    """
    for outcome in batch.calls:
        runnable(outcome, settings)
    if cancelled is None:
        await _groups(batch, settings)
    elif not cancelled():
        await _watched(asyncio.create_task(_groups(batch, settings)), cancelled)
    return batch.settled()


async def _groups(batch: Batch, settings: Settings) -> None:
    gate = asyncio.Semaphore(settings.parallel)

    async def one(number: int) -> None:
        async with gate:
            batch.put(number, await arun(batch.start(number), settings))

    for group in batch.groups():
        if len(group) == 1:
            await one(group[0])
            continue
        async with asyncio.TaskGroup() as tasks:
            for number in group:
                tasks.create_task(one(number))


async def _watched(work: asyncio.Task[Any], cancelled: Callable[[], bool]) -> None:
    """Wait for the work, or until the run is cancelled."""
    try:
        while not work.done() and not cancelled():
            await asyncio.wait({work}, timeout=_PULSE)
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work})
    if not work.cancelled():
        work.result()
