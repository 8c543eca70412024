import asyncio
import json

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

import argwright
from argwright.proxy.app import Parts, create_app
from argwright.proxy.journal import Journal
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, JournalSettings, MonitorSettings, ServerSettings, UpstreamSettings
from argwright.testing import ScriptedServer
from tests.proxy.test_gateway import chat
from tests.proxy.test_webhook import server

WAIT = 20
SETTINGS = GatewaySettings(server=ServerSettings(port=0))
BAD = ("f", '{"a": "x"}')


def gets(settings, *paths, parts=None):
    async def work():
        async with running(settings, parts=parts) as served, aiohttp.ClientSession(served.url) as client:
            found = []
            for path in paths:
                async with client.get(path) as reply:
                    found.append((reply.status, reply.content_type, await reply.text()))
            return found

    return asyncio.run(asyncio.wait_for(work(), WAIT))


def test_own_paths():
    health, ready, metrics, own_metrics, page, nothing = gets(
        SETTINGS,
        "/_argwright/health",
        "/_argwright/ready",
        "/metrics",
        "/_argwright/metrics",
        "/_argwright/",
        "/_argwright/x",
    )
    assert (health[0], json.loads(health[2])) == (200, {"status": "ok", "version": argwright.__version__})
    assert (ready[0], json.loads(ready[2])) == (200, {"status": "ready"})
    assert metrics == own_metrics
    assert metrics[:2] == (200, "text/plain")
    assert list(text_string_to_metric_families(metrics[2]))
    assert page[:2] == (200, "text/html")
    assert (nothing[0], json.loads(nothing[2])["error"]["code"]) == (404, "not_found")


def test_calls_reach_counters_journal_alerts_and_the_page(tmp_path):
    """A request with a faulty call, three times: everybody who is to know of it knows."""
    journal = Journal(JournalSettings(path=tmp_path / "journal.sqlite3"))

    async def work(upstream):
        settings = GatewaySettings(
            upstreams=(UpstreamSettings(url=upstream.url, name="scripted"),),
            server=ServerSettings(port=0),
            monitor=MonitorSettings(alert_after=3),
        )
        async with running(settings, journal=journal) as served, aiohttp.ClientSession(served.url) as client:
            for _ in range(3):
                async with client.post("/v1/chat/completions", json=chat()) as reply:
                    assert reply.status == 200
            async with client.get("/metrics") as reply:
                metrics = await reply.text()
            async with client.get("/_argwright/api/state") as reply:
                state = await reply.json()
            assert await asyncio.to_thread(journal.flush)
            async with client.get("/_argwright/api/calls?hours=1") as reply:
                return metrics, state, await reply.json()

    with ScriptedServer([BAD] * 3) as upstream:
        metrics, state, calls = asyncio.run(asyncio.wait_for(work(upstream), WAIT))
    journal.close()
    under = 'tool="f",model="m",status="refused",kind="schema_error",reason="type"'
    assert f"argwright_calls_total{{{under}}} 3\n" in metrics
    exchange = 'protocol="openai-chat",upstream="scripted",model="m",status="200"'
    assert f"argwright_exchanges_total{{{exchange}}} 3\n" in metrics
    assert 'argwright_alerts_total{tool="f",kind="schema_error"} 1\n' in metrics
    assert [(alert["tool"], alert["kind"], alert["count"]) for alert in state["alerts"]] == [("f", "schema_error", 3)]
    assert state["upstreams"] == ["scripted"]
    assert len(calls["calls"]) == 3


def test_a_record_that_the_journal_dropped_is_counted(tmp_path):
    journal = Journal(JournalSettings(path=tmp_path / "journal.sqlite3"))
    journal.close()
    journal.put(None)
    ((_, _, text),) = gets(SETTINGS, "/metrics", parts=Parts(journal=journal))
    assert "argwright_journal_dropped_total 1\n" in text


def test_telemetry_is_optional(monkeypatch):
    create_app(SETTINGS)
    wanted = GatewaySettings(monitor=MonitorSettings(telemetry=True))
    create_app(wanted)
    monkeypatch.setitem(__import__("sys").modules, "argwright.monitor.telemetry", None)
    create_app(SETTINGS)
    with pytest.raises(ImportError):
        create_app(wanted)


def test_an_alert_is_posted():
    posted = asyncio.Event()

    def statuses():
        posted.set()
        yield 204

    async def work(upstream, address):
        settings = GatewaySettings(
            upstreams=(UpstreamSettings(url=upstream.url),),
            server=ServerSettings(port=0),
            monitor=MonitorSettings(alert_after=1, alert_webhook=address),
        )
        async with (
            running(settings) as served,
            aiohttp.ClientSession(served.url) as client,
            client.post("/v1/chat/completions", json=chat()) as reply,
        ):
            assert reply.status == 200
            await posted.wait()

    async def both(upstream):
        async with server(statuses()) as (address, heard):
            await work(upstream, address)
            return [body["tool"] for _, _, body in heard]

    with ScriptedServer([BAD]) as upstream:
        assert asyncio.run(asyncio.wait_for(both(upstream), WAIT)) == ["f"]
