"""One part, from its bytes to a file of answers: a function that any process on any machine can run, and run again.

The file is written under another name and then renamed, so that it is there whole or not
at all. What can go wrong with the part itself (a file that is gone, damaged data) is an
answer, too.
"""

from __future__ import annotations

import errno
import os
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import orjson
import pyarrow as pa
from pyarrow import parquet

from argwright.batch import lanes
from argwright.batch.columns import ISSUE, answered
from argwright.batch.groups import Groups
from argwright.batch.lane import Lane
from argwright.batch.log.chunk import Rows
from argwright.batch.log.counting import Called, Odd, count
from argwright.batch.log.figures import Bad, Figures
from argwright.batch.log.lessons import Lessons
from argwright.batch.log.parts import Part
from argwright.batch.log.reading import rows
from argwright.batch.verdict import Verdict, error
from argwright.policy import Policy
from argwright.toolbox import Toolbox

_COLUMNS: tuple[tuple[str, pa.DataType], ...] = (
    ("file", pa.string()),
    ("line", pa.int64()),
    ("call", pa.int32()),
    ("id", pa.string()),
    ("name", pa.string()),
    ("model", pa.string()),
    ("at", pa.timestamp("ms", tz="UTC")),
    ("finish_reason", pa.string()),
    ("arguments", pa.string()),
    ("status", pa.string()),
    ("kind", pa.string()),
    ("reason", pa.string()),
    ("effective_arguments", pa.string()),
    ("rules", pa.list_(pa.string())),
    ("issues", pa.list_(ISSUE)),
)
SCHEMA = pa.schema(_COLUMNS)
"""What a scan writes; `file`, `line` (from 1; a row, of Parquet) and `call` (from 0) lead back to the log."""

_PARQUET: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 1,
    "use_dictionary": ["file", "name", "model", "finish_reason", "status", "kind", "reason", "rules.list.element"],
    "write_statistics": ["line", "at", "name", "model", "status", "kind", "reason"],
}
"""How it is packed: what is the same in many rows once, and no smallest and largest of whole texts."""

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
"""What only writing can meet, and every other part would meet, too."""

_UNDECLARED = error("no tools are declared: neither by the line nor by --tools")


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is done with every part.

    Args:
        tools: the declared tools, for calls whose line declares none.
        out: the folder of the answers; `None` to count only.
        form: what is written there.
        policy: which repairs are accepted.
        texts: whether examples may show what the model wrote.
    """

    tools: Toolbox | None = None
    out: str | None = None
    form: Literal["parquet", "jsonl"] = "parquet"
    policy: Policy | None = None
    texts: bool = True


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of a part; one that failed is tried again by the next run.

    `unwritten` is why no answers can be written at all.
    """

    path: str
    start: int
    end: int
    lines: int
    stamp: tuple[int, int]
    file: str | None
    failed: bool = False
    unwritten: str | None = None
    figures: Figures = field(repr=False)


def work(part: Part, job: Job) -> Result:
    """Do one part."""
    figures = Figures()
    target = None if job.out is None else Path(job.out) / name_of(part, job.form)
    lessons = Lessons(part.path, texts=job.texts)
    written, failed, unwritten = 0, part.form == "fault" and part.end == part.start, None
    try:
        with _writer(target, job.form) as write:
            for made in rows(part):
                written += len(made)
                _count_lines(figures, made)
                if len(made):
                    write(_judged(made, job, (figures, lessons)))
        lessons.tell(figures)
    except Exception as fault:  # noqa: BLE001  # whatever it is, it costs this part and not the other thousand
        figures = Figures()
        extent = f"from here on {part.lines:,} cannot" if part.lines > 1 else "cannot"
        figures.broken(Bad(part.path, part.first, f"{extent} be judged: {type(fault).__name__}: {fault}"))
        written, failed = 0, True
        if isinstance(fault, OSError) and fault.errno in _NO_ROOM:
            unwritten = os.strerror(fault.errno)
    if not written and target is not None:
        target.unlink(missing_ok=True)
    return Result(
        path=part.path,
        start=part.start,
        end=part.end,
        lines=part.lines,
        stamp=part.stamp,
        file=target.name if target is not None and written else None,
        failed=failed,
        unwritten=unwritten,
        figures=figures,
    )


def name_of(part: Part, form: str) -> str:
    """The name of a part's file: that of its log, what tells logs of one name apart, and where the part begins."""
    short = Path(part.path).name.split(".")[0][:60] or "log"
    mark = blake2b(part.path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return f"{short}-{mark}-{part.start:012d}.{form}"


def _count_lines(figures: Figures, made: Rows) -> None:
    figures.lines += made.read
    for bad in made.bad:
        figures.broken(bad)


@contextmanager
def _writer(target: Path | None, form: str) -> Generator[Callable[[pa.RecordBatch], None]]:
    """A function that writes a batch; the file appears when all is written."""
    if target is None:
        yield lambda _batch: None
        return
    hidden = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with hidden.open("wb") as file:
            if form == "parquet":
                with parquet.ParquetWriter(file, SCHEMA, **_PARQUET) as writer:
                    yield writer.write_batch
            else:
                yield lambda batch: _write_lines(file, batch)
            file.flush()
            os.fsync(file.fileno())
        hidden.replace(target)
    finally:
        hidden.unlink(missing_ok=True)


def _write_lines(file: Any, batch: pa.RecordBatch) -> None:
    for row in batch.to_pylist():
        row["at"] = None if row["at"] is None else row["at"].isoformat()
        file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


def _judged(made: Rows, job: Job, counted: tuple[Figures, Lessons]) -> pa.RecordBatch:
    """The answers to some rows, counted."""
    figures, lessons = counted
    answers = Groups(made.names, made.arguments, made.finishes)
    for declared, places in _by_tools(made).items():
        lane = _lane(declared, job)
        answers.judge(places, lane)
        if isinstance(lane, Lane):
            for place in made.calls.keys() & set(places):
                answers.overrule(place, lane.resolve(made.calls[place]))
    batch = _batch(made, lessons.path, answers)
    called = Called(*(batch.column(name) for name in ("name", "model", "at")))
    count(figures, called, _told(answers))
    lessons.take(made, answers.odd)
    return batch


def _by_tools(made: Rows) -> dict[str | None, Sequence[int]]:
    """Rows by what declares their tools."""
    if not made.tools:
        return {None: range(len(made))}
    found: defaultdict[str | None, list[int]] = defaultdict(list)
    for place, declared in enumerate(made.tools):
        found[declared].append(place)
    return dict(found)


def _lane(declared: str | None, job: Job) -> Lane | Verdict:
    """Who judges: the tools that the line declares, else those of the job."""
    if declared:
        lane = lanes.lane_of_text(declared, None, job.policy)
        return error(lane) if isinstance(lane, str) else lane
    return _UNDECLARED if job.tools is None else lanes.lane_of_box(job.tools, job.policy)


def _told(answers: Groups) -> dict[int, Odd]:
    """By row, every verdict that says more than that the call is valid, with the name of the tool."""
    found = {row: Odd(None, verdict) for row, verdict in answers.unjudged.items()}
    for row, (outcome, verdict) in answers.odd.items():
        found[row] = Odd(None if outcome.tool is None else outcome.tool.name, verdict)
    return found


def _batch(made: Rows, path: str, answers: Groups) -> pa.RecordBatch:
    rows = len(made)
    status, kind, reason, ruled, issues = answered(answers.verdicts(), rows)
    columns: tuple[Any, ...] = (
        pa.repeat(_array([path], pa.string())[0], rows),
        made.lines,
        made.places,
        made.ids,
        made.names,
        made.models,
        made.times,
        made.finishes,
        made.arguments,
        status,
        kind,
        reason,
        answers.arguments(pa.string()),
        ruled,
        issues,
    )
    arrays = [
        column.cast(kind) if isinstance(column, pa.Array) else _array(column, kind)
        for column, (_, kind) in zip(columns, _COLUMNS, strict=True)
    ]
    return pa.record_batch(arrays, schema=SCHEMA)


def _array(values: Sequence[Any], kind: pa.DataType) -> Any:
    """A column; half a surrogate pair in a text, which no column takes, is written as its escape."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        sound = [
            value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
        ]
        return pa.array(sound, kind)
