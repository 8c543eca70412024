"""All cores of this machine, by processes: Python's threads would share one."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

import pyarrow as pa

from argwright.batch import cleaning
from argwright.batch.columns import Columns, output_schema
from argwright.batch.engines import processes
from argwright.batch.log.parts import Part
from argwright.batch.log.work import Job, Result, work
from argwright.errors import ArgwrightError

_AHEAD = 2  # pieces of work for each process: one at work, one waiting
_WORTH = 2  # pieces of work; one alone is done where it is

_DIED = (
    "a process ended before its work did: killed, mostly for want of memory (try fewer workers), or started by a "
    "script without 'if __name__ == \"__main__\":'"
)

T = TypeVar("T")
_task: Callable[[Any], Any]


class UnsentError(ArgwrightError):
    """Tools, rules or a policy cannot go to another process."""


class WorkerDiedError(ArgwrightError):
    """A process ended before its work did; the text names the usual causes."""


def clean(batches: Iterable[pa.RecordBatch], *, workers: int | None = None, **options: Any) -> Iterator[pa.RecordBatch]:
    """Clean record batches over all cores, in their order.

    Args:
        batches: taken as they are needed; some thousand rows each are best.
        workers: processes; as many as there are cores if not given.
        options: as of `argwright.batch.clean`.

    Raises:
        UnsentError: the tools, a rule or the policy cannot go to another process.
        WorkerDiedError: a process was killed.
    """
    columns = options.get("columns") or Columns()
    sent: deque[tuple[pa.RecordBatch, pa.Schema]] = deque()

    def read() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            sent.append((batch, output_schema(batch.schema, columns)))
            yield batch.select([name for name in columns.read if name in batch.schema.names])

    for made in _mapped(partial(_answers, options), read(), workers, ordered=True):
        batch, schema = sent.popleft()
        yield pa.record_batch([*batch.columns, *made.columns], schema=schema)


def _answers(options: dict[str, Any], batch: pa.RecordBatch) -> pa.RecordBatch:
    """The columns out alone: what came need not be sent back."""
    made = cleaning.clean(batch, **options)
    return made.select(range(batch.num_columns, made.num_columns))


def run(parts: Iterable[Part], job: Job, *, workers: int | None = None) -> Iterator[Result]:
    """Do the parts of a scan.

    Raises:
        WorkerDiedError: a process was killed; what is finished is finished.
    """
    yield from _mapped(partial(_worked, job), parts, workers, ordered=False)


def _worked(job: Job, part: Part) -> Result:
    return work(part, job)


def _mapped(task: Callable[[Any], T], items: Iterable[Any], workers: int | None, *, ordered: bool) -> Iterator[T]:
    """The task done with each item, no more items taken than are worked on."""
    number = workers or processes.cores()
    source = iter(items)
    begin = list(islice(source, _WORTH))
    source = chain(begin, source)
    if number == 1 or len(begin) < _WORTH:
        yield from map(task, source)
        return
    _check(task)
    with ProcessPoolExecutor(number, context := processes.context(), _begin, (task,)) as pool:
        try:
            pending = [] if context.get_start_method() == "fork" else _begun(pool, task, source, _AHEAD * number)
            while True:
                while len(pending) < _AHEAD * number and (item := next(source, None)) is not None:
                    pending.append(pool.submit(_do, item))
                if not pending:
                    return
                wait(pending[:1] if ordered else pending, return_when=FIRST_COMPLETED)
                done = pending[:1] if ordered else [future for future in pending if future.done()]
                pending = [future for future in pending if future not in done]
                for future in done:
                    yield future.result()
        except BrokenProcessPool as error:
            raise WorkerDiedError(_DIED) from error
        except BaseException:  # whoever took the answers wants no more of them
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begun(pool: ProcessPoolExecutor, task: Callable[[Any], T], source: Iterator[Any], number: int) -> list[Future[T]]:
    """The first items, given to the pool, and those behind them that are done here before its processes are there.

    To start those takes as long as to import what they need, and meanwhile this process has nothing else to do.
    """
    first = list(islice(source, number))
    with ThreadPoolExecutor(1) as starter:
        starting = starter.submit(lambda: [pool.submit(_do, item) for item in first])
        here: list[Future[T]] = []
        while not starting.done() and (item := next(source, None)) is not None:
            here.append(_done(task, item))
        return [*starting.result(), *here]


def _done(task: Callable[[Any], T], item: Any) -> Future[T]:
    """The task done with an item, as if a process had."""
    made: Future[T] = Future()
    try:
        made.set_result(task(item))
    except Exception as error:  # noqa: BLE001  # it is raised in its turn
        made.set_exception(error)
    return made


def _check(task: Callable[[Any], Any]) -> None:
    """Whether a task can be sent: that is known here, and said badly by those who send it."""
    try:
        pickle.dumps(task)
    except Exception as error:
        raise UnsentError(
            f"tools, rules and policy go to other processes, and one of them cannot ({error}): name its functions in a "
            "module, or let one process do it with workers=1"
        ) from error


def _begin(task: Callable[[Any], Any]) -> None:
    """What a process does first: keep the task, and watch over its parent."""
    global _task  # noqa: PLW0603  # a process of its own: handed over once, not with every piece of work
    _task = task
    processes.settle()
    processes.end_with_parent()


def _do(item: Any) -> Any:
    return _task(item)
