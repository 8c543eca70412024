"""A gateway with a journal full of faults, served on a real port."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from argwright.proxy.app import Parts
from argwright.proxy.journal import Journal
from argwright.proxy.repair import asked
from argwright.proxy.repaired import record_of
from argwright.proxy.serving import running
from argwright.proxy.settings import GatewaySettings, JournalSettings, ServerSettings
from tests.proxy.serving import Loop

SCRIPT = "<script>window.owned=1</script>"
IMAGE = "<img src=x onerror=window.owned=1>"
TOOLS = {
    "search": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
    f"show{IMAGE}": {"type": "object", "properties": {"text": {"type": "string"}}},
    "log_in": {"type": "object", "properties": {"password": {"type": "string", "format": "password"}}},
}
FAULTS = [
    ("search", "{'query': '上海 🍜', 'limit': 3,}"),
    ("search", '{"query": "مرحبا \u202eabc\u2028 שלום \u200b 👩‍👩‍👧", "limit": "5"}'),
    ("search", '{"query": ["a"], "limit": "many"}'),
    ("search", '{"query": "red sh'),
    ("search", '{"query": "\ud83d"}'),
    ("search", '{"query": "' + "long " * 3000 + '",}'),
    ("search", "{'query': '" + SCRIPT + IMAGE + "', '" + IMAGE + "': '</pre>" + SCRIPT + "',}"),
    (f"show{IMAGE}", "{'text': '" + SCRIPT + "',}"),
    ("log_in", "{'password': 'geheim geheim',}"),
    ("log_in", "{'password': 'x"),
    ("serach", '{"query": "a"}'),
]


def records(model="model-7"):
    """The faults as the gateway would record them, and some calls that are valid."""
    made = []
    for name, text in [*FAULTS, *[("search", '{"query": "a"}')] * 20]:
        question = asked({"name": name, "arguments": text, "tools": TOOLS, "model": f"{model}{SCRIPT}"})
        made.append(record_of(question, question.resolve(), now=time.time))
    return made


@pytest.fixture(scope="session")
def loop():
    with Loop() as made:
        yield made


@pytest.fixture(scope="module")
def serve(loop, tmp_path_factory):
    """Gateways by the mode of their journal; each is filled, and closed at the end."""
    made = []

    def _serve(mode="full", *, token=None, filled=True, path=None):
        file = path or tmp_path_factory.mktemp("journal") / "journal.db"
        journal = None if mode == "off" else Journal(JournalSettings(mode=mode, path=file))
        if journal is not None:
            for record in records() if filled else []:
                journal.put(record)
            assert path is not None or journal.flush(20)
        settings = GatewaySettings(server=replace(ServerSettings(port=0), token=token))
        served = loop.enter(running(settings, parts=Parts(journal=journal)))
        made.append(journal)
        return served.url

    yield _serve
    for journal in made:
        if journal is not None:
            journal.close()
