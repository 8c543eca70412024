from dataclasses import replace
from datetime import UTC, datetime

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from argwright.monitor.telemetry import Telemetry
from argwright.proxy.metrics import Memory, Metrics
from argwright.proxy.record import CallRecord, ExchangeRecord
from argwright.proxy.watching import Alerts, MemoryBoard, Watch

NOW = datetime(2026, 1, 2, tzinfo=UTC)
GOOD = CallRecord(request_id="r", at=1.0, protocol="openai-chat", upstream="d", model="m", tool="a", status="valid")
BAD = replace(GOOD, status="refused", kind="json_error", reason="truncated")
SHAPE = replace(GOOD, status="refused", kind="schema_error", reason="missing")
UNKNOWN = replace(GOOD, tool="zzz", status="refused", kind="unknown_tool", reason="unknown")
EXCHANGE = ExchangeRecord(
    request_id="r", at=1.0, protocol="anthropic", upstream="d", model="m", status=200, streamed=True, attempts=1
)

STREAKS = [
    ([BAD, BAD], []),
    ([BAD, BAD, BAD], [("json_error", "a", 3)]),
    ([BAD] * 5, [("json_error", "a", 3)]),
    ([BAD, BAD, GOOD, BAD, BAD], []),
    ([BAD, BAD, replace(GOOD, tool="b"), BAD], [("json_error", "a", 3)]),
    ([BAD, SHAPE, BAD, SHAPE, SHAPE], [("schema_error", "a", 3)]),
    ([UNKNOWN, replace(UNKNOWN, tool="yyy"), UNKNOWN], [("unknown_tool", None, 3)]),
    ([UNKNOWN, UNKNOWN, GOOD, UNKNOWN], []),
    ([*[BAD] * 3, replace(GOOD, status="mended"), *[BAD] * 3], [("json_error", "a", 3)] * 2),
]


@pytest.mark.parametrize(("records", "told"), STREAKS)
def test_streaks(records, told, caplog):
    heard = []
    alerts = Alerts(3, MemoryBoard(), [heard.append], now=lambda: NOW)
    for record in records:
        alerts.see(record)
    assert [(alert.kind, alert.tool, alert.count) for alert in heard] == told
    assert alerts.recent() == tuple(reversed(heard))
    assert len([record for record in caplog.records if "failures in a row" in record.getMessage()]) == len(told)


def test_an_alert_says_what_to_look_at():
    alerts = Alerts(1, MemoryBoard(), now=lambda: NOW)
    alerts.see(BAD)
    (alert,) = alerts.recent()
    assert (alert.first, alert.action) == (NOW, "raise the request's output limit, or let the tool take less at once")


class Journal:
    """What a journal is to the watch."""

    def __init__(self, *, broken=False):
        self.records = []
        self._broken = broken

    def put(self, record):
        if self._broken:
            raise OSError("secret: no space left")
        self.records.append(record)


def test_everybody_is_told():
    journal = Journal()
    metrics = Metrics(Memory(), "1")
    watch = Watch(metrics, Alerts(1, MemoryBoard()), journal)
    watch.calls([GOOD, BAD])
    watch.exchange(EXCHANGE)
    assert journal.records == [GOOD, BAD, EXCHANGE]
    assert 'argwright_calls_total{tool="a",model="m",status="valid"} 1\n' in metrics.text()
    assert 'argwright_attempts_total{protocol="anthropic",upstream="d",model="m"} 1\n' in metrics.text()
    assert len(watch.alerts.recent()) == 1


def test_one_that_fails_stops_nobody(caplog):
    metrics = Metrics(Memory(), "1")
    watch = Watch(metrics, Alerts(3, MemoryBoard()), Journal(broken=True))
    watch.calls([GOOD, BAD])
    assert metrics.text().count("argwright_calls_total{") == 2
    assert [record.getMessage() for record in caplog.records] == ["a record was not told: OSError"] * 2


def test_opentelemetry():
    reader = InMemoryMetricReader()
    telemetry = Telemetry(None, MeterProvider([reader]), content=False)
    watch = Watch(Metrics(Memory(), "1"), Alerts(3, MemoryBoard()), None, telemetry)
    watch.calls([GOOD, replace(GOOD, status="mended", rules=("fence", "null-optional")), UNKNOWN])
    found = {
        metric.name: [(dict(point.attributes), point.value) for point in metric.data.data_points]
        for resource in reader.get_metrics_data().resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
    under = {"gen_ai.tool.name": "a", "argwright.kind": "valid", "gen_ai.request.model": "m"}
    refused = {"argwright.kind": "unknown_tool", "error.type": "unknown", "gen_ai.request.model": "m"}
    assert found == {
        "argwright.calls": [(under, 2), (refused, 1)],
        "argwright.repairs": [({**under, "argwright.rule": rule}, 1) for rule in ("fence", "null-optional")],
    }
