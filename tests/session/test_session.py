from __future__ import annotations

from typing import Any

import pytest

import argwright as aw
from argwright.session import Cause, allowed


@aw.tool
def look_up(word: str) -> str:
    """Look up."""
    return word


BOX = aw.Toolbox([look_up])


def resolved(*texts: str, name: str = "look_up") -> tuple[aw.ValidCall | aw.InvalidCall, ...]:
    return tuple(BOX.resolve(aw.ToolCall(f"c{number}", name, text)) for number, text in enumerate(texts))


def test_a_loop_of_ones_own():
    session = aw.Session()
    verdict = session.judge(resolved('{"word": "a"}', '{"word": 1}', "{word: 'b'}"))
    assert [outcome.arguments for outcome in verdict.run] == [{"word": "a"}, {"word": "b"}]
    ran = [BOX.run(outcome) for outcome in verdict.run]
    session.ran(verdict.run, ran)
    results = verdict.results(ran)
    assert [(result.tool_call_id, result.is_error) for result in results] == [
        ("c0", False),
        ("c1", True),
        ("c2", False),
    ]
    assert results[1].content["attempts_left"] == 2
    assert (verdict.stop, verdict.final, verdict.cut) == (None, None, False)


def test_everything_is_counted():
    session = aw.Session(model="m")
    session.judge(resolved('{"word": "a"}', '{"word": 1}', "{'word': 'b',}"))
    session.judge(resolved("{}", name="nobody"))
    assert {tuple(counter): count for counter, count in session.counters.items()} == {
        ("calls", "look_up", "valid", "", "", "m"): 2,
        ("calls", "look_up", "schema_error", "type", "", "m"): 1,
        ("calls", "", "unknown_tool", "unknown", "", "m"): 1,
        ("repairs", "look_up", "valid", "", "single-quotes", "m"): 1,
        ("repairs", "look_up", "valid", "", "trailing-comma", "m"): 1,
        ("retries", "look_up", "schema_error", "type", "", "m"): 1,
        ("retries", "", "unknown_tool", "unknown", "", "m"): 1,
    }


class Monitor:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def observe(self, outcome, *, model=None):
        self.seen.append(("observe", type(outcome).__name__, model))

    def retried(self, outcome, *, model=None, attempts_left=None):
        self.seen.append(("retried", outcome.reason, model, attempts_left))

    def noticed(self, what, *, tool=None, model=None):
        self.seen.append((str(what), tool, model))


def test_the_hooks_of_a_monitor():
    monitor = Monitor()
    session = aw.Session(monitor=monitor, model="m")
    for _ in range(2):
        verdict = session.judge(resolved('{"word": "a"}', "{}"))
        session.ran(verdict.run, [BOX.run(outcome) for outcome in verdict.run])
    assert monitor.seen == [
        ("observe", "ValidCall", "m"),
        ("observe", "InvalidCall", "m"),
        ("retried", "missing", "m", 2),
        ("observe", "ValidCall", "m"),
        ("observe", "InvalidCall", "m"),
        ("repeat", "look_up", "m"),
        ("retried", "missing", "m", 1),
    ]


class Broken:
    def observe(self, *_given, **_more):
        raise RuntimeError("canary")

    def executing(self, *_given, **_more):
        raise RuntimeError("canary")


class BrokenInside:
    def executing(self, *_given, **_more):
        return self

    def __enter__(self):
        return self

    def __call__(self, _result):
        raise RuntimeError("canary")

    def __exit__(self, *raised):
        raise RuntimeError("canary")


@pytest.mark.parametrize("monitor", [Broken(), BrokenInside(), object(), None])
def test_a_monitor_stops_nothing(monitor, caplog):
    said = iter([aw.Turn((aw.ToolCall("1", "look_up", '{"word": "a"}'),)), aw.Turn(text="a")])
    result = aw.run(lambda _messages, _tools: next(said), "?", tools=[look_up], monitor=monitor)
    assert (result.text, result.messages[2]["content"]) == ("a", "a")
    assert "canary" not in caplog.text
    assert ("the monitor's" in caplog.text) == isinstance(monitor, (Broken, BrokenInside))


WRONG = [("steps", 0), ("tokens", 0), ("schema_error", -1), ("grow_output", 0.5)]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_budget_out_of_range(field, value):
    with pytest.raises(aw.DeclarationError, match=f"budget: {field} is at least"):
        aw.Budget(**{field: value})


OWN = [
    (None, 7),
    (0, 0),
    (3, 3),
    (aw.Budget(schema_error=4), 4),
    ({"schema_error": 5}, 5),
    ({"json_error": 5}, 7),
]


@pytest.mark.parametrize(("own", "times"), OWN, ids=range(len(OWN)))
def test_a_tools_own_word(own, times):
    assert allowed(Cause.SCHEMA_ERROR, aw.Budget(schema_error=7), own) == times


@pytest.mark.parametrize("own", [-1, True, "2", {"nope": 1}, 1.5])
def test_what_is_no_budget(own):
    with pytest.raises(aw.DeclarationError, match="a tool's budget is a number, a Budget or a mapping of json_error"):
        allowed(Cause.JSON_ERROR, aw.Budget(), own)


def test_premature_answers_draw_on_a_count_of_their_own():
    assert allowed(Cause.PREMATURE, aw.Budget(final=5), None) == 5
