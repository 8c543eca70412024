import asyncio

import pytest

from argwright.proxy.clock import Clock

TICKS = [((), 1.0), ((0, 0), 1.0), ((600, 300, 3600), 1.0), ((0, 4), 0.5), ((0.1, 9), 0.0125), ((0.001,), 0.01)]


@pytest.mark.parametrize(("limits", "tick"), TICKS)
def test_a_tick_is_a_part_of_the_shortest_limit(limits, tick):
    assert Clock(limits)._tick == tick


class Looked:
    def __init__(self, times):
        self.seen, self._times, self.done = [], times, asyncio.Event()

    def look(self, now):
        self.seen.append(now)
        if len(self.seen) == self._times:
            self.done.set()


def test_what_is_open_is_looked_at_until_it_is_forgotten():
    async def work():
        clock = Clock((0.01,))
        one, other = Looked(2), Looked(5)
        clock.watch(one)
        clock.watch(other)
        await one.done.wait()
        clock.forget(one)
        await other.done.wait()
        assert clock._timer is not None
        clock.forget(other)
        clock.forget(other)
        clock._timer.cancel()
        clock._look()  # finds nothing, and there is no further tick
        assert clock._timer is None
        later = Looked(1)
        clock.watch(later)
        await later.done.wait()
        clock.forget(later)
        return one.seen, other.seen

    one, other = asyncio.run(asyncio.wait_for(work(), 20))
    assert (len(one), len(other)) == (2, 5)
    assert other == sorted(other)
    assert one == other[:2]


def test_one_that_forgets_another_while_it_is_looked_at():
    async def work():
        clock = Clock((0.01,))
        kept = Looked(3)

        class Last:
            def look(self, _now):
                clock.forget(self)

        clock.watch(Last())
        clock.watch(kept)
        await kept.done.wait()
        clock.forget(kept)
        return len(kept.seen)

    assert asyncio.run(asyncio.wait_for(work(), 20)) == 3
