"""Counters as Prometheus reads them: the text exposition format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from argwright.observing import Counted, Counter
from argwright.wording import encodable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""What the text is to be served as."""

_HELP = {
    Counted.CALLS: "Tool calls resolved, by outcome.",
    Counted.REPAIRS: "Repairs made in tool calls, by rule.",
    Counted.RETRIES: "Failing tool calls that the model was asked to make again.",
    Counted.PREMATURE: "Final answers submitted before a required tool had run.",
    Counted.REMINDED: "Plain texts answered by a reminder of the final tool.",
    Counted.FALLBACK: "Plain texts or exhausted runs that became the answer.",
    Counted.REPEAT: "Valid calls that equal an earlier one and were not run again.",
    Counted.ALERTS: "Failures in a row that somebody was told of.",
}
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def exposition(counters: Mapping[Counter, int]) -> str:
    """All counters; every metric is declared, also one that has counted nothing yet."""
    return "".join(f"{line}\n" for what in Counted for line in _metric(what, counters))


def _metric(what: Counted, counters: Mapping[Counter, int]) -> Iterator[str]:
    name = f"argwright_{what.value}_total"
    yield f"# HELP {name} {_HELP[what]}"
    yield f"# TYPE {name} counter"
    for counter in sorted(one for one in counters if one.name == what.value):
        yield f"{name}{_labels(counter)} {counters[counter]}"


def _labels(counter: Counter) -> str:
    """The labels that say something; to Prometheus, an empty one is none."""
    given = counter._asdict()
    del given["name"]
    said = ",".join(f'{name}="{_escaped(value)}"' for name, value in given.items() if value)
    return f"{{{said}}}" if said else ""


def _escaped(value: str) -> str:
    return encodable(value).translate(_ESCAPES)
