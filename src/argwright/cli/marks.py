"""A text with spans marked under its lines.

    {'city': '上海',}
     ~~~~~~1       ~2

The text is cut into windows around the marks, each window into rows no wider than the
terminal, and under every row stand its marks, as many lines as they need not to
overlap. Widths are terminal cells, so that marks stand right under Chinese text.
Only what lies near a mark is looked at: the work does not grow with the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from argwright.cli.terminal import visible

_WHOLE = 2_000  # a text up to this length is shown whole
_REACH = 120  # characters shown on both sides of a mark's ends otherwise


@dataclass(frozen=True)
class Mark:
    """A span of the text, and what stands beside its underline; an empty span is a point."""

    start: int
    end: int
    label: str
    style: str


@dataclass(frozen=True)
class _Row:
    """A piece of one line: where it begins and ends in the text, and what each character is shown as.

    `cells` has the cell at which each character begins, and the cell behind the last.
    """

    start: int
    end: int
    line: int
    pieces: tuple[str, ...]
    cells: tuple[int, ...]


def render(text: str, marks: Sequence[Mark], *, width: int) -> Iterator[Text]:
    """The lines to print."""
    gutter = len(str(text.count("\n") + 1))
    seen_line = 0
    last_end = 0
    for start, end in _windows(text, marks):
        if start > last_end:
            yield Text(f"{'':>{gutter}} │ …", "dim")
        for row in _rows(text, start, end, width - gutter - 3):
            last = row.end == len(text) and not text.endswith("\n", row.start)
            lanes = _lanes(row, marks, last=last)
            if row.start == row.end > 0 and not lanes:
                continue
            number = "" if row.line == seen_line else str(row.line)
            seen_line = row.line
            yield Text.assemble((f"{number:>{gutter}} │ ", "dim")).append_text(_styled(row, marks))
            for lane in lanes:
                yield Text.assemble((f"{'':>{gutter}} │ ", "dim")).append_text(lane)
        last_end = end
    if last_end < len(text):
        yield Text(f"{'':>{gutter}} │ …", "dim")


def _windows(text: str, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    if len(text) <= _WHOLE:
        return [(0, len(text))]
    edges = sorted({edge for mark in marks for edge in (mark.start, mark.end)} or {0})
    merged: list[tuple[int, int]] = []
    for edge in edges:
        start, end = max(0, edge - _REACH), min(len(text), edge + _REACH)
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def _rows(text: str, start: int, end: int, width: int) -> Iterator[_Row]:
    line = text.count("\n", 0, start) + 1
    first = start
    pieces: list[str] = []
    cells = [0]
    for position in range(start, end):
        piece = visible(text[position])
        if pieces and cells[-1] + cell_len(piece) > width and text[position] != "\n":
            yield _Row(first, position, line, tuple(pieces), tuple(cells))
            first, pieces, cells = position, [], [0]
        pieces.append(piece)
        cells.append(cells[-1] + cell_len(piece))
        if text[position] == "\n":
            yield _Row(first, position + 1, line, tuple(pieces), tuple(cells))
            first, pieces, cells, line = position + 1, [], [0], line + 1
    if pieces or start == end or end == len(text):
        yield _Row(first, end, line, tuple(pieces), tuple(cells))


def _styled(row: _Row, marks: Sequence[Mark]) -> Text:
    """The row's text, each character in the style of the narrowest mark on it; a line break shows only where marked."""
    here = [mark for mark in marks if mark.start < row.end and mark.end > row.start]
    edges = {row.start, row.end} | {
        edge for mark in here for edge in (max(mark.start, row.start), min(mark.end, row.end))
    }
    styled = Text()
    for start, end in pairwise(sorted(edges)):
        inside = [mark for mark in here if mark.start <= start and end <= mark.end]
        style = min(inside, key=lambda mark: mark.end - mark.start).style if inside else ""
        piece = "".join(row.pieces[start - row.start : end - row.start])
        styled.append(piece if inside else piece.removesuffix(visible("\n")), style)
    return styled


def _lanes(row: _Row, marks: Sequence[Mark], *, last: bool) -> list[Text]:
    """The lines of marks under a row, filled from the left."""
    lanes: list[tuple[int, Text]] = []
    here = [mark for mark in marks if _touches(row, mark, last=last)]
    for mark in sorted(here, key=lambda mark: (mark.start, mark.end)):
        left = row.cells[max(mark.start, row.start) - row.start]
        right = row.cells[min(mark.end, row.end) - row.start]
        line = "~" * (right - left) if mark.end > mark.start else "^"
        label = mark.label if mark.start >= row.start else ""
        free = next((index for index, (used, _) in enumerate(lanes) if used <= left), None)
        if free is None:
            free = len(lanes)
            lanes.append((0, Text()))
        lane = lanes[free][1]
        lane.append(" " * (left - cell_len(lane.plain))).append(line + label, mark.style)
        lanes[free] = (cell_len(lane.plain) + 1, lane)
    return [lane for _, lane in lanes]


def _touches(row: _Row, mark: Mark, *, last: bool) -> bool:
    if mark.start == mark.end:
        return row.start <= mark.start < row.end or (last and mark.start == row.end)
    return mark.start < row.end and mark.end > row.start
