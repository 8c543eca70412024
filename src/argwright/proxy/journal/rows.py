"""Records → rows. A row is one call; tallies add up what came in one minute, so that the page counts nothing twice.

In mode `metadata` no word of a model gets in: a tool's name that no name looks like is left out, since models write
arguments there, too.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from argwright.model import sayable
from argwright.proxy.journal.redaction import kept
from argwright.proxy.record import CallRecord, ExchangeRecord
from argwright.wording import shorten

Record: TypeAlias = CallRecord | ExchangeRecord
Row: TypeAlias = tuple[Any, ...]

UNREADABLE = "(no readable name)"
MAX_WORD = 200  # characters of a name or an id
MINUTE = 60
_PACKED = 512  # bytes; below, packing saves nothing

CALL_COLUMNS = (
    "at", "request_id", "protocol", "upstream", "model", "tool", "status", "kind", "reason", "rules", "origin",
    "attempt", "streamed", "detail",
)  # fmt: skip
TALLY_KEY = ("minute", "protocol", "upstream", "model", "tool", "status", "kind", "reason", "rules")
EXCHANGE_KEY = ("minute", "protocol", "upstream", "model", "status")


@dataclass
class Batch:
    """The rows of one transaction, in the making.

    Args:
        details: whether the calls' details are kept.
    """

    details: bool = False
    calls: list[Row] = field(default_factory=list)
    tallies: Counter[Row] = field(default_factory=Counter)
    exchanges: dict[Row, list[int]] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Put one record in."""
        match record:
            case CallRecord():
                row = call_row(record, detail=self.details)
                self.calls.append(row)
                self.tallies[_minute(record.at), *row[2:10]] += 1
            case ExchangeRecord():
                self._exchange(record)

    def _exchange(self, record: ExchangeRecord) -> None:
        words = (record.protocol, record.upstream, record.model)
        key = (_minute(record.at), *(_word(word) for word in words), record.status)
        sums = self.exchanges.setdefault(key, [0, 0, 0])
        for index, one in enumerate((1, max(0, record.attempts - 1), int(record.stalled))):
            sums[index] += one


def batch(records: Iterable[Record], *, details: bool) -> tuple[Batch, int]:
    """The rows of the records, and how many of them are no records that can be stored."""
    made = Batch(details)
    unfit = 0
    for record in records:
        try:
            made.add(record)
        except Exception:  # noqa: BLE001  # one odd record must not cost the others
            unfit += 1
    return made, unfit


def call_row(record: CallRecord, *, detail: bool) -> Row:
    """One call, in the order of `CALL_COLUMNS`, with its detail or without a word that the model wrote."""
    named = record.tool if detail or sayable(record.tool) else UNREADABLE
    return (
        float(record.at),
        _word(record.request_id),
        _word(record.protocol),
        _word(record.upstream),
        _word(record.model),
        _word(named) or UNREADABLE,
        record.status,
        record.kind or "",
        record.reason or "",
        json.dumps(list(record.rules)),
        _word(record.origin),
        record.attempt,
        int(record.streamed),
        None if record.detail is None or not detail else pack(kept(record.detail).to_dict()),
    )


def pack(detail: Any) -> bytes:
    """A detail as it lies in the file: JSON, compressed where that pays."""
    data = json.dumps(detail, separators=(",", ":")).encode()
    return data if len(data) < _PACKED else zlib.compress(data, 3)


def unpack(data: bytes) -> Any:
    """The detail that was packed."""
    return json.loads(data if data.startswith(b"{") else zlib.decompress(data))


def _word(text: Any) -> str:
    return shorten(str(text), MAX_WORD)


def _minute(at: float) -> int:
    return int(at) // MINUTE * MINUTE
