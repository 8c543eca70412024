import multiprocessing
import os
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from argwright.model import ErrorKind
from argwright.monitor import Alert
from argwright.proxy import shared
from argwright.proxy.shared import SharedBoard, SharedStore

CALLS, OPEN = 'argwright_calls_total{tool="工具"}', "argwright_streams_open"
ALERT = Alert(kind=ErrorKind.JSON_ERROR, tool="工具", count=3, first=datetime(2026, 1, 2, tzinfo=UTC), action="look")


@pytest.fixture
def store(tmp_path):
    made = []

    def make(slot):
        made.append(SharedStore(tmp_path, slot))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_whichever_is_asked_answers_for_all(store):
    a, b = store(0), store(1)
    a.add(CALLS, 1)
    b.add(CALLS, 2.5)
    b.put(OPEN, 7)
    a.put(OPEN, 1)
    a.put(OPEN, 2)
    b.add("argwright_clients_gone_total", 0)
    expected = {CALLS: 3.5, OPEN: 9.0, "argwright_clients_gone_total": 0.0}
    assert dict(a.lines()) == dict(b.lines()) == expected


def test_a_successor_goes_on_with_the_counters_and_not_with_the_gauges(store):
    first = store(0)
    first.add(CALLS, 5)
    first.put(OPEN, 3)
    second = store(0)
    assert dict(second.lines()) == {CALLS: 5.0, OPEN: 0.0}
    second.add(CALLS, 1)
    second.add("argwright_stalls_total", 1)
    assert dict(second.lines()) == {CALLS: 6.0, OPEN: 0.0, "argwright_stalls_total": 1.0}


def test_every_length_of_a_line(store):
    one, other = store(0), store(1)
    lines = [f'argwright_calls_total{{tool="{"x" * size}"}}' for size in range(40)]
    for number, line in enumerate(lines):
        one.add(line, number)
    assert dict(other.lines()) == dict(zip(lines, map(float, range(40)), strict=True))


def test_a_full_file_keeps_what_it_has(store, monkeypatch):
    monkeypatch.setattr(shared, "_SIZE", 256)
    one = store(0)
    for number in range(100):
        one.add(f'argwright_calls_total{{tool="{number}"}}', 1)
    kept = dict(one.lines())
    assert 0 < len(kept) < 10
    one.add(next(iter(kept)), 1)
    assert sum(one.lines().values()) == sum(kept.values()) + 1


def count(folder, slot, times):
    one = SharedStore(folder, slot)
    for _ in range(times):
        one.add(CALLS, 1)
    one.put(OPEN, 1)
    if slot == 1:
        os.kill(os.getpid(), signal.SIGKILL)


def test_nothing_is_lost_when_a_process_is_killed(tmp_path, store):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=count, args=(tmp_path, slot, 1000)) for slot in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0, -9]
    assert dict(store(2).lines()) == {CALLS: 2000.0, OPEN: 2.0}


def test_alerts_of_all_newest_first(tmp_path):
    a, b = SharedBoard(tmp_path, 0), SharedBoard(tmp_path, 1)
    assert a.recent() == ()
    later = replace(ALERT, first=ALERT.first + timedelta(seconds=1.5), tool=None, kind=ErrorKind.UNKNOWN_TOOL)
    a.post(ALERT)
    b.post(later)
    assert a.recent() == b.recent() == (later, ALERT)
    assert SharedBoard(tmp_path, 0).recent() == (later, ALERT)


def test_the_last_alerts_are_kept(tmp_path):
    one = SharedBoard(tmp_path, 0)
    for number in range(60):
        one.post(replace(ALERT, count=number))
    assert sorted(alert.count for alert in one.recent()) == list(range(10, 60))
