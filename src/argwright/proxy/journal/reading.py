"""What the page asks of the journal. Each question is one short look with a connection of its own.

Rates come from the tallies, one row a minute and kind of outcome: a month of traffic is a few thousand rows, whatever
the number of calls. Faulty calls come from an index of their own, the newest first, page by page.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from argwright.proxy.journal.database import reading
from argwright.proxy.journal.rows import unpack

SECONDS = 5.0  # for one question; the page asks again
MAX_PAGE = 200
MAX_NAMES = 50  # of one list of tools, models, …; a page shows no more
STATUSES: tuple[str, ...] = ("valid", "mended", "refused")
FACETS = ("tool", "model", "kind", "reason", "upstream", "protocol")


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which calls are meant; a field left out means all.

    Args:
        since: seconds since the epoch, inclusive.
        until: the same, exclusive.
    """

    since: float | None = None
    until: float | None = None
    tool: str | None = None
    model: str | None = None
    kind: str | None = None
    reason: str | None = None
    rule: str | None = None
    upstream: str | None = None
    protocol: str | None = None
    status: str | None = None

    def where(self, clock: str, columns: Iterable[str]) -> tuple[str, list[Any]]:
        """The condition in SQL, and its values; columns that the table lacks mean nothing there."""
        terms = {name: f"{name} = ?" for name in columns}
        terms |= {"since": f"{clock} >= ?", "until": f"{clock} < ?"}
        if "rules" in terms:
            terms["rule"] = "EXISTS (SELECT 1 FROM json_each(rules) WHERE value = ?)"
        asked = {one.name: getattr(self, one.name) for one in fields(self)}
        meant = {name: value for name, value in asked.items() if value is not None and name in terms}
        return " AND ".join(terms[name] for name in meant) or "1", list(meant.values())


def rates(path: Path, wanted: Filter, step: int) -> dict[str, Any]:
    """How many calls were valid, mended and refused: over time in steps of seconds, and by each facet.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    condition, values = wanted.where("minute", (*FACETS, "status", "rules"))
    keys = ", ".join((*FACETS, "status", "rules"))
    question = (
        f"SELECT minute / ? * ? AS start, {keys}, sum(calls) AS calls FROM tallies WHERE {condition} "  # noqa: S608  # names from here
        f"GROUP BY start, {keys}"
    )
    with reading(path, SECONDS) as connection:
        rows = connection.execute(question, (step, step, *values)).fetchall()
        exchanges = _exchanges(connection, wanted)
    return {
        "step": step,
        "points": _points(rows),
        "totals": _sums(rows),
        "by": {facet: _by(rows, facet) for facet in FACETS} | {"rule": _by_rule(rows)},
        "exchanges": exchanges,
    }


def _sums(rows: Iterable[Mapping[str, Any] | sqlite3.Row]) -> dict[str, int]:
    sums: dict[str, int] = dict.fromkeys(STATUSES, 0)
    for row in rows:
        sums[row["status"]] = sums.get(row["status"], 0) + row["calls"]
    return sums


def _points(rows: Sequence[sqlite3.Row]) -> list[dict[str, Any]]:
    return [{"at": start, **_sums(group)} for start, group in sorted(_grouped(rows, "start").items())]


def _by(rows: Sequence[sqlite3.Row], facet: str) -> list[dict[str, Any]]:
    groups = {name: _sums(group) for name, group in _grouped(rows, facet).items() if name != ""}
    return _named(groups)


def _by_rule(rows: Sequence[sqlite3.Row]) -> list[dict[str, Any]]:
    groups: dict[str, dict[str, int]] = {}
    for row in rows:
        for rule in json.loads(row["rules"]):
            sums = groups.setdefault(rule, dict.fromkeys(STATUSES, 0))
            sums[row["status"]] += row["calls"]
    return _named(groups)


def _grouped(rows: Iterable[sqlite3.Row], key: str) -> dict[Any, list[sqlite3.Row]]:
    groups: dict[Any, list[sqlite3.Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups


def _named(groups: Mapping[str, dict[str, int]]) -> list[dict[str, Any]]:
    """The groups with the most calls first; what the limit leaves out is counted together under no name."""
    order = sorted(groups.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    named: list[dict[str, Any]] = [{"name": name, **sums} for name, sums in order[:MAX_NAMES]]
    rest = [sums for _, sums in order[MAX_NAMES:]]
    if rest:
        named.append({"name": None, **{status: sum(sums[status] for sums in rest) for status in STATUSES}})
    return named


def _exchanges(connection: sqlite3.Connection, wanted: Filter) -> dict[str, int]:
    """Requests that declared tools, how often a model was asked again, and announcements without a call."""
    condition, values = wanted.where("minute", ("protocol", "upstream", "model"))
    sums = ", ".join(f"coalesce(sum({name}), 0) AS {name}" for name in ("requests", "retries", "stalled"))
    return dict(connection.execute(f"SELECT {sums} FROM exchanges WHERE {condition}", values).fetchone())  # noqa: S608  # names from here


LISTED = (
    "id", "at", "request_id", "protocol", "upstream", "model", "tool", "status", "kind", "reason", "rules", "origin",
    "attempt", "streamed",
)  # fmt: skip


def recent(path: Path, wanted: Filter, *, before: int | None = None, limit: int = 50) -> dict[str, Any]:
    """Faulty calls, mended and refused, the newest first.

    Args:
        path: the journal.
        wanted: which; with `status="valid"` the valid ones.
        before: the id to go on from, as `next` said.
        limit: how many at most.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    limit = max(1, min(limit, MAX_PAGE))
    condition, values = wanted.where("at", LISTED)
    if wanted.status != "valid":
        condition += " AND status <> 'valid'"  # as the index has it
    if before is not None:
        condition, values = f"{condition} AND id < ?", [*values, before]
    question = f"SELECT {', '.join(LISTED)}, detail IS NOT NULL AS has_detail FROM calls WHERE {condition}"  # noqa: S608  # names from here
    with reading(path, SECONDS) as connection:
        rows = connection.execute(f"{question} ORDER BY id DESC LIMIT ?", (*values, limit + 1)).fetchall()
    calls = [listed(row) for row in rows[:limit]]
    return {"calls": calls, "next": calls[-1]["id"] if len(rows) > limit else None}


def call(path: Path, number: int) -> dict[str, Any] | None:
    """One call with its detail, which is `None` if none was kept; `None` if there is no such call (any more).

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    with reading(path, SECONDS) as connection:
        row = connection.execute(f"SELECT {', '.join(LISTED)}, detail FROM calls WHERE id = ?", (number,)).fetchone()  # noqa: S608  # names from here
    if row is None:
        return None
    return {**listed(row), "detail": None if row["detail"] is None else unpack(row["detail"])}


def span(path: Path) -> dict[str, Any]:
    """How many calls there are, since when and until when.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    with reading(path, SECONDS) as connection:
        row = connection.execute("SELECT count(*) AS calls, min(at) AS first, max(at) AS last FROM calls").fetchone()
    return dict(row)


def listed(row: sqlite3.Row) -> dict[str, Any]:
    """One call as JSON data, without its detail."""
    found = {name: row[name] for name in row.keys() if name not in ("detail", "has_detail")}  # noqa: SIM118  # a row's own
    found |= {"rules": json.loads(row["rules"]), "streamed": bool(row["streamed"])}
    found |= {name: row[name] or None for name in ("kind", "reason")}
    return found | ({"has_detail": bool(row["has_detail"])} if "has_detail" in row.keys() else {})  # noqa: SIM118
