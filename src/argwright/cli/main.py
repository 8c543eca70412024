"""The entry point: it holds when the extra is missing, and turns every ending into an exit code.

Nothing here needs click or rich until both are known to be there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TextIO

REFUSED = 1
MISUSE = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells report it
BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words behind the program's name; `None` takes those of the process.

    Returns:
        The exit code.
    """
    missing = [name for name in ("click", "rich") if find_spec(name) is None]
    if missing:
        needed = " and ".join(missing)
        sys.stderr.write(f"argwright: the command line needs {needed}; install it with: pip install 'argwright[cli]'\n")
        return MISUSE
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(argv: Sequence[str] | None) -> int:
    import click

    from argwright.cli.app import app
    from argwright.errors import ArgwrightError

    try:
        code = app.main(args=None if argv is None else list(argv), prog_name="argwright", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        return MISUSE
    except click.ClickException as error:
        error.show()
        return MISUSE
    except click.Abort:
        return INTERRUPTED
    except (ArgwrightError, OSError) as error:
        click.echo(f"argwright: {error}", err=True)
        return MISUSE
    return code if isinstance(code, int) else 0


def _speak_utf8(stream: TextIO) -> None:
    """Write UTF-8 whatever the code page says; half a surrogate pair is written as its escape."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _silence(stream: TextIO) -> None:
    """Nobody reads any more: let the flush at exit go nowhere."""
    try:
        target = os.open(os.devnull, os.O_WRONLY)
        os.dup2(target, stream.fileno())
        os.close(target)
    except (OSError, ValueError):
        return
