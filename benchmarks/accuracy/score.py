"""What each reader made of each case.

exact     the value before the damage
wrong     another value that passes the schema: it would run
caught    another value that fails the schema: validation stops it
refused   the reader said no
"""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from benchmarks.accuracy.cases import Case, same
from benchmarks.accuracy.peers import Prepare

EXACT, WRONG, CAUGHT, REFUSED = "exact", "wrong", "caught", "refused"
_PATIENCE = 3.0  # seconds for one text; a reader that needs longer is taken to hang
_APART = "lost_piece"  # may look like another fault, so what it gives is no silent wrong


@dataclass(frozen=True)
class Result:
    """One reader over all cases, in their order."""

    verdicts: tuple[str, ...]
    micros: tuple[float, ...]
    hung: int


def run(cases: Sequence[Case], prepare: Prepare) -> Result:
    """Read every case."""
    verdicts, micros, hung = [], [], 0
    for case in cases:
        read = prepare(case)
        started = time.perf_counter_ns()
        value, answered, late = _attempt(read, case.raw)
        micros.append((time.perf_counter_ns() - started) / 1_000)
        hung += late
        verdicts.append(_verdict(case, value) if answered else REFUSED)
    return Result(tuple(verdicts), tuple(micros), hung)


def _attempt(read: Callable[[str], Any], raw: str) -> tuple[Any, bool, bool]:
    """The value, whether there is one, and whether patience ran out."""
    try:
        with _patience():
            return read(raw), True, False
    except TimeoutError:
        return None, False, True
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001  # whatever a reader raises (a Rust panic is no Exception) is its way of saying no
        return None, False, False


@contextmanager
def _patience() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _verdict(case: Case, value: Any) -> str:
    if same(value, case.expected):
        return EXACT
    try:
        return WRONG if jsonschema_rs.is_valid(case.schema, value) else CAUGHT
    except ValueError:  # a value that JSON cannot hold
        return CAUGHT


@dataclass(frozen=True)
class Summary:
    """The figures of one reader, each as a fraction (time in microseconds)."""

    identity: float
    exact: float
    macro: float
    wrong_recoverable: float
    wrong_refusable: float
    wrong: float
    median_micros: float


def summarize(cases: Sequence[Case], result: Result) -> Summary:
    """All cases as one line."""
    paired = list(zip(cases, result.verdicts, strict=True))

    def share(wanted: str, fits: Callable[[Case], bool]) -> float:
        verdicts = [verdict for case, verdict in paired if fits(case)]
        return verdicts.count(wanted) / len(verdicts) if verdicts else 0.0

    def damaged(case: Case) -> bool:
        return case.recoverable and case.family != "valid"

    kinds = {kind(case) for case in cases if damaged(case)}
    return Summary(
        identity=share(EXACT, lambda case: case.family == "valid"),
        exact=share(EXACT, damaged),
        macro=statistics.mean(
            share(EXACT, lambda case, k=name: damaged(case) and kind(case) == k) for name in sorted(kinds)
        ),
        wrong_recoverable=share(WRONG, damaged),
        wrong_refusable=share(WRONG, lambda case: not case.recoverable and kind(case) != _APART),
        wrong=share(WRONG, lambda case: kind(case) != _APART),
        median_micros=statistics.median(result.micros),
    )


def kind(case: Case) -> str:
    """The operator, of two the inner one."""
    return case.operator.split(" in ")[0]
