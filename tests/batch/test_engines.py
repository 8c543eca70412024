"""Every engine gives the same rows: none lost, none twice, none different."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import argwright as aw
from argwright.batch import clean
from argwright.batch.columns import Columns
from argwright.batch.engines import local, processes
from argwright.batch.log.inputs import find
from argwright.batch.log.scan import Plan, scan
from argwright.batch.log.work import Job
from argwright.errors import DeclarationError
from benchmarks import batch_log

ROWS = 5_000
BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])

# An engine's own warnings are its own affair; it also starts services that outlive a test, and are ended at the end.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "calls.parquet"
    batch_log.write(path, ROWS, "engines")
    return path


@pytest.fixture(scope="module")
def expected(log):
    batches = pq.ParquetFile(log).iter_batches(1_000)
    return told([row for batch in batches for row in clean(batch, tools=BOX).to_pylist()])


def told(rows):
    """The rows in the order of their ids, in one form whatever types an engine makes of texts."""
    return sorted(((row["id"], repr(sorted(row.items()))) for row in rows), key=lambda row: row[0])


def test_local(log, expected):
    batches = pq.ParquetFile(log).iter_batches(500)
    cleaned = local.clean(batches, workers=2, tools=BOX)
    rows = [row for batch in cleaned for row in batch.to_pylist()]
    assert [row["id"] for row in rows] == list(range(ROWS))
    assert told(rows) == expected


def test_local_sends_what_is_read_and_gives_back_all():
    columns = Columns(tool="called", arguments="said", finish_reason="end", prefix="aw_")
    schema = pa.schema(
        [("status", pa.string()), ("said", pa.large_string()), ("called", pa.string())], {"from": "上海"}
    )
    batches = [
        pa.record_batch([[status], ['{"zone": "UTC"'], ["get_time"]], schema=schema)
        for status in ("🙂", "a\u2028b", None)
    ]
    found = list(local.clean(batches, workers=2, tools=BOX, columns=columns))
    assert found == [clean(batch, tools=BOX, columns=columns) for batch in batches]
    assert {(batch.schema.metadata[b"from"].decode(), str(batch.schema.field(6).type)) for batch in found} == {
        ("上海", "large_string")
    }
    with pytest.raises(DeclarationError, match="the batch has a column 'status' already"):
        next(local.clean(batches, workers=2, tools=BOX, columns=Columns(tool="called", arguments="said")))


def test_a_process_that_dies_is_named():
    with pytest.raises(local.WorkerDiedError, match="a process ended before its work did"):
        list(local._mapped(os._exit, [3, 3], 2, ordered=False))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_rule_without_a_name_stays_in_one_process(workers):
    rule = aw.Rule("any-zone", "mend", aw.Certainty.LIKELY, lambda at: aw.Proposal(value="UTC"))
    box = aw.Toolbox(BOX.tools, rules=[rule])
    batches = [pa.record_batch([["get_time"], ['{"zone": []}']], names=["name", "arguments"])] * 3
    cleaned = local.clean(batches, workers=workers, tools=box)
    if workers == 1:
        assert [batch.column("rules").to_pylist() for batch in cleaned] == [[["any-zone"]]] * 3
    else:
        with pytest.raises(local.UnsentError, match=r"one of them cannot .*<lambda>.*: name its functions in a module"):
            list(cleaned)


def test_a_rule_of_a_module_goes_everywhere():
    box = aw.Toolbox(BOX.tools, rules=[aw.Rule("any-zone", "mend", aw.Certainty.LIKELY, _any_zone)])
    batches = [pa.record_batch([["get_time"], ['{"zone": []}']], names=["name", "arguments"])] * 3
    told = [batch.column("effective_arguments").to_pylist() for batch in local.clean(batches, workers=2, tools=box)]
    assert told == [['{"zone":"上海"}']] * 3


def _any_zone(at):
    return aw.Proposal(value="上海")


def test_one_piece_of_work_is_done_where_it_is():
    assert list(local._mapped(_process, [1], 2, ordered=False)) == [os.getpid()]
    assert os.getpid() not in local._mapped(_process, [1, 2], 2, ordered=False)


def _process(_item):
    return os.getpid()


def fresh(code):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    return done.stdout.split()


def test_processes_are_prepared_before_much_is_imported():
    code = "import sys; from argwright.batch.engines import processes; from argwright.batch.log import inputs; "
    assert fresh(code + "print({'pyarrow', 'pydantic', 'argwright.toolbox'} & set(sys.modules))") == ["set()"]


def test_processes_that_judge_know_pandas_only_if_they_are_told():
    pytest.importorskip("pandas", reason="pandas is not installed")
    code = (
        "import sys; import pyarrow as pa; from argwright.batch.engines import processes; processes.settle(); "
        "pa.array(['a']); print('pandas' in sys.modules); import pandas; print(len(pandas.Series([1, 2])))"
    )
    assert fresh(code) == ["False", "2"]


def test_a_process_that_is_prepared_has_no_numpy_and_others_may_have_it():
    pytest.importorskip("numpy", reason="numpy is not installed")
    code = (
        "import sys; from argwright.batch.engines import processes; processes.prepare(); processes.settle(); "
        "from argwright.batch import clean; import pyarrow as pa; "
        "clean(pa.record_batch([['a'], ['{}']], names=['name', 'arguments'])); "
        "print({'numpy', 'pandas'} & set(sys.modules)); import numpy; print(numpy.arange(3).sum())"
    )
    assert fresh(code) == ["set()", "3"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not fork")
def test_only_a_process_in_which_nothing_else_runs_is_forked():
    code = (
        "import threading; from argwright.batch.engines import processes; processes.prepare(); "
        "print(processes.context().get_start_method()); wait = threading.Event(); "
        "other = threading.Thread(target=wait.wait); other.start(); print(processes.context().get_start_method()); "
        "wait.set(); other.join()"
    )
    assert fresh(code) == ["fork", "forkserver"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not fork")
def test_where_nobody_tells_of_threads_nothing_is_forked(monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "_THREADS", tmp_path / "none")
    assert processes.context().get_start_method() == "forkserver"


def test_items_are_done_here_while_processes_are_started(monkeypatch):
    monkeypatch.setattr(processes, "context", lambda: multiprocessing.get_context("spawn"))
    made = list(local._mapped(_told, range(40), 2, ordered=True))
    assert [item for item, _ in made] == list(range(40))
    assert {pid == os.getpid() for _, pid in made} == {True, False}


def test_what_fails_here_is_raised_in_its_turn(monkeypatch):
    monkeypatch.setattr(processes, "context", lambda: multiprocessing.get_context("spawn"))
    made = local._mapped(_told, [*range(6), -1, *range(6)], 2, ordered=True)
    assert [next(made)[0] for _ in range(6)] == list(range(6))
    with pytest.raises(ValueError, match="-1"):
        next(made)


def _told(item):
    if item < 0:
        raise ValueError(item)
    return item, os.getpid()


def test_who_takes_no_more_answers_leaves_no_process(log):
    cleaned = local.clean(pq.ParquetFile(log).iter_batches(100), workers=2, tools=BOX)
    next(cleaned)
    cleaned.close()
    limit = time.monotonic() + 30
    while multiprocessing.active_children() and time.monotonic() < limit:
        time.sleep(0.02)
    assert multiprocessing.active_children() == []


def test_daft(log, expected, monkeypatch):
    pytest.importorskip("daft", reason="daft is not installed")
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    import daft

    from argwright.batch.engines import daft as engine

    rows = engine.clean(daft.read_parquet(str(log)), tools=BOX).to_pylist()
    assert told(rows) == expected


def test_ray(log, expected, cluster):
    import ray

    from argwright.batch.engines import ray as engine

    data = ray.data.from_arrow(pq.read_table(log)).repartition(4)
    rows = engine.clean(data, tools=BOX).take_all()
    assert told(rows) == expected


def test_spark(log, expected, spark):
    from argwright.batch.engines import spark as engine

    frame = spark.read.parquet(str(log)).repartition(3)
    rows = [row.asDict(recursive=True) for row in engine.clean(frame, tools=BOX).collect()]
    assert told(rows) == expected


@pytest.fixture(scope="module")
def environment():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield


@pytest.fixture(scope="module")
def cluster(environment):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=2, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False,
             configure_logging=False, _system_config={"metrics_report_interval_ms": 0})  # fmt: skip
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def spark(environment):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not _has_java():
        pytest.skip("no java for spark")
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.python.authenticate.socketTimeout", "2m")
    )
    session = (
        builder.config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def _has_java():
    from shutil import which

    return bool(os.environ.get("JAVA_HOME") or which("java"))


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    batch_log.write(folder / "a.jsonl", 1_500, "a")
    batch_log.write(folder / "b.jsonl.gz", 800, "b")
    batch_log.write(folder / "c.parquet", 700, "c")
    return folder


def scanned(logs, out, engine):
    outcome = scan(Plan(sources=tuple(find([str(logs)])), job=Job(tools=BOX, out=str(out)), engine=engine))
    rows = [row for name in outcome.files for row in pq.read_table(out / name).to_pylist()]
    return outcome.figures.to_dict(), sorted(repr(row) for row in rows)


@pytest.fixture(scope="module")
def in_one_process(logs, tmp_path_factory):
    from functools import partial

    figures, rows = scanned(logs, tmp_path_factory.mktemp("one"), partial(local.run, workers=1))
    assert len(rows) == len(set(rows)) == figures["calls"] == 3_000
    return figures, rows


def test_scan_in_processes(logs, tmp_path, in_one_process):
    assert scanned(logs, tmp_path / "out", local.run) == in_one_process


def test_scan_on_daft(logs, tmp_path, in_one_process, monkeypatch):
    pytest.importorskip("daft", reason="daft is not installed")
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    from argwright.batch.engines import daft as engine

    assert scanned(logs, tmp_path / "out", engine.run) == in_one_process


def test_scan_on_ray(logs, tmp_path, in_one_process, cluster):
    from argwright.batch.engines import ray as engine

    assert scanned(logs, tmp_path / "out", engine.run) == in_one_process


def test_scan_on_spark(logs, tmp_path, in_one_process, spark):
    from argwright.batch.engines import spark as engine

    assert scanned(logs, tmp_path / "out", engine.run) == in_one_process


def test_an_engine_that_is_missing_is_named(monkeypatch):
    from argwright.batch import engines

    monkeypatch.setitem(engines.NAMES, "daft", "no_such_distribution")
    with pytest.raises(engines.MissingEngineError, match=r"pip install 'argwright\[daft\]'"):
        engines.engine("daft")


@pytest.mark.parametrize(("home", "place"), [(None, "in PATH"), ("/nowhere", "in JAVA_HOME, /nowhere")])
def test_java_that_is_missing_is_named(tmp_path, home, place):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    code = "from argwright.batch.engines import spark\nnext(spark.run([], None))"
    given = {"PATH": str(tmp_path)} | ({"JAVA_HOME": home} if home else {})
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=given, check=False
    )
    assert ran.stderr.strip().endswith(
        f"MissingEngineError: the engine spark needs Java 17 or later, and there is none {place}"
    )


def test_the_local_engine_is_there():
    from argwright.batch import engines

    assert engines.engine("local") is local.run
