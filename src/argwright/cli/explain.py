"""`argwright explain`: the text as it came, each repair marked in place, and what each did."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from argwright.cli.main import REFUSED
from argwright.cli.marks import Mark, render
from argwright.cli.reading import Reading, Refusal, change, input_options, read
from argwright.cli.source import read_text
from argwright.cli.terminal import REFUSAL_STYLE, STYLES, Output, out, visible
from argwright.model import compact

_WIDTH = 100  # of the text where there is no terminal


@click.command()
@input_options
def explain(path: str, schema_path: str | None, policy: str) -> int:
    """Show a text with each repair marked in place.

    Under the text stand the numbers of the repairs, and below it what each one did. A refused text is marked where
    reading stopped. Exit code 0, 1 if the text was refused, 2 for misuse.
    """
    raw = read_text(path)
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    reading = read(raw, schema_path, policy)
    console = out()
    for line in render(text, _marks(reading), width=console.width if console.is_terminal else _WIDTH):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    console.print()
    _print_legend(console, reading)
    _print_ending(console, reading.refusal, reading, text)
    return 0 if reading.refusal is None else REFUSED


def _marks(reading: Reading) -> list[Mark]:
    marks = [
        Mark(*repair.span, label=str(number), style=STYLES[repair.certainty])
        for number, repair in enumerate(reading.repairs, start=1)
        if repair.span is not None
    ]
    if reading.refusal is not None and reading.refusal.position is not None:
        marks.append(Mark(reading.refusal.position, reading.refusal.position, label="!", style=REFUSAL_STYLE))
    return marks


def _print_legend(console: Output, reading: Reading) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), collapse_padding=True)
    for number, repair in enumerate(reading.repairs, start=1):
        style = STYLES[repair.certainty]
        known = (str(number), repair.rule, repair.certainty.name)
        table.add_row(*(Text(cell, style) for cell in known), visible(repair.pointer) or "(root)", change(repair))
    for warning in reading.warnings:
        table.add_row("", warning.rule, "warning", visible(warning.pointer) or "(root)", visible(warning.message))
    if table.row_count:
        console.print(table)
        console.print()


def _print_ending(console: Output, refusal: Refusal | None, reading: Reading, text: str) -> None:
    if refusal is None:
        note = "mended" if reading.repairs else "valid as it stands"
        console.print(Text.assemble((f"{note}: ", "bold"), visible(compact(reading.value))), soft_wrap=True)
        return
    where = "" if refusal.position is None else f" at {place(text, refusal.position)}"
    headline = Text.assemble((f"refused: {refusal.slug}{where}", REFUSAL_STYLE), f": {visible(refusal.message)}")
    console.print(headline, soft_wrap=True)
    for issue in refusal.issues:
        console.print(Text(f"  {issue.pointer or '(root)'}: {visible(issue.message)}"), soft_wrap=True)
    if refusal.suggestion:
        console.print(Text(f"  suggestion: {visible(refusal.suggestion)}"), soft_wrap=True)


def place(text: str, position: int) -> str:
    """Line and column, both from 1, as editors count them."""
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"line {line}, column {column}"
