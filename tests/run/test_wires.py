"""What a run must show, through the official clients on real sockets: whatever the API, whole or streamed."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

import argwright as aw
from tests.run.wires import LENGTH, WIRES, called, cut, play, turn


class Report(BaseModel):
    reply: str
    confidence: float


FINAL = aw.FinalTool(Report, name="format_response", on_text=aw.Fallback(field="reply", fixed={"confidence": 0.3}))
GOOD = '{"reply": "zwölf 上海", "confidence": 0.9}'


def tools() -> tuple[aw.Toolbox, list[Any]]:
    """A toolbox, and what its tools were called with."""
    ran: list[Any] = []

    @aw.tool
    def count_gulls(harbour: str, days: int = 1) -> dict[str, int]:
        """Count."""
        ran.append((harbour, days))
        return {harbour: 12 * days}

    return aw.Toolbox([count_gulls]), ran


def count(number: int, arguments: Any = '{"harbour": "Ærø"}') -> aw.ToolCall:
    return called(number, arguments, "count_gulls")


def submit(number: int, arguments: Any = GOOD) -> aw.ToolCall:
    return called(number, arguments, "format_response")


every = pytest.mark.parametrize("wire", WIRES, ids=str)
each_form = pytest.mark.parametrize("wire", WIRES[::5], ids=str)  # of each API one way, each way once


@every
def test_a_fenced_call_with_a_trailing_comma_is_mended_and_runs(wire):
    box, ran = tools()
    script = [turn(count(1, '```json\n{"harbour": "Ærø", "days": 2,}\n```')), turn(text="24")]
    done = play(wire, script, tools=box)
    assert (ran, done.result.text, done.result.stop, done.result.steps) == ([("Ærø", 2)], "24", "text", 2)
    assert [repair.rule for repair in done.result.outcomes[0].repairs] == ["fence", "trailing-comma"]
    assert "```" not in done.told()


@every
def test_an_unknown_tool_is_answered_and_the_loop_goes_on(wire):
    box, ran = tools()
    done = play(wire, [turn(called(1, "{}", "count_whales")), turn(count(2)), turn(text="12")], tools=box)
    assert "Unknown function: count_whales" in done.told(1)
    assert (ran, done.result.stop) == ([("Ærø", 1)], "text")


@every
def test_a_final_answer_without_a_required_field_is_answered_with_the_pointer(wire):
    box, _ = tools()
    script = [turn(count(1)), turn(submit(2, '{"reply": "12"}')), turn(submit(3))]
    done = play(wire, script, tools=box, final=FINAL)
    assert "/confidence" in done.told(2)
    assert done.result.output == Report(reply="zwölf 上海", confidence=0.9)
    assert (done.result.stop, len(done.requests)) == ("final", 3)
    assert [(one.submission, one.pointer, one.what) for one in done.result.deviations] == [
        (0, "/confidence", "required")
    ]


@every
def test_plain_text_twice_becomes_the_fallback(wire):
    box, _ = tools()
    done = play(wire, [turn(text="zwölf"), turn(text="zwölf Möwen")], tools=box, final=FINAL)
    assert done.result.output == Report(reply="zwölf Möwen", confidence=0.3)
    assert (done.result.stop, len(done.requests)) == ("text", 2)
    assert "call the function format_response now" in done.told(1)


@every
def test_a_model_that_never_learns_makes_exactly_four_requests(wire):
    box, ran = tools()
    script = [turn(count(number, '{"harbour": 3}')) for number in range(9)]
    done = play(wire, script, tools=box, budget=aw.Budget(schema_error=2))
    assert (done.result.stop, len(done.requests), done.result.steps, ran) == ("budget", 4, 4, [])
    assert '"attempts_left":2' in done.told(1)
    assert "do not call count_gulls again" in done.told(3)


@every
def test_a_call_cut_by_the_provider_is_never_executed(wire):
    box, ran = tools()
    limits = {"openai-chat": "max_tokens", "openai-responses": "max_output_tokens", "anthropic": "max_tokens"}
    limit = limits[wire.form]
    script = [cut(wire.form, count(1)), turn(count(2, '{"harbour": "A"}')), turn(text="12")]
    done = play(wire, script, tools=box, request={limit: 50})
    assert ran == [("A", 1)]
    assert [request.body[limit] for request in done.requests] == [50, 100, 100]
    assert "cut off" in done.told(1)
    assert done.result.outcomes[0].reason == "truncated"


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.form == "anthropic" and not wire.stream], ids=str)
def test_a_limit_that_nobody_set_grows_too_and_further_than_a_whole_reply_may_be(wire):
    box, ran = tools()
    script = [cut(wire.form, count(1)), cut(wire.form, count(1)), turn(text="12")]
    budget = aw.Budget(truncated=2, grow_output=4)
    done = play(wire, script, tools=box, budget=budget, on_event=ran.append)
    assert [request.body["max_tokens"] for request in done.requests] == [4096, 16384, 65536]
    assert [request.body.get("stream") for request in done.requests] == [None, None, True]
    assert (done.result.text, ran) == ("12", [])


@every
def test_of_two_parallel_calls_the_good_one_runs_and_order_is_kept(wire):
    box, ran = tools()
    script = [turn(count(1, '{"harbour": 3}'), count(2)), turn(text="12")]
    done = play(wire, script, tools=box)
    assert ran == [("Ærø", 1)]
    told = done.told(1)
    assert told.index("Invalid call of count_gulls") < told.index('{"Ærø":12}')


@every
def test_the_final_tool_and_real_tools_share_one_flow_of_requests(wire):
    box, ran = tools()
    final = aw.FinalTool(Report, name="format_response", requires=("count_gulls",))
    script = [turn(submit(1)), turn(count(2)), turn(submit(3))]
    done = play(wire, script, tools=box, final=final)
    assert (done.result.stop, len(done.requests), ran) == ("final", 3, [("Ærø", 1)])
    assert "call count_gulls first" in done.told(1)
    names = [str(request.body["tools"]) for request in done.requests]
    assert all("format_response" in declared and "count_gulls" in declared for declared in names)


@each_form
def test_the_system_message_names_the_final_tool_and_keeps_the_users_text(wire):
    box, _ = tools()
    messages = [{"role": "system", "content": "Du bist höflich. 🙂"}, {"role": "user", "content": "?"}]
    done = play(wire, [turn(submit(1))], messages, tools=box, final=FINAL)
    body = done.requests[0].body
    prompt = body["system"] if wire.form == "anthropic" else done.sent[0][0]["content"]
    assert prompt == f"Du bist höflich. 🙂\n\n{FINAL.system}"
    assert "format_response" in FINAL.system


@each_form
def test_without_a_system_message_one_is_made(wire):
    box, _ = tools()
    body = play(wire, [turn(submit(1))], "?", tools=box, final=FINAL).requests[0].body
    made = {
        "openai-chat": lambda: body["messages"][0]["content"],
        "openai-responses": lambda: body["instructions"],
        "anthropic": lambda: body["system"],
    }
    assert made[wire.form]() == FINAL.system


@each_form
def test_the_last_step_forces_the_final_tool(wire):
    box, _ = tools()
    done = play(wire, [turn(count(1)), turn(submit(2))], tools=box, final=FINAL, budget=aw.Budget(steps=2))
    first, last = (request.body.get("tool_choice") for request in done.requests)
    assert first is None
    assert "format_response" in str(last)
    assert done.result.stop == "final"


@each_form
def test_steps_end_a_run(wire):
    box, ran = tools()
    script = [turn(count(number, f'{{"harbour": "{number}"}}')) for number in range(5)]
    done = play(wire, script, tools=box, budget=aw.Budget(steps=2))
    assert (done.result.stop, len(done.requests), len(ran), done.result.output) == ("steps", 2, 2, None)


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.stream], ids=str)
def test_events_arrive_as_the_model_writes(wire):
    box, _ = tools()
    events: list[Any] = []
    play(wire, [turn(count(1)), turn(text="zwölf Möwen")], tools=box, on_event=events.append)
    names = [type(event).__name__ for event in events]
    assert names.index("CallStarted") < names.index("CallProgress") < names.index("CallCompleted")
    assert "".join(event.text for event in events if isinstance(event, aw.TextDelta)) == "zwölf Möwen"


def test_every_word_for_a_cut_is_one():
    assert LENGTH.keys() == {wire.form for wire in WIRES}
