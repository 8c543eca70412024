"""The oldest go first, by age and by size, and the file gets smaller."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from argwright.proxy.journal.database import open_to_write, used_bytes
from argwright.proxy.journal.ring import prune

from .conftest import record

DAY = 86_400
MENDED = "{'query': 'a',}"


@pytest.fixture
def connection(tmp_path):
    with closing(open_to_write(tmp_path / "ring.db")) as opened:
        yield opened


def _fill(make, path, ats, text=MENDED):
    journal = make(path=path)
    some = [record(one) for one in ([text] if isinstance(text, str) else text)]
    for number, at in enumerate(ats):
        journal.put(replace(some[number % len(some)], at=float(at)))
    assert journal.flush(30)
    journal.close()


def test_what_is_too_old_goes(make, tmp_path, connection):
    _fill(make, tmp_path / "ring.db", [DAY * number for number in range(10)])
    assert prune(connection, now=10.0 * DAY, max_days=3, max_mb=100) == 7
    assert connection.execute("SELECT min(at), count(*) FROM calls").fetchone() == (7.0 * DAY, 3)
    assert connection.execute("SELECT min(minute), sum(calls) FROM tallies").fetchone() == (7 * DAY, 3)
    assert prune(connection, now=10.0 * DAY, max_days=3, max_mb=100) == 0


def test_more_than_one_step_goes_at_once(make, tmp_path, connection):
    _fill(make, tmp_path / "ring.db", range(4_500), text='{"query": "a"}')
    assert prune(connection, now=10.0 * DAY, max_days=3, max_mb=100) == 4_500
    assert connection.execute("SELECT count(*) FROM tallies").fetchone() == (0,)


def test_a_file_that_is_too_large_loses_the_oldest_and_shrinks(make, tmp_path, connection):
    chance = random.Random(7)

    noise = ["".join(chr(chance.randrange(0x4E00, 0x9FFF)) for _ in range(2_000)) for _ in range(10)]
    path = tmp_path / "ring.db"
    _fill(make, path, [number * 60 for number in range(600)], text=[f"{{'query': '{one}',}}" for one in noise])
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    before = path.stat().st_size
    assert used_bytes(connection) > 2_000_000
    gone = prune(connection, now=1.0, max_days=30, max_mb=1)
    assert 0 < gone < 600
    assert used_bytes(connection) <= 1024 * 1024
    assert connection.execute("SELECT min(at), max(at) FROM calls").fetchone() == (gone * 60.0, 599 * 60.0)
    assert connection.execute("SELECT min(minute), sum(calls) FROM tallies").fetchone() == (gone * 60, 600 - gone)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert path.stat().st_size < before
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_one_entry_larger_than_the_ring_goes_as_well(make, tmp_path, connection):
    _fill(make, tmp_path / "ring.db", [1, 2], text=MENDED)
    assert prune(connection, now=3.0, max_days=30, max_mb=0.001) == 2


def test_numbers_are_never_given_twice(make, tmp_path, connection):
    _fill(make, tmp_path / "ring.db", [1, 2])
    prune(connection, now=100.0 * DAY, max_days=1, max_mb=100)
    _fill(make, tmp_path / "ring.db", [3])
    assert connection.execute("SELECT id FROM calls").fetchall() == [(3,)]


def test_the_writer_prunes_by_itself(make, monkeypatch, tmp_path):
    monkeypatch.setattr("argwright.proxy.journal.writer._TIDY_AFTER", 10)
    journal = make(max_days=1.0)
    for _ in range(10):
        journal.put(record(MENDED, at=1.0))
    journal.flush()
    journal.flush()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        assert file.execute("SELECT count(*) FROM calls").fetchone() == (0,)
