"""Gemini's Interactions: steps, whole and streamed; signatures of thoughts; results with their flag."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.gemini_interactions import GEMINI_INTERACTIONS
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("requires_action", "tool_calls", False)


def said(*texts: str) -> dict[str, Any]:
    return {"type": "model_output", "content": [{"type": "text", "text": one} for one in texts]}


def asks(id: str, name: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": id,
        "name": name,
        **({} if arguments is None else {"arguments": arguments}),
        **more,
    }


THOUGHT = {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "nachdenken"}]}

WHOLE = [
    ("text and calls", {"id": "v1", "status": "requires_action", "model": "gemini-y", "usage": {"total_tokens": 3},
                        "steps": [said("Gerne", "!"), asks("f1", "mix_paint", {"红": 2}), asks("f2", "rinse", {})]},
     turn(call("f1", "mix_paint", {"红": 2}), call("f2", "rinse", {}, finish_reason="tool_calls"),
          end=CALLED, text="Gerne!", model="gemini-y", usage={"total_tokens": 3})),
    ("a signed thought", {"status": "completed", "steps": [THOUGHT, said("ok")]},
     turn(end=("completed", "stop", False), text="ok", reasoning="nachdenken", extra={"steps": [THOUGHT, said("ok")]})),
    ("a thought that is only text", {"status": "completed", "steps": [{"type": "thought", "summary": [{"type": "text", "text": "hm"}]}, said("ok")]},
     turn(end=("completed", "stop", False), text="ok", reasoning="hm")),
    ("a server's own tool", {"status": "completed", "steps": [{"type": "google_search_call", "id": "s", "arguments": {"queries": ["x"]}}, said("y")]},
     turn(end=("completed", "stop", False), text="y", extra={"steps": [{"type": "google_search_call", "id": "s", "arguments": {"queries": ["x"]}}, said("y")]})),
    ("a call that is answered already", {"status": "requires_action", "steps": [
        {"type": "user_input", "content": "x"}, asks("f1", "rinse", {}), {"type": "function_result", "call_id": "f1", "result": "done"}, asks("f2", "rinse", {})]},
     turn(call("f2", "rinse", {}, finish_reason="tool_calls"), end=CALLED)),
    ("cut", {"status": "incomplete", "steps": [asks("f1", "rinse", {"a": 1})]},
     turn(call("f1", "rinse", {"a": 1}, finish_reason="length"), end=("incomplete", "length", True))),
    ("over the budget", {"status": "budget_exceeded", "steps": [said("a")]}, turn(end=("budget_exceeded", "length", True), text="a")),
    ("still going", {"status": "in_progress", "steps": [asks("f1", "rinse", {"a": 1})]},
     turn(call("f1", "rinse", {"a": 1}, finish_reason="missing"), end=("in_progress", "missing", True))),
    ("failed", {"status": "failed", "errors": [{"code": "x", "message": "no"}], "steps": []},
     turn(end=("failed", "error", True), extra={"error": {"code": "x", "message": "no"}})),
    ("arguments as text", {"status": "requires_action", "steps": [asks("f1", "rinse", '{"a":1}')]},
     turn(call("f1", "rinse", '{"a":1}', finish_reason="tool_calls"), end=CALLED)),
    ("a list of steps", [said("a"), asks("f1", "rinse", {"a": 1}, signature="Zg==")],
     turn(call("f1", "rinse", {"a": 1}, extra={"step": {"signature": "Zg=="}}), text="a")),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(body, expected):
    assert read("gemini-interactions", body) == expected


def event(kind: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return kind, {"event_type": kind, **more}


def start(index: int, **step: Any) -> Any:
    return event("step.start", index=index, step=step)


def delta(index: int, kind: str, **more: Any) -> Any:
    return event("step.delta", index=index, delta={"type": kind, **more})


def stop(index: int) -> Any:
    return event("step.stop", index=index)


def ends(status: str, **more: Any) -> Any:
    return event("interaction.completed", interaction={"id": "v1", "status": status, **more})


BEGIN = event("interaction.created", interaction={"id": "v1", "status": "in_progress", "model": "gemini-y"})
STREAMS = [
    ("calls in pieces, interleaved", [
        BEGIN, start(0, type="model_output"), delta(0, "text", text="Ger"), delta(0, "text", text="ne \u2028🎨"), stop(0),
        start(1, type="function_call", id="f1", name="mix_paint", arguments={}), start(2, type="function_call", id="f2", name="rinse"),
        delta(2, "arguments_delta", arguments='{"w": "'), delta(1, "arguments_delta", arguments='{"红": 2}'), delta(2, "arguments_delta", arguments='warm"}'),
        stop(2), stop(1), ends("requires_action", usage={"total_tokens": 5})],
     turn(call("f1", "mix_paint", '{"红": 2}'), call("f2", "rinse", '{"w": "warm"}', finish_reason="tool_calls"),
          end=CALLED, text="Gerne \u2028🎨", model="gemini-y", usage={"total_tokens": 5}), ()),
    ("no arguments: the placeholder holds", [start(0, type="function_call", id="f1", name="rinse", arguments={}), stop(0), ends("requires_action")],
     turn(call("f1", "rinse", {}, finish_reason="tool_calls"), end=CALLED), ()),
    ("a signed thought", [
        start(0, type="thought"), delta(0, "thought_summary", content={"type": "text", "text": "nach"}), delta(0, "thought_summary", content={"type": "text", "text": "denken"}),
        delta(0, "thought_signature", signature="c2ln"), stop(0), start(1, type="model_output"), delta(1, "text", text="ok"), stop(1), ends("completed")],
     turn(end=("completed", "stop", False), text="ok", reasoning="nachdenken", extra={"steps": [THOUGHT, said("ok")]}), ()),
    ("a server's own tool", [
        start(0, type="code_execution_call", id="c"), delta(0, "code_execution_call", arguments={"code": "1"}), stop(0),
        start(1, type="function_call", id="f1", name="rinse"), delta(1, "arguments_delta", arguments="{}"), stop(1), ends("requires_action")],
     turn(call("f1", "rinse", "{}", finish_reason="tool_calls"), end=CALLED,
          extra={"steps": [{"type": "code_execution_call", "id": "c", "arguments": {"code": "1"}}, {"type": "function_call"}]}), ()),
    ("cut", [start(0, type="function_call", id="f1", name="rinse"), delta(0, "arguments_delta", arguments='{"a": "x'), stop(0), ends("incomplete")],
     turn(call("f1", "rinse", '{"a": "x', finish_reason="length"), end=("incomplete", "length", True)), ()),
    ("the connection breaks", [start(0, type="function_call", id="f1", name="rinse"), delta(0, "arguments_delta", arguments='{"a": 1}')],
     turn(call("f1", "rinse", '{"a": 1}', finish_reason="missing"), end=(None, "missing", True)), ()),
    ("the status comes first, the end repeats the steps", [
        start(0, type="function_call", id="f1", name="rinse"), delta(0, "arguments_delta", arguments='{"a": 1}'), stop(0),
        event("interaction.status_update", interaction_id="v1", status="in_progress"),
        ends("requires_action", steps=[asks("f1", "rinse", {"a": 1})])],
     turn(call("f1", "rinse", {"a": 1}, finish_reason="tool_calls"), end=CALLED), ()),
    ("an error", [start(0, type="model_output"), delta(0, "text", text="a"), event("error", error={"code": "x", "message": "no"})],
     turn(end=(None, "error", True), text="a", extra={"error": {"code": "x", "message": "no"}}), ("error",)),
    ("an event of another protocol", [event("message_start"), ends("completed")], turn(end=("completed", "stop", False)), ("unknown_event",)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("gemini-interactions", events, expected, odd=odd)


def test_a_whole_body_where_a_stream_was_expected():
    got, odd = fed(
        "gemini-interactions", [{"status": "requires_action", "steps": [said("a"), asks("f1", "rinse", {"a": 1})]}]
    )
    assert (got, odd) == (turn(call("f1", "rinse", {"a": 1}, finish_reason="tool_calls"), end=CALLED, text="a"), [])


def test_steps_go_back_in_their_order_and_results_follow():
    steps = [THOUGHT, asks("f1", "mix_paint", {"红": 2}), said("und"), asks("f2", "rinse", {}, signature="Zg==")]
    got = read("gemini-interactions", {"status": "requires_action", "steps": steps})
    results = [ToolResult("f1", "mix_paint", {"ok": True}), ToolResult("f2", "rinse", ["x", 1], is_error=True)]
    assert write("gemini-interactions", got, None, results) == [
        *steps,
        {"type": "function_result", "call_id": "f1", "name": "mix_paint", "result": {"ok": True}, "is_error": False},
        {"type": "function_result", "call_id": "f2", "name": "rinse", "result": '["x",1]', "is_error": True},
    ]


def test_declared_and_detected():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert GEMINI_INTERACTIONS.declare(Declaration(name="rinse", description="d", schema=schema)) == {
        "type": "function", "name": "rinse", "description": "d", "parameters": schema,
    }  # fmt: skip
    assert detect(BEGIN[1]) == detect(start(0)[1]) == "gemini-interactions"
    assert detect({"status": "completed", "steps": [said("a")]}) == "gemini-interactions"
    assert detect([asks("f1", "rinse", {})]) == "gemini-interactions"
