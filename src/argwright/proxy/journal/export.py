"""Everything that a journal holds, call by call in the order in which they were written: JSON lines, or Parquet.

The same columns in both. What nests (arguments, repairs, issues) is JSON text in Parquet, where every call has other
fields; integers of any size stay exact there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from argwright.model import compact
from argwright.proxy.journal.database import reading
from argwright.proxy.journal.reading import LISTED, listed
from argwright.proxy.journal.rows import unpack
from argwright.wording import encodable

_CHUNK = 2_000  # calls read at once: no lock is held for long, and memory stays small
_ROWS = 10_000  # of one row group
_SECONDS = 60.0  # for one chunk

DETAIL = ("text", "omitted", "arguments", "repairs", "issues", "message", "position")
_NESTED = ("arguments", "repairs", "issues")


def exported(path: Path, *, since: float | None = None) -> Iterator[dict[str, Any]]:
    """Every call, oldest first, as plain data.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    last = 0
    while True:
        with reading(path, _SECONDS) as connection:
            rows = connection.execute(
                f"SELECT {', '.join(LISTED)}, detail FROM calls WHERE id > ? AND at >= ? ORDER BY id LIMIT ?",  # noqa: S608  # names from here
                (last, since or 0.0, _CHUNK),
            ).fetchall()
        if not rows:
            return
        yield from (_exported(row) for row in rows)
        last = int(rows[-1]["id"])


def _exported(row: sqlite3.Row) -> dict[str, Any]:
    detail = {} if row["detail"] is None else unpack(row["detail"])
    when = datetime.fromtimestamp(row["at"], UTC).isoformat()
    return {**listed(row), "at": when, **{name: detail.get(name) for name in DETAIL}}


def write_jsonl(calls: Iterator[Mapping[str, Any]], out: IO[bytes]) -> int:
    """One call a line; how many there were."""
    count = 0
    for call in calls:
        count += 1  # of none there is none
        try:
            line = compact(call).encode()
        except UnicodeEncodeError:  # half a surrogate pair stands as its escape
            line = json.dumps(call, separators=(",", ":")).encode()
        out.write(line + b"\n")
    return count


def write_parquet(calls: Iterator[Mapping[str, Any]], out: Path) -> int:
    """A Parquet file; how many calls there were.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa  # noqa: PLC0415  # an extra
    from pyarrow import parquet  # noqa: PLC0415

    text, whole = pa.string(), pa.int64()
    types: dict[str, Any] = {
        "id": whole,
        "at": pa.timestamp("us", tz="UTC"),
        "attempt": whole,
        "position": whole,
        "streamed": pa.bool_(),
        "rules": pa.list_(text),
    }
    schema = pa.schema([(name, types.get(name, text)) for name in (*LISTED, *DETAIL)])
    count = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while rows := [_flat(call) for call in islice(calls, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def _flat(call: Mapping[str, Any]) -> dict[str, Any]:
    nested = {name: None if call[name] is None else compact(call[name]) for name in _NESTED}
    flat = {**call, **nested}
    texts = {name: encodable(value) for name, value in flat.items() if isinstance(value, str)}
    return {**flat, **texts, "at": datetime.fromisoformat(str(call["at"]))}
