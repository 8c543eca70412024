"""What is put in comes out again; nothing that happens to the file reaches whoever puts."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from argwright.proxy.journal import Filter, Journal, JournalState
from argwright.proxy.journal.database import APPLICATION, SCHEMA
from argwright.proxy.journal.journal import UnreadableError
from argwright.proxy.journal.writer import Bounds
from argwright.proxy.record import ExchangeRecord
from argwright.proxy.settings import JournalSettings

from .conftest import record

ROOT = Path(__file__).parents[3]
MENDED = "{'query': '上海 \u2028 مرحبا 🍜', 'limit': 9007199254740993,}"
REFUSED = '{"query": 5}'
CUT = '{"query": "a'


def _until(condition, seconds=10.0):
    """Wait for what another thread does."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        threading.Event().wait(0.005)
    assert condition()


def test_what_is_put_in_comes_out(make):
    journal = make()
    journal.put(record(MENDED, at=1000.5, attempt=2, streamed=True, origin="text:hermes"))
    assert journal.flush()
    (call,) = journal.recent()["calls"]
    assert call == {
        "id": 1,
        "at": 1000.5,
        "request_id": "r1",
        "protocol": "openai-chat",
        "upstream": "default",
        "model": "gpt-x",
        "tool": "search",
        "status": "mended",
        "kind": None,
        "reason": None,
        "rules": ["single-quotes", "trailing-comma"],
        "origin": "text:hermes",
        "attempt": 2,
        "streamed": True,
        "has_detail": True,
    }
    detail = journal.call(1)["detail"]
    assert (detail["text"], detail["arguments"]["limit"]) == (MENDED, 9007199254740993)
    assert [repair["rule"] for repair in detail["repairs"]] == call["rules"]
    assert journal.call(2) is None


def test_a_refused_call_has_its_issues_and_what_the_model_was_told(make):
    journal = make()
    journal.put(record(REFUSED))
    journal.put(record(CUT))
    journal.flush()
    refused, cut = journal.call(1), journal.call(2)
    assert (refused["kind"], refused["reason"]) == ("schema_error", "type")
    assert [issue["pointer"] for issue in refused["detail"]["issues"]] == ["/query"]
    assert refused["detail"]["message"].startswith('{"error":"Invalid call of search"')
    assert (cut["reason"], cut["detail"]["arguments"], cut["detail"]["position"]) == ("truncated", None, len(CUT))


def test_by_default_no_word_of_the_model_gets_into_the_file(make, tmp_path):
    journal = make("metadata")
    journal.put(record("{'query': 'geheim-1',}"))
    journal.put(record('{"query": "geheim-2"}', name='search{"query": "geheim-3"}'))
    journal.flush()
    assert [call["tool"] for call in journal.recent()["calls"]] == ["(no readable name)", "search"]
    assert journal.call(1)["detail"] is None
    journal.close()
    assert not any(b"geheim" in file.read_bytes() for file in tmp_path.iterdir())


def test_off_and_without_a_path_nothing_is_kept(tmp_path):
    for settings in (JournalSettings(mode="off", path=tmp_path / "a.db"), JournalSettings(mode="full")):
        journal = Journal(settings)
        journal.put(record())
        assert (journal.is_on, journal.flush(), journal.state) == (False, True, JournalState(mode="off", phase="off"))
        with pytest.raises(UnreadableError, match="the journal is off"):
            journal.recent()
        journal.close()
    assert list(tmp_path.iterdir()) == []


def test_rates_count_over_time_and_by_facet(make):
    journal = make("metadata")
    for at, text, fields in [
        (0, '{"query": "a"}', {}),
        (30, MENDED, {}),
        (3599, REFUSED, {"model": "claude-x"}),
        (3600, MENDED, {}),
        (7300, "{}", {"name": "sarch"}),
    ]:
        journal.put(record(text, at=float(at), **fields))
    for status, attempts, stalled in [(200, 1, False), (200, 3, True), (502, 1, False)]:
        journal.put(
            ExchangeRecord(
                request_id="r", at=60.0, protocol="openai-chat", upstream="default", model="gpt-x", status=status,
                streamed=False, attempts=attempts, stalled=stalled,
            )
        )  # fmt: skip
    journal.flush()
    got = journal.rates(step=3600)
    assert got["points"] == [
        {"at": 0, "valid": 1, "mended": 1, "refused": 1},
        {"at": 3600, "valid": 0, "mended": 1, "refused": 0},
        {"at": 7200, "valid": 0, "mended": 0, "refused": 1},
    ]
    assert got["totals"] == {"valid": 1, "mended": 2, "refused": 2}
    assert got["by"]["tool"] == [
        {"name": "search", "valid": 1, "mended": 2, "refused": 1},
        {"name": "sarch", "valid": 0, "mended": 0, "refused": 1},
    ]
    assert got["by"]["model"][1] == {"name": "claude-x", "valid": 0, "mended": 0, "refused": 1}
    assert [row["name"] for row in got["by"]["kind"]] == ["schema_error", "unknown_tool"]
    assert [row["name"] for row in got["by"]["reason"]] == ["type", "unknown"]
    assert got["by"]["rule"] == [
        {"name": "single-quotes", "valid": 0, "mended": 2, "refused": 0},
        {"name": "trailing-comma", "valid": 0, "mended": 2, "refused": 0},
    ]
    assert got["exchanges"] == {"requests": 3, "retries": 2, "stalled": 1}
    assert journal.rates(Filter(since=3600.0, until=7200.0), step=3600)["totals"]["mended"] == 1
    assert journal.rates(Filter(rule="trailing-comma", tool="search"))["totals"] == {
        "valid": 0,
        "mended": 2,
        "refused": 0,
    }


def test_tallies_of_several_batches_add_up(make):
    journal = make("metadata")
    for _ in range(3):
        journal.put(record())
        journal.flush()
    assert journal.rates()["totals"] == {"valid": 3, "mended": 0, "refused": 0}


FILTERS = {
    "tool": (Filter(tool="search"), [4, 3, 2]),
    "model": (Filter(model="claude-x"), [3]),
    "kind": (Filter(kind="json_error"), [4]),
    "reason": (Filter(reason="truncated"), [4]),
    "rule": (Filter(rule="trailing-comma"), [2]),
    "a rule with odd characters": (Filter(rule="a'b%\"_"), []),
    "status": (Filter(status="refused"), [5, 4, 3]),
    "valid ones, asked for": (Filter(status="valid"), [1]),
    "time": (Filter(since=20.0, until=40.0), [3, 2]),
    "all": (Filter(), [5, 4, 3, 2]),
}


@pytest.mark.parametrize(("wanted", "ids"), FILTERS.values(), ids=FILTERS)
def test_recent_calls_are_the_faulty_ones_that_are_asked_for(make, wanted, ids):
    journal = make()
    journal.put(record(at=10.0))
    journal.put(record(MENDED, at=20.0))
    journal.put(record(REFUSED, at=30.0, model="claude-x"))
    journal.put(record(CUT, at=40.0))
    journal.put(record(name="<script>alert(1)</script>", at=50.0))
    journal.flush()
    assert [call["id"] for call in journal.recent(wanted)["calls"]] == ids


def test_recent_calls_come_page_by_page(make):
    journal = make("metadata")
    for _ in range(7):
        journal.put(record(REFUSED))
    journal.flush()
    seen, before = [], None
    while True:
        page = journal.recent(before=before, limit=3)
        seen.append([call["id"] for call in page["calls"]])
        before = page["next"]
        if before is None:
            break
    assert seen == [[7, 6, 5], [4, 3, 2], [1]]


def test_odd_records_cost_only_themselves(make):
    journal = make()
    odd = record()
    object.__setattr__(odd, "detail", object())
    worse = record()
    object.__setattr__(worse, "rules", object())
    halves = record('{"query": "\ud83d"}', model="m\ud83d")
    huge = record(attempt=2**70)
    for one in (odd, worse, halves, None, record(MENDED)):
        journal.put(one)
        journal.flush()
    journal.put(huge)
    journal.flush()
    assert [call["model"] for call in journal.recent()["calls"]] == ["gpt-x", "m\N{REPLACEMENT CHARACTER}"]
    assert (journal.state.phase, journal.state.dropped) == ("writing", 3)


def test_a_full_queue_drops_and_counts(make, tmp_path):
    journal = make(path=tmp_path, bounds=Bounds(records=3, characters=100, retry=0.02, patience=0.02))  # a directory
    _until(lambda: journal.state.phase == "stopped")
    for _ in range(5):
        journal.put(record())
    assert (journal.state.waiting, journal.state.dropped) == (3, 2)
    journal.close()
    assert (journal.state.phase, journal.state.dropped, journal.state.committed) == ("closed", 5, 0)
    journal.put(record())
    assert journal.state.dropped == 6


def test_a_journal_that_stops_says_so_once_in_the_log(make, tmp_path, caplog):
    caplog.set_level("INFO")
    path = tmp_path / "journal.db"
    path.mkdir()
    journal = make(path=path, bounds=Bounds(retry=0.01, patience=0.01))
    journal.put(record())
    _until(lambda: journal.state.phase == "stopped")
    path.rmdir()
    assert journal.flush(10)
    told = [(one.levelname, one.getMessage()) for one in caplog.records]
    assert told == [
        ("WARNING", "the journal stopped, the traffic goes on: the file cannot be opened: is a directory"),
        ("INFO", "the journal is written"),
    ]
    assert str(tmp_path) not in caplog.text


def test_long_texts_fill_the_queue_as_well(make, tmp_path):
    journal = make(path=tmp_path, bounds=Bounds(characters=100, retry=0.02, patience=0.02))
    journal.put(record('{"query": "%s"}' % ("a" * 60)))
    journal.put(record('{"query": "%s"}' % ("a" * 60)))
    assert (journal.state.waiting, journal.state.dropped) == (1, 1)


def test_putting_takes_no_time_while_the_file_is_locked(make, tmp_path):
    path = tmp_path / "journal.db"
    journal = make(path=path)
    assert journal.flush()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        started = time.process_time()
        for _ in range(100):
            journal.put(record(MENDED))
        assert not journal.flush(0.1)
        assert time.process_time() - started < 5  # the processor's time: none of it went into waiting
        other.execute("ROLLBACK")
    assert journal.flush(10)
    assert len(journal.recent(limit=200)["calls"]) == 100


UNUSABLE = {
    "no database": (
        b"this is no database, and long enough to be sure of that" * 200,
        "the file is damaged, or no database",
    ),
    "a newer journal": (None, f"the journal has schema {SCHEMA + 1}, this argwright reads {SCHEMA}"),
    "somebody else's": (None, "the file is a database, but no journal of argwright"),
}


@pytest.mark.parametrize(("data", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_file_that_is_no_journal_stops_it_and_is_not_touched(make, tmp_path, data, reason):
    path = tmp_path / "journal.db"
    if data is not None:
        path.write_bytes(data)
    else:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE theirs (a)")
            if "schema" in reason:
                other.execute(f"PRAGMA application_id = {APPLICATION}")
                other.execute(f"PRAGMA user_version = {SCHEMA + 1}")
            other.commit()
    before = path.read_bytes()
    journal = make(path=path)
    journal.put(record(MENDED))
    _until(lambda: journal.state.phase == "stopped")
    assert journal.state.reason == reason
    with pytest.raises(UnreadableError, match=reason.partition("(")[0]):
        journal.recent()
    assert path.read_bytes() == before
    path.unlink()
    assert journal.flush(10)
    assert [call["id"] for call in journal.recent()["calls"]] == [1]  # what waited was written


def test_a_damaged_file_stops_it_and_it_goes_on_with_a_new_one(make, tmp_path):
    path = tmp_path / "journal.db"
    journal = make(path=path)
    for _ in range(200):
        journal.put(record(MENDED))
    journal.flush()
    journal.close()
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    journal = make(path=path)
    journal.put(record(MENDED))
    _until(lambda: journal.state.phase == "stopped")
    assert (journal.state.cause, journal.state.reason) == ("damaged", "the file is damaged, or no database")
    path.unlink()
    assert journal.flush(10)
    assert len(journal.recent()["calls"]) == 1


def test_a_deleted_file_is_made_again(make, tmp_path):
    journal = make()
    journal.put(record(MENDED))
    journal.flush()
    for file in tmp_path.iterdir():
        file.unlink()
    journal.put(record(CUT))
    journal.flush()
    assert [call["reason"] for call in journal.recent()["calls"]] == ["truncated"]


def test_the_file_is_its_owners(make, tmp_path):
    make(path=tmp_path / "deep" / "er" / "journal.db").flush()
    assert (tmp_path / "deep" / "er" / "journal.db").stat().st_mode & 0o777 == 0o600


def test_several_processes_share_a_file(make, tmp_path):
    journals = [make("metadata") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda journal=journal: [journal.put(record(MENDED)) for _ in range(250)])
        for journal in journals
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert all(journal.flush(30) for journal in journals)
    assert journals[0].rates()["totals"]["mended"] == 1000
    assert sum(journal.state.committed for journal in journals) == 1000
    assert [journal.state.dropped for journal in journals] == [0, 0, 0, 0]


WRITES_UNTIL_KILLED = """
import sys
from pathlib import Path
from argwright.proxy.journal import Journal
from argwright.proxy.settings import JournalSettings
from tests.proxy.journal.conftest import record

journal = Journal(JournalSettings(mode="full", path=Path(sys.argv[1])))
one = record("{'query': '%s',}" % ("长" * 400))
for number in range(1_000_000):
    for _ in range(37):
        journal.put(one)
    assert journal.flush(30)
    print((number + 1) * 37, flush=True)
"""


@pytest.mark.parametrize("rounds", [1, 7, 23])
def test_a_killed_process_leaves_a_sound_file_with_everything_that_was_acknowledged(make, tmp_path, rounds):
    path = tmp_path / "journal.db"
    command = [sys.executable, "-c", WRITES_UNTIL_KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        acknowledged = [int(process.stdout.readline()) for _ in range(rounds)][-1]
        process.kill()
        rest = process.stdout.read().split()
        acknowledged = max([acknowledged, *map(int, rest[:-1])])
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        calls = file.execute("SELECT count(*) FROM calls").fetchone()[0]
        assert calls >= acknowledged
        assert file.execute("SELECT sum(calls) FROM tallies").fetchone()[0] == calls
    journal = make(path=path)
    journal.put(record(CUT))
    assert journal.flush()
    assert journal.rates()["totals"] == {"valid": 0, "mended": calls, "refused": 1}


FILLS_THE_DISK = """
import resource, sys, threading
from pathlib import Path
from argwright.proxy.journal import Journal
from argwright.proxy.journal.writer import Bounds
from argwright.proxy.settings import JournalSettings
from tests.proxy.journal.conftest import record

path = Path(sys.argv[1])
journal = Journal(JournalSettings(mode="full", path=path), bounds=Bounds(records=1000, retry=0.02, patience=0.02))
assert journal.flush(10)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))  # no file may grow beyond that
import random
noise = ["".join(chr(random.randrange(0x4e00, 0x9fff)) for _ in range(5000)) for _ in range(20)]
for text in noise * 10:
    journal.put(record("{'query': '%s',}" % text))
for _ in range(2000):
    if journal.state.phase == "stopped":
        break
    threading.Event().wait(0.005)
print(journal.state.phase, journal.state.reason)
for _ in range(2000):
    journal.put(record())
print(journal.state.dropped > 0)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(journal.flush(20), journal.state.phase)
journal.close()
print(journal.state.committed + journal.state.dropped)
"""


def test_a_full_disk_stops_the_journal_until_there_is_room(tmp_path):
    path = tmp_path / "journal.db"
    command = [sys.executable, "-c", FILLS_THE_DISK, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    phase, dropped, recovered, total = done.stdout.splitlines()
    assert phase in ("stopped the disk is full", "stopped the disk cannot be read or written")
    assert (dropped, recovered, total) == ("True", "True writing", "2200")
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_stops_it(make, tmp_path):
    path = tmp_path / "journal.db"
    make(path=path).flush()
    path.chmod(0o400)
    journal = make(path=path)
    _until(lambda: journal.state.phase == "stopped")
    assert (journal.state.cause, journal.state.reason) == ("no_access", "the file cannot be opened: permission denied")
