"""The figures as Markdown: ratios of two processes measured turn by turn, with their spread."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.gateway.load import Source, first_bytes, requests, throughput
from benchmarks.pictures import Bar, Picture, Section

_TICKS = 100.0  # of CPU time in a second, on Linux


@dataclass(frozen=True)
class Served:
    """A process that stands in between."""

    url: str
    pid: int

    @property
    def seconds(self) -> float:
        """CPU time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def memory(self) -> int:
        """Resident kilobytes."""
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@contextlib.asynccontextmanager
async def _served(what: str, upstream: str) -> AsyncIterator[Served]:
    command = [sys.executable, "-m", "benchmarks.gateway.served", what, upstream]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None  # noqa: S101  # it was asked for
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 30)
        yield Served(line.decode().strip(), process.pid)
    finally:
        process.terminate()
        await process.wait()


@dataclass(frozen=True)
class Row:
    """One comparison: both figures of each round, and the CPU time that each process took for all of them."""

    ours: list[float]
    theirs: list[float]
    seconds: tuple[float, float] = (0.0, 0.0)

    def ratios(self, *, more_is_better: bool) -> list[float]:
        """How many times as good the gateway was in each round, from the least to the most."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return sorted(one / two if more_is_better else two / one for one, two in pairs)

    def told(self, *, more_is_better: bool) -> str:
        """The median of the ratios, the least and the most."""
        found = self.ratios(more_is_better=more_is_better)
        return f"**{statistics.median(found):.2f}** ({found[0]:.2f} – {found[-1]:.2f})"


async def _compare(
    gateway: Served, bare: Served, rounds: int, measure: Callable[[Served], Awaitable[list[float]]]
) -> Row:
    ours: list[float] = []
    theirs: list[float] = []
    spent = [0.0, 0.0]
    for number in range(rounds + 1):
        for which in (0, 1) if number % 2 else (1, 0):
            served, figures = ((gateway, ours), (bare, theirs))[which]
            before = served.seconds
            figures += (await measure(served)) if number else [] * len(await measure(served))
            spent[which] += (served.seconds - before) if number else 0.0
    return Row(ours, theirs, (spent[0], spent[1]))


_LOADS = (
    ("text, event by event", "text", True),
    ("text, then a good call", "good", True),
    ("text, then a call to mend", "mended", True),
    ("text, all at once", "text", False),
)


async def _measured(*, quick: bool) -> Section:
    source = Source()
    rounds, streams, texts = (2, 50, 20) if quick else (7, 200, 50)
    async with source as upstream, _served("gateway", upstream) as gateway, _served("bare", upstream) as bare:

        async def firsts(served: Served) -> list[float]:
            return [statistics.median(await first_bytes(served.url, source, times=20 if quick else 100))]

        def many(kind: str, *, one_by_one: bool) -> Callable[[Served], Awaitable[list[float]]]:
            async def measure(served: Served) -> list[float]:
                return [await throughput(served.url, source, kind, streams=streams, texts=texts, one_by_one=one_by_one)]

            return measure

        first = await _compare(gateway, bare, rounds, firsts)
        lines = [
            "| | gateway | pass-through | times as good | CPU time, times as much |",
            "|---|--:|--:|--:|--:|",
        ]
        micros = f"{_micros(first.ours)} | {_micros(first.theirs)}"
        times = f"{first.told(more_is_better=False)} | {_spent(first)}"
        bars = [Bar("bare pass-through", 1.0, "1"), _bar("time to the first byte", first.ratios(more_is_better=False))]
        lines.append(f"| time to the first byte, µs | {micros} | {times} |")
        for name, kind, one_by_one in _LOADS:
            row = await _compare(gateway, bare, rounds, many(kind, one_by_one=one_by_one))
            lines.append(
                f"| {streams} streams, {name}: the model's events a second | {statistics.median(row.ours):,.0f} "
                f"| {statistics.median(row.theirs):,.0f} | {row.told(more_is_better=True)} | {_spent(row)} |"
            )
            bars.append(_bar(f"events a second: {name}", row.ratios(more_is_better=True)))
        text = "\n".join([*lines, "", await _memory(gateway, source, count=1_000 if quick else 10_000)])
        told = f"times as good as an aiohttp pass-through on the same machine, {streams} streams; longer is better"
        return Section("The gateway", text, [Picture("gateway", "what the gateway leaves of the speed", told, bars)])


def _bar(label: str, ratios: list[float]) -> Bar:
    middle = statistics.median(ratios)
    return Bar(label, middle, f"{middle:.2f}", own=True)


def _micros(figures: list[float]) -> str:
    return f"{statistics.median(figures) * 1e6:,.0f}"


def _spent(row: Row) -> str:
    return f"{row.seconds[0] / row.seconds[1]:.1f}" if row.seconds[1] else ""


async def _memory(gateway: Served, source: Source, *, count: int) -> str:
    """Resident memory over many requests."""
    await requests(gateway.url, source, count=count // 5, at_once=20)
    steps = 10
    marks = [gateway.memory]
    for _ in range(steps):
        await requests(gateway.url, source, count=count // steps, at_once=20)
        marks.append(gateway.memory)
    half = marks[steps // 2 :]
    slope = statistics.linear_regression(range(len(half)), half).slope * 1_000 / (count // steps)
    return (
        f"Memory of the gateway over {count:,} requests of all kinds, 20 at once: {marks[0] / 1024:.1f} MB before, "
        f"{marks[-1] / 1024:.1f} MB after; over the second half {slope:+.0f} KB per 1,000 requests."
    )


def section(*, quick: bool = False) -> Section:
    """All of it."""
    return asyncio.run(_measured(quick=quick))
