from dataclasses import replace
from datetime import UTC, datetime

import pytest
from prometheus_client.parser import text_string_to_metric_families

from argwright.model import ErrorKind
from argwright.monitor import Alert
from argwright.proxy.metrics import METRICS, MOST_SERIES, OTHER, Memory, Metrics, exposition, metric_of, written
from argwright.proxy.record import CallRecord, ExchangeRecord
from argwright.proxy.refusals import Code

CALL = CallRecord(
    request_id="r", at=1.0, protocol="openai-chat", upstream="default", model="m-1", tool="search", status="valid"
)
EXCHANGE = ExchangeRecord(
    request_id="r", at=1.0, protocol="anthropic", upstream="default", model="m-1", status=200, streamed=True, attempts=3
)


def read(metrics):
    """What an independent reader makes of the text."""
    found = {}
    for family in text_string_to_metric_families(metrics.text()):
        for sample in family.samples:
            found[sample.name, *sorted(sample.labels.items())] = sample.value
    return found


def counted(*happened):
    metrics = Metrics(Memory(), "9.9")
    for one in happened:
        one(metrics)
    return {key: value for key, value in read(metrics).items() if value and key[0] != "argwright_workers"}


def labels(name, **given):
    return (name, *sorted(given.items()))


def test_nothing_has_happened():
    assert counted() == {}
    found = read(Metrics(Memory(), "9.9"))
    assert found == {
        labels("argwright_streams_open"): 0,
        labels("argwright_clients_gone_total"): 0,
        labels("argwright_journal_dropped_total"): 0,
        labels("argwright_journal_stopped"): 0,
        labels("argwright_workers", version="9.9"): 1,
    }


def test_every_metric_is_declared_from_the_start():
    families = {family.name: family.type for family in text_string_to_metric_families(Metrics(Memory(), "1").text())}
    assert families == {name.removesuffix("_total"): metric.kind for name, metric in METRICS.items()}
    assert all(name.startswith("argwright_") and metric.help.endswith(".") for name, metric in METRICS.items())


CALLS = [
    (CALL, {"tool": "search", "model": "m-1", "status": "valid"}),
    (replace(CALL, status="mended", rules=("a", "b")), {"tool": "search", "model": "m-1", "status": "mended"}),
    (
        replace(CALL, status="refused", kind="json_error", reason="truncated"),
        {"tool": "search", "model": "m-1", "status": "refused", "kind": "json_error", "reason": "truncated"},
    ),
    (
        replace(CALL, tool="whatever a model wrote", status="refused", kind="unknown_tool", reason="unknown"),
        {"model": "m-1", "status": "refused", "kind": "unknown_tool", "reason": "unknown"},
    ),
    (replace(CALL, model=""), {"tool": "search", "status": "valid"}),
]


@pytest.mark.parametrize(("record", "given"), CALLS)
def test_calls(record, given):
    rules = {labels("argwright_repairs_total", tool="search", model="m-1", rule=rule): 2 for rule in record.rules}
    assert counted(*[lambda metrics: metrics.call(record)] * 2) == {
        labels("argwright_calls_total", **given): 2,
        **rules,
    }


def test_exchanges():
    stalled = replace(EXCHANGE, stalled=True, status=502, left_out=3)
    under = {"protocol": "anthropic", "upstream": "default", "model": "m-1"}
    assert counted(lambda metrics: metrics.exchange(EXCHANGE), lambda metrics: metrics.exchange(stalled)) == {
        labels("argwright_exchanges_total", **under, status="200"): 1,
        labels("argwright_exchanges_total", **under, status="502"): 1,
        labels("argwright_attempts_total", **under): 6,
        labels("argwright_stalls_total", upstream="default", model="m-1"): 1,
        labels("argwright_events_left_out_total", upstream="default", model="m-1"): 3,
    }


def test_requests_and_the_rest():
    alert = Alert(kind=ErrorKind.JSON_ERROR, tool="search", count=3, first=datetime.now(UTC), action="x")
    found = counted(
        Metrics.began,
        Metrics.began,
        lambda metrics: metrics.first_byte("other", 0.003),
        lambda metrics: metrics.replied("other", "default", 200, 400.5),
        Metrics.ended,
        Metrics.gone,
        lambda metrics: metrics.refused(Code.STALLED),
        lambda metrics: metrics.answered("default", 429),
        lambda metrics: metrics.alert(alert),
        lambda metrics: metrics.posted("sent"),
        lambda metrics: metrics.dropped(7, stopped=True),
    )
    buckets = {key: value for key, value in found.items() if key[0].endswith("_bucket")}
    assert {key: value for key, value in found.items() if key not in buckets} == {
        labels("argwright_streams_open"): 1,
        labels("argwright_requests_total", protocol="other", upstream="default", status="200"): 1,
        labels("argwright_request_seconds_sum", protocol="other"): 400.5,
        labels("argwright_request_seconds_count", protocol="other"): 1,
        labels("argwright_time_to_first_byte_seconds_sum", protocol="other"): 0.003,
        labels("argwright_time_to_first_byte_seconds_count", protocol="other"): 1,
        labels("argwright_clients_gone_total"): 1,
        labels("argwright_refusals_total", code="upstream_stalled"): 1,
        labels("argwright_upstream_responses_total", upstream="default", status="429"): 1,
        labels("argwright_alerts_total", tool="search", kind="json_error"): 1,
        labels("argwright_alert_posts_total", outcome="sent"): 1,
        labels("argwright_journal_dropped_total"): 7,
        labels("argwright_journal_stopped"): 1,
    }
    slow = [key for key in buckets if key[0].startswith("argwright_request_seconds")]
    assert slow == [labels("argwright_request_seconds_bucket", protocol="other", le="+Inf")]
    assert len(buckets) == 1 + 16


def test_labels_hold_whatever_a_client_chose():
    odd = 'a"b\\c\nd 工具 \ud83d' + "x" * 200
    found = counted(lambda metrics: metrics.call(replace(CALL, tool=odd)))
    ((name, model, status, tool),) = found
    assert (name, model, status) == ("argwright_calls_total", ("model", "m-1"), ("status", "valid"))
    assert tool[1].startswith('a"b\\c\nd 工具 \ufffdxxx')
    assert len(tool[1]) == 80


def test_the_number_of_series_is_bounded():
    metrics = Metrics(Memory(), "1")
    for number in range(MOST_SERIES + 50):
        metrics.call(replace(CALL, tool=f"t-{number}", model=f"m-{number}"))
    metrics.call(replace(CALL, tool="t-0", model="m-0"))
    found = read(metrics)
    calls = {key: value for key, value in found.items() if key[0] == "argwright_calls_total"}
    assert len(calls) == MOST_SERIES + 1
    assert calls[labels("argwright_calls_total", tool=OTHER, model=OTHER, status="valid")] == 50
    assert calls[labels("argwright_calls_total", tool="t-0", model="m-0", status="valid")] == 2
    assert sum(calls.values()) == MOST_SERIES + 51


@pytest.mark.parametrize("name", METRICS)
def test_a_line_tells_its_metric(name):
    suffixes = ("_bucket", "_sum", "_count") if METRICS[name].kind == "histogram" else ("",)
    assert {metric_of(written(f"{name}{suffix}", {"x": "{y}"})) for suffix in suffixes} == {name}


def test_large_numbers_keep_their_digits():
    assert "argwright_journal_dropped_total 123456789012\n" in exposition(
        {"argwright_journal_dropped_total": 123456789012.0}
    )
