"""Calls of one turn: beside each other or alone, as many as allowed, in order, and an honest end."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager

import pytest

import argwright as aw
from argwright.errors import DeclarationError
from argwright.execution import Batch, Settings, arun_all, run_all
from tests.execution.calls import valid


def both(batch_of, settings=None):
    """The results of a batch, run either way."""
    given = settings or Settings()
    yield run_all(Batch(batch_of()), given)
    yield asyncio.run(arun_all(Batch(batch_of()), given))


def texts(results):
    return [result.content for result in results]


@aw.tool
def echo(text: str) -> str:
    return text


@aw.tool
async def aecho(text: str) -> str:
    await asyncio.sleep(0)
    return text


def test_results_stand_in_the_models_order():
    for results in both(lambda: [valid(one, text=str(n)) for n, one in enumerate([echo, aecho] * 3)]):
        assert texts(results) == list("012345")


def meeting(size):
    """A tool of which as many calls as this must run at once to end."""
    barrier = threading.Barrier(size)

    @aw.tool
    def meet() -> str:
        barrier.wait(10)
        return "met"

    return meet


def test_calls_run_beside_each_other():
    meet = meeting(3)
    for results in both(lambda: [valid(meet)] * 3):
        assert texts(results) == ["met"] * 3


class Counting:
    """How many run at once, at most."""

    def __init__(self):
        self.now = self.most = 0
        self.lock = threading.Lock()

    def tool(self, **options):
        @aw.tool(name="counted", **options)
        def counted() -> int:
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            threading.Event().wait(0.005)
            with self.lock:
                self.now -= 1
            return self.most

        return counted


@pytest.mark.parametrize("parallel", [1, 2])
def test_no_more_run_at_once_than_allowed(parallel):
    counting = Counting()
    made = counting.tool()
    for _ in both(lambda: [valid(made)] * 6, Settings(parallel=parallel)):
        assert counting.most <= parallel


def test_a_tool_that_is_not_parallel_safe_runs_alone():
    counting = Counting()
    free, alone = counting.tool(), counting.tool(parallel=False)
    order = [free, alone, free, free, alone, alone]
    for results in both(lambda: [valid(made) for made in order]):
        assert len(results) == 6
    batch = Batch([valid(made) for made in order])
    assert list(batch.groups()) == [[0], [1], [2, 3], [4], [5]]


def test_a_call_that_runs_alone_runs_in_the_callers_thread():
    @aw.tool(parallel=False)
    def where() -> str:
        return threading.current_thread().name

    assert set(texts(run_all(Batch([valid(where)] * 2)))) == {threading.current_thread().name}


def test_one_failure_harms_no_other():
    @aw.tool(timeout=0.02)
    async def never() -> None:
        await asyncio.Event().wait()

    @aw.tool
    def fails() -> None:
        raise RuntimeError

    for results in both(lambda: [valid(never), valid(echo, text="a"), valid(fails), valid(echo, text="b")]):
        assert [result.is_error for result in results] == [True, False, True, False]


def test_one_that_is_stuck_harms_no_other():
    release = threading.Event()

    @aw.tool(timeout=0.05)
    def stuck() -> None:
        release.wait(10)

    for results in both(lambda: [valid(stuck), valid(echo, text="a")]):
        assert [result.is_error for result in results] == [True, False]
    release.set()


def test_what_lacks_a_function_stops_the_run_before_anything_runs():
    ran = []
    runs = aw.tool(lambda: ran.append(1), name="runs")
    declared = aw.Tool.from_schema("declared", {})
    with pytest.raises(DeclarationError, match="'declared' has no function"):
        run_all(Batch([valid(runs), valid(declared)]))
    with pytest.raises(DeclarationError, match="'declared' has no function"):
        asyncio.run(arun_all(Batch([valid(runs), valid(declared)])))
    assert ran == []


def test_at_least_one_call_runs_at_once():
    with pytest.raises(DeclarationError, match="at least 1 call runs at once, not 0"):
        Settings(parallel=0)


# --- who watches


def test_each_run_is_surrounded_where_it_happens():
    seen = []

    @contextmanager
    def executing(outcome):
        where = threading.current_thread().name
        told = []
        yield told.append
        seen.append((outcome.arguments["text"], told[0].content, where == threading.current_thread().name))

    calls = [valid(echo, text="a"), valid(aecho, text="b")]
    for results in both(lambda: calls, Settings(executing=executing)):
        assert texts(results) == ["a", "b"]
    assert sorted(seen) == [("a", "a", True)] * 2 + [("b", "b", True)] * 2


# --- the end


STATES = ["done", "unknown", "not started"]


def state(result):
    return result.content["outcome"] if isinstance(result.content, dict) else result.content


class Scene:
    """A first call that ends, a second that runs until it is released, a third that waits its turn."""

    def __init__(self):
        self.running = threading.Event()
        self.release = threading.Event()

        @aw.tool(parallel=False)
        def first() -> str:
            return "done"

        @aw.tool(parallel=False)
        def second() -> str:
            self.running.set()
            self.release.wait(10)
            return "late"

        self.batch = Batch([valid(first), valid(second), valid(first)])


def test_cancelled_by_an_event_the_result_says_what_is_known():
    scene = Scene()
    assert [state(result) for result in run_all(scene.batch, cancelled=scene.running.is_set)] == STATES
    scene.release.set()
    scene = Scene()
    results = asyncio.run(arun_all(scene.batch, cancelled=scene.running.is_set))
    assert [state(result) for result in results] == STATES
    scene.release.set()


def test_cancelled_as_a_task_the_result_says_what_is_known():
    async def cancelled(scene):
        task = asyncio.create_task(arun_all(scene.batch))
        await asyncio.to_thread(scene.running.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    scene = Scene()
    asyncio.run(cancelled(scene))
    scene.release.set()
    assert [state(result) for result in scene.batch.settled()] == STATES


def test_cancelled_before_the_start_nothing_starts():
    batch = Batch([valid(echo, text="a"), valid(echo, text="b")])
    assert [state(result) for result in run_all(batch, cancelled=lambda: True)] == ["not started"] * 2
    assert [state(result) for result in asyncio.run(arun_all(batch, cancelled=lambda: True))] == ["not started"] * 2
