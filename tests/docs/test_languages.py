"""What stands in two languages says the same: the same sections, code, links and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAIRS = [
    pytest.param(ROOT / "README.md", ROOT / "README.zh.md", id="README"),
    *(
        pytest.param(ROOT / "docs" / path.name, path, id=path.stem)
        for path in sorted((ROOT / "docs" / "zh").glob("*.md"))
    ),
]
BLOCK = re.compile(r"^```\w*\n(?:(?!```).*\n)*```$|^(?:    .+\n)+", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SWITCH = re.compile(r"README(\.zh)?\.md|\.\./[\w-]+\.md|zh/[\w-]+\.md")


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(path: Path) -> list[str]:
    return [found[0] for found in BLOCK.finditer(text(path))]


def prose(path: Path) -> str:
    return BLOCK.sub("", text(path))


def targets(path: Path) -> list[str]:
    """Where the links lead, as files of the repository or addresses; a page's own translation stands for the page."""
    found = []
    for target in LINK.findall(prose(path)):
        place = target.partition("#")[0]
        file = path.parent / place if place and "://" not in place else None
        if file is not None and file.resolve().parent.name == "zh":
            file = file.resolve().parents[1] / file.name
        found.append(place if file is None else file.resolve().relative_to(ROOT).as_posix())
    own = {path.relative_to(ROOT).as_posix(), *(f"docs/{path.name}", "README.md", "README.zh.md")}
    return sorted(set(found) - own - {""})


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_sections(english, chinese):
    levels = [
        [len(hashes) for hashes in re.findall(r"^(#+) ", prose(path), re.MULTILINE)] for path in (english, chinese)
    ]
    assert levels[0] == levels[1]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_code(english, chinese):
    if english.stem == "symptoms":  # its example is a text in the reader's language
        pytest.skip("the example stands in both languages")
    assert code(english) == code(chinese)


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_links(english, chinese):
    assert targets(english) == targets(chinese)


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_tables(english, chinese):
    shapes = [
        [row.count("|") for row in prose(path).splitlines() if row.startswith("|")] for path in (english, chinese)
    ]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_figures(english, chinese):
    figures = [sorted(re.findall(r"\d[\d.,]*%|\b\d{2,}\b|\d+\.\d+", prose(path))) for path in (english, chinese)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_the_same_words_of_code(english, chinese):
    words = [sorted(set(re.findall(r"`([^`\n]+)`", prose(path)))) for path in (english, chinese)]
    assert words[0] == words[1]
