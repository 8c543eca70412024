"""A data-report agent: queries an SQLite database until it knows enough, then submits a report.

    python examples/data_report.py --model gpt-4o-mini
    python examples/data_report.py --api responses --model gpt-5-mini "Which harbour had the most gulls?"

What it shows:

- a tool that tells the model how to do better (`ToolFeedback`) and keeps every other exception to itself;
- the database is opened read-only: what a model writes is never trusted further than that;
- figures that come back as text are numbers again, on record, because the report's schema says number;
- the report is refused before any query has run.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

from connecting import connect
from pydantic import BaseModel, Field

import argwright as aw

SCHEMA = "create table sightings (day text, harbour text, bird text, n integer)"
ROWS = [
    ("2026-03-01", "Ærø", "gull", 12), ("2026-03-01", "Hoorn", "gull", 7), ("2026-03-01", "上海", "gull", 31),
    ("2026-03-02", "Ærø", "gull", 9), ("2026-03-02", "Hoorn", "tern", 2), ("2026-03-02", "上海", "gull", 28),
]  # fmt: skip


class Figure(BaseModel):
    """One figure of the report."""

    label: str
    value: float
    unit: str = "birds"


class Report(BaseModel):
    """The report."""

    title: str
    summary: str = Field(description="two or three sentences")
    figures: list[Figure] = Field(min_length=1, description="the figures that the summary rests on")


@aw.tool(annotations={"readOnlyHint": True}, aliases={"query": "sql"}, timeout=10, max_result=20_000)
def query_database(sql: str, path: Annotated[Path, aw.Injected]) -> list[dict[str, Any]]:
    """Run one SELECT on the table sightings(day, harbour, bird, n); at most 200 rows come back.

    Args:
        sql: a single SELECT statement of SQLite
        path: filled in by the program; the model never sees it
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in database.execute(sql).fetchmany(200)]
        except sqlite3.Error as error:
            raise aw.ToolFeedback(f"SQLite says: {error}") from error


FINAL = aw.FinalTool(Report, name="submit_report", requires=("query_database",))


def make_database(folder: Path) -> Path:
    """A small database to ask."""
    path = folder / "harbours.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(SCHEMA)
        database.executemany("insert into sightings values (?, ?, ?, ?)", ROWS)
    return path


def report(client: Any, question: str, *, model: str, format: str | None = None, path: Path) -> aw.RunResult:
    """Let the model look at the data and report."""
    return aw.run(
        client,
        question,
        model=model,
        format=format,
        tools=[query_database],
        final=FINAL,
        inject={"path": path},
        budget=aw.Budget(steps=10),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Make a database, have it reported on, and print the report."""
    asked = connect(__doc__, "How many gulls were seen in each harbour?", argv)
    with tempfile.TemporaryDirectory() as folder:
        path = make_database(Path(folder))
        result = report(asked.client, asked.question, model=asked.model, format=asked.format, path=path)
    if result.output is None:
        print(f"no report ({result.stop}): {result.text}")
        return
    print(f"{result.output.title}\n\n{result.output.summary}\n")
    for figure in result.output.figures:
        print(f"{figure.label:<12}{figure.value:>8g} {figure.unit}")
    queries = sum(isinstance(one, aw.ValidCall) and one.tool.name == "query_database" for one in result.outcomes)
    print(f"\n{queries} queries, {result.steps} requests")


if __name__ == "__main__":
    main()
