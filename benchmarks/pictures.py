"""The main figures as bars: plain SVG that follows the reader's light or dark scheme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent / "pictures"

_WIDTH, _LABELS, _FIGURES = 760, 250, 150  # pixels: the whole, what stands before the bars, what stands behind them
_BAR, _GAP, _HEAD, _TAIL = 18, 8, 58, 16
_STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .note { fill: #59636e; }
  .other { fill: #afb8c1; }
  .own { fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .other { fill: #57606a; }
    .own { fill: #4493f8; }
  }
"""


@dataclass(frozen=True)
class Bar:
    """One figure.

    Args:
        label: whose it is.
        value: what the length shows.
        told: the figure as text.
        own: it is argwright's.
    """

    label: str
    value: float
    told: str
    own: bool = False


@dataclass(frozen=True)
class Picture:
    """Bars under a title.

    Args:
        name: of the file.
        title: what is measured.
        note: the unit, and which end is the good one.
        bars: the figures, from the top down.
        logarithmic: lengths show the logarithm, from the power of ten below the least.
    """

    name: str
    title: str
    note: str
    bars: Sequence[Bar]
    logarithmic: bool = False

    def svg(self) -> str:
        """The picture as an SVG document."""
        height = _HEAD + len(self.bars) * (_BAR + _GAP) + _TAIL
        told = "; ".join(f"{bar.label}: {bar.told}" for bar in self.bars)
        label = escape(f"{self.title}: {told}")
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">',
            f"<style>{_STYLE}</style>",
            f'<text class="title" x="0" y="18">{escape(self.title)}</text>',
            f'<text class="note" x="0" y="38">{escape(self.note)}</text>',
        ]
        for number, bar in enumerate(self.bars):
            top = _HEAD + number * (_BAR + _GAP)
            length = round(self._share(bar.value) * (_WIDTH - _LABELS - _FIGURES), 1)
            base = top + _BAR - 4
            kind = "own" if bar.own else "other"
            lines += [
                f'<text x="{_LABELS - 10}" y="{base}" text-anchor="end">{escape(bar.label)}</text>',
                f'<rect class="{kind}" x="{_LABELS}" y="{top}" width="{max(length, 1)}" height="{_BAR}" rx="2"/>',
                f'<text x="{_LABELS + length + 8}" y="{base}">{escape(bar.told)}</text>',
            ]
        return "\n".join([*lines, "</svg>", ""])

    def _share(self, value: float) -> float:
        most = max(bar.value for bar in self.bars) or 1
        if not self.logarithmic:
            return value / most
        least = 10 ** math.floor(math.log10(min(bar.value for bar in self.bars)))
        return math.log(value / least) / math.log(most / least)

    def write(self, folder: Path = FOLDER) -> Path:
        """Put it into the folder, and say where."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.svg"
        path.write_text(self.svg(), encoding="utf-8")
        return path


@dataclass(frozen=True)
class Section:
    """A part of the results: tables as Markdown, and the pictures that go before them."""

    title: str
    text: str
    pictures: Sequence[Picture] = ()

    def markdown(self, folder: str = FOLDER.name) -> str:
        """The part as it stands in the results."""
        shown = [f"![{one.title}]({folder}/{one.name}.svg)" for one in self.pictures]
        return "\n\n".join([f"## {self.title}", *shown, self.text])
