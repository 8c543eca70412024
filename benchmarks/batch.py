"""Rows a second of `argwright.batch` by engine, beside what people use for the same log.

    python -m benchmarks.batch --rows 100000

Every engine gets the same Parquet file (`benchmarks.batch_log`: one call in ten is faulty), and the sums of what comes
out are compared. The processor's time a row tells more than the clock where others share the machine; it includes the
processes that an engine starts, but not Spark's and Ray's own services. Beside them, on one core: parsing and
validating alone, which finds nothing and mends nothing, and json_repair where that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import jsonschema_rs
import pyarrow as pa
from pyarrow import parquet

import argwright as aw
from argwright.batch import clean
from argwright.batch.engines import local, processes
from benchmarks import batch_log

BATCH = 10_000
_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01  # seconds in which processors are counted
BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])

Sums = dict[str, int]
"""How many rows there are of each status, with the sum of their ids: lost, doubled or changed rows show."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One way through the whole log."""

    name: str
    rows: int
    seconds: float
    processor: float
    sums: Sums | None


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    with parquet.ParquetFile(path) as file:
        yield from file.iter_batches(BATCH)


def summed(cleaned: Iterable[pa.RecordBatch]) -> Sums:
    sums: Counter[str] = Counter()
    for batch in cleaned:
        rows = pa.Table.from_batches([batch.select(["status", "id"])]).group_by("status")
        for row in rows.aggregate([("id", "count"), ("id", "sum")]).to_pylist():
            sums[row["status"]] += row["id_count"]
            sums[f"{row['status']} ids"] += row["id_sum"]
    return dict(sums)


def in_this_process(path: Path) -> Sums:
    return summed(clean(batch, tools=BOX) for batch in batches(path))


def on_all_cores(path: Path) -> Sums:
    return summed(local.clean(batches(path), tools=BOX))


def from_file_to_file(path: Path) -> Sums:
    """The command, with all that it reads, writes and counts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools.json").write_text(json.dumps(batch_log.TOOLS), encoding="utf-8")
        command = ["scan", str(path), "--tools", str(folder / "tools.json"), "--out", str(folder / "out")]
        subprocess.run([sys.executable, "-m", "argwright", *command], check=True, stdout=subprocess.DEVNULL)
        found = parquet.read_table(sorted((folder / "out").glob("*.parquet")), columns=["id", "status"])
        return summed(found.set_column(0, "id", found["id"].cast(pa.int64())).to_batches())


def on_daft(path: Path) -> Sums:
    import daft

    from argwright.batch.engines import daft as engine

    return summed(engine.clean(daft.read_parquet(str(path)), tools=BOX).to_arrow().to_batches())


def on_ray(path: Path) -> Sums:
    import ray

    from argwright.batch.engines import ray as engine

    ray.init(include_dashboard=False, log_to_driver=False, object_store_memory=1_000_000_000)
    try:
        data = ray.data.from_arrow([pa.Table.from_batches([batch]) for batch in batches(path)])
        tables = engine.clean(data, tools=BOX).iter_batches(batch_format="pyarrow")
        return summed(batch for table in tables for batch in table.to_batches())
    finally:
        ray.shutdown()


def on_spark(path: Path) -> Sums:
    from pyspark.sql import SparkSession

    from argwright.batch.engines import spark as engine

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "3g").getOrCreate()
    try:
        frame = engine.clean(session.read.parquet(str(path)), tools=BOX).select("id", "status")
        return summed(frame.toArrow().to_batches())
    finally:
        session.stop()


def parsing_and_validating_alone(path: Path, mend: Callable[[str], Any] | None = None) -> None:
    """What is valid is counted; with `mend` what is not is repaired and validated again."""
    validators = {name: jsonschema_rs.validator_for(schema) for name, schema in batch_log.TOOLS.items()}
    valid = 0
    for batch in batches(path):
        columns = (batch.column("name").to_pylist(), batch.column("arguments").to_pylist())
        for name, text in zip(*columns, strict=True):
            validator = validators.get(name)
            if validator is None:
                continue
            fits = _fits(validator, text, json.loads)
            valid += fits or (mend is not None and _fits(validator, text, mend))


def _fits(validator: Any, text: str, read: Callable[[str], Any]) -> bool:
    try:
        return bool(validator.is_valid(read(text)))
    except (ValueError, RecursionError):
        return False


def ways() -> Iterator[tuple[str, Callable[[Path], Sums | None]]]:
    """Everything that is installed."""
    yield "json.loads and jsonschema_rs alone, one core", parsing_and_validating_alone
    if find_spec("json_repair"):
        import json_repair

        yield (
            "the same, json_repair where that fails, one core",
            partial(parsing_and_validating_alone, mend=json_repair.loads),
        )
    yield "argwright, one core", in_this_process
    yield f"argwright, local, {processes.cores()} cores", on_all_cores
    yield f"argwright scan, from file to file, {processes.cores()} cores", from_file_to_file
    if find_spec("daft"):
        yield "argwright, Daft", on_daft
    if find_spec("ray"):
        yield "argwright, Ray Data", on_ray
    if find_spec("pyspark") and (which("java") or os.environ.get("JAVA_HOME")):
        yield "argwright, Spark", on_spark


def measured(name: str, way: Callable[[Path], Sums | None], path: Path, rows: int) -> Run:
    before, began = _processor(), time.perf_counter()
    sums = way(path)
    return Run(name=name, rows=rows, seconds=time.perf_counter() - began, processor=_processor() - before, sums=sums)


def _processor() -> float:
    """Seconds that processors have worked: for all processes, where that is told; engines start some by other means."""
    counted = Path("/proc/stat")
    if counted.exists():
        user, nice, system = map(int, counted.read_text(encoding="ascii").split(maxsplit=4)[1:4])
        return (user + nice + system) * _TICK
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def table(rows: int = 500_000, path: Path | None = None) -> str:
    """The table of all ways, and whether they agree."""
    with tempfile.TemporaryDirectory() as folder:
        log = path or Path(folder) / "calls.parquet"
        if path is None:
            batch_log.write(log, rows)
        runs = []
        for name, way in ways():
            print(f"batch: {name}", flush=True)
            runs.append(measured(name, way, log, rows))
    alone = runs[0].processor or _TICK
    lines = [
        "| way | rows/s | processor µs a row, of the whole machine | times parsing and validating alone |",
        "|---|--:|--:|--:|",
    ]
    lines += [
        f"| {run.name} | {run.rows / run.seconds:,.0f} | {run.processor / run.rows * 1e6:.1f} "
        f"| {run.processor / alone:.1f} |"
        for run in runs
    ]
    sums = [run.sums for run in runs if run.sums is not None]
    same = all(one == sums[0] for one in sums)
    counted = sum(number for status, number in sums[0].items() if not status.endswith(" ids"))
    told = "the same rows from all" if same else "DIFFERENT ROWS"
    return "\n".join([*lines, "", f"{rows:,} calls in, {counted:,} out of each engine, {told}: {_told(sums[0])}."])


def _told(sums: Sums) -> str:
    return ", ".join(f"{sums[status]:,} {status}" for status in ("valid", "mended", "refused") if status in sums)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=500_000)
    options = parser.parse_args()
    print(table(options.rows))


if __name__ == "__main__":
    main()
