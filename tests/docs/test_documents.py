"""Every example of README and docs runs, and prints what stands below it.

A `python` block runs, after those before it in the same file; a `text` block right behind it is what it prints. The
lines of a `console` block that begin with `$` run in a shell, in one folder a file; what follows is their output.
A document that begins with `<!-- needs: … -->` runs in a process of its own, where the named packages are installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from argwright.cli.demo import calls
from argwright.testing import check_rule

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def blocks(path: Path, language: str) -> list[tuple[int, str, str | None]]:
    text = path.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start()) + 2, found[2], found[3])
        for found in BLOCK.finditer(text)
        if found[1] == language
    ]


def with_blocks(language: str) -> list[Path]:
    return [path for path in DOCUMENTS if blocks(path, language)]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def needs(path: Path) -> list[str]:
    """The packages of others that the document's examples use."""
    found = re.match(r"<!-- needs: ([\w ]+) -->", path.read_text(encoding="utf-8"))
    return found[1].split() if found else []


@pytest.mark.parametrize("path", [path for path in with_blocks("python") if not needs(path)], ids=name)
def test_python_examples(path):
    names: dict[str, object] = {"__name__": "__main__"}
    for line, code, expected in blocks(path, "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, str(path), "exec", dont_inherit=True), names)
        if expected is not None:
            assert printed.getvalue() == expected, f"{path}:{line}"


APART = """
import contextlib, io, json, sys
names, printed = {"__name__": "__main__"}, []
for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "example", "exec"), names)
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


@pytest.mark.parametrize("path", [path for path in with_blocks("python") if needs(path)], ids=name)
def test_python_examples_with_packages_of_others(path):
    missing = [package for package in needs(path) if importlib.util.find_spec(package) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (the group `hooks` brings them)")
    found = blocks(path, "python")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", APART],
        input=json.dumps([code for _, code, _ in found]),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    for (line, _, expected), printed in zip(found, json.loads(done.stdout), strict=True):
        assert expected in (None, printed), f"{path}:{line}"


SHELL = shutil.which("bash")


@pytest.mark.skipif(SHELL is None, reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("path", with_blocks("console"), ids=name)
def test_console_examples(path, tmp_path):
    for line, text, _ in blocks(path, "console"):
        commands = [shown[2:] for shown in text.splitlines() if shown.startswith("$ ")]
        expected = [shown for shown in text.splitlines() if not shown.startswith("$ ")]
        program = f'argwright() {{ "{sys.executable}" -m argwright "$@"; }}\nset -e\n'
        done = subprocess.run(
            [SHELL, "-c", program + "\n".join(commands)],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{path}:{line}: {done.stderr}"
        if expected:
            assert [shown.rstrip() for shown in done.stdout.splitlines()] == expected, f"{path}:{line}"


def test_the_readme_is_short_and_names_what_make_can_do():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", text)) <= targets
    assert f"# {len(calls())} bad calls" in text


def test_links_between_documents_lead_somewhere():
    broken = [
        f"{name(path)}: {target}"
        for path in DOCUMENTS
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", CODE.sub("", path.read_text(encoding="utf-8")))
        if not (path.parent / target).exists()
    ]
    assert broken == []


def test_the_rule_that_contributing_shows_holds():
    path = ROOT / "CONTRIBUTING.md"
    names: dict[str, object] = {}
    for _, code, _ in blocks(path, "python"):
        exec(compile(code, str(path), "exec", dont_inherit=True), names)
    assert check_rule(names["RULE"]) == ()
