"""Whether a tag may be released, and what is said of it.

    python .ci/release.py check v1.2.3    exit code 1, and why, unless tag, version and changelog agree
    python .ci/release.py notes v1.2.3    the tag's part of the changelog

Nothing but the standard library, so that it runs before anything is installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TAG = re.compile(r"v(?P<version>\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")


def problems(tag: str, root: Path = ROOT) -> Iterator[str]:
    """What does not agree."""
    found = TAG.fullmatch(tag)
    if found is None:
        yield f"{tag} is no tag of a release: vX.Y.Z, or vX.Y.ZrcN"
        return
    version = found["version"]
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if declared != version:
        yield f"pyproject.toml: the version is {declared}, the tag says {version}"
    package = (root / "src" / "argwright" / "__init__.py").read_text(encoding="utf-8")
    if f'__version__ = "{version}"' not in package:
        yield f"src/argwright/__init__.py: __version__ is not {version}"
    if not notes(tag, root):
        yield f"CHANGELOG.md has no part for {version}: run `towncrier build --version {version}`"
    left = sorted(path.name for path in (root / "changes").glob("*.*.md"))
    if left:
        yield f"changes/ still holds {', '.join(left)}: the changelog was not made of them"


def notes(tag: str, root: Path = ROOT) -> str:
    """The part of the changelog that belongs to a tag; nothing, if there is none."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## {re.escape(tag.removeprefix('v'))} [^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else ""


def main(action: str, tag: str) -> int:
    """Carry out one action."""
    if action == "notes":
        print(notes(tag))
        return 0
    found = list(problems(tag))
    print("\n".join(found) or f"{tag} may be released", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
