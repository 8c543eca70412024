"""One request, from the door to the last byte.

What needs no mending passes through as it comes, both ways, and nothing of it is held. A request whose reply is mended
is read, given to an `Exchange`, which decides, and asked upstream as often as the exchange wants; its stream goes on
piece by piece as the exchange lets go of it. The client's response begins with the first byte that it gets, so that
whatever goes wrong before has a status of its own; afterwards it is the protocol's error event, or a cut connection
where there is no such thing. A client that goes away cancels its handler, and with it the request upstream.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from http import HTTPStatus
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from aiohttp import web

from argwright.proxy import fetching, headers, incoming, refusals, routing
from argwright.proxy.aside import aside
from argwright.proxy.beginning import Beginning
from argwright.proxy.clock import Clock
from argwright.proxy.endings import hung_up, refused, spoken
from argwright.proxy.exchange import BROKEN_OFF, Again, Exchange, Fault, Reply, retold
from argwright.proxy.flow import Flow
from argwright.proxy.job import Job
from argwright.proxy.refusals import Code, Refusal, Refused
from argwright.proxy.settings import GatewaySettings, UpstreamSettings
from argwright.proxy.upstream import Answer, Upstream
from argwright.proxy.watching import Watch

if TYPE_CHECKING:  # needs an extra
    from argwright.proxy.tracing import Tracing

_log = logging.getLogger("argwright.gateway")

ID_HEADER = "x-argwright-id"
"""Under this id journal and page know the request."""

_LAST = 1.0  # seconds for clients to take the last that they are told
_SOON = 1  # seconds after which a place may be free again


class _Reply(web.StreamResponse):
    """A reply whose head goes out with the first bytes of its body."""

    _send_headers_immediately = False


class Gateway:
    """Answers everything that goes to a model.

    Args:
        settings: all of them.
        upstream: the client side.
        watch: who is told.
        tracing: makes spans; `None`: nobody wants them.
    """

    def __init__(
        self, settings: GatewaySettings, upstream: Upstream, watch: Watch, tracing: Tracing | None = None
    ) -> None:
        self._settings, self._upstream, self._watch, self._tracing = settings, upstream, watch, tracing
        self._limits = limits = settings.server.limits
        self._routes = routing.Routes(settings.upstreams)
        self._clock: Clock[Job] = Clock((limits.first_byte, limits.idle, limits.total, limits.heartbeat))
        self._name, self._count = token_hex(12), 0  # a name that no other worker has, and a number
        self._done = asyncio.Event()  # nothing is open any more, or nobody waits for it any longer
        self.draining = False

    async def drain(self) -> None:
        """Take nothing new; what is open has the grace to be answered, and is told then that it will not be."""
        self.draining = True
        await self._emptied(self._limits.grace)
        for job in self._clock.open:
            job.give_up(Refusal(Code.DRAINING, "this process is ending", retry_after=_SOON))
        self._done.clear()
        await self._emptied(_LAST)

    async def _emptied(self, seconds: float) -> None:
        if self._watch.metrics.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), seconds)

    def hurry(self) -> None:
        """Nobody waits any longer."""
        self._done.set()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        self._count += 1
        protocol = routing.protocol_of(request.method, request.path)
        job = Job(request, protocol, request.rel_url.raw_path, f"{self._name}{self._count:08x}", self._limits.total)
        self._watch.metrics.began()
        self._clock.watch(job)
        try:
            return await self._guarded(job)
        except asyncio.CancelledError:
            self._watch.metrics.gone()
            raise
        except ConnectionError:
            self._watch.metrics.gone()
            return hung_up(job)
        finally:
            self._clock.forget(job)
            job.silent = None  # it leads back to the job
            self._ended(job)

    async def _guarded(self, job: Job) -> web.StreamResponse:
        try:
            return await self._answered(job)
        except Refused as refused:
            refusal = refused.refusal
        except asyncio.CancelledError:
            given_up = job.given_up()
            if given_up is None:
                raise
            refusal = given_up
        except ConnectionError:
            raise
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not look like one of the upstream's
            _log.error("request %s failed", job.id, exc_info=error)
            refusal = Refusal(Code.INTERNAL, "the gateway failed; its log says where")
        return await self._refuse(job, refusal)

    def _ended(self, job: Job) -> None:
        self._tell(job)
        self._watch.metrics.ended()
        if self.draining and not self._watch.metrics.open:
            self._done.set()

    def _tell(self, job: Job) -> None:
        """Tell whoever watches what came of the request: once, before the client has the last byte, if it gets one."""
        if job.told:
            return
        job.told = True
        if job.exchange is not None:
            records = job.exchange.take_records()
            self._watch.calls(records)
            self._watch.exchange(job.record(job.exchange))
            if self._tracing is not None and job.span is not None:
                self._tracing.end(job.span, job, job.exchange, records)
        self._watch.metrics.replied(job.label, job.upstream, job.status, job.seconds)

    # --- ways

    async def _answered(self, job: Job) -> web.StreamResponse:
        if self.draining:
            raise Refused(Code.DRAINING, "this process is ending", retry_after=_SOON)
        if self._watch.metrics.open > self._limits.max_streams:
            raise Refused(Code.TOO_MANY, f"{self._limits.max_streams} requests are being answered", retry_after=_SOON)
        incoming.check_supported(job.request)
        fitting = self._routes.fitting(job.request.path)
        if job.protocol is None and not (fitting.by_model and incoming.is_json(job.request)):
            return await self._through(job, _chosen(job, fitting, None), incoming.unread(job.request, job.move))
        body = await incoming.read(job.request, self._limits)
        chosen = _chosen(job, fitting, body.model if fitting.by_model else None)
        if job.protocol is None:
            return await self._through(job, chosen, body.raw)
        exchange = await self._exchange(job, job.protocol, body.plain)
        if not exchange.engaged:
            return await self._through(job, chosen, body.raw)
        if exchange.refusal:
            raise Refused(Code.SEVERAL, exchange.refusal)
        job.exchange = exchange
        if self._tracing is not None:
            job.span = self._tracing.begin(job, exchange, chosen)
        return await self._mended(job, chosen, exchange, own=exchange.ask is body.raw)

    async def _exchange(self, job: Job, protocol: routing.Protocol, body: bytes) -> Exchange:
        def made() -> Exchange:
            return Exchange(
                protocol, body, self._settings.mending, request_id=job.id, upstream=job.upstream, now=time.time
            )

        return await aside(len(body), made)

    async def _through(self, job: Job, chosen: UpstreamSettings, data: Any) -> web.StreamResponse:
        """Pass a request on, and its answer back, as they come; a reply that is fetched is mended."""
        fetches, fields = fetching.asked(job.request)
        answer = await self._ask(job, chosen, fields, data)
        try:
            if fetches and answer.replies and not answer.streams:
                made = await fetching.mended(job, answer, self._settings)
                return await self._send(job, answer, made)
            return await self._passed(job, answer)
        finally:
            answer.release()

    async def _passed(self, job: Job, answer: Answer) -> web.StreamResponse:
        """An answer as it came."""
        moving = Flow(job, answer)
        if not (answer.body.total_bytes or answer.body.is_eof()):
            reply = await self._start(job, answer, moving)
            await reply.write(b"")  # whoever waits for the head does not wait for the body
            moving.begin(reply)
        await self._relay(job, answer, moving)
        reply = job.begun or await self._start(job, answer, moving)
        await self._finish(job, reply, moving.take())
        return reply

    async def _mended(self, job: Job, chosen: UpstreamSettings, exchange: Exchange, *, own: bool) -> web.StreamResponse:
        asked, again = exchange.ask, False
        if exchange.streamed:
            asyncio.get_running_loop().call_soon(exchange.prepare)  # while the request is on its way
        while True:
            fields = headers.for_mended(job.request.headers, own=own, again=again)
            if self._tracing is not None:
                self._tracing.carry(job.span, fields)
            answer = await self._ask(job, chosen, fields, asked)
            try:
                if not answer.replies and job.begun is None:
                    return await self._passed(job, answer)
                if not answer.replies:
                    raise Refused(Code.FAILED, f"upstream {chosen.name!r} answered {answer.status} when asked again")
                answer.read_plain()
                streams = exchange.streamed or answer.streams
                made = await (self._stream if streams else self._whole)(job, answer, exchange)
            finally:
                answer.release()
            if isinstance(made, web.StreamResponse):
                return made
            asked, own, again = made.body, False, True

    async def _ask(self, job: Job, chosen: UpstreamSettings, fields: Any, data: Any) -> Answer:
        url = self._routes.address(chosen, job.path, job.request.rel_url.raw_query_string)
        job.wait(self._limits.first_byte)
        answer = await self._upstream.ask(chosen, job.request.method, url, headers=fields, data=data)
        job.wait(self._limits.idle, answer.stall)
        self._watch.metrics.answered(chosen.name, answer.status)
        return answer

    # --- mended replies

    async def _whole(self, job: Job, answer: Answer, exchange: Exchange) -> web.StreamResponse | Again:
        body = await answer.whole(self._limits.max_reply, job.move)
        return await self._judged(job, answer, exchange, body)

    async def _judged(self, job: Job, answer: Answer, exchange: Exchange, body: bytes) -> web.StreamResponse | Again:
        """What becomes of a whole reply; one that says nothing, and no more than that it was taken, passes."""
        if job.begun is not None:
            raise Refused(Code.GARBLED, "the upstream answered without a stream when asked again")
        silent = not body and answer.status != HTTPStatus.OK
        made = Reply(body) if silent else await aside(len(body), lambda: exchange.whole(body))
        if isinstance(made, Again):
            return made
        streams = exchange.streamed or answer.streams
        return await self._send(job, answer, made, kind="application/json" if streams else None)

    async def _send(self, job: Job, answer: Answer, made: Reply, kind: str | None = None) -> web.StreamResponse:
        """A whole reply; its media type is the upstream's, if `kind` names no other."""
        fields = headers.for_client(answer.headers, rewritten=True)
        if kind is not None:
            fields["Content-Type"] = kind
        fields.update({**made.headers, ID_HEADER: job.id})
        status = answer.status if made.status == HTTPStatus.OK else made.status
        reply = web.Response(status=status, body=made.body, headers=fields)
        await self._begin(job, reply)
        await self._finish(job, reply)
        return reply

    async def _stream(self, job: Job, answer: Answer, exchange: Exchange) -> web.StreamResponse | Again:
        beginning = Beginning(job, answer, exchange.feed, self._limits.max_reply)
        moving = beginning.flow
        if job.begun is not None:
            moving.begin(job.begun)
        broken = None
        try:
            await self._relay(job, answer, moving)
        except Refused as refused:
            if job.begun is None:
                raise
            broken = refused.refusal
        body = beginning.whole() if broken is None else None
        if body is not None and not (exchange.streamed and await self._retold(job, exchange, body, moving)):
            return await self._judged(job, answer, exchange, body)
        ended = exchange.end(broken=broken is not None, why=BROKEN_OFF if broken is None else _fault(broken))
        if isinstance(ended, Again):
            await self._send_on(job, answer, moving)
            return ended
        if broken is not None:
            self._note(job, broken)
        if ended.whole is not None and job.begun is None:
            return await self._send(job, answer, ended.whole, kind="application/json")
        reply = job.begun or await self._start(job, answer, moving)
        await self._finish(job, reply, moving.take() + ended.data)
        return reply

    async def _retold(self, job: Job, exchange: Exchange, body: bytes, moving: Flow) -> bool:
        """Take a whole reply as the stream that was asked for; whether it is a reply."""
        events = await aside(len(body), lambda: retold(job.label, body, exchange.ask))
        if events is not None:
            moving.out = await aside(len(events), lambda: exchange.feed(events))
        return events is not None

    async def _relay(self, job: Job, answer: Answer, moving: Flow) -> None:
        """Move the body through, to its end; what came with the end is left to be sent with it.

        Raises:
            Refused: it has none.
        """
        job.wait(self._limits.idle, moving.stall)
        while True:
            await moving.run()
            if moving.over:
                return
            job.rest()
            if moving.out:
                await self._send_on(job, answer, moving)
            else:
                await job.request.writer.drain()
            job.wait(self._limits.idle, moving.stall)

    async def _send_on(self, job: Job, answer: Answer, moving: Flow) -> None:
        """Send what the flow could not send by itself."""
        if moving.out:
            reply = job.begun or await self._start(job, answer, moving)
            await reply.write(moving.take())
            moving.begin(reply)

    async def _start(self, job: Job, answer: Answer, moving: Flow) -> web.StreamResponse:
        fields = headers.for_client(answer.headers, rewritten=moving.rewrites)
        if moving.rewrites:
            fields[ID_HEADER] = job.id
            if not answer.streams:
                fields["Content-Type"] = "text/event-stream"
            job.heartbeat = self._limits.heartbeat
        reply = _Reply(status=answer.status, reason=answer.reason, headers=fields)
        await self._begin(job, reply)
        return reply

    # --- ends

    async def _begin(self, job: Job, reply: web.StreamResponse) -> None:
        reply.headers.setdefault("Server", "argwright")
        job.status = reply.status
        job.begun = reply
        await reply.prepare(job.request)
        self._watch.metrics.first_byte(job.label, job.seconds)

    async def _finish(self, job: Job, reply: web.StreamResponse, data: bytes = b"") -> None:
        """The last bytes, and the end with them."""
        self._tell(job)
        try:
            await reply.write_eof(data)
        except ConnectionError:  # a client that has all of its reply may close before the last chunk
            if data:
                raise

    async def _refuse(self, job: Job, refusal: Refusal) -> web.StreamResponse:
        """Say that it cannot go on, in the way that is left."""
        self._note(job, refusal)
        reply = job.begun
        if reply is None:
            reply = refused(refusal, job.protocol or spoken(job.request), {ID_HEADER: job.id})
            job.status = reply.status
            self._tell(job)
            return reply
        last = _last_event(job, refusal)
        if last:
            await self._finish(job, reply, last)
        elif job.request.transport is not None:
            job.request.transport.close()  # without the end that the client waits for: it sees that the body is cut
        return reply

    def _note(self, job: Job, refusal: Refusal) -> None:
        job.code = refusal.code.value
        self._watch.metrics.refused(refusal.code)
        _log.info("request %s: %s: %s", job.id, refusal.code.value, refusal.message)


def _chosen(job: Job, fitting: routing.Fitting, model: str | None) -> UpstreamSettings:
    chosen = routing.choose(fitting.upstreams, model) if model is not None else fitting.unasked
    if chosen is None:
        told = f"for the path {job.path!r}" if model is None else f"for the model {model!r}"
        raise Refused(Code.NO_UPSTREAM, f"no upstream is configured {told}")
    job.upstream = chosen.name
    return chosen


def _fault(refusal: Refusal) -> Fault:
    """A refusal in a stream that is mended."""
    return Fault(refusal.code.value, f"argwright: {refusal.message}", {})


def _last_event(job: Job, refusal: Refusal) -> bytes:
    """What ends a stream that has begun; nothing, where the reply is no stream that is mended."""
    if job.exchange is None or job.protocol is None or job.begun is None:
        return b""
    if job.begun.content_type != "text/event-stream":
        return b""
    try:
        ended = job.exchange.end(broken=True, why=_fault(refusal))
    except Exception as error:  # noqa: BLE001  # what failed once fails again
        _log.error("request %s failed at its end", job.id, exc_info=error)
        return refusals.event(refusal, job.protocol)
    return refusals.event(refusal, job.protocol) if isinstance(ended, Again) else ended.data
