"""The layers are held, and a broken contract is seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import argwright

PACKAGE = Path(argwright.__file__).parent


@pytest.fixture(scope="session")
def lint(tmp_path_factory, repository):
    """Run the contracts over a copy of the package with some lines added: the exit code and what was said."""

    def _lint(additions: dict[str, str]) -> tuple[int, str]:
        folder = tmp_path_factory.mktemp("copy")
        shutil.copytree(PACKAGE, folder / "argwright", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(repository / "pyproject.toml", folder)
        for name, line in additions.items():
            path = folder / "argwright" / name
            path.write_text(
                (path.read_text(encoding="utf-8") if path.exists() else "") + f"\n{line}\n", encoding="utf-8"
            )
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import importlinter.cli as cli; cli.lint_imports_command()",
                "--no-cache",
                "--no-logo",
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    return _lint


def test_the_contracts_hold(lint):
    code, said = lint({})
    assert code == 0, said


BROKEN = {
    "a layer imports one above": (
        {"decode/door.py": "import argwright.pipeline"},
        "argwright.decode.door -> argwright.pipeline",
    ),
    "a sibling imports another": (
        {"wire/format.py": "import argwright.rules"},
        "argwright.wire.format -> argwright.rules",
    ),
    "the core does I/O": ({"decode/door.py": "import socket"}, "argwright.decode.door -> socket"),
    "the core shows something": ({"rules/rule.py": "import rich"}, "argwright.rules.rule -> rich"),
    "the loop does I/O": ({"loop/__init__.py": "import asyncio"}, "argwright.loop -> asyncio"),
    "a module has no layer": ({"stray.py": "STRAY = 1"}, "argwright.stray"),
}


@pytest.mark.parametrize(("additions", "named"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_contract_fails_and_names_the_import(lint, additions, named):
    code, said = lint(additions)
    assert code == 1
    assert named in said.replace(" (l.", "  (l.").replace("\n", " ") or named in said
