"""Spans and metrics by OpenTelemetry, in the words of its conventions for generative AI.

A tool that runs has a span `execute_tool NAME` around it; a call that must not run has
one too, without length, so that a trace shows why nothing ran. What is argwright's own
is named `argwright.…`. An exception's text is never recorded, and content only if asked
for. Needs `opentelemetry-api` (the extra `otel`); where it goes is decided by whoever
sets up an SDK.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from opentelemetry import metrics, trace

from argwright.model import ErrorKind, InvalidCall, Outcome, ToolResult, ValidCall
from argwright.monitor import telling
from argwright.observing import Counted, Counter
from argwright.wording import shorten

_SCOPE = "argwright"
_LABELS = {
    "tool": "gen_ai.tool.name",
    "kind": "argwright.kind",
    "reason": "error.type",
    "rule": "argwright.rule",
    "model": "gen_ai.request.model",
}
_WHAT = {
    Counted.CALLS: "tool calls resolved",
    Counted.REPAIRS: "repairs made in tool calls",
    Counted.RETRIES: "failing tool calls that the model was asked to make again",
}
_ID = 200  # characters of an id that are recorded; providers' own have fewer than 100
_TEXT = 4_000  # characters of a result, where content is asked for


class Telemetry:
    """The instruments of one monitor.

    Args:
        tracer_provider: where spans go; `None`: the process's own.
        meter_provider: where metrics go; `None`: the process's own.
        content: record arguments and results.
    """

    def __init__(self, tracer_provider: Any, meter_provider: Any, *, content: bool) -> None:
        self._tracer = trace.get_tracer(_SCOPE, tracer_provider=tracer_provider)
        meter = metrics.get_meter(_SCOPE, meter_provider=meter_provider)
        self._counters = {
            what.value: meter.create_counter(f"argwright.{what.value}", unit="1", description=_WHAT.get(what, ""))
            for what in Counted
        }
        self._content = content

    def count(self, counter: Counter) -> None:
        """Add 1."""
        given = counter._asdict()
        attributes = {_LABELS[name]: value for name, value in given.items() if name != "name" and value}
        self._counters[counter.name].add(1, attributes)

    def refused(self, outcome: InvalidCall, model: str | None) -> None:
        """The span of a call that must not run; an unknown tool is refused, which is no fault."""
        more = {"error.type": outcome.reason, "argwright.reason": outcome.reason}
        attributes = {**self._attributes(outcome, model), **more, "argwright.places": telling.places(outcome)}
        span = self._tracer.start_span(_name(outcome), attributes=attributes)
        if outcome.kind is not ErrorKind.UNKNOWN_TOOL:
            span.set_status(trace.StatusCode.ERROR, outcome.reason)
        span.end()

    @contextmanager
    def executing(self, outcome: ValidCall, model: str | None) -> Generator[Callable[[ToolResult], None]]:
        """The span of a tool that runs."""
        with self._tracer.start_as_current_span(
            _name(outcome),
            attributes=self._attributes(outcome, model),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield lambda result: self._done(span, result)
            except BaseException as error:
                _failed(span, type(error).__qualname__)
                raise

    def _done(self, span: trace.Span, result: ToolResult) -> None:
        if self._content:
            span.set_attribute("gen_ai.tool.call.result", shorten(result.text, _TEXT))
        if result.is_error:
            kind = result.content.get("kind") if isinstance(result.content, dict) else None
            _failed(span, kind if isinstance(kind, str) else "tool_error")

    def _attributes(self, outcome: Outcome, model: str | None) -> dict[str, Any]:
        tool = outcome.tool
        said = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.type": "function",
            "gen_ai.tool.name": telling.name_of(outcome),
            "gen_ai.tool.description": getattr(tool, "description", None) or None,
            "gen_ai.tool.call.id": None if outcome.call.id is None else shorten(outcome.call.id, _ID),
            "gen_ai.tool.call.arguments": telling.content(outcome) if self._content else None,
            "gen_ai.request.model": model or None,
            "argwright.kind": outcome.kind.value if isinstance(outcome, InvalidCall) else "valid",
            "argwright.repairs": len(outcome.repairs),
            "argwright.rules": tuple(dict.fromkeys(repair.rule for repair in outcome.repairs)),
        }
        return {name: value for name, value in said.items() if value is not None}


def _name(outcome: Outcome) -> str:
    return f"execute_tool {telling.name_of(outcome)}"


def _failed(span: trace.Span, kind: str) -> None:
    span.set_attribute("error.type", kind)
    span.set_status(trace.StatusCode.ERROR, kind)
