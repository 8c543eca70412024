from __future__ import annotations

from types import SimpleNamespace

from argwright.cli import tally as module
from argwright.cli.tally import Group, Tally
from argwright.model import ErrorKind, InvalidCall, Repair, ToolCall, ValidCall
from argwright.policy import Certainty

TOOL = SimpleNamespace(name="search", sensitive=())


def repair(rule: str) -> Repair:
    return Repair(rule=rule, certainty=Certainty.EXACT)


def valid(*rules: str) -> ValidCall:
    return ValidCall(call=ToolCall("1", "search"), tool=TOOL, arguments={}, repairs=tuple(map(repair, rules)))


def invalid(name: str, kind: ErrorKind, reason: str, *rules: str) -> InvalidCall:
    return InvalidCall(call=ToolCall("1", name), kind=kind, reason=reason, repairs=tuple(map(repair, rules)))


def test_calls_are_counted_once_and_their_rules_below_them():
    tally = Tally(lines=6)
    tally.add(valid(), "m")
    tally.add(valid("fence", "fence", "bare-key"), "m")
    tally.add(valid("fence"), "m")
    tally.add(invalid("search", ErrorKind.JSON_ERROR, "truncated", "fence"), None)
    tally.add(invalid("删除", ErrorKind.UNKNOWN_TOOL, "unknown"), "m")
    tally.broken(6, "no JSON")
    assert list(tally.rows()) == [
        (Group("search", "", "json_error", "truncated", ""), 1),
        (Group("search", "", "json_error", "truncated", "fence"), 1),
        (Group("search", "m", "valid", "", ""), 1),
        (Group("search", "m", "mended", "", ""), 2),
        (Group("search", "m", "mended", "", "fence"), 2),
        (Group("search", "m", "mended", "", "bare-key"), 1),
        (Group("删除", "m", "unknown_tool", "unknown", ""), 1),
    ]
    assert tally.to_dict()["kinds"] == {
        "valid": 1,
        "mended": 2,
        "unknown_tool": 1,
        "json_error": 1,
        "schema_error": 0,
        "broken": 1,
    }
    assert tally.calls == 5
    assert tally.to_dict()["broken"] == [{"line": 6, "error": "no JSON"}]


def test_memory_is_bounded_whatever_names_the_log_holds(monkeypatch):
    monkeypatch.setattr(module, "MAX_GROUPS", 3)
    monkeypatch.setattr(module, "MAX_NAMED", 2)
    tally = Tally()
    for number in range(10):
        tally.add(invalid(f"tool_{number}", ErrorKind.UNKNOWN_TOOL, "unknown"), None)
        tally.broken(number, "no JSON")
    assert len(tally.groups) == 4
    assert tally.groups[Group("(other)", "(other)", "unknown_tool", "unknown", "")] == 7
    assert tally.named == [(0, "no JSON"), (1, "no JSON")]
    assert tally.kinds["broken"] == 10
