"""`argwright scan`: logs of any size judged over all cores, the answers in files, the figures in a report."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from argwright.cli.main import REFUSED
from argwright.cli.source import read_tools
from argwright.cli.terminal import REFUSAL_STYLE, clip, err, out

if TYPE_CHECKING:
    from argwright.batch.log.inputs import Source
    from argwright.batch.log.scan import Outcome
    from argwright.batch.log.scan import Progress as Step

_ENGINES = ("local", "daft", "ray", "spark")
_POLICIES = ("strict", "exact", "standard", "lenient")
_STYLES = {"valid": "green", "mended": "yellow", "refused": "red", "error": "magenta"}
_EVERY = 10.0  # seconds between two lines where no bar can be drawn
_NAMED = 20  # bad lines that are shown
_ROWS = 30
_MUCH = 1_000_000  # bytes of logs that are worth more than one process
_NEEDED = ("pyarrow", "orjson", "jinja2")


@click.command()
@click.argument("inputs", metavar="INPUT…", nargs=-1, required=True)
@click.option(
    "--tools", "tools_path", metavar="TOOLS.json", type=click.Path(exists=True, dir_okay=False),
    help="Declarations as a provider or MCP lists them, or an object of schemas by tool name; for calls whose own line "
    "declares no tools.",
)  # fmt: skip
@click.option("--engine", type=click.Choice(_ENGINES), default="local", show_default=True, help="Who does the work.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes of the local engine; as many as cores if not given."
)
@click.option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Where the answers go; a "
              "run that was broken off goes on there.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(("parquet", "jsonl")), default="parquet", show_default=True,
              help="What is written there.")  # fmt: skip
@click.option("--report", metavar="FILE.html", type=click.Path(dir_okay=False, path_type=Path),
              help="Write a report for a person.")  # fmt: skip
@click.option("--lang", type=click.Choice(("en", "zh")), default="en", show_default=True, help="The report's language.")
@click.option("--policy", type=click.Choice(_POLICIES), help="How far a repair is trusted; standard if not given.")
@click.option("--texts/--no-texts", default=True, help="Whether the report may show what models wrote.")
@click.option("--restart", is_flag=True, help="Forget what an earlier run did in DIR.")
def scan(inputs: tuple[str, ...], tools_path: str | None, **options: Any) -> int:
    """Judge logs of tool calls: files, folders and patterns; JSONL, plain or gzip, and Parquet.

    A line is one call, {"name", "arguments", …}, a provider's reply, a request with its reply, or a chat. Exit code 0;
    1 if a line or a file could not be read; 2 for misuse.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise click.UsageError(f"scan needs {', '.join(missing)}; install it with: pip install 'argwright[cli,batch]'")
    if options["report"] is not None:  # a scan takes long, and where its report goes is known now
        _prepare(options["report"])
    outcome = _scanned(inputs, tools_path, options)
    _print(outcome, options["out"])
    if options["report"] is not None:
        _report(outcome, options)
    return REFUSED if outcome.figures.bad or outcome.failed else 0


def _prepare(report: Path) -> None:
    folder = report.parent
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise click.BadParameter(f"nothing can be written into {folder}", param_hint="--report")


def _scanned(inputs: Sequence[str], tools_path: str | None, options: dict[str, Any]) -> Outcome:
    sources = _found(inputs, options)

    from functools import partial

    from argwright.batch.engines import engine, processes
    from argwright.batch.log.scan import Plan, scan
    from argwright.batch.log.work import Job
    from argwright.policy import Policy

    target: Path | None = options["out"]
    job = Job(
        tools=None if tools_path is None else read_tools(tools_path),
        out=None if target is None else str(target),
        form=options["form"],
        policy=getattr(Policy, options["policy"].upper()) if options["policy"] else None,
        texts=options["texts"],
    )
    run: Any = engine(options["engine"])
    if options["engine"] == "local":
        run = partial(run, workers=options["workers"])
        processes.settle()
    plan = Plan(sources=tuple(sources), job=job, engine=run, anew=options["restart"])
    try:
        with _progress(sources) as told:
            return scan(plan, told)
    except KeyboardInterrupt as error:
        left = "the same command goes on where it stopped" if target else "nothing is kept without --out"
        click.echo(f"broken off: {left}", err=True)
        raise click.Abort from error


def _found(inputs: Sequence[str], options: dict[str, Any]) -> list[Source]:
    """The files; processes for much of them begin to import what they need, beside what is imported here."""
    from argwright.batch.engines import processes
    from argwright.batch.log.inputs import find

    sources = find(inputs, without=options["out"])
    if options["engine"] == "local" and options["workers"] != 1 and sum(source.size for source in sources) > _MUCH:
        processes.prepare()
    return sources


@contextmanager
def _progress(sources: Sequence[Source]) -> Generator[Callable[[Step], None]]:
    """A bar for a person, a line now and then for a file."""
    console, total = err(), sum(source.size for source in sources)
    if not console.is_terminal:
        yield _Lines(total).told
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task(_files(len(sources)), total=total, rate="")
        rate = _Rate()

        def told(step: Step) -> None:
            rate.add(step)
            bar.update(task, advance=step.weight, rate=str(rate))

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


def _print(outcome: Outcome, target: Path | None) -> None:
    console, figures = out(), outcome.figures
    statuses = figures.by("status")
    if figures.groups:
        console.print(_table(figures))
    summary = Text(f"{figures.calls:,} calls in {figures.lines:,} lines")
    for status, style in _STYLES.items():
        if statuses[status,]:
            summary.append(", ").append(f"{statuses[status,]:,} {status}", style)
    console.print(summary)
    if outcome.before:
        console.print(f"{outcome.before:,} of {outcome.before + outcome.parts:,} parts were done by an earlier run")
    if statuses["error",]:
        console.print("errors are calls whose tools nobody declares, or wrongly: give them with --tools")
    if target is not None:
        console.print(f"{_files(len(outcome.files))} in {target}")
    for bad in figures.named[:_NAMED]:
        place = f"{clip(bad.file, 100)}:{bad.line}" if bad.line else clip(bad.file, 100)
        console.print(Text.assemble((f"{place}: ", REFUSAL_STYLE), clip(bad.why, 160)), soft_wrap=True)
    if figures.bad > _NAMED:
        console.print(f"… and {figures.bad - _NAMED:,} more lines or files that could not be read")


def _table(figures: Any) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), collapse_padding=True, header_style="bold")
    for column in ("status", "kind", "reason"):
        table.add_column(column)
    table.add_column("calls", justify="right")
    counted = figures.by("status", "kind", "reason")
    for (status, kind, reason), number in sorted(counted.items(), key=lambda item: -item[1])[:_ROWS]:
        table.add_row(Text(status, _STYLES[status]), kind, reason, f"{number:,}")
    return table


def _files(number: int) -> str:
    return f"{number:,} {'file' if number == 1 else 'files'}"


def _report(outcome: Outcome, options: dict[str, Any]) -> None:
    from argwright.batch.report import page

    target: Path = options["report"]
    hidden = target.with_name(f".{target.name}.new")
    try:
        hidden.write_text(page(outcome.figures, lang=options["lang"]), encoding="utf-8")
        hidden.replace(target)
    except OSError as error:
        hidden.unlink(missing_ok=True)
        raise click.FileError(str(target), error.strerror) from error
    click.echo(f"report: {target}", err=True)
