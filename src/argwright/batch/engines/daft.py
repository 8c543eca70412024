"""Daft: one function over the columns of a data frame, or over the parts of a scan, in processes of its own."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import daft
import pyarrow as pa
from daft import DataFrame, DataType, Series

from argwright.batch import cleaning
from argwright.batch.columns import Columns, output_schema
from argwright.batch.engines import waves
from argwright.batch.engines.processes import cores
from argwright.batch.log.parts import Part
from argwright.batch.log.work import Job, Result, work

_AHEAD = 4


def clean(frame: DataFrame, **options: Any) -> DataFrame:
    """Clean a Daft data frame.

    Args:
        frame: with the columns that `argwright.batch.clean` reads.
        options: as of `argwright.batch.clean`.
    """
    columns = options.get("columns") or Columns()
    schema = frame.schema().to_pyarrow_schema()
    added = list(output_schema(schema, columns))[len(schema) :]
    read = [name for name in columns.read if name in schema.names]

    def judge(*cells: Series) -> Series:
        batch = pa.record_batch([cell.to_arrow() for cell in cells], names=read)
        cleaned = cleaning.clean(batch, **options)
        arrays = cleaned.columns[len(read) :]
        return Series.from_arrow(pa.StructArray.from_arrays(arrays, fields=list(cleaned.schema)[len(read) :]))

    struct = DataType.from_arrow_type(pa.struct(added))
    judged = _in_processes(judge, struct, unnest=True)(*(frame[name] for name in read))
    return frame.select("*", judged)


def run(parts: Iterable[Part], job: Job) -> Iterator[Result]:
    """Do the parts of a scan; the files must be reachable from every node."""

    def worked(data: Series) -> Series:
        return Series.from_pylist([pickle.dumps(work(pickle.loads(part), job)) for part in data.to_pylist()])  # noqa: S301  # what we pickled ourselves

    for wave in waves(parts, _AHEAD * cores()):
        frame = daft.from_pydict({"part": [pickle.dumps(part) for part in wave]})
        task = _in_processes(worked, DataType.binary(), batch_size=1)
        for data in frame.select(task(frame["part"]).alias("result")).to_pydict()["result"]:
            yield pickle.loads(data)  # noqa: S301  # as above


def _in_processes(function: Callable[..., Series], kind: DataType, **options: Any) -> Any:
    """The function as Daft's own, in as many processes as there are cores; threads would share one."""

    class Worker:
        @daft.method.batch(return_dtype=kind, **options)
        def __call__(self, *cells: Series) -> Series:
            return function(*cells)

    return daft.cls(use_process=True, max_concurrency=cores())(Worker)()
