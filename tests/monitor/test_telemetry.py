"""Spans and metrics as OpenTelemetry's own SDK receives them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

import argwright as aw
from tests.monitor.samples import CUT, MENDED, TYPE, UNKNOWN, VALID


class Watched:
    """A monitor, and what it writes."""

    def __init__(self, **more: Any) -> None:
        self._spans, self._reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.tracer = TracerProvider()
        self.tracer.add_span_processor(SimpleSpanProcessor(self._spans))
        meters = MeterProvider(metric_readers=[self._reader])
        self.monitor = aw.Monitor(tracer_provider=self.tracer, meter_provider=meters, **more)

    @property
    def spans(self) -> list[Any]:
        return list(self._spans.get_finished_spans())

    @property
    def told(self) -> list[tuple[str, StatusCode, dict[str, Any]]]:
        return [(span.name, span.status.status_code, dict(span.attributes)) for span in self.spans]

    @property
    def metrics(self) -> dict[str, dict[frozenset[Any], int]]:
        data = self._reader.get_metrics_data()
        return {
            metric.name: {frozenset(point.attributes.items()): point.value for point in metric.data.data_points}
            for resource in ([] if data is None else data.resource_metrics)
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


COMMON = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.name": "forecast",
    "gen_ai.tool.description": "Wetter",
    "gen_ai.tool.call.id": "call_1",
    "gen_ai.request.model": "m-1",
    "argwright.repairs": 0,
    "argwright.rules": (),
}


def error(kind: str, reason: str, *places: str) -> dict[str, Any]:
    return {"argwright.kind": kind, "argwright.reason": reason, "error.type": reason, "argwright.places": places}


REFUSED = [
    (TYPE, "execute_tool forecast", StatusCode.ERROR, COMMON | error("schema_error", "type", "/city")),
    (CUT, "execute_tool forecast", StatusCode.ERROR, COMMON | error("json_error", "truncated")),
    (
        UNKNOWN,
        "execute_tool forecst",
        StatusCode.UNSET,
        {k: v for k, v in COMMON.items() if k != "gen_ai.tool.description"}
        | error("unknown_tool", "unknown")
        | {"gen_ai.tool.name": "forecst"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "name", "status", "attributes"), REFUSED, ids=["type", "cut", "unknown"])
def test_a_call_that_must_not_run_has_a_span(outcome, name, status, attributes):
    watched = Watched()
    watched.monitor.observe(outcome, model="m-1")
    assert watched.told == [(name, status, attributes)]


def test_a_valid_call_has_its_span_when_it_runs():
    watched = Watched()
    watched.monitor.observe(MENDED, model="m-1")
    assert watched.spans == []
    with watched.monitor.executing(MENDED, model="m-1") as done:
        done(aw.ToolResult("call_1", "forecast", "sun"))
    mended = {"argwright.repairs": len(MENDED.repairs), "argwright.rules": tuple(one.rule for one in MENDED.repairs)}
    assert watched.told == [("execute_tool forecast", StatusCode.UNSET, COMMON | mended | {"argwright.kind": "valid"})]


RESULTS = [
    ({"error": "no", "kind": "timeout"}, "timeout"),
    ({"error": "no"}, "tool_error"),
    ("no", "tool_error"),
]


@pytest.mark.parametrize(("content", "kind"), RESULTS, ids=["timeout", "no kind", "text"])
def test_a_result_that_is_an_error(content, kind):
    watched = Watched()
    with watched.monitor.executing(VALID) as done:
        done(aw.ToolResult("call_1", "forecast", content, is_error=True))
    [(_, status, attributes)] = watched.told
    assert (status, attributes["error.type"]) == (StatusCode.ERROR, kind)


def test_what_breaks_a_run_off_is_named_and_not_told():
    watched = Watched()
    with pytest.raises(asyncio.CancelledError), watched.monitor.executing(VALID):
        raise asyncio.CancelledError("hunter2")
    [span] = watched.spans
    assert (span.attributes["error.type"], span.status.description, span.events) == (
        "CancelledError",
        "CancelledError",
        (),
    )


def test_spans_of_a_tool_are_children_of_its_own():
    watched = Watched()
    tracer = watched.tracer.get_tracer("user")

    @aw.tool
    def forecast(city: str) -> str:
        with tracer.start_as_current_span("looks outside"):
            return city

    box = aw.Toolbox([forecast], monitor=watched.monitor)
    outcome = box.resolve(aw.ToolCall("1", "forecast", '{"city": "Ærø"}'))
    box.run(outcome)
    asyncio.run(box.arun(outcome))
    inner, outer, again, last = watched.spans
    assert [span.name for span in (outer, last)] == ["execute_tool forecast"] * 2
    assert (inner.parent.span_id, again.parent.span_id) == (outer.context.span_id, last.context.span_id)


def test_metrics():
    watched = Watched()
    for one in (VALID, MENDED, TYPE, TYPE, UNKNOWN):
        watched.monitor.observe(one, model="m-1")
    watched.monitor.retried(TYPE, model="m-1", attempts_left=1)
    tool, model = ("gen_ai.tool.name", "forecast"), ("gen_ai.request.model", "m-1")
    valid, schema = ("argwright.kind", "valid"), ("argwright.kind", "schema_error")
    found = watched.metrics
    assert found["argwright.calls"] == {
        frozenset({tool, model, valid}): 2,
        frozenset({tool, model, schema, ("error.type", "type")}): 2,
        frozenset({model, ("argwright.kind", "unknown_tool"), ("error.type", "unknown")}): 1,
    }
    assert found["argwright.repairs"] == {
        frozenset({tool, model, valid, ("argwright.rule", repair.rule)}): 1 for repair in MENDED.repairs
    }
    assert found["argwright.retries"] == {frozenset({tool, model, schema, ("error.type", "type")}): 1}


def test_content_is_recorded_for_who_asks():
    watched = Watched(content=True)
    watched.monitor.observe(TYPE)
    with watched.monitor.executing(VALID) as done:
        done(aw.ToolResult("call_1", "forecast", {"sky": "晴"}))
    refused, ran = (attributes for _, _, attributes in watched.told)
    assert refused["gen_ai.tool.call.arguments"] == '{"city": 3}'
    assert ran["gen_ai.tool.call.arguments"] == '{"city":"Ærø"}'
    assert ran["gen_ai.tool.call.result"] == '{"sky":"晴"}'
