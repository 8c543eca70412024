"""The gateway as a process: killed, ended, without room on its disk. What was acknowledged is there afterwards."""

from __future__ import annotations

import http.client
import json
import random
import resource
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing

import pytest

import argwright as aw
from argwright.scripted import FORMS
from tests.proxy.clients.reading import anthropic_client, openai_client
from tests.proxy.clients.test_python import act
from tests.proxy.faults.raw import connection, hear
from tests.proxy.faults.test_client import begun
from tests.proxy.faults.test_upstream import script, within_a_call
from tests.proxy.forms.checking import check
from tests.proxy.process import started, until
from tests.proxy.scripts import said
from tests.proxy.serving import WAIT, Act, Loop, Upstream

GOOD = script("openai-chat", "a good one and a mended one", streamed=False)
BAD = script("openai-chat", "a good one and a bad one", streamed=False)


@pytest.fixture
def loop():
    with Loop() as made:
        yield made


def kept(journal) -> Counter[str]:
    """The calls of a journal by status, as its user gets them."""
    command = [sys.executable, "-X", "utf8", "-m", "argwright", "journal", "export", str(journal)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=WAIT)
    return Counter(json.loads(line)["status"] for line in done.stdout.split("\n") if line)


def test_real_clients_through_a_process_with_two_workers(loop, tmp_path):
    scripts = {"chat/completions": GOOD, "messages": script("anthropic", "a good one and a mended one")}
    upstream = Upstream(loop, lambda asked: act(scripts[asked.path.removeprefix("/v1/")]))
    words = ("--upstream", f"{upstream.root}/v1", "--workers", "2", "--on-invalid", "error", "--journal-path", tmp_path / "j.db")  # fmt: skip
    with started(*words) as gateway, openai_client(gateway.url) as one, anthropic_client(gateway.root) as other:
        request = GOOD.request()
        for _ in range(10):
            made = one.chat.completions.create(**request)
            assert [json.loads(call.function.arguments) for call in made.choices[0].message.tool_calls] == [
                arguments for _, arguments in GOOD.right().valid
            ]
            asked = scripts["messages"].request()
            del asked["stream"]
            with other.messages.stream(**asked) as stream:
                said = stream.get_final_message()
            assert [block.input for block in said.content if block.type == "tool_use"] == [
                arguments for _, arguments in scripts["messages"].right().valid
            ]
        gateway.ask_to_end()
        assert gateway.ended() == (0, "")
    assert kept(tmp_path / "j.db") == {"valid": 20, "mended": 20}


def test_killed_and_started_again(loop, tmp_path):
    journal = tmp_path / "journal.db"
    upstream = Upstream(loop, lambda _asked: act(BAD))
    words = ("--upstream", f"{upstream.root}/v1", "--journal-path", journal, "--journal", "full")
    with started(*words) as gateway:
        for _ in range(30):
            assert hear(gateway.root, "openai-chat", BAD.request()).status == 200
        until(lambda: journal.exists() and kept(journal).total() == 60)  # it says that it has them
        for _ in range(30):
            assert hear(gateway.root, "openai-chat", BAD.request()).status == 200
        gateway.kill()
    with closing(sqlite3.connect(journal)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    after = kept(journal)
    assert after.total() >= 60
    assert after["valid"] == after["refused"]
    with started(*words) as gateway:
        assert kept(journal) == after
        assert hear(gateway.root, "openai-chat", BAD.request()).status == 200
        until(lambda: kept(journal).total() == after.total() + 2)


def test_killed_in_the_middle_of_a_stream_the_client_is_not_left_waiting(loop):
    good = script("openai-chat")
    upstream = Upstream(loop, [Act(pieces=[good.sent[: within_a_call(good)]], end="stall")])
    with started("--upstream", f"{upstream.root}/v1", "--journal", "off") as gateway:
        asking = begun(gateway.root, "openai-chat", good.request())
        answer = asking.getresponse()
        assert answer.read(1)
        gateway.kill()
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            answer.read()
        asking.close()
    assert upstream.gone.wait(WAIT)


def test_asked_to_end_it_finishes_what_is_open_and_takes_nothing_new(loop):
    good = script("openai-chat")
    go = threading.Event()
    upstream = Upstream(loop, [Act(pieces=[good.sent], waits=go)])
    with started("--upstream", f"{upstream.root}/v1", "--journal", "off") as gateway:
        asking = begun(gateway.root, "openai-chat", good.request())
        until(lambda: len(upstream.asked) == 1)
        gateway.ask_to_end()
        until(lambda: hear(gateway.root, "openai-chat", good.request()).status == 503 or len(upstream.asked) > 1)
        assert len(upstream.asked) == 1
        go.set()
        answer = asking.getresponse()
        assert (answer.status, answer.read()) == (200, good.sent)
        asking.close()
        assert gateway.ended() == (0, "")


@pytest.mark.parametrize(("form", "ended"), [*((form, "grace") for form in FORMS), ("openai-chat", "signal")])
def test_a_stream_that_is_open_at_the_end_is_told(loop, form, ended):
    good = script(form)
    upstream = Upstream(loop, [Act(pieces=[good.sent[: within_a_call(good)]], end="stall")])
    grace = "0.2" if ended == "grace" else "60"
    with started("--upstream", f"{upstream.root}/v1", "--journal", "off", "--grace", grace) as gateway:
        asking = begun(gateway.root, form, good.request())
        answer = asking.getresponse()
        head = answer.read1()
        gateway.ask_to_end()
        if ended == "signal":
            until(lambda: hear(gateway.root, form, good.request()).status == 503)
            gateway.ask_to_end()
        heard = check(form, head + answer.read())
        asking.close()
        assert (answer.status, heard.faults, heard.end, gateway.ended()) == (200, (), "error", (0, ""))


def test_a_request_that_waits_at_the_end_is_told_to_come_again(loop):
    good = script("openai-chat")
    go = threading.Event()
    upstream = Upstream(loop, [Act(end="stall", waits=go)])
    with started("--upstream", f"{upstream.root}/v1", "--journal", "off", "--grace", "0.2") as gateway:
        asking = begun(gateway.root, "openai-chat", good.request())
        until(lambda: len(upstream.asked) == 1)
        gateway.ask_to_end()
        answer = asking.getresponse()
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        assert json.loads(answer.read())["error"]["code"] == "draining"
        go.set()
        asking.close()
        assert gateway.ended() == (0, "")


def test_a_full_disk_stops_the_journal_and_not_the_traffic(loop, tmp_path):
    journal = tmp_path / "journal.db"
    call = aw.ToolCall(
        "c1", "write_file", json.dumps({"path": "a.md", "content": random.Random(7).randbytes(4_000).hex()})
    )
    turn = aw.Turn((call,), finish=aw.Finish(None, "tool_calls"))
    long = next(one for one in said("long", "openai-chat", GOOD.schemas, turn) if not one.streamed)
    upstream = Upstream(loop, lambda _asked: act(long))
    room, count = 300_000, 150  # bytes that any file of the process may have, and calls that need more

    def narrow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    words = ("--upstream", f"{upstream.root}/v1", "--journal-path", journal, "--journal", "full")
    with started(*words, before=narrow) as gateway:
        for _ in range(count):
            heard = hear(gateway.root, "openai-chat", long.request())
            assert (heard.status, heard.body) == (200, long.sent)
        asking = connection(gateway.root)
        asking.request("GET", "/_argwright/health")
        assert asking.getresponse().status == 200
        asking.close()
        gateway.ask_to_end()
        assert gateway.ended()[0] == 0
    with closing(sqlite3.connect(journal)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert 0 < kept(journal).total() < count
