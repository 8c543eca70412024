"""Lines that are one call each, read by whole blocks.

A block of lines goes to Arrow's JSON reader, which takes a quarter of the time of a line
read by itself. It is taken from there only if nothing is lost by that: every line is one
object and every object one line, each member that is used stands once, is of the type
that it has in the first line, and no line has a member that would make it more than a
call (its tools, a second time, another place of its name). Of any other block nothing is
taken, and its lines are read one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
from pyarrow import json as arrow_json

from argwright.batch.log import moments

_MORE = ("tools", "functions", "function", "stop_reason")
_TEXTS = ("name", "arguments", "finish_reason", "model")
_TYPES: Mapping[type, pa.DataType] = {str: pa.string(), int: pa.int64(), float: pa.float64()}


class Flat(NamedTuple):
    """The columns of a block, as Arrow read them; `times` as the log has them."""

    ids: Any
    names: Any
    models: Any
    times: Any
    finishes: Any
    arguments: Any


def read(block: bytes) -> Flat | None:
    """The columns of whole lines, if each is a call with its arguments as text; else `None`."""
    body = block.removesuffix(b"\n").removesuffix(b"\r")
    first = _first(body)
    if first is None:
        return None
    at = next((key for key in moments.TIMES if key in first), moments.TIMES[0])
    others = [*_MORE, *(key for key in moments.TIMES if key != at)]
    kinds = {key: _TYPES.get(type(first.get(key)), pa.string()) for key in ("id", at)}
    try:
        pa.scalar(body, pa.binary()).cast(pa.string())  # UTF-8, or an error; `decode` takes five times as long
        table = _parsed(body, {**dict.fromkeys((*_TEXTS, *others), pa.string()), **kinds})
    except ValueError:  # no UTF-8, no JSON, or not what the first line has
        return None
    rows = table.num_rows
    if rows != body.count(b"\n") + 1 or any(table.column(key).null_count < rows for key in others):
        return None
    found = {key: table.column(key).combine_chunks() for key in (*_TEXTS, "id", at)}
    if found["name"].null_count or found["arguments"].null_count:
        return None
    return Flat(found["id"], found["name"], found["model"], found[at], found["finish_reason"], found["arguments"])


def _first(body: bytes) -> dict[str, Any] | None:
    """The first line's object, if every line begins and ends as one does."""
    lines = body.count(b"\n")
    if not (body.startswith(b"{") and body.endswith(b"}")):
        return None
    if lines != body.count(b"}\n{") + (body.count(b"}\r\n{") if b"\r" in body else 0):
        return None
    try:
        record = orjson.loads(body.partition(b"\n")[0])
    except ValueError:
        return None
    if type(record) is not dict or type(record.get("id")) is float:  # an integer that lost digits, maybe
        return None
    return record if type(record.get("name")) is str and type(record.get("arguments")) is str else None


def _parsed(body: bytes, kinds: Mapping[str, pa.DataType]) -> pa.Table:
    source: Any = pa.BufferReader(body)
    return arrow_json.read_json(
        source,
        read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(body) + 1),
        parse_options=arrow_json.ParseOptions(
            explicit_schema=pa.schema(list(kinds.items())), unexpected_field_behavior="ignore"
        ),
    )
