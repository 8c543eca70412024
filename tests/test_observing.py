from __future__ import annotations

from contextlib import contextmanager
from typing import Any

import pytest

import argwright as aw
from argwright.observing import Counter, Hooks, counted, labels

TOOL = aw.Tool.from_schema("forecast", {"type": "object", "properties": {"city": {"type": "string"}}})
BOX = aw.Toolbox([TOOL])
VALID = BOX.resolve(aw.ToolCall("1", "forecast", "{'city': 'Ærø',}"))
INVALID = BOX.resolve(aw.ToolCall("1", "forecast", '{"city": 3}'))
UNKNOWN = BOX.resolve(aw.ToolCall("1", "天气", "{}"))
RESULT = aw.ToolResult("1", "forecast", "sun")

LABELS = [
    (VALID, {"tool": "forecast", "kind": "valid", "reason": "", "model": "m-1"}),
    (INVALID, {"tool": "forecast", "kind": "schema_error", "reason": "type", "model": "m-1"}),
    (UNKNOWN, {"tool": "", "kind": "unknown_tool", "reason": "unknown", "model": "m-1"}),
]


@pytest.mark.parametrize(("outcome", "said"), LABELS, ids=["valid", "invalid", "unknown"])
def test_labels(outcome, said):
    assert labels(outcome, "m-1") == said
    assert labels(outcome, None) == said | {"model": ""}


def test_a_call_counts_once_and_so_does_each_of_its_repairs():
    rules = [repair.rule for repair in VALID.repairs]
    assert rules
    assert list(counted(VALID, None)) == [
        Counter("calls", "forecast", "valid"),
        *(Counter("repairs", "forecast", "valid", rule=rule) for rule in rules),
    ]


class Partial:
    """A monitor with one hook."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def observe(self, outcome: Any, *, model: str | None = None) -> None:
        self.seen.append((outcome, model))


class Broken:
    """A monitor that fails wherever it can."""

    def __init__(self, where: str) -> None:
        self.where = where

    def observe(self, outcome: Any, *, model: str | None = None) -> None:
        raise RuntimeError("hunter2")

    @contextmanager
    def executing(self, outcome: Any, *, model: str | None = None):
        if self.where == "before":
            raise RuntimeError("hunter2")
        yield self.done
        if self.where == "after":
            raise RuntimeError("hunter2")

    def done(self, result: aw.ToolResult) -> None:
        if self.where == "done":
            raise RuntimeError("hunter2")


def test_hooks_that_are_missing_are_not_called():
    partial = Partial()
    for monitor in (partial, None, object()):
        hooks = Hooks(monitor, "m-1")
        hooks.call("observe", VALID)
        hooks.call("retried", INVALID, attempts_left=1)
        with hooks.executing(VALID) as done:
            done(RESULT)
    assert partial.seen == [(VALID, "m-1")]


@pytest.mark.parametrize("where", ["before", "done", "after"])
def test_hooks_that_fail_stop_nothing(where, caplog):
    hooks = Hooks(Broken(where), None)
    hooks.call("observe", VALID)
    ran = []
    with hooks.executing(VALID) as done:
        ran.append(1)
        done(RESULT)
    assert ran == [1]
    assert [record.getMessage() for record in caplog.records] == [
        "the monitor's observe raised RuntimeError",
        "the monitor's executing raised RuntimeError",
    ]


def test_what_a_tool_raises_is_not_taken_for_a_fault_of_the_monitor(caplog):
    with pytest.raises(KeyError), Hooks(Broken("nowhere"), None).executing(VALID):
        raise KeyError
    assert caplog.records == []
