import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from aiohttp import web

from argwright.model import ErrorKind
from argwright.monitor import Alert
from argwright.proxy.webhook import Webhook, said

WAIT = 20
ALERT = Alert(kind=ErrorKind.UNKNOWN_TOOL, tool=None, count=3, first=datetime(2026, 1, 2, tzinfo=UTC), action="look 看")


@asynccontextmanager
async def server(statuses):
    """Answers with these statuses in turn; a status of 0 never answers."""
    heard = []
    left = iter(statuses)

    async def handle(request):
        heard.append((request.path, request.content_type, await request.json()))
        status = next(left)
        if not status:
            await asyncio.Event().wait()
        return web.Response(status=status, headers={"Location": "/elsewhere"})

    app = web.Application()
    app.router.add_post("/{rest:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/secret", heard
    finally:
        await runner.cleanup()


def posted(statuses, alerts=1, **given):
    async def work():
        told = []
        async with (
            server(statuses) as (address, heard),
            Webhook(address, told.append, **{"pauses": (0, 0), **given}) as webhook,
        ):
            for _ in range(alerts):
                webhook.offer(ALERT)
            await webhook.settled()
        return told, heard

    return asyncio.run(asyncio.wait_for(work(), WAIT))


def test_what_is_posted():
    told, heard = posted([204])
    assert told == ["sent"]
    assert heard == [
        (
            "/secret",
            "application/json",
            {
                "text": "argwright: 3 failures in a row, unknown_tool of tools that are not declared: look 看",
                "kind": "unknown_tool", "tool": None, "count": 3, "first": "2026-01-02T00:00:00+00:00",
                "action": "look 看",
            },
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        ([500, 200], ["sent"]),
        ([500, 503, 200], ["sent"]),
        ([500, 500, 500], ["failed"]),
        ([302, 302, 302], ["failed"]),
        ([500, 500, 500, 200], ["failed", "sent"]),
    ],
)
def test_a_bounded_number_of_times(statuses, told, caplog):
    found, heard = posted(statuses, alerts=len(told))
    assert (found, len(heard)) == (told, len(statuses))
    assert "secret" not in caplog.text


def test_a_webhook_that_never_answers():
    told, heard = posted([0, 0, 0], timeout=0.05)
    assert (told, len(heard)) == (["failed"], 3)


def test_nobody_there(caplog):
    async def work():
        told = []
        async with Webhook("http://127.0.0.1:9/secret", told.append, pauses=()) as webhook:
            webhook.offer(ALERT)
            await webhook.settled()
        return told

    assert asyncio.run(asyncio.wait_for(work(), WAIT)) == ["failed"]
    assert "secret" not in caplog.text


def test_what_waits_is_bounded():
    async def work():
        told = []
        async with server([0]) as (address, _), Webhook(address, told.append, pauses=()) as webhook:
            for _ in range(150):
                webhook.offer(ALERT)
            return told

    assert asyncio.run(asyncio.wait_for(work(), WAIT)) == ["dropped"] * 50


def test_a_line_for_people():
    alert = Alert(kind=ErrorKind.JSON_ERROR, tool="f", count=5, first=ALERT.first, action="check the model")
    assert said(alert) == "argwright: 5 failures in a row, json_error of f: check the model"
