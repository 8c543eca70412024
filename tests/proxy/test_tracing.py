"""Spans as OpenTelemetry's own SDK receives them, of real requests."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import pytest
from aiohttp import web
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from argwright.proxy.app import Parts
from argwright.proxy.gateway import ID_HEADER
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, Mending, MonitorSettings, ServerSettings, UpstreamSettings
from tests.proxy.test_gateway import REPLY, chat, run, serving

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
FROM = f"00-{TRACE}-{PARENT}-01"
SETTINGS = GatewaySettings(monitor=MonitorSettings(telemetry=True), server=ServerSettings(port=0))


class Spans(InMemorySpanExporter):
    """Keeps spans; `told` is set with the first."""

    def __init__(self):
        super().__init__()
        self.told = asyncio.Event()

    def export(self, spans):
        self.told.set()
        return super().export(spans)


@asynccontextmanager
async def traced(handle, settings=SETTINGS):
    spans, provider = Spans(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))

    async def handled(request):
        return await handle(request)

    async with serving(handled) as root:
        made = replace(settings, upstreams=(UpstreamSettings(url=f"{root}/v1", name="主"),))
        async with (
            running(made, parts=Parts(tracer_provider=provider)) as served,
            aiohttp.ClientSession(served.url) as client,
        ):
            yield client, spans, int(root.rpartition(":")[2])


class Answering:
    """A server with one answer; what it was sent."""

    def __init__(self, *answers):
        self.fields, self._answers = [], list(answers)

    async def __call__(self, request):
        await request.read()
        self.fields.append(request.headers)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, web.Response | int):
            return answer if isinstance(answer, web.Response) else web.Response(status=answer)
        return web.json_response(answer)


def refused(reply=REPLY):
    made = json.loads(json.dumps(reply))
    made["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"a": "x"}'
    return made


CASES = [
    pytest.param(
        [REPLY], Mending(), 200,
        {"argwright.calls.mended": 1, "argwright.rules": ("single-quotes",)}, None, id="mended",
    ),
    pytest.param(
        [refused(), REPLY], Mending(on_invalid="retry"), 200,
        {
            "argwright.attempts": 2, "argwright.calls.mended": 1, "argwright.calls.refused": 1,
            "argwright.rules": ("single-quotes",),
        }, None, id="asked-again",
    ),
    pytest.param([refused()], Mending(on_invalid="error"), 502, {"argwright.calls.refused": 1}, "502", id="refused"),
    pytest.param([429], Mending(), 429, {}, "429", id="the-upstreams-error"),
    pytest.param([web.Response(headers={"Content-Encoding": "x"})], Mending(), 502, {}, "upstream_garbled", id="ours"),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "mending", "status", "more", "error"), CASES)
def test_a_request_with_tools_is_a_span(answers, mending, status, more, error):
    handle = Answering(*answers)

    async def work():
        async with (
            traced(handle, replace(SETTINGS, mending=mending)) as (client, spans, port),
            client.post("/v1/chat/completions", json=chat(), headers={"Authorization": "Bearer sk-secret"}) as reply,
        ):
            await reply.read()
            (span,) = spans.get_finished_spans()
            return reply, span, port

    reply, span, port = run(work())
    assert reply.status == status
    assert (span.name, span.kind, span.parent) == ("chat m", SpanKind.CLIENT, None)
    assert (span.status.status_code, span.status.description) == ((StatusCode.ERROR, error) if error else (StatusCode.UNSET, None))  # fmt: skip
    assert dict(span.attributes) == {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m",
        "gen_ai.request.stream": False, "server.address": "127.0.0.1", "server.port": port, "argwright.upstream": "主",
        "argwright.request.id": span.attributes["argwright.request.id"], "http.response.status_code": status,
        "argwright.attempts": 1, "argwright.stalled": False, "argwright.rules": (), "argwright.calls.valid": 0,
        "argwright.calls.mended": 0, "argwright.calls.refused": 0, **more, **({"error.type": error} if error else {}),
    }  # fmt: skip
    assert reply.headers.get(ID_HEADER, span.attributes["argwright.request.id"]) == span.attributes["argwright.request.id"]  # fmt: skip
    assert all("traceparent" not in fields for fields in handle.fields)
    assert "secret" not in span.to_json()


def test_it_stands_between_the_clients_trace_and_the_upstreams():
    handle = Answering(refused(), REPLY)

    async def work():
        async with traced(handle, replace(SETTINGS, mending=Mending(on_invalid="retry"))) as (client, spans, _):
            sent = {"traceparent": FROM, "tracestate": "vendor=1"}
            async with client.post("/v1/chat/completions", json=chat(), headers=sent) as reply:
                await reply.read()
            return spans.get_finished_spans()

    (span,) = run(work())
    context = span.get_span_context()
    assert (f"{context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)
    own = f"00-{TRACE}-{context.span_id:016x}-01"
    assert [(fields["traceparent"], fields["tracestate"]) for fields in handle.fields] == [(own, "vendor=1")] * 2


@pytest.mark.parametrize(("path", "body"), [("/v1/chat/completions", {"model": "m"}), ("/v1/embeddings", {})])
def test_what_passes_through_has_none(path, body):
    handle = Answering(REPLY)

    async def work():
        async with traced(handle) as (client, spans, _):
            async with client.post(path, json=body, headers={"traceparent": FROM}) as reply:
                await reply.read()
            return spans.get_finished_spans()

    assert run(work()) == ()
    assert [fields["traceparent"] for fields in handle.fields] == [FROM]


def test_nobody_wants_spans():
    handle = Answering(REPLY)

    async def work():
        async with traced(handle, replace(SETTINGS, monitor=MonitorSettings())) as (client, spans, _):
            async with client.post("/v1/chat/completions", json=chat(), headers={"traceparent": FROM}) as reply:
                await reply.read()
            return spans.get_finished_spans()

    assert run(work()) == ()
    assert [fields["traceparent"] for fields in handle.fields] == [FROM]


def test_a_client_that_goes_away():
    begun = asyncio.Event()

    async def handle(_request):
        begun.set()
        await asyncio.Event().wait()

    async def work():
        async with traced(handle) as (client, spans, _):
            asking = asyncio.create_task(client.post("/v1/chat/completions", json=chat(stream=True)))
            await begun.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await spans.told.wait()
            return spans.get_finished_spans()

    (span,) = run(work())
    assert (span.attributes["error.type"], span.attributes["gen_ai.request.stream"]) == ("client_gone", True)
    assert "http.response.status_code" not in span.attributes
