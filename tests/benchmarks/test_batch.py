from __future__ import annotations

import gzip
import json

import pyarrow.parquet as pq
import pytest

import argwright as aw
from benchmarks import batch, batch_log


def test_the_log_is_the_same_for_the_same_seed():
    assert list(batch_log.rows(300, "a")) == list(batch_log.rows(300, "a"))
    assert list(batch_log.rows(300, "a")) != list(batch_log.rows(300, "b"))


def test_one_call_in_ten_is_not_plainly_valid():
    outcomes = [
        batch.BOX.resolve(aw.ToolCall(None, row["name"], row["arguments"], row["finish_reason"]))
        for row in batch_log.rows(2_000)
    ]
    plain = sum(isinstance(outcome, aw.ValidCall) and not outcome.repairs for outcome in outcomes)
    assert plain == pytest.approx(1_800, abs=60)


@pytest.mark.parametrize("name", ["log.jsonl", "log.jsonl.gz", "log.parquet"])
def test_each_form_holds_the_same(tmp_path, name):
    path = tmp_path / name
    batch_log.write(path, 50)
    if path.suffix == ".parquet":
        found = pq.read_table(path).to_pylist()
    else:
        data = path.read_bytes()
        found = [json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()]
    keys = ("id", "name", "arguments", "finish_reason", "model", "at")
    assert [[row[key] for key in keys] for row in found] == [[row[key] for key in keys] for row in batch_log.rows(50)]


def test_the_table(monkeypatch):
    ways = [way for way in batch.ways() if "one core" in way[0]]
    monkeypatch.setattr(batch, "ways", lambda: iter(ways))
    told = batch.table(200)
    assert told.count("\n| ") == len(ways)
    assert "200 calls in, 200 out of each engine, the same rows from all: " in told


def test_lost_rows_show(monkeypatch):
    monkeypatch.setattr(batch, "ways", lambda: iter([
        ("one", batch.in_this_process), ("less", lambda path: {"valid": 1, "valid ids": 0}),
    ]))  # fmt: skip
    assert "DIFFERENT ROWS" in batch.table(50)
