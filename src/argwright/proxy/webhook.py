"""Alerts posted as JSON to somebody's address: off the path of requests, so many times, from a bounded queue.

A webhook that is slow, gone or answers with an error costs a few attempts and a log line, nothing else. The address is
never told, since its secret is part of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Self

import aiohttp

from argwright.model import compact
from argwright.monitor.alerts import Alert

_log = logging.getLogger("argwright.gateway")

_WAITING = 100  # alerts that wait; a hundred unread ones say no more than one
_PAUSES = (1.0, 4.0, 16.0)  # seconds before the second, third and fourth attempt: a restart of the other side
_TIMEOUT = 5.0  # seconds of one attempt; a webhook only has to say that it has taken it


class Webhook:
    """Posts alerts while it is open.

    Args:
        address: where to.
        told: is called with `sent`, `failed` or `dropped` for every alert.
        pauses: seconds before each further attempt.
        timeout: seconds of one attempt.
    """

    def __init__(
        self,
        address: str,
        told: Callable[[str], None],
        *,
        pauses: Sequence[float] = _PAUSES,
        timeout: float = _TIMEOUT,
    ) -> None:
        self._address, self._told, self._pauses = address, told, (*pauses, None)
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._waiting: asyncio.Queue[Alert] = asyncio.Queue(_WAITING)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *_raised: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def offer(self, alert: Alert) -> None:
        """Post it when its turn comes; never waits, never raises."""
        try:
            self._waiting.put_nowait(alert)
        except asyncio.QueueFull:
            self._told("dropped")

    async def settled(self) -> None:
        """Wait until every alert so far has been posted or given up."""
        await self._waiting.join()

    async def _work(self) -> None:
        async with aiohttp.ClientSession(timeout=self._timeout, cookie_jar=aiohttp.DummyCookieJar()) as session:
            while True:
                alert = await self._waiting.get()
                self._told("sent" if await self._posted(session, alert) else "failed")
                self._waiting.task_done()

    async def _posted(self, session: aiohttp.ClientSession, alert: Alert) -> bool:
        data = compact({"text": said(alert), **alert.to_dict(), "first": alert.first.isoformat()}).encode()
        for pause in self._pauses:
            wrong = await self._attempt(session, data)
            if wrong is None:
                return True
            if pause is None:
                _log.warning("the alert webhook did not take an alert: %s", wrong)
            else:
                await asyncio.sleep(pause)
        return False

    async def _attempt(self, session: aiohttp.ClientSession, data: bytes) -> str | None:
        """What went wrong; `None`: nothing."""
        sent = session.post(
            self._address, data=data, headers={"Content-Type": "application/json"}, allow_redirects=False
        )
        try:
            async with sent as reply:
                return None if reply.status < HTTPStatus.MULTIPLE_CHOICES else f"status {reply.status}"
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            return type(error).__name__  # its text holds the address


def said(alert: Alert) -> str:
    """One line for people; chats show a member of the name `text`."""
    of = alert.tool or "tools that are not declared"
    return f"argwright: {alert.count} failures in a row, {alert.kind.value} of {of}: {alert.action}"
