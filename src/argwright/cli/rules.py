"""`argwright rules`: the rules in force in their order; `argwright rules check`: a plugin's rules proved."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module

import click
from rich.table import Table
from rich.text import Text

from argwright.cli.main import REFUSED
from argwright.cli.terminal import REFUSAL_STYLE, STYLES, out, visible
from argwright.decode.notation import NOTATION
from argwright.model import Json, compact
from argwright.policy import Certainty
from argwright.rules import BUILTIN, KEEP, Example, Rule, load
from argwright.testing import check_rule


@click.group(invoke_without_command=True)
@click.pass_context
def rules(ctx: click.Context) -> int:
    """List the rules, or prove a plugin's.

    Without a word behind it, lists everything that may change a call, in the order in which it works: first the
    repairs of notation, then the rules of meaning, those of installed plugins last; with the layer, the certainty and
    an example of each.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    table = Table(box=None, padding=(0, 2, 0, 0), collapse_padding=True, header_style="bold")
    table.add_column("", justify="right")
    for column in ("rule", "layer", "certainty", "before", "after"):
        table.add_column(column, overflow="fold")
    for number, (name, layer, certainty, before, after) in enumerate(_listed(), start=1):
        table.add_row(
            str(number), name, layer, Text(certainty.name, STYLES[certainty]), visible(before), visible(after)
        )
    out().print(table)
    return 0


def _listed() -> Iterator[tuple[str, str, Certainty, str, str]]:
    """Name, layer, certainty, before, after."""
    for name, notation in NOTATION.items():
        yield name, "notation", notation.certainty, notation.before, notation.after
    known = load()
    for rule in (*known.builtin, *known.foreign):
        yield rule.name, rule.layer, rule.certainty, *_shown(rule)


def _shown(rule: Rule) -> tuple[str, str]:
    """The rule's first example that becomes something; of a rule that only refuses or warns, what it looks at."""
    changing = next((example for example in rule.examples if example.becomes is not KEEP), None)
    example = changing or next(iter(rule.examples), None)
    if example is None:
        return "", ""
    return _text(example.arguments), _text(example.becomes) if changing else "(stays)"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)


@rules.command("check")
@click.argument("module")
def check(module: str) -> int:
    """Prove the rules of MODULE, a name that can be imported from here.

    Every example must hold, everything untouched must stay, what a rule made must need it no more, and no rule may
    contradict another's. Exit code 0, 1 if a rule fails its proof, 2 if MODULE holds no rule.
    """
    found = list(_rules_of(module))
    if not found:
        raise click.UsageError(f"module {module} holds no Rule")
    console = out()
    failed = 0
    for rule in found:
        problems = check_rule(rule, (*BUILTIN, *(other for other in found if other is not rule)))
        failed += bool(problems)
        mark = ("✘ ", REFUSAL_STYLE) if problems else ("✔ ", "green")
        counts = f"{_counted(rule.examples, 'example')}, {_counted(rule.untouched, 'untouched')}"
        console.print(Text.assemble(mark, f"{rule.name} ({counts})"))
        for problem in problems:
            console.print(Text(f"  {visible(str(problem))}"), soft_wrap=True)
    return REFUSED if failed else 0


def _counted(examples: tuple[Example, ...], word: str) -> str:
    return f"{len(examples)} {word}"


def _rules_of(name: str) -> Iterator[Rule]:
    """Every rule that stands in the module under a name, or in a list or tuple under a name, once."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = import_module(name)
    except ImportError as error:
        raise click.UsageError(f"module {name} cannot be imported: {error}") from error
    seen: set[int] = set()
    for value in vars(module).values():
        for rule in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(rule, Rule) and id(rule) not in seen:
                seen.add(id(rule))
                yield rule
