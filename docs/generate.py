"""Pages that are made from the code, so that they cannot say anything else: `python docs/generate.py` writes them.

`rules.md` is made from the table of notation and the registry of rules, each with the
examples that are its proof, `options.md` from the commands. A test makes the pages again
and compares.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import argwright as aw
from argwright.cli.app import app
from argwright.cli.terminal import visible
from argwright.decode.notation import NOTATION
from argwright.model import Json, compact
from argwright.rules import BUILTIN, KEEP, Example, Rule

HERE = Path(__file__).parent

_HEAD = """\
# Rules

<!-- made by docs/generate.py from the code; change it there -->

Everything that argwright may do to a call, with its certainty, before and after. A name stands in every `Repair`,
in counters and in reports, and keeps its meaning over versions ([what a version may change](versioning.md)). The
same list on the command line, with the rules of installed plugins: `argwright rules`.

| certainty | what it means | applied by |
|---|---|---|
| EXACT | the text has no other reading | `Policy.EXACT` and up |
| LIKELY | text and schema together leave one reading | `Policy.STANDARD` (default) and up |
| GUESS | more than one reading remains | `Policy.LENIENT` only, for previews and offline cleaning |

`Policy.STRICT` applies none. A tool whose annotation `destructiveHint` is set to true is held to EXACT. Single
rules of meaning are switched off by name: `aw.Toolbox(tools, without={"enum-spelling"})`.

## Notation

How the text is written, whatever it means. These work only where strict reading of the text stopped; what is valid
JSON is never looked at by them. A line break is shown as `⏎`. *Choices* are places where a reading was picked:
`Limits.max_repairs` bounds them.
"""

_MEANING = """
## Meaning

What the arguments mean under the tool's schema, in the order in which the rules run. `unwrap` and `rename` come
before validation, `mend` only at a place where validation failed, `inspect` looks at what would run: it refuses or
warns. If mending does not end in a valid value, all of it is taken back.
"""

_NAMES = """
## Names and whole calls

What is read before a tool's rules have anything to look at, and what is done only where a policy asks for it by
name. The tool of these examples takes one optional field, `city`.
"""

_OTHER = """
## Rules of others

A plugin's rules come through the entry-point group `argwright.rules`, a program's own through
`aw.Toolbox(rules=[…])` ([how](howto/own-rule.md)). They run by layer, then by `order`, then by name, and only
propose: a value that differs from another's for the same place is `schema_error/rule_conflict`.
"""

_OPTIONS = """\
# Commands and options

<!-- made by docs/generate.py from the code; change it there -->

Every command with what it takes, as `argwright COMMAND --help` shows it. What they are for, with examples:
[the command line](cli.md), [logs by the million](batch.md), [the gateway](gateway.md).
"""

_WEATHER: Mapping[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "additionalProperties": False,
}


def rules_page() -> str:
    """The page of all rules."""
    blocks = [_HEAD, *_notation(), _NAMES, *_names(), _MEANING, *_overview(), *map(_section, BUILTIN), _OTHER]
    return "\n".join(blocks).rstrip() + "\n"


def options_page() -> str:
    """The page of all commands."""
    return "\n".join([_OPTIONS, *_commands(app, "argwright")]).rstrip() + "\n"


def _commands(command: Any, path: str) -> Iterator[str]:
    """A command, or each of those that it holds."""
    context = click.Context(command, info_name=path)
    inner = command.list_commands(context) if isinstance(command, click.Group) else ()
    if command is not app and not (inner and command.callback is None):
        yield from _command(command, context)
    for name in inner:
        yield from _commands(command.get_command(context, name), f"{path} {name}")


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """What one command does, and what it takes."""
    yield f"## {context.info_name}\n"
    yield f"{inspect.cleandoc(command.help or '').partition(chr(8))[0].strip()}\n"
    yield f"    {' '.join([str(context.info_name), *command.collect_usage_pieces(context)])}\n"
    rows = [
        (f"`{', '.join(_spelt(one, context))}`", _cell(" ".join((one.help or "").split())))
        for one in command.params
        if isinstance(one, click.Option)
    ]
    yield from _table(("option", "meaning"), rows) if rows else ()
    yield ""


def _spelt(option: click.Option, context: click.Context) -> Iterator[str]:
    """An option with its other spelling, and what it takes."""
    value = "" if option.is_flag else f" {option.make_metavar(context)}"
    yield from (f"{name}{value}".replace("|", "\\|") for name in (*option.opts, *option.secondary_opts))


def _notation() -> Iterator[str]:
    yield from _table(
        ("rule", "certainty", "choice", "what", "before", "after"),
        (
            (f"`{name}`", one.certainty.name, "yes" if one.choice else "", _cell(one.summary), _code(one.before),
             _code(one.after))
            for name, one in NOTATION.items()
        ),
    )  # fmt: skip


def _names() -> Iterator[str]:
    """Records that no rule of the registry makes; each line is the record of a call that is resolved here."""
    tool = aw.Tool.from_schema("get_weather", _WEATHER, name_aliases=["weather"])
    box = aw.Toolbox([tool])
    asked = aw.Toolbox([tool], policy=aw.Policy(split_glued=True, drop_undeclared=True))
    cases = (
        (box, "functions.get_weather", "{}", "a name among the closed list of noise: quotes, `functions.`, `:0`, …"),
        (box, "weather", "{}", "an old name of the tool, declared in `name_aliases`"),
        (box, "get_weather", "", "no arguments at all, for a tool that needs none"),
        (asked, "get_weather", '{"city":"A"}{"city":"B"}', "several objects in one text, if `split_glued` asks for it"),
        (asked, "get_weather", '{"city":"A","why":"?"}', "an undeclared field, if `drop_undeclared` asks for it"),
    )  # fmt: skip
    rows = []
    for tools, name, arguments, what in cases:
        outcomes = tools.resolve_turn(aw.Turn(calls=(aw.ToolCall("1", name, arguments),)))
        (repair,) = outcomes[0].repairs
        became = " and ".join(compact(outcome.unwrap()) for outcome in outcomes)
        before, after = (arguments, became) if name == tool.name else (name, outcomes[0].tool.name)
        rows.append((f"`{repair.rule}`", repair.certainty.name, what, _code(before), _code(after)))
    yield from _table(("rule", "certainty", "what", "before", "after"), rows)


def _overview() -> Iterator[str]:
    rows = (
        (f"[`{rule.name}`](#{rule.name})", rule.layer, rule.certainty.name, _cell(_theory(rule)[0])) for rule in BUILTIN
    )
    yield from _table(("rule", "layer", "certainty", "what"), rows)


def _section(rule: Rule) -> str:
    """One rule: its theory, and its proof."""
    lines = [f"\n### {rule.name}\n", f"{rule.layer}, {rule.certainty.name}. {' '.join(_theory(rule)).rstrip()}\n"]
    declared = {_declared(one) for one in (*rule.examples, *rule.untouched)}
    shared = len(declared) == 1
    lines += [f"Declared: {next(iter(declared))}\n"] if shared else []
    changes = any(one.becomes is not KEEP for one in rule.examples)
    head = ("mends", "becomes") if changes else ("refuses or warns of",)
    lines += _proof(head, rule.examples, shared=shared)
    lines += _proof(("leaves alone",), rule.untouched, shared=shared)
    return "\n".join(lines).rstrip()


def _proof(head: tuple[str, ...], examples: Iterable[Example], *, shared: bool) -> Iterator[str]:
    """A table of examples; with what is declared, unless that is the same for all and was said above."""
    rows = []
    for one in examples:
        became = "refused, or warned of" if one.becomes is KEEP else _code(_text(one.becomes))
        row = (_code(_text(one.arguments)), became)[: len(head)]
        rows.append(row if shared else (*row, _declared(one)))
    if rows:
        yield from _table(head if shared else (*head, "declared"), rows)
        yield ""


def _declared(example: Example) -> str:
    """The schema without what every one of them says, and the aliases."""
    schema = {name: value for name, value in example.schema.items() if name != "type"}
    values = {name: {str(old): new for old, new in table.items()} for name, table in example.value_aliases.items()}
    tables = (("aliases", dict(example.aliases)), ("value_aliases", values))
    return ", ".join([_code(compact(schema)), *(f"{name} {_code(compact(table))}" for name, table in tables if table)])


def _theory(rule: Rule) -> tuple[str, str]:
    """The first sentence of the module's docstring, and the rest of its first two paragraphs."""
    module = importlib.import_module(rule.propose.__module__)
    first, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n\n")
    return " ".join(first.split()), " ".join(rest.split())


def _text(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is KEEP else compact(value)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    """Text as it stands, in one line, as code inside a table."""
    if not text:
        return "nothing"
    shown = visible(text).replace("\n", "⏎").replace("|", "\\|")
    fence = "``" if "`" in shown else "`"
    gap = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


PAGES: Mapping[str, Callable[[], str]] = {"rules.md": rules_page, "options.md": options_page}
"""Every page that is made here, by its name."""


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
