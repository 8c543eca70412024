"""Everything that a journal holds, for other tools; and the command that writes it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from pyarrow import parquet

from argwright.cli.main import main
from argwright.proxy.journal import export

from .conftest import record

MENDED = "{'query': '上海 \u2028 مرحبا 🍜', 'limit': 90071992547409931234,}"
HALF = '{"query": "\ud83d", "x": 1}'


@pytest.fixture
def path(make, tmp_path):
    journal = make(path=tmp_path / "a journal's.db")
    journal.put(record(at=1_700_000_000.25))
    journal.put(record(MENDED, at=1_700_000_001.0))
    journal.put(record(HALF, at=1_700_000_002.0, name="none\ud83d"))
    assert journal.flush()
    return tmp_path / "a journal's.db"


def _lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


def test_json_lines(path, capfd):
    assert main(["journal", "export", str(path)]) == 0
    told, notes = capfd.readouterr()
    valid, mended, refused = _lines(told)
    assert valid == {
        "id": 1,
        "at": "2023-11-14T22:13:20.250000+00:00",
        "request_id": "r1",
        "protocol": "openai-chat",
        "upstream": "default",
        "model": "gpt-x",
        "tool": "search",
        "status": "valid",
        "kind": None,
        "reason": None,
        "rules": [],
        "origin": "structured",
        "attempt": 1,
        "streamed": False,
        "text": '{"query": "a"}',
        "omitted": None,
        "arguments": {"query": "a"},
        "repairs": [],
        "issues": [],
        "message": "",
        "position": None,
    }
    assert (mended["text"], mended["arguments"]["limit"]) == (MENDED, 90071992547409931234)
    assert refused["text"] == HALF
    assert notes == "3 calls exported\n"


def test_parquet_has_the_same(path, tmp_path):
    out = tmp_path / "calls.parquet"
    assert main(["journal", "export", str(path), "--format", "parquet", "-o", str(out)]) == 0
    valid, mended, refused = parquet.read_table(out).to_pylist()
    assert valid["at"] == datetime(2023, 11, 14, 22, 13, 20, 250000, UTC)
    assert (mended["rules"], json.loads(mended["arguments"])["limit"]) == (
        ["single-quotes", "trailing-comma"],
        90071992547409931234,
    )
    assert (refused["text"], refused["tool"]) == (
        HALF.replace("\ud83d", "\N{REPLACEMENT CHARACTER}"),
        "none\N{REPLACEMENT CHARACTER}",
    )
    assert refused["arguments"] is None


def test_to_a_file_and_only_the_last_days(path, tmp_path, capfd):
    out = tmp_path / "calls.jsonl"
    assert main(["journal", "export", str(path), "--days", "1", "--output", str(out)]) == 0
    assert (out.read_bytes(), capfd.readouterr().err) == (b"", "0 calls exported\n")


def test_an_empty_journal_makes_a_parquet_file_without_rows(make, tmp_path):
    journal = make()
    journal.flush()
    out = tmp_path / "calls.parquet"
    assert main(["journal", "export", str(tmp_path / "journal.db"), "--format", "parquet", "-o", str(out)]) == 0
    assert parquet.read_table(out).num_rows == 0


def test_more_than_one_chunk(make, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "_CHUNK", 2)
    journal = make("metadata")
    for _ in range(5):
        journal.put(record())
    journal.flush()
    assert [call["id"] for call in export.exported(tmp_path / "journal.db")] == [1, 2, 3, 4, 5]


def test_misuse_is_told(path, tmp_path, capfd):
    assert main(["journal", "export", str(tmp_path / "none.db")]) == 2
    assert main(["journal", "export", str(path), "--format", "parquet"]) == 2
    assert "a Parquet file needs --output FILE" in capfd.readouterr().err
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as file:
        file.execute("CREATE TABLE theirs (a)")
    assert main(["journal", "export", str(other)]) == 2
    assert "no journal of argwright" in capfd.readouterr().err


def test_stats_name_what_there_is(path, make, tmp_path, capfd):
    assert main(["journal", "stats", str(path)]) == 0
    told = capfd.readouterr().out
    assert told.startswith("3 calls\nfrom 2023-11-1")
    assert "search" in told
    assert "trailing-comma" in told
    make(path=tmp_path / "empty.db").flush()
    assert main(["journal", "stats", str(tmp_path / "empty.db")]) == 0
    assert capfd.readouterr().out == "0 calls\n"
