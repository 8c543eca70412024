"""The results as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.accuracy.cases import OPERATORS, Case
from benchmarks.accuracy.score import CAUGHT, EXACT, REFUSED, WRONG, Result, kind, summarize

_HEAD = (
    "reader", "valid left alone", "exact", "exact, mean over operators",
    "silent wrong, recoverable", "silent wrong, must refuse", "silent wrong, all", "median µs",
)  # fmt: skip


def overview(cases: Sequence[Case], results: Mapping[str, Result]) -> str:
    """One line a reader."""
    lines = [_row(_HEAD), "|---|" + "--:|" * (len(_HEAD) - 1)]
    for name, result in results.items():
        summary = summarize(cases, result)
        shares = (
            summary.identity,
            summary.exact,
            summary.macro,
            summary.wrong_recoverable,
            summary.wrong_refusable,
            summary.wrong,
        )
        lines.append(_row((name, *(f"{share:.1%}" for share in shares), f"{summary.median_micros:.1f}")))
    hung = {name: result.hung for name, result in results.items() if result.hung}
    if hung:
        lines += ["", "Did not answer in time: " + ", ".join(f"{name} {count}" for name, count in hung.items())]
    return "\n".join(lines)


def by_operator(cases: Sequence[Case], results: Mapping[str, Result]) -> str:
    """One line an operator: exact / wrong / caught or refused."""
    lines = [_row(("operator", "cases", "recoverable", *results)), "|---|--:|--:|" + "--:|" * len(results)]
    for operator in OPERATORS:
        places = [index for index, case in enumerate(cases) if kind(case) == operator.name]
        if not places:
            continue
        recoverable = sum(cases[index].recoverable for index in places)
        cells = []
        for result in results.values():
            counts = Counter(result.verdicts[index] for index in places)
            cells.append(f"{counts[EXACT]} / {counts[WRONG]} / {counts[CAUGHT] + counts[REFUSED]}")
        lines.append(_row((operator.name, str(len(places)), str(recoverable), *cells)))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
