"""`argwright scan`: logs of any size judged over all cores, the answers in files, the figures in a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from argwright.cli.main import REFUSED
from argwright.cli.progress import progress
from argwright.cli.source import read_tools

if TYPE_CHECKING:
    from argwright.batch.log.inputs import Source
    from argwright.batch.log.scan import Outcome
    from argwright.batch.log.scan import Progress as Step

_ENGINES = ("local", "daft", "ray", "spark")
_POLICIES = ("strict", "exact", "standard", "lenient")
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
    _show(outcome, options["out"])
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
        with progress(sources) as told:

            def heard(step: Step) -> None:
                _import_for_the_end(options)
                told(step)

            return scan(plan, heard)
    except KeyboardInterrupt as error:
        left = "the same command goes on where it stopped" if target else "nothing is kept without --out"
        click.echo(f"broken off: {left}", err=True)
        raise click.Abort from error


def _found(inputs: Sequence[str], options: dict[str, Any]) -> list[Source]:
    """The files, before anything is imported that only judging them needs."""
    from argwright.batch.engines import processes
    from argwright.batch.log.inputs import find

    sources = find(inputs, without=options["out"])
    if options["engine"] == "local":
        processes.prepare()
    return sources


def _import_for_the_end(options: dict[str, Any]) -> None:
    """What shows the outcome is imported beside the work of others, not before and not behind it."""
    import_module("argwright.cli.scanned")
    if options["report"] is not None:
        import_module("argwright.batch.report")


def _show(outcome: Outcome, target: Path | None) -> None:
    from argwright.cli.scanned import show

    show(outcome, target)


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
