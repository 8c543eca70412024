"""`argwright check`: a log of calls resolved line by line, and what became of them, counted.

A line is one call, `{"name", "arguments", "finish_reason"?, "model"?}`, or one whole
reply of a provider. A line that is neither is counted and named and never stops the
run. Only counters are kept, so a log of any length fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from argwright.cli.main import REFUSED
from argwright.cli.source import Line, lines, read_tools, size
from argwright.cli.tally import BROKEN, KINDS, MENDED, VALID, Tally
from argwright.cli.terminal import REFUSAL_STYLE, Output, clip, err, out
from argwright.model import Outcome, ToolCall, compact

if TYPE_CHECKING:
    from argwright.toolbox import Toolbox

_LONG = 1 << 20  # bytes from which a bar is worth its flicker
_TOP = 200  # rows of the table; `--json` has all
_STYLES = {
    VALID: "green",
    MENDED: "yellow",
    "unknown_tool": "red",
    "json_error": "red",
    "schema_error": "red",
    BROKEN: "red",
}


class BadLineError(ValueError):
    """A line holds no call and no reply; the text says why."""


def _kinds(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The comma-separated kinds of `--fail-on`."""
    if value is None:
        return ()
    kinds = tuple(word.strip() for word in value.split(",") if word.strip())
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        words = f"{', '.join(unknown) or 'nothing'} is not one of {', '.join(KINDS)}"
        raise click.BadParameter(words, ctx=ctx, param=param)
    return kinds


@click.command()
@click.argument("path", metavar="CALLS.jsonl", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--tools", "tools_path", metavar="TOOLS.json", required=True, type=click.Path(exists=True, dir_okay=False),
    help="Declarations as a provider or MCP lists them, or an object of schemas by tool name.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.option(
    "--fail-on", metavar="KIND,…", callback=_kinds, help=f"Exit 1 if one of these occurred: {', '.join(KINDS)}."
)
def check(path: str, tools_path: str, as_json: bool, fail_on: tuple[str, ...]) -> int:  # noqa: FBT001  # click hands options over by name
    """Resolve a log of calls and count what became of them.

    A line of CALLS.jsonl (plain or gzip, - for standard input) is {"name", "arguments", "finish_reason"?, "model"?} or
    a provider's whole reply. Exit code 0; 1 if a kind named by --fail-on occurred; 2 for misuse.
    """
    box = read_tools(tools_path)
    with _progress(path) as advance:
        tally = count(advance(lines(path)), box)
    if as_json:
        click.echo(compact(tally.to_dict()))
    else:
        _print(tally)
    return REFUSED if any(tally.kinds[kind] for kind in fail_on) else 0


def count(log: Iterable[Line], box: Toolbox) -> Tally:
    """Resolve every call of a log."""
    tally = Tally()
    for line in log:
        tally.lines += 1
        try:
            outcomes, model = resolve(_record(line), box)
        except BadLineError as error:
            tally.broken(line.number, str(error))
            continue
        for outcome in outcomes:
            tally.add(outcome, model)
    return tally


def _record(line: Line) -> dict[str, Any]:
    if line.error is not None:
        raise BadLineError(line.error)
    try:
        record = json.loads(line.data.rstrip())
    except UnicodeDecodeError as error:
        raise BadLineError(f"no UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise BadLineError(f"no JSON at character {error.pos}: {error.msg.lower()}") from error
    except (RecursionError, ValueError) as error:
        raise BadLineError(f"no JSON: {error}") from error
    if not isinstance(record, dict):
        raise BadLineError(f"no object but {type(record).__name__}")
    return record


def resolve(record: dict[str, Any], box: Toolbox) -> tuple[tuple[Outcome, ...], str | None]:
    """The outcomes of one record, and the model it names.

    Raises:
        BadLineError: it is neither a call nor a reply.
    """
    if "name" in record or "arguments" in record:
        model = record.get("model")
        return (box.resolve(_call(record)),), model if isinstance(model, str) else None
    from argwright.wire import detect, read

    found = detect(record)
    if found is None:
        raise BadLineError(f"neither a call (name, arguments) nor a reply known by its keys: {_keys(record)}")
    turn = read(found, record)
    return box.resolve_turn(turn), turn.model


def _call(record: dict[str, Any]) -> ToolCall:
    name, arguments, finish = record.get("name"), record.get("arguments"), record.get("finish_reason")
    if not isinstance(name, str):
        raise BadLineError("a call's name is text")
    if not isinstance(arguments, (str, dict, type(None))):
        arguments = compact(arguments)
    if not isinstance(finish, (str, type(None))):
        raise BadLineError("a call's finish_reason is text")
    return ToolCall(id=record.get("id"), name=name, arguments=arguments, finish_reason=finish)


def _keys(record: dict[str, Any]) -> str:
    return clip(", ".join(record) or "none", 60)


@contextmanager
def _progress(path: str) -> Generator[Callable[[Iterable[Line]], Iterable[Line]]]:
    """A bar over the bytes of a long file, on standard error and only for a person."""
    console, total = err(), size(path)
    if not console.is_terminal or total is None or total < _LONG:
        yield lambda log: log
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(clip(path, 40), total=total)

        def advance(log: Iterable[Line]) -> Iterator[Line]:
            for line in log:
                bar.update(task, completed=line.position)
                yield line

        yield advance


def _print(tally: Tally) -> None:
    console = out()
    rows = list(tally.rows())
    if rows:
        console.print(_table(rows[:_TOP]))
    if len(rows) > _TOP:
        console.print(f"… and {len(rows) - _TOP} more rows; --json has all")
    summary = Text(f"{tally.calls} calls in {tally.lines} lines")
    for kind in KINDS:
        if tally.kinds[kind]:
            summary.append(", ").append(f"{tally.kinds[kind]} {kind}", _STYLES[kind])
    console.print(summary)
    _print_broken(console, tally)


def _table(rows: Iterable[tuple[Any, int]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), collapse_padding=True, header_style="bold")
    for column in ("tool", "model", "kind", "reason", "rule"):
        table.add_column(column, overflow="fold")
    table.add_column("calls", justify="right")
    for group, number in rows:
        names = [clip(group.tool, 40), clip(group.model, 40), Text(group.kind, _STYLES[group.kind]), group.reason]
        table.add_row(*(["", "", "", ""] if group.rule else names), clip(group.rule, 40), str(number))
    return table


def _print_broken(console: Output, tally: Tally) -> None:
    for number, why in tally.named:
        console.print(Text.assemble((f"line {number}: ", REFUSAL_STYLE), clip(why, 120)), soft_wrap=True)
    rest = tally.kinds[BROKEN] - len(tally.named)
    if rest > 0:
        console.print(f"… and {rest} more broken lines")
