"""Ray: a data set's blocks, or parts as tasks, on whatever cluster Ray is connected to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import ray
from ray.data import Dataset

from argwright.batch import cleaning
from argwright.batch.columns import output_schema
from argwright.batch.log.parts import Part
from argwright.batch.log.work import Job, Result, work

_AHEAD = 2


def clean(data: Dataset, **options: Any) -> Dataset:
    """Clean a Ray data set.

    Args:
        data: with the columns that `argwright.batch.clean` reads.
        options: as of `argwright.batch.clean`.
    """
    made: Any = partial(_table, options)  # Ray's types know no function that gives a table
    return data.map_batches(made, batch_format="pyarrow", zero_copy_batch=True)


def _table(options: dict[str, Any], table: pa.Table) -> pa.Table:
    cleaned = [cleaning.clean(batch, **options) for batch in table.to_batches()]
    if cleaned:
        return pa.Table.from_batches(cleaned)
    return pa.Table.from_batches([], output_schema(table.schema, options.get("columns")))


def run(parts: Iterable[Part], job: Job) -> Iterator[Result]:
    """Do the parts of a scan; the files must be reachable from every node."""
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    task, shared = ray.remote(work), ray.put(job)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    most = _AHEAD * max(1, int(resources.get("CPU", 1)))
    source = iter(parts)
    pending: list[Any] = []
    while True:
        while len(pending) < most and (part := next(source, None)) is not None:
            pending.append(task.remote(part, shared))
        if not pending:
            return
        done, pending = ray.wait(pending)
        yield from ray.get(done)
