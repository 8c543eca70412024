"""Processes as their user starts them: they share a port, come back when they die, and end together."""

import http.client
import json
import os
import signal
import socket
from pathlib import Path

import pytest

from argwright.proxy.settings import GatewaySettings, JournalSettings, ServerSettings
from argwright.proxy.workers import run
from argwright.testing import ScriptedServer
from tests.proxy.process import started, until
from tests.proxy.test_gateway import chat

WAIT = 20
linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")


def get(root, path, body=None):
    connection = http.client.HTTPConnection(root.removeprefix("http://"), timeout=WAIT)
    try:
        connection.request("GET" if body is None else "POST", path, body, {"Connection": "close"})
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def children(pid):
    """The workers of a process: those of its children that serve."""
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(one) for one in pids if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()}


def number(root, line):
    status, text = get(root, "/metrics")
    assert status == 200
    return next((float(one.rpartition(" ")[2]) for one in text.split("\n") if one.startswith(f"{line} ")), 0.0)


WORKERS = 'argwright_workers{version="0.1.0"}'
CALLS = 'argwright_calls_total{tool="f",model="m",status="mended"}'


@pytest.fixture(scope="module")
def two():
    with (
        ScriptedServer([("f", "{'a': 1}")] * 40) as upstream,
        started("--upstream", upstream.url, "--workers", "2", "--journal", "off") as process,
    ):
        yield process


def test_whichever_is_asked_answers_for_all(two):
    for _ in range(12):
        status, body = get(two.root, "/v1/chat/completions", json.dumps(chat()))
        assert (status, json.loads(body)["choices"][0]["finish_reason"]) == (200, "tool_calls")
    assert {number(two.root, CALLS) for _ in range(6)} == {12.0}
    assert number(two.root, WORKERS) == 2.0


@linux
def test_a_worker_that_dies_is_started_again(two):
    before = children(two.running.pid)
    assert len(before) == 2
    counted = number(two.root, CALLS)
    os.kill(min(before), signal.SIGKILL)
    until(lambda: len(children(two.running.pid) - {min(before)}) == 2)
    until(lambda: number(two.root, WORKERS) == 2.0)
    assert number(two.root, CALLS) == counted


@linux
def test_workers_end_when_their_parent_is_gone():
    with started("--workers", "2", "--journal", "off") as process:
        workers = children(process.running.pid)
        process.kill()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_one(sent):
    with started("--journal", "off") as process:
        process.running.send_signal(sent)
        assert process.ended() == (0, "")


def test_a_terminal_signals_them_all():
    with started("--workers", "2", "--journal", "off", before=os.setsid) as process:
        os.killpg(process.running.pid, signal.SIGINT)
        assert process.ended() == (0, "")


def settings(port, workers):
    server = ServerSettings(port=port, workers=workers)
    return GatewaySettings(server=server, journal=JournalSettings(mode="off"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_port_that_somebody_else_has(workers):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(OSError, match="in use"):
            run(settings(other.getsockname()[1], workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_port_that_another_gateway_has(two, workers):
    with pytest.raises(OSError, match="in use"):
        run(settings(int(two.root.rpartition(":")[2]), workers))
