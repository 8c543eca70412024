"""What is known of one request while it is being answered, and how long it may still take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from argwright.proxy.exchange import Exchange
from argwright.proxy.heartbeat import BEATS, Heart
from argwright.proxy.record import ExchangeRecord
from argwright.proxy.refusals import Code, Refusal
from argwright.proxy.routing import Protocol

_NEVER = float("inf")


@dataclass(eq=False)
class Job:
    """One request; changes as it goes on.

    Args:
        request: the client's.
        protocol: in which its reply is mended; `None` for what passes through.
        path: as it arrived, percent-encoded.
        id: names it in headers, journal and logs.
        total: seconds that all of it may take; 0 is no limit.

    Attributes:
        patience: seconds in which something must move, at the moment.
        moved: how often something did.
        silent: what is done when nothing does; `None`: the job is given up.
        expired: why it was given up.
        code: of the gateway's own refusal, if there was one.
        span: OpenTelemetry's, if somebody wants one.
        heartbeat: seconds of silence, while something is held, after which its client hears a sign of life; 0: never.
        last: what was sent last of its stream.
    """

    request: web.BaseRequest
    protocol: Protocol | None
    path: str
    id: str
    total: float = 0.0
    at: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.perf_counter)
    upstream: str = ""
    status: int = 0  # that the client was answered
    begun: web.StreamResponse | None = None
    told: bool = False
    exchange: Exchange | None = None
    patience: float = _NEVER
    moved: int = 0
    silent: Callable[[], None] | None = None
    expired: Refusal | None = None
    code: str = ""
    span: Any = None
    heartbeat: float = 0.0
    last: bytes = b""
    _heart: Heart | None = None
    task: asyncio.Task[Any] | None = field(default_factory=asyncio.current_task)
    _seen: int = 0
    _since: float = 0.0

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.perf_counter() - self.clock

    @property
    def label(self) -> str:
        """The protocol as it is counted."""
        return self.protocol or "other"

    def wait(self, seconds: float, silent: Callable[[], None] | None = None) -> None:
        """From now on something must move in so many seconds; 0 is no limit."""
        self.patience = seconds or _NEVER
        self.silent = silent
        self.moved += 1

    def move(self) -> None:
        """Something moved."""
        self.moved += 1

    def rest(self) -> None:
        """Nothing is awaited that has a limit of its own."""
        self.patience = _NEVER

    def look(self, now: float) -> None:
        """See what time it is."""
        if self.heartbeat and self.last:
            self._heart = self._heart or self._begin_to_beat()
            self._heart.look(now, self.last, holds=self.exchange is not None and self.exchange.holds)
        if self.total and self.seconds >= self.total:
            self.give_up(Refusal(Code.OUT_OF_TIME, f"the exchange took longer than {self.total:g} s"))
        elif self.moved != self._seen:
            self._seen, self._since = self.moved, now
        elif now - self._since >= self.patience:
            self.rest()
            if self.silent is not None:
                self.silent()
            else:
                self.give_up(Refusal(Code.STALLED, f"upstream {self.upstream!r} says nothing any more"))

    def _begin_to_beat(self) -> Heart:
        chunked = self.begun is not None and "Transfer-Encoding" in self.begun.headers
        beat = b"" if self.protocol is None else BEATS[self.protocol]
        return Heart(self.heartbeat, beat, self.request.transport, chunked=chunked)

    def give_up(self, why: Refusal) -> None:
        """End it: its client is told why."""
        if self.expired is None and self.task is not None:
            self.expired = why
            self.task.cancel()

    def given_up(self) -> Refusal | None:
        """Why the job's task was cancelled; `None`: its client went away."""
        if self.expired is None or self.task is None or self.task.uncancel():
            return None
        return self.expired

    def record(self, exchange: Exchange) -> ExchangeRecord:
        """What is told of a request with tools."""
        return ExchangeRecord(
            request_id=self.id,
            at=self.at,
            protocol=self.label,
            upstream=self.upstream,
            model=exchange.model,
            status=self.status,
            streamed=exchange.streamed,
            attempts=exchange.attempts,
            stalled=exchange.stalled,
            left_out=exchange.left_out,
            seconds=self.seconds,
        )
