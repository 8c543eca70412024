"""`python -m benchmarks.run`: measure everything and write RESULTS.md, with its pictures beside it."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.accuracy import cases, pairs, peers, score, tables
from benchmarks.pictures import Bar, Picture, Section

_HERE = Path(__file__).parent
_BUILD = _HERE.parent / "build" / "bfcl"
PARTS = ("accuracy", "speed", "streaming", "loop", "gateway", "batch")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="open-1")
    parser.add_argument("--count", type=int, default=2_000, help="cases of accuracy")
    parser.add_argument("--rows", type=int, default=500_000, help="of the log that the engines clean")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--out", type=Path, default=_HERE / "RESULTS.md")
    options = parser.parse_args()
    wanted = PARTS if options.only is None else (options.only,)
    parts = ["# Results", "Written by `make bench`; every figure below comes from that one run.", _machine()]
    for part in wanted:
        for section in _measured(part, options):
            parts.append(section.markdown())
            for picture in section.pictures:
                picture.write(options.out.parent / "pictures")
            options.out.write_text("\n\n".join(parts).rstrip() + "\n", encoding="utf-8")
    print(f"written: {options.out}")


def _measured(part: str, options: argparse.Namespace) -> Iterator[Section]:
    """The sections of one part; what it needs is imported when it is its turn."""
    makers: dict[str, Callable[[], Iterator[Section]]] = {
        "accuracy": lambda: iter((_accuracy(options.seed, options.count),)),
        "speed": _speed,
        "streaming": _streaming,
        "loop": _loop,
        "gateway": _gateway,
        "batch": lambda: _batch(options.rows),
    }
    began = time.monotonic()
    print(f"{part} …", flush=True)
    yield from makers[part]()
    print(f"{part}: {time.monotonic() - began:.0f} s", flush=True)


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


def _accuracy(seed: str, count: int) -> Section:
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
    return Section("Accuracy", "\n\n".join(paragraphs), list(_accuracy_pictures(sample, results)))


def _accuracy_pictures(sample: list[cases.Case], results: dict[str, score.Result]) -> Iterator[Picture]:
    found = {name: score.summarize(sample, result) for name, result in results.items()}
    bars = [Bar(name, one.exact, f"{one.exact:.1%}", own=name == "argwright") for name, one in found.items()]
    yield Picture("exact", "recoverable calls read exactly", "of all recoverable ones; longer is better", bars)
    bars = [Bar(name, one.wrong, f"{one.wrong:.1%}", own=name == "argwright") for name, one in found.items()]
    yield Picture(
        "wrong", "silent wrong values", "pass the schema and would run, of all cases; shorter is better", bars
    )


def _speed() -> Iterator[Section]:
    from benchmarks.speed import report

    yield report.valid_call()
    yield report.faulty_texts()
    yield report.hostile_inputs()


def _streaming() -> Iterator[Section]:
    from benchmarks import streaming

    yield streaming.section()


def _loop() -> Iterator[Section]:
    from benchmarks import loop

    yield loop.section()


def _gateway() -> Iterator[Section]:
    if find_spec("aiohttp") is None:
        print("gateway: left out, aiohttp is not installed")
        return
    from benchmarks.gateway.report import section

    yield section()


def _batch(rows: int) -> Iterator[Section]:
    if find_spec("pyarrow") is None:
        print("batch: left out, pyarrow is not installed")
        return
    from benchmarks import batch

    yield Section("Batch", batch.table(rows))


if __name__ == "__main__":
    main()
