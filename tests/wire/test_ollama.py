"""Ollama's chat: whole, by lines, without ids, with an index that is always 0."""

from __future__ import annotations

import json
from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.ollama import OLLAMA
from tests.wire.reading import call, cut, fed, same_however_it_comes, turn

CALLED = ("stop", "tool_calls", False)


def asks(name: str, arguments: Any, *, id: str | None = None, index: int | None = None) -> dict[str, Any]:
    number = {} if index is None else {"index": index}
    return ({"id": id} if id else {}) | {"function": {"name": name, "arguments": arguments, **number}}


def line(content: str = "", *calls: dict[str, Any], end: str | None = None, **more: Any) -> dict[str, Any]:
    thinking = {"thinking": more.pop("thinking")} if "thinking" in more else {}
    message = {"role": "assistant", "content": content, **thinking} | ({"tool_calls": list(calls)} if calls else {})
    return {"model": "m", "message": message, "done": end is not None} | ({"done_reason": end} if end else {}) | more


STREAMS = [
    ("thinking, text, two calls with index 0", [
        line(thinking="考"), line(thinking="える"), line("Gut"), line(" 🍵\u2028", asks("brew", {"tea": "ほうじ"}, id="c1", index=0)),
        line("", asks("brew", {"tea": "mint"}, id="c2", index=0)), line(end="stop", eval_count=4, total_duration=9)],
     turn(call("c1", "brew", {"tea": "ほうじ"}), call("c2", "brew", {"tea": "mint"}, finish_reason="tool_calls"),
          end=CALLED, text="Gut 🍵\u2028", reasoning="考える", model="m", usage={"eval_count": 4, "total_duration": 9})),
    ("no ids, one name twice, equal arguments", [line("", asks("brew", {"tea": "a"}), asks("brew", {"tea": "a"})), line("", asks("brew", {})), line(end="stop")],
     turn(call(None, "brew", {"tea": "a"}), call(None, "brew", {"tea": "a"}), call(None, "brew", {}, finish_reason="tool_calls"), end=CALLED, model="m")),
    ("one id for two calls", [line("", asks("brew", {"tea": "a"}, id="call_0"), asks("stop", {}, id="call_0"), end="stop")],
     turn(call("call_0", "brew", {"tea": "a"}), call("call_0", "stop", {}, finish_reason="tool_calls"), end=CALLED, model="m")),
    ("arguments as text", [line("", asks("brew", '{"tea": "a"}'), end="stop")], turn(call(None, "brew", '{"tea": "a"}', finish_reason="tool_calls"), end=CALLED, model="m")),
    ("cut", [line("<tool_call>{"), line(end="length")], turn(end=("length", "length", True), text="<tool_call>{", model="m")),
    ("an old server says only that it is done", [line("hi"), {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True}],
     turn(end=("stop", "stop", False), text="hi", model="m")),
    ("the model was only loaded", [line(end="load")], turn(end=("load", "unknown", False), model="m")),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected):
    same_however_it_comes("ollama", events, expected)
    assert read("ollama", events) == expected


def test_a_broken_connection_cuts_the_last_call():
    events = [line("", asks("brew", {"tea": "a"}))]
    assert fed("ollama", events)[0] == turn(
        call(None, "brew", {"tea": "a"}, finish_reason="missing"), end=(None, "missing", True), model="m"
    )


def test_an_error_line_keeps_what_came():
    expected = turn(
        end=(None, "error", True), text="x", model="m", extra={"error": {"message": "error parsing tool call: raw='{'"}}
    )
    events = [line("x"), {"error": "error parsing tool call: raw='{'"}]
    assert fed("ollama", events) == (expected, ["error"])
    assert read("ollama", events) == expected


def test_a_stream_that_is_a_list_and_one_without_line_ends():
    events = [line("a"), line("", asks("brew", {"tea": "b"}), end="stop")]
    expected = turn(call(None, "brew", {"tea": "b"}, finish_reason="tool_calls"), end=CALLED, text="a", model="m")
    for data in (json.dumps(events).encode(), "".join(map(json.dumps, events)).encode()):
        assert [cut("ollama", data, seed) for seed in range(4)] == [expected] * 4


@pytest.mark.parametrize("junk", [{}, {"message": 3, "done": False}, {"message": {"tool_calls": {"function": 1}}}])
def test_junk_says_nothing(junk):
    assert read("ollama", junk).text == ""


def test_written_with_objects_and_ids_only_where_there_were_some():
    got = read(
        "ollama", line("Gut", asks("brew", '{"tea": "お茶"}', id="c1"), asks("stop", {}), end="stop", thinking="hm")
    )
    results = [ToolResult("c1", "brew", {"ok": True}), ToolResult(None, "stop", "heiß", is_error=True)]
    assert write("ollama", got, None, results) == [
        {"role": "assistant", "content": "Gut", "thinking": "hm", "tool_calls": [
            {"id": "c1", "function": {"name": "brew", "arguments": {"tea": "お茶"}}}, {"function": {"name": "stop", "arguments": {}}}]},
        {"role": "tool", "tool_name": "brew", "content": '{"ok":true}', "tool_call_id": "c1"},
        {"role": "tool", "tool_name": "stop", "content": "heiß"},
    ]  # fmt: skip
    assert write("ollama", turn()) == []


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    assert OLLAMA.declare(Declaration(name="stop", description="d", schema=schema)) == {
        "type": "function", "function": {"name": "stop", "description": "d", "parameters": schema},
    }  # fmt: skip
    assert detect(line("a")) == detect([line("a"), line(end="stop")]) == "ollama"
    assert detect({"role": "assistant", "content": "", "tool_calls": [asks("stop", {})]}) == "ollama"
    assert (
        detect(
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "a", "type": "function", "function": {"name": "stop", "arguments": "{}"}}],
            }
        )
        != "ollama"
    )
