"""`python -m benchmarks.run`: measure everything and write RESULTS.md."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
from collections.abc import Callable
from pathlib import Path

from benchmarks import batch
from benchmarks.accuracy import cases, pairs, peers, score, tables
from benchmarks.speed import report

_HERE = Path(__file__).parent
_BUILD = _HERE.parent / "build" / "bfcl"


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="open-1")
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--only", choices=("accuracy", "speed", "batch"))
    parser.add_argument("--rows", type=int, default=100_000, help="of the log that the engines clean")
    parser.add_argument("--out", type=Path, default=_HERE / "RESULTS.md")
    options = parser.parse_args()
    parts = ["# Results", "", "Written by `make bench`; every figure below comes from that one run.", "", _machine()]
    if options.only in (None, "accuracy"):
        parts += ["", "## Accuracy", "", _accuracy(options.seed, options.count)]
    if options.only in (None, "speed"):
        parts += ["", "## Speed", "", *_speed()]
    if options.only in (None, "batch"):
        parts += ["", "## Batch", "", batch.table(options.rows)]
    options.out.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
    print(f"written: {options.out}")


def _machine() -> str:
    versions = ", ".join(f"{name} {number}" for name, number in peers.versions())
    day = dt.datetime.now(tz=dt.UTC).date()
    machine = f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return f"{day}, {machine}; {versions}."


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    names = (
        [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        if info.exists()
        else []
    )
    return names[0] if names else platform.processor() or platform.machine()


def _accuracy(seed: str, count: int) -> str:
    sample = cases.generate(pairs.load(pairs.download(_BUILD)), seed=seed, count=count)
    valid = sum(case.family == "valid" for case in sample)
    recoverable = sum(case.recoverable for case in sample) - valid
    results = {}
    for name, _, prepare in peers.READERS:
        print(f"accuracy: {name}", flush=True)
        results[name] = score.run(sample, prepare)
    must_refuse = count - valid - recoverable
    intro = (
        f"{count} cases (seed `{seed}`): {valid} valid, {recoverable} recoverable, {must_refuse} that must be refused. "
        "Every value is validated against the tool's schema, whoever read it; a *silent wrong* passes it "
        "and would run. What a lost piece gives (`lost_piece`) is counted in the table by operator only. "
        "Times are of one cold reading each; argwright's and that of json-repair with schema include validation."
    )
    legend = "By operator: exact / silent wrong / refused or caught by the schema."
    paragraphs = (intro, tables.overview(sample, results), legend, tables.by_operator(sample, results))
    return "\n\n".join(paragraphs)


def _speed() -> list[str]:
    sections: tuple[tuple[str, Callable[[], str]], ...] = (
        ("The valid path", report.valid_call),
        ("The faulty path", report.faulty_texts),
        ("Hostile inputs", report.hostile_inputs),
    )
    written = []
    for title, make in sections:
        print(f"speed: {title.lower()}", flush=True)
        written += [f"### {title}", "", make(), ""]
    return written


if __name__ == "__main__":
    main()
