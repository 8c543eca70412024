"""`argwright fix`: the mended arguments on standard output, what was mended on standard error."""

from __future__ import annotations

import click

from argwright.cli.main import REFUSED
from argwright.cli.reading import Reading, change, input_options, read
from argwright.cli.source import read_text
from argwright.cli.terminal import REFUSAL_STYLE, STYLES, err, visible
from argwright.model import compact


@click.command()
@input_options
def fix(path: str, schema_path: str | None, policy: str) -> int:
    """Mend one call's arguments.

    Reads the text of FILE or of standard input, prints the arguments as compact JSON, and lists on standard error what
    was mended. Exit code 0, 1 if the text was refused, 2 for misuse.
    """
    reading = read(read_text(path), schema_path, policy)
    if reading.refusal is None:
        click.echo(compact(reading.value))
    _report(reading)
    return 0 if reading.refusal is None else REFUSED


def _report(reading: Reading) -> None:
    console = err()
    for repair in reading.repairs:
        place = repair.pointer or "(root)"
        console.print(
            f"{repair.rule}: {repair.certainty.name}, {place}: {change(repair)}", style=STYLES[repair.certainty]
        )
    for warning in reading.warnings:
        console.print(f"{warning.rule}: warning, {warning.pointer or '(root)'}: {visible(warning.message)}")
    refusal = reading.refusal
    if refusal is None:
        return
    where = "" if refusal.position is None else f" at character {refusal.position}"
    console.print(f"{refusal.slug}{where}: {visible(refusal.message)}", style=REFUSAL_STYLE)
    for issue in refusal.issues:
        console.print(f"  {issue.pointer or '(root)'}: {visible(issue.message)}")
    if refusal.suggestion:
        console.print(f"  suggestion: {visible(refusal.suggestion)}")
