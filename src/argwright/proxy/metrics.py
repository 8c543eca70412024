"""What the gateway counts, and the text that Prometheus reads (exposition format 0.0.4).

A number is kept under the very line that it is printed on, `argwright_calls_total{tool="…"}`, in a `Store`: a list in
one process, a shared file where several workers answer for each other (`shared`). Its place is looked up once; to count
is to add there. The table `METRICS` declares every metric; whatever is not in it cannot be counted.

Labels are bounded, since clients choose names: a name that no tool has is never one, texts are cut, and beyond
`MOST_SERIES` series of a metric whatever has a free name is counted under `(other)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from argwright.model import ErrorKind
from argwright.monitor.alerts import Alert
from argwright.proxy.record import CallRecord, ExchangeRecord
from argwright.proxy.refusals import Code
from argwright.wording import shorten

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_SERIES = 1_000  # of one metric and worker: a dashboard stays quick, the shared file below 1 MB
OTHER = "(other)"

_NAME = 80  # characters of a label; providers allow 64 in a tool's name
_FREE = frozenset({"tool", "model"})  # labels whose values clients choose
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
_BOUNDS = (*(f"{seconds:g}" for seconds in _SECONDS), "+Inf")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@dataclass(frozen=True)
class Metric:
    """One declared metric."""

    kind: str  # as Prometheus calls it
    help: str
    labels: tuple[str, ...] = ()


METRICS: Mapping[str, Metric] = {
    "argwright_requests_total": Metric(
        "counter", "Requests answered, by protocol (other: passed through).", ("protocol", "upstream", "status")
    ),
    "argwright_request_seconds": Metric("histogram", "From a request to the end of its reply.", ("protocol",)),
    "argwright_time_to_first_byte_seconds": Metric(
        "histogram", "From a request to the first byte of its reply's body.", ("protocol",)
    ),
    "argwright_streams_open": Metric("gauge", "Requests that are being answered."),
    "argwright_refusals_total": Metric("counter", "Requests that the gateway itself refused.", ("code",)),
    "argwright_clients_gone_total": Metric("counter", "Clients that went away before their reply was complete."),
    "argwright_upstream_responses_total": Metric("counter", "Replies of upstreams, by status.", ("upstream", "status")),
    "argwright_exchanges_total": Metric(
        "counter", "Requests with tools, answered.", ("protocol", "upstream", "model", "status")
    ),
    "argwright_attempts_total": Metric(
        "counter", "Times that a model was asked for requests with tools.", ("protocol", "upstream", "model")
    ),
    "argwright_stalls_total": Metric(
        "counter", "Turns that announced an action and made no call.", ("upstream", "model")
    ),
    "argwright_events_left_out_total": Metric(
        "counter", "Events behind the end of a reply that did not go out.", ("upstream", "model")
    ),
    "argwright_calls_total": Metric(
        "counter", "Tool calls, by what became of them.", ("tool", "model", "status", "kind", "reason")
    ),
    "argwright_repairs_total": Metric("counter", "Mended tool calls, by rule.", ("tool", "model", "rule")),
    "argwright_alerts_total": Metric("counter", "Failures in a row that somebody was told of.", ("tool", "kind")),
    "argwright_alert_posts_total": Metric("counter", "Alerts posted to the webhook, by outcome.", ("outcome",)),
    "argwright_journal_dropped_total": Metric(
        "counter", "Records that the journal did not keep: its disk is full or slow."
    ),
    "argwright_journal_stopped": Metric("gauge", "Workers whose journal cannot be written at the moment."),
    "argwright_workers": Metric("gauge", "Worker processes that are running, by version.", ("version",)),
}


class Numbers(Protocol):
    """Numbers by place."""

    def __getitem__(self, place: int, /) -> float: ...

    def __setitem__(self, place: int, number: float, /) -> None: ...


class Store(ABC):
    """Where the numbers are kept.

    Attributes:
        numbers: all of them; whoever knows the place of one adds to it here, without a call.
    """

    numbers: Numbers

    @abstractmethod
    def place(self, line: str) -> int:
        """Where among the numbers that of a line is; it begins at 0."""

    @abstractmethod
    def lines(self) -> Mapping[str, float]:
        """Every line with its number, those of all workers added up."""

    def add(self, line: str, amount: float) -> None:
        """Add to the number of a line."""
        self.numbers[self.place(line)] += amount

    def put(self, line: str, value: float) -> None:
        """Set the number of a line."""
        self.numbers[self.place(line)] = value


class Memory(Store):
    """The store of a single process."""

    def __init__(self) -> None:
        self._kept: list[float] = []
        self.numbers = self._kept
        self._places: dict[str, int] = {}

    def place(self, line: str) -> int:
        """Where among the numbers that of a line is."""
        place = self._places.setdefault(line, len(self._kept))
        if place == len(self._kept):
            self._kept.append(0.0)
        return place

    def lines(self) -> Mapping[str, float]:
        """Every line with its number."""
        return {line: self.numbers[place] for line, place in self._places.items()}


class Metrics:
    """The counters of one worker.

    Args:
        store: where they are kept.
        version: of argwright.

    Attributes:
        open: requests that this worker is answering.
    """

    def __init__(self, store: Store, version: str) -> None:
        self._store, self._numbers = store, store.numbers
        self._known: dict[tuple[str | int, ...], int] = {}  # name and labels → place
        self._series: Counter[str] = Counter()
        self._histograms: dict[tuple[str, str], tuple[int, ...]] = {}  # name and label → places
        self._streams = store.place("argwright_streams_open")
        self.open = self._numbers[self._streams] = 0
        store.put(written("argwright_workers", {"version": version}), 1)

    # --- what happened

    def began(self) -> None:
        """A request came."""
        self.open += 1
        self._numbers[self._streams] = self.open

    def ended(self) -> None:
        """A request is over."""
        self.open -= 1
        self._numbers[self._streams] = self.open

    def replied(self, protocol: str, upstream: str, status: int, seconds: float) -> None:
        """A request was answered, or given up."""
        self._count("argwright_requests_total", protocol, upstream, status)
        self._observe("argwright_request_seconds", protocol, seconds)

    def first_byte(self, protocol: str, seconds: float) -> None:
        """The reply's body began."""
        self._observe("argwright_time_to_first_byte_seconds", protocol, seconds)

    def gone(self) -> None:
        """A client went away."""
        self._count("argwright_clients_gone_total")

    def refused(self, code: Code) -> None:
        """The gateway itself refused."""
        self._count("argwright_refusals_total", code.value)

    def answered(self, upstream: str, status: int) -> None:
        """An upstream answered."""
        self._count("argwright_upstream_responses_total", upstream, status)

    def exchange(self, record: ExchangeRecord) -> None:
        """A request with tools was answered."""
        model = record.model
        self._count("argwright_exchanges_total", record.protocol, record.upstream, model, record.status)
        self._count("argwright_attempts_total", record.protocol, record.upstream, model, amount=record.attempts)
        if record.stalled:
            self._count("argwright_stalls_total", record.upstream, model)
        if record.left_out:
            self._count("argwright_events_left_out_total", record.upstream, model, amount=record.left_out)

    def call(self, record: CallRecord) -> None:
        """A call was resolved."""
        tool = "" if record.kind == ErrorKind.UNKNOWN_TOOL.value else record.tool
        told = (record.status, record.kind or "", record.reason or "")
        self._count("argwright_calls_total", tool, record.model, *told)
        for rule in record.rules:
            self._count("argwright_repairs_total", tool, record.model, rule)

    def alert(self, alert: Alert) -> None:
        """Somebody was told."""
        self._count("argwright_alerts_total", alert.tool or "", alert.kind.value)

    def posted(self, outcome: str) -> None:
        """An alert was posted, given up or dropped."""
        self._count("argwright_alert_posts_total", outcome)

    def dropped(self, total: int, *, stopped: bool = False) -> None:
        """How many records this worker's journal has dropped since it began, and whether it stands still."""
        self._store.put("argwright_journal_dropped_total", total)
        self._store.put("argwright_journal_stopped", float(stopped))

    # --- what is told

    def text(self) -> str:
        """All of it, for Prometheus."""
        return exposition(self._store.lines())

    def _count(self, name: str, *values: str | int, amount: float = 1) -> None:
        place = self._known.get((name, *values))
        self._numbers[self._place(name, values) if place is None else place] += amount

    def _observe(self, name: str, value: str, seconds: float) -> None:
        places = self._histograms.get((name, value)) or self._histogram(name, value)
        numbers = self._numbers
        numbers[places[bisect_left(_SECONDS, seconds)]] += 1
        numbers[places[-2]] += seconds
        numbers[places[-1]] += 1

    def _place(self, name: str, values: tuple[str | int, ...]) -> int:
        metric = METRICS[name]
        said = dict(zip(metric.labels, map(str, values), strict=True))
        if self._series[name] >= MOST_SERIES:  # nothing is remembered of it
            free = {label: OTHER for label in metric.labels if label in _FREE}
            return self._store.place(written(name, said | free))
        self._series[name] += 1
        return self._known.setdefault((name, *values), self._store.place(written(name, said)))

    def _histogram(self, name: str, value: str) -> tuple[int, ...]:
        """The places of a histogram: one for each bucket, the sum, the count; protocols are few, so all are kept."""
        label = {METRICS[name].labels[0]: value}
        buckets = [written(f"{name}_bucket", {**label, "le": bound}) for bound in _BOUNDS]
        lines = (*buckets, written(f"{name}_sum", label), written(f"{name}_count", label))
        return self._histograms.setdefault((name, value), tuple(map(self._store.place, lines)))


def written(name: str, labels: Mapping[str, str]) -> str:
    """The line of a number, without the number; to Prometheus, an empty label is none."""
    said = ",".join(f'{label}="{_escaped(value)}"' for label, value in labels.items() if value)
    return f"{name}{{{said}}}" if said else name


def exposition(lines: Mapping[str, float]) -> str:
    """All numbers; every metric is declared, also one that has counted nothing yet."""
    by_name: dict[str, list[str]] = {name: [] for name in METRICS}
    for line in lines:
        by_name[metric_of(line)].append(line)
    return "".join(f"{text}\n" for name, own in by_name.items() for text in _told(name, own, lines))


def _told(name: str, own: list[str], lines: Mapping[str, float]) -> Iterator[str]:
    metric = METRICS[name]
    yield f"# HELP {name} {metric.help}"
    yield f"# TYPE {name} {metric.kind}"
    below = 0.0  # a bucket is kept by itself, and told with all below it
    for line in own or ([] if metric.labels else [name]):
        value = lines.get(line, 0.0)
        below = below + value if line.startswith(f"{name}_bucket") else 0.0
        yield f"{line} {_number(below if line.startswith(f'{name}_bucket') else value)}"


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(value)


def metric_of(line: str) -> str:
    """The metric that a line belongs to."""
    name = line.partition("{")[0]
    return name if name in METRICS else name.rpartition("_")[0]


def _escaped(value: str) -> str:
    return shorten(value, _NAME).translate(_ESCAPES)
