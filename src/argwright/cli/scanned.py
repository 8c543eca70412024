"""What a scan found, shown in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from argwright.cli.progress import count_of
from argwright.cli.terminal import REFUSAL_STYLE, clip, out

if TYPE_CHECKING:
    from argwright.batch.log.scan import Outcome

_STYLES = {"valid": "green", "mended": "yellow", "refused": "red", "error": "magenta"}
_NAMED = 20  # bad lines that are shown
_ROWS = 30


def show(outcome: Outcome, target: Path | None) -> None:
    """Print the figures, and what could not be read."""
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
        console.print(f"{count_of(len(outcome.files), 'file')} in {target}")
    for bad in figures.named[:_NAMED]:
        place = f"{clip(bad.file, 100)}:{bad.line}" if bad.line else clip(bad.file, 100)
        console.print(Text.assemble((f"{place}: ", REFUSAL_STYLE), clip(bad.why, 240)), soft_wrap=True)
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
