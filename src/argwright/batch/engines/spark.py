"""Spark: `mapInArrow` over a data frame, or over the parts of a scan."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from argwright.batch import cleaning
from argwright.batch.columns import output_schema
from argwright.batch.engines import MissingEngineError, waves
from argwright.batch.log.parts import Part
from argwright.batch.log.work import Job, Result, work

_AHEAD = 4


def clean(frame: DataFrame, **options: Any) -> DataFrame:
    """Clean a Spark data frame.

    Args:
        frame: with the columns that `argwright.batch.clean` reads.
        options: as of `argwright.batch.clean`.
    """
    schema = output_schema(to_arrow_schema(frame.schema), options.get("columns"))
    return frame.mapInArrow(partial(_batches, options), from_arrow_schema(schema))


def _batches(options: dict[str, Any], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return (cleaning.clean(batch, **options) for batch in batches)


def run(parts: Iterable[Part], job: Job) -> Iterator[Result]:
    """Do the parts of a scan; the files must be reachable from every executor."""
    _need_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # where nobody says otherwise: not the first one in PATH
    session = SparkSession.builder.appName("argwright scan").getOrCreate()
    width = session.sparkContext.defaultParallelism
    for wave in waves(parts, _AHEAD * width):
        rows = [(pickle.dumps(part),) for part in wave]
        frame = session.createDataFrame(rows, "part binary").repartition(min(len(rows), width))
        for row in frame.mapInArrow(partial(_worked, job), "result binary").collect():
            data: bytes = row["result"]
            yield pickle.loads(data)  # noqa: S301  # what we pickled ourselves


def _need_java() -> None:
    """A session of this machine runs in Java; one that is there, or elsewhere, brings its own."""
    if SparkSession.getActiveSession() is not None or os.environ.get("SPARK_REMOTE"):
        return
    home = os.environ.get("JAVA_HOME")
    if which("java" if home is None else str(Path(home, "bin", "java"))) is None:
        place = "in PATH" if home is None else f"in JAVA_HOME, {home}"
        raise MissingEngineError(f"the engine spark needs Java 17 or later, and there is none {place}")


def _worked(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for data in batch.column("part").to_pylist():
            result = pickle.dumps(work(pickle.loads(data or b""), job))  # noqa: S301  # as above
            yield pa.record_batch({"result": pa.array([result], pa.binary())})
