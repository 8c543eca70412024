"""`argwright journal`: what the gateway kept, as a file for other tools, or as a few numbers."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from argwright.cli.terminal import Output, out, visible

_DAY = 86_400
_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def journal() -> None:
    """Read a journal that `argwright serve` writes; it may be running."""


@journal.command()
@click.argument("path", type=_PATH)
@click.option("--format", "form", type=click.Choice(["jsonl", "parquet"]), default="jsonl", help="Of the output.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write; else stdout.")
@click.option("--days", type=click.FloatRange(min=0, min_open=True), help="Only the calls of the last so many days.")
def export(path: Path, form: str, output: Path | None, days: float | None) -> int:
    """Write every call of a journal, oldest first, as JSON lines or Parquet.

    Sensitive fields were masked before anything was stored. Exit code 0, 2 if the journal cannot be read.
    """
    from argwright.proxy.journal import export as exporting

    since = None if days is None else time.time() - days * _DAY
    if form == "parquet":
        if output is None:
            raise click.UsageError("a Parquet file needs --output FILE")
        try:
            count = _reading(lambda: exporting.write_parquet(exporting.exported(path, since=since), output))
        except ImportError as error:
            raise click.UsageError("Parquet needs pyarrow; install it with: pip install 'argwright[batch]'") from error
    elif output is None:
        count = _reading(lambda: exporting.write_jsonl(exporting.exported(path, since=since), sys.stdout.buffer))
    else:
        with output.open("wb") as file:
            count = _reading(lambda: exporting.write_jsonl(exporting.exported(path, since=since), file))
    click.echo(f"{count} calls exported", err=True)
    return 0


@journal.command()
@click.argument("path", type=_PATH)
def stats(path: Path) -> int:
    """Say how many calls a journal holds, since when, and what became of them."""
    from argwright.proxy.journal import reading

    span = _reading(lambda: reading.span(path))
    console = out()
    console.print(f"{span['calls']} calls", highlight=False)
    if not span["calls"]:
        return 0
    first, last = (datetime.fromtimestamp(span[key]).astimezone() for key in ("first", "last"))
    console.print(f"from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}", highlight=False)
    found = _reading(lambda: reading.rates(path, reading.Filter(), _DAY))
    for facet in ("tool", "model", "kind", "reason", "rule"):
        if found["by"][facet]:
            console.print()
            _print_facet(console, facet, found["by"][facet])
    return 0


def _print_facet(console: Output, facet: str, rows: list[dict[str, Any]]) -> None:
    from argwright.proxy.journal.reading import STATUSES

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(facet)
    for status in STATUSES:
        table.add_column(status, justify="right")
    for row in rows:
        table.add_row(visible(row["name"] or "(others)"), *(str(row[status]) for status in STATUSES))
    console.print(table)


def _reading(work: Callable[[], Any]) -> Any:
    """What is read, or the end of the command with the reason."""
    from argwright.proxy.journal.state import trouble_of

    try:
        return work()
    except sqlite3.Error as error:
        raise click.ClickException(f"the journal cannot be read: {trouble_of(error).reason}") from error
