"""Figures → the page: what to show is decided here, how it looks in the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

import argwright
from argwright.batch.log.examples import Example
from argwright.batch.log.figures import OTHER, UNKNOWN_TOOL, Figures
from argwright.batch.report import advice, marks, periods
from argwright.batch.report.words import LANGUAGES, meaning
from argwright.batch.verdict import ERROR, MENDED, REFUSED, VALID

STATUSES = (VALID, MENDED, REFUSED, ERROR)

_ROWS = 25  # tools and models by name; the rest together
_HEAT = (12, 6)  # tools and models of the grid
_REASONS = _RULES = 20
_EXAMPLES = 40
_BAD = 50


@dataclass(frozen=True, kw_only=True)
class Row:
    """One name with its calls by status; without a name, the calls of tools that are not declared."""

    name: str | None
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All its calls."""
        return sum(self.counts.values())

    def share(self, *statuses: str) -> float:
        """The share of its calls with one of these statuses."""
        return sum(self.counts.get(status, 0) for status in statuses) / self.total if self.total else 0.0


def page(figures: Figures, *, lang: str = "en") -> str:
    """The page.

    Args:
        figures: of a whole scan.
        lang: `en` or `zh`.
    """
    words = LANGUAGES[lang]
    unit, bars = periods.bars(figures.hours)
    suggested = advice.advice(figures.hints)
    examples = figures.examples[:_EXAMPLES]
    return _environment().get_template("page.html.j2").render(
        words=words,
        version=argwright.__version__,
        figures=figures,
        statuses=STATUSES,
        whole=Row(name="", counts=_counts(figures)),
        unit=unit,
        bars=bars,
        highest=max((bar.total - bar.counts.get(VALID, 0) for bar in bars), default=0),
        tools=_rows(figures, "tool"),
        models=_rows(figures, "model"),
        heat=_heat(figures),
        reasons=_reasons(figures, lang),
        rules=_rules(figures),
        advice=suggested,
        toml=advice.toml(suggested),
        python=advice.python(suggested),
        examples=[(example, _pieces(example)) for example in examples],
        bad=figures.named[:_BAD],
        visible=marks.visible,
    )  # fmt: skip


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("argwright.batch.report", "."),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(number=_number, percent=_percent, said=_said)
    return made


def _number(value: int) -> str:
    return f"{value:,}"


def _percent(share: float) -> str:
    """A share that never looks like all or nothing when it is not."""
    if share in (0, 1):
        return f"{share:.0%}"
    shown = min(max(share, 0.0001), 0.9999)
    return f"{shown:.2%}" if shown < 0.01 or shown > 0.99 else f"{shown:.1%}"  # noqa: PLR2004  # one part in a hundred


def _said(template: str, **values: Any) -> str:
    return template.format(
        **{name: _number(value) if isinstance(value, int) else value for name, value in values.items()}
    )


def _counts(figures: Figures) -> Counter[str]:
    return Counter({status: number for (status,), number in figures.by("status").items()})


def _rows(figures: Figures, name: str) -> list[Row]:
    """The names with the most calls; the rest as one."""
    found: dict[str, Counter[str]] = {}
    unknown: Counter[str] = Counter()
    for (key, status, kind), number in (figures.tools if name == "tool" else figures.models).items():
        counts = unknown if name == "tool" and kind == UNKNOWN_TOOL else found.setdefault(key, Counter())
        counts[status] += number
    if set(found) <= {""} and not unknown:
        return []
    beyond = found.pop(OTHER, Counter())
    ranked = sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))
    rows = [Row(name=key or "–", counts=counts) for key, counts in ranked[:_ROWS]]
    rest = sum((counts for _, counts in ranked[_ROWS:]), beyond)
    more = (Row(name="…", counts=rest), Row(name=None, counts=unknown))
    return [*rows, *(row for row in more if row.counts)]


def _heat(figures: Figures) -> tuple[list[str], list[tuple[str, list[Row | None]]]]:
    """The grid of tools and models, where there are several of each."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for (tool, model, status), number in figures.by("tool", "model", "status").items():
        found.setdefault((tool, model), Counter())[status] += number
    tools = [row.name for row in _rows(figures, "tool")[: _HEAT[0]] if row.name not in (None, "…", "–")]
    models = [row.name for row in _rows(figures, "model")[: _HEAT[1]] if row.name not in (None, "…", "–")]
    if len(models) < 2 or len(tools) < 2:  # noqa: PLR2004  # a grid has two of each at least
        return [], []
    cells = [[found.get((tool, model)) for model in models] for tool in tools]
    return models, [
        (tool, [None if counts is None else Row(name="", counts=counts) for counts in row])
        for tool, row in zip(tools, cells, strict=True)
    ]


def _reasons(figures: Figures, lang: str) -> list[tuple[str, int, str]]:
    counted = figures.by("status", "kind", "reason")
    causes = Counter(
        {f"{kind or status}/{reason}": number for (status, kind, reason), number in counted.items() if reason}
    )
    return [(cause, number, meaning(cause, lang)) for cause, number in _ranked(causes)[:_REASONS]]


def _rules(figures: Figures) -> list[tuple[str, int]]:
    counted: Counter[str] = Counter()
    for (_, rule), number in figures.rules.items():
        counted[rule] += number
    return _ranked(counted)[:_RULES]


def _ranked(counter: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _pieces(example: Example) -> Sequence[marks.Piece]:
    return marks.pieces(example) if example.text is not None else ()
