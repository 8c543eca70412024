"""A span for each request with tools, in the words of OpenTelemetry's conventions for generative AI.

It is a child of what the client says in `traceparent`, and what the upstream does becomes a child of it, if the client
said anything. It holds names, numbers and slugs, no word of a model or a user, no key and no address but the upstream's
host. Needs `opentelemetry-api` (the extra `otel`); where spans go is decided by whoever sets up an SDK.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from multidict import CIMultiDict
from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from argwright.proxy.exchange import Exchange
from argwright.proxy.job import Job
from argwright.proxy.record import CallRecord
from argwright.proxy.routing import Protocol
from argwright.proxy.settings import UpstreamSettings
from argwright.wording import shorten

_PROVIDERS: dict[Protocol, str] = {"openai-chat": "openai", "openai-responses": "openai", "anthropic": "anthropic"}
_PARENT = "traceparent"
_NAME = 80  # characters of a name that a client chose
_FAILED = 400  # statuses from here on
_GONE = "client_gone"


class Tracing:
    """What makes spans.

    Args:
        tracer_provider: where they go; `None`: the process's own.
    """

    def __init__(self, tracer_provider: Any = None) -> None:
        self._tracer = trace.get_tracer("argwright", tracer_provider=tracer_provider)
        self._context = TraceContextTextMapPropagator()

    def begin(self, job: Job, exchange: Exchange, upstream: UpstreamSettings) -> trace.Span:
        """The span of a request, from when it came."""
        model = shorten(exchange.model, _NAME)
        address = urlsplit(upstream.url)
        said = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDERS.get(job.protocol) if job.protocol else None,
            "gen_ai.request.model": model or None,
            "gen_ai.request.stream": exchange.streamed,
            "server.address": address.hostname,
            "server.port": address.port,
            "argwright.request.id": job.id,
            "argwright.upstream": upstream.name,
        }
        return self._tracer.start_span(
            f"chat {model}".rstrip(),
            context=self._context.extract(job.request.headers),
            kind=trace.SpanKind.CLIENT,
            attributes={name: value for name, value in said.items() if value is not None},
            start_time=int(job.at * 1e9),
        )

    def carry(self, span: trace.Span, fields: CIMultiDict[str]) -> None:
        """Let the upstream go on with the trace that the client began; one that began none gets none."""
        if _PARENT in fields:
            self._context.inject(fields, trace.set_span_in_context(span))

    @staticmethod
    def end(span: trace.Span, job: Job, exchange: Exchange, records: Sequence[CallRecord]) -> None:
        """What came of it."""
        counts = Counter(record.status for record in records)
        rules = dict.fromkeys(rule for record in records for rule in record.rules)
        span.set_attributes(
            {
                "argwright.attempts": exchange.attempts,
                "argwright.stalled": exchange.stalled,
                "argwright.rules": tuple(rules),
                **{f"argwright.calls.{status}": counts[status] for status in ("valid", "mended", "refused")},
            }
        )
        if job.status:
            span.set_attribute("http.response.status_code", job.status)
        error = job.code or (_GONE if not job.status else str(job.status) if job.status >= _FAILED else "")
        if error:
            span.set_attribute("error.type", error)
            span.set_status(trace.StatusCode.ERROR, error)
        span.end()
