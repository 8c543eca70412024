import asyncio

import pytest

from argwright.proxy.job import Job
from argwright.proxy.record import ExchangeRecord
from argwright.proxy.refusals import Code, Refusal

STALLED = Refusal(Code.STALLED, "upstream 'main' says nothing any more")
LATE = Refusal(Code.OUT_OF_TIME, "the exchange took longer than 5 s")


class Task:
    """What a job does to its task; `others` cancel it as well."""

    def __init__(self, others=0):
        self.cancelled, self._others = 0, others

    def cancel(self):
        self.cancelled += 1

    def uncancel(self):
        return self._others


def job(**more):
    made = Job(None, "anthropic", "/v1/messages", "id-1", **{"task": Task(), **more})
    made.upstream = "main"
    return made


WAITS = [
    pytest.param(5.0, [(0, 0), (1, 4.9)], None, id="in-time"),
    pytest.param(5.0, [(0, 0), (0, 4.9)], None, id="just-in-time"),
    pytest.param(5.0, [(0, 0), (0, 5.0)], STALLED, id="too-late"),
    pytest.param(5.0, [(0, 0), (1, 4.0), (0, 8.0), (2, 9.0), (1, 13.0), (0, 17.0)], None, id="moves"),
    pytest.param(5.0, [(0, 0), (1, 4.0), (0, 9.0)], STALLED, id="moves-no-more"),
    pytest.param(0, [(0, 0), (0, 1e9)], None, id="no-limit"),
]


@pytest.mark.parametrize(("seconds", "looks", "expected"), WAITS)
def test_what_must_move(seconds, looks, expected):
    one = job()
    one.wait(seconds)
    for moved, now in looks:
        for _ in range(moved):
            one.move()
        one.look(100.0 + now)
    assert one.expired == expected
    assert one.task.cancelled == bool(expected)
    assert one.given_up() == expected


def test_somebody_else_is_told_of_the_silence_once():
    one, told = job(), []
    one.wait(5, lambda: told.append("silence"))
    for now in (0.0, 6.0, 7.0, 20.0):
        one.look(now)
    assert (told, one.expired) == (["silence"], None)
    one.wait(1)
    one.look(21.0)
    one.look(23.0)
    assert one.expired == STALLED


def test_while_it_rests_nothing_has_to_move():
    one = job()
    one.wait(5)
    one.look(0.0)
    one.rest()
    one.look(100.0)
    assert one.expired is None


@pytest.mark.parametrize(("total", "expected"), [(5.0, LATE), (0.0, None)])
def test_the_time_of_all_of_it(total, expected):
    one = job(total=total)
    one.clock -= 5
    one.look(0.0)
    one.look(1.0)
    assert (one.expired, one.task.cancelled) == (expected, 1 if expected else 0)


def test_a_client_that_goes_away_as_well():
    one = job(total=5.0, task=Task(others=1))
    one.clock -= 5
    one.look(0.0)
    assert (one.expired, one.given_up()) == (LATE, None)


def test_it_knows_its_task():
    async def work():
        return Job(None, None, "/", "1").task is asyncio.current_task()

    assert asyncio.run(work())


def test_what_is_told_of_it():
    class Exchange:
        model, streamed, attempts, stalled, left_out = "模型", True, 2, False, 3

    one = job()
    one.status = 200
    record = one.record(Exchange())
    assert record == ExchangeRecord(
        request_id="id-1", at=one.at, protocol="anthropic", upstream="main", model="模型", status=200, streamed=True,
        attempts=2, stalled=False, left_out=3, seconds=record.seconds,
    )  # fmt: skip
    assert 0 <= record.seconds <= one.seconds
