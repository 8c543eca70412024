"""On which line of a TOML text each key stands: what the standard parser does not tell.

The text is known to be valid TOML 1.0, so that nothing is checked here: functions of text and position step over
blanks, strings and values, and note where keys begin. A place is the path to a key, with numbers for items of arrays,
as in the parsed data.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping

Path = tuple[str | int, ...]

_BETWEEN = re.compile(r"(?:\s|#[^\n]*)*")
_PART = re.compile(r"""[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*""")
_SCALAR = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,\]}\#][^,\]}\#\n]*''', re.DOTALL
)


def places(text: str) -> Mapping[Path, int]:
    """The line, from 1, of every key, table and array item; where one is written more than once, the first."""
    found: dict[Path, int] = {}
    tables: Counter[Path] = Counter()  # arrays of tables and how many they hold so far
    table: Path = ()
    pos = _skip(text, 0)
    while pos < len(text):
        if text[pos] == "[":
            start, double = pos, text.startswith("[[", pos)
            names, pos = _names(text, pos + 1 + double)
            table = _table(names, tables, double=double)
            found.setdefault(table, start)
            pos += 1 + double
        else:
            pos = _pair(text, pos, table, found)
        pos = _skip(text, pos)
    ends = [match.end() for match in re.finditer("\n", text)]
    return {path: bisect_right(ends, offset) + 1 for path, offset in found.items()}


def _table(names: tuple[str, ...], tables: Counter[Path], *, double: bool) -> Path:
    """The path of a table's header: an array of tables on the way means its last one."""
    path: Path = ()
    for number, name in enumerate(names, 1):
        path = (*path, name)
        if double and number == len(names):
            tables[path] += 1
        if tables[path]:
            path = (*path, tables[path] - 1)
    return path


def _names(text: str, pos: int) -> tuple[tuple[str, ...], int]:
    """A dotted key, and where it ends."""
    names: list[str] = []
    while match := _PART.match(text, pos):
        names.append(_name(match[1]))
        pos = match.end()
        if not text.startswith(".", pos):
            break
        pos += 1
    return tuple(names), pos


def _name(part: str) -> str:
    return str(tomllib.loads(f"name = {part}")["name"]) if part[0] in "\"'" else part


def _pair(text: str, pos: int, inside: Path, found: dict[Path, int]) -> int:
    """`key = value`; where it ends."""
    names, after = _names(text, pos)
    for number in range(1, len(names) + 1):
        found.setdefault((*inside, *names[:number]), pos)
    return _value(text, _skip(text, after + 1), (*inside, *names), found)


def _value(text: str, pos: int, path: Path, found: dict[Path, int]) -> int:
    if text[pos] == "[":
        return _items(text, pos + 1, path, found)
    if text[pos] == "{":
        return _members(text, pos + 1, path, found)
    match = _SCALAR.match(text, pos)
    return match.end() if match else pos + 1


def _items(text: str, pos: int, path: Path, found: dict[Path, int]) -> int:
    number = 0
    while (pos := _next(text, pos)) < len(text) and text[pos] != "]":
        found.setdefault((*path, number), pos)
        pos = _value(text, pos, (*path, number), found)
        number += 1
    return pos + 1


def _members(text: str, pos: int, path: Path, found: dict[Path, int]) -> int:
    while (pos := _next(text, pos)) < len(text) and text[pos] != "}":
        pos = _pair(text, pos, path, found)
    return pos + 1


def _next(text: str, pos: int) -> int:
    """Over blanks, comments and one comma."""
    pos = _skip(text, pos)
    return _skip(text, pos + 1) if text.startswith(",", pos) else pos


def _skip(text: str, pos: int) -> int:
    """Over blanks and comments."""
    match = _BETWEEN.match(text, pos)
    return match.end() if match else pos
