from __future__ import annotations

import copy
import logging
import pickle
import sys
import threading
from datetime import UTC, datetime

import pytest

import argwright as aw
from argwright.testing import ScriptedModel
from tests.monitor.samples import BOX, CUT, MENDED, MISSING, NO_JSON, TYPE, UNKNOWN, VALID

WHEN = datetime(2026, 3, 1, tzinfo=UTC)


def calls(monitor: aw.Monitor, name: str = "calls") -> dict[tuple[str, str, str], int]:
    return {(one.tool, one.kind, one.reason): count for one, count in monitor.counters.items() if one.name == name}


def test_counters():
    monitor = aw.Monitor()
    for one in (VALID, VALID, MENDED, TYPE, UNKNOWN):
        monitor.observe(one, model="m-1")
    monitor.retried(TYPE, model="m-1", attempts_left=2)
    monitor.noticed(aw.Counted.REMINDED, tool="final_answer", model="m-1")
    repairs = {aw.Counter("repairs", "forecast", "valid", rule=one.rule, model="m-1"): 1 for one in MENDED.repairs}
    assert monitor.counters == repairs | {
        aw.Counter("calls", "forecast", "valid", model="m-1"): 3,
        aw.Counter("calls", "forecast", "schema_error", "type", model="m-1"): 1,
        aw.Counter("calls", "", "unknown_tool", "unknown", model="m-1"): 1,
        aw.Counter("retries", "forecast", "schema_error", "type", model="m-1"): 1,
        aw.Counter("reminded", "final_answer", model="m-1"): 1,
    }
    assert repr(monitor) == "Monitor(after=3, calls=5)"


def test_three_failures_in_a_row_are_told_once():
    told: list[aw.Alert] = []
    monitor = aw.Monitor(told.append, now=lambda: WHEN)
    for one in [TYPE] * 5:
        monitor.observe(one)
    [alert] = told
    assert (alert.kind, alert.tool, alert.count, alert.first) == ("schema_error", "forecast", 3, WHEN)
    assert "definition" in alert.action
    assert calls(monitor, "alerts") == {("forecast", "schema_error", ""): 1}
    assert monitor.streaks == {("forecast", "schema_error"): 5}


LOGGED = [
    (VALID, []),
    (MENDED, [("DEBUG", "forecast: mended by tool-name-alias")]),
    (TYPE, [("WARNING", "forecast: schema_error/type at /city: check the tool's definition")]),
    (NO_JSON, [("WARNING", "forecast: json_error/not_json at character 0: check the model and the server")]),
    (CUT, [("WARNING", "forecast: json_error/truncated at character")]),
    (UNKNOWN, [("INFO", "forecst: unknown_tool/unknown: check the configuration")]),
]


@pytest.mark.parametrize(("outcome", "lines"), LOGGED, ids=lambda row: str(row)[:60])
def test_log_lines(outcome, lines, caplog):
    caplog.set_level(logging.DEBUG, "argwright")
    aw.Monitor().observe(outcome, model="m-1")
    written = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert len(written) == len(lines)
    for (level, text), (wanted, begin) in zip(written, lines, strict=True):
        assert level == wanted
        assert text.startswith(begin.partition(" by ")[0])
    assert all(record.name == "argwright" and record.argwright["model"] == "m-1" for record in caplog.records)


def test_alerts_are_logged_an_unknown_tool_no_louder_than_a_warning(caplog):
    caplog.set_level(logging.WARNING, "argwright")
    monitor = aw.Monitor(after=1)
    monitor.observe(MISSING)
    monitor.observe(UNKNOWN)
    assert [(record.levelname, record.getMessage().partition(":")[0]) for record in caplog.records] == [
        ("WARNING", "forecast"),
        ("ERROR", "1 failures in a row, schema_error of forecast"),
        ("WARNING", "1 failures in a row, unknown_tool of tools that are not declared"),
    ]


def test_content_is_logged_for_who_asks(caplog):
    caplog.set_level(logging.DEBUG, "argwright")
    aw.Monitor(content=True).observe(TYPE)
    assert """arguments: '{"city": 3}'""" in caplog.text


def test_whoever_is_told_may_fail(caplog):
    def broken(alert: aw.Alert) -> None:
        raise RuntimeError("hunter2")

    monitor = aw.Monitor(broken, after=1)
    monitor.observe(TYPE)
    assert calls(monitor) == {("forecast", "schema_error", "type"): 1}
    assert "on_alert raised RuntimeError" in caplog.text
    assert "hunter2" not in caplog.text


def test_whoever_is_told_may_look():
    seen: list[int] = []
    monitor = aw.Monitor(lambda alert: seen.append(len(monitor.counters)), after=1)
    monitor.observe(TYPE)
    assert seen == [2]


def test_mistakes_are_said_at_once():
    async def later(alert: aw.Alert) -> None: ...

    with pytest.raises(aw.DeclarationError, match="at least 1 failure, not 0"):
        aw.Monitor(after=0)
    with pytest.raises(aw.DeclarationError, match="on_alert is async"):
        aw.Monitor(later)


def test_threads_lose_nothing():
    told: list[aw.Alert] = []
    monitor = aw.Monitor(told.append)
    rounds, workers = 300, 8

    def work() -> None:
        for _ in range(rounds):
            monitor.observe(TYPE)
            monitor.observe(UNKNOWN)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert set(calls(monitor).values()) == {rounds * workers}
    assert sorted(alert.kind for alert in told) == ["schema_error", "unknown_tool"]
    assert set(monitor.streaks.values()) == {rounds * workers}


def test_a_copy_counts_for_itself():
    monitor = aw.Monitor(print, 5)
    monitor.observe(TYPE)
    for other in (pickle.loads(pickle.dumps(monitor)), copy.deepcopy(monitor)):
        assert (other.counters, repr(other)) == ({}, "Monitor(after=5, calls=0)")
    box = pickle.loads(pickle.dumps(aw.Toolbox(BOX.tools, monitor=monitor)))
    box.resolve(aw.ToolCall("1", "tides", "{}"))
    assert (calls(box.monitor), calls(monitor)) == (
        {("tides", "valid", ""): 1},
        {("forecast", "schema_error", "type"): 1},
    )


def test_without_opentelemetry_everything_else_works(monkeypatch):
    monkeypatch.delitem(sys.modules, "argwright.monitor.telemetry", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monitor = aw.Monitor()
    monitor.observe(VALID)
    with monitor.executing(VALID) as done:
        done(aw.ToolResult("1", "forecast", "sun"))
    assert calls(monitor) == {("forecast", "valid", ""): 1}
    with pytest.raises(ImportError):
        aw.Monitor(tracer_provider=object())


# --- where it watches


@aw.tool
def tides(harbour: str) -> str:
    """Tides."""
    return f"high water at {harbour}"


def test_a_toolbox_counts_what_it_resolves():
    monitor = aw.Monitor()
    box = aw.Toolbox([tides], monitor=monitor)
    box.resolve(aw.ToolCall("1", "tides", '{"harbour": "Ærø"}'))
    box.resolve_turn(aw.Turn((aw.ToolCall("1", "tides", "{}"), aw.ToolCall("2", "nope", "{}")), model="m-1"))
    assert {(one.kind, one.model): count for one, count in monitor.counters.items()} == {
        ("valid", ""): 1,
        ("schema_error", "m-1"): 1,
        ("unknown_tool", "m-1"): 1,
    }


@pytest.mark.parametrize("shared", ["run", "toolbox", "both"])
def test_a_run_counts_each_call_once(shared):
    monitor = aw.Monitor()
    box = aw.Toolbox([tides], monitor=None if shared == "run" else monitor)
    script = [("tides", {}), ("tides", "{'harbour': 'Ærø'}"), "now"]
    with ScriptedModel(script) as model:
        aw.run(model, "?", model="m-1", tools=box, monitor=None if shared == "toolbox" else monitor)
    assert calls(monitor) == {("tides", "schema_error", "missing"): 1, ("tides", "valid", ""): 1}
    assert calls(monitor, "retries") == {("tides", "schema_error", "missing"): 1}


def test_runs_share_their_streaks():
    told: list[aw.Alert] = []
    monitor = aw.Monitor(told.append)
    for _ in range(3):
        with ScriptedModel([("tides", {}), "I do not know"]) as model:
            aw.run(model, "?", tools=[tides], monitor=monitor)
    assert [(alert.kind, alert.tool) for alert in told] == [("schema_error", "tides")]


def test_a_monitor_that_raises_stops_nothing(caplog):
    class Broken:
        def observe(self, outcome: aw.ValidCall, *, model: str | None = None) -> None:
            raise RuntimeError("hunter2")

    box = aw.Toolbox([tides], monitor=Broken())
    assert isinstance(box.resolve(aw.ToolCall("1", "tides", '{"harbour": "Ærø"}')), aw.ValidCall)
    assert "the monitor's observe raised RuntimeError" in caplog.text
    assert "hunter2" not in caplog.text
