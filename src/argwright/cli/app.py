"""The table of commands. A command's module is imported when the command runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

import argwright
from argwright.cli.main import BROKEN_PIPE

_COMMANDS = {
    "fix": ("argwright.cli.fix", "Mend one call's arguments."),
    "explain": ("argwright.cli.explain", "Show a text with each repair marked in place."),
    "check": ("argwright.cli.check", "Resolve a log of calls and count what became of them."),
    "scan": ("argwright.cli.scan", "Judge logs of any size, and report on them."),
    "rules": ("argwright.cli.rules", "List the rules, or prove a plugin's."),
    "journal": ("argwright.cli.journal", "Export what the gateway kept."),
    "demo": ("argwright.cli.demo", "See about 40 bad calls and what becomes of each."),
    "serve": ("argwright.cli.serve", "Serve the mending gateway and its page."),
}


class _LazyGroup(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would make it a 1, which here means refused
            return BROKEN_PIPE

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(argwright.__version__, prog_name="argwright", message="%(prog)s %(version)s")
def app() -> None:
    """Make a language model's tool calls reliable.

    Every call becomes valid, with every change on record, or is refused with a precise reason.
    """
