"""What documents show without running it, found for the tests that run it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.test_documents import ROOT, blocks

FENCED = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?:    .*\n(?:\n(?=    ))?)+", re.MULTILINE)


def page(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def shown(path: Path) -> list[str]:
    """What stands as code in a document and is neither `python`, `text` nor `console`, nor a word to Sphinx."""
    text = path.read_text(encoding="utf-8")
    fenced = [found[2] for found in FENCED.finditer(text) if not re.fullmatch(r"python|text|console|\{.*", found[1])]
    return [*fenced, *(found[0] for found in INDENTED.finditer(FENCED.sub("", text)))]


def block(path: str, begins: str) -> str:
    """The one thing shown that begins so, without its indent."""
    (found,) = [text for text in shown(ROOT / path) if text.strip().startswith(begins)]
    return re.sub("^    ", "", found, flags=re.MULTILINE)


def code(path: str) -> str:
    return "\n".join(text for _, text, _ in blocks(ROOT / path, "python"))


def run(program: str, folder: Path, **environment: str) -> str:
    """What a program prints last, run as a file of its own."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "program.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]
