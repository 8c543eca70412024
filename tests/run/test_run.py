"""What both drivers do apart from any provider: callables as clients, what is refused at the start, the end from outside."""

from __future__ import annotations

import asyncio
import threading
from typing import Annotated, Any

import anthropic
import httpx
import openai
import pytest
from anthropic.types import TextBlock, ToolUseBlock
from pydantic import BaseModel

import argwright as aw
from argwright.scripted import Raw, ScriptedServer, body, events
from tests.run.wires import OPTIONS, WIRES, called, play, turn


class Report(BaseModel):
    reply: str


@aw.tool
def look_up(word: str) -> str:
    """Look up."""
    return word[::-1]


ASK = turn(called(1, '{"word": "möwe"}', "look_up"))
SAY = turn(text="ewöm")


def scripted(*replies: Any) -> Any:
    """A callable that gives these replies."""
    said = iter(replies)
    return lambda _messages, _tools: next(said)


def chat_events(said: aw.Turn) -> list[Any]:
    return [data for _, data in events("openai-chat", said)]


REPLIES = {
    "turns": (ASK, SAY),
    "bodies": (body("openai-chat", ASK), body("openai-chat", SAY)),
    "text": ('<tool_call>{"name": "look_up", "arguments": {"word": "möwe"}}</tool_call>', "ewöm"),
    "events": (iter(chat_events(ASK)), iter(chat_events(SAY))),
}


@pytest.mark.parametrize("kind", [kind for kind in REPLIES if kind != "events"])
def test_a_callable_answers_as_it_likes(kind):
    for run in (aw.run, lambda *given, **more: asyncio.run(aw.arun(*given, **more))):
        result = run(scripted(*REPLIES[kind]), "?", tools=[look_up])
        assert (result.text, result.stop, result.steps) == ("ewöm", "text", 2)
        assert result.messages[2]["content"] == "ewöm"


@pytest.mark.parametrize("is_async", [False, True])
def test_a_callable_may_stream(is_async):
    seen: list[Any] = []

    async def later(said):
        for data in chat_events(said):
            yield data

    if is_async:
        given = scripted(later(ASK), iter(chat_events(SAY)))
        result = asyncio.run(aw.arun(given, "?", tools=[look_up], stream=True, on_event=seen.append))
    else:
        given = scripted(iter(chat_events(ASK)), iter(chat_events(SAY)))
        result = aw.run(given, "?", tools=[look_up], stream=True, on_event=seen.append)
    assert result.text == "ewöm"
    assert [event.text for event in seen if isinstance(event, aw.TextDelta)] == ["ewöm"]


def test_events_may_be_waited_for():
    seen: list[Any] = []

    async def on_event(event: Any) -> None:
        await asyncio.sleep(0)
        seen.append(event)

    asyncio.run(aw.arun(scripted(iter(chat_events(SAY))), "?", stream=True, on_event=on_event))
    assert seen


def test_a_callable_that_takes_more_gets_the_request():
    asked: list[Any] = []

    async def client(_messages, _tools, **more):
        asked.append(more)
        return SAY

    final = aw.FinalTool(Report, on_text=aw.Fallback(field="reply", reminders=0))
    request = {"temperature": 0}
    asyncio.run(aw.arun(client, "?", model="m", final=final, request=request, budget=aw.Budget(steps=1)))
    forced = {"type": "function", "function": {"name": "final_answer"}}
    assert asked == [{"model": "m", "temperature": 0, "tool_choice": forced}]


def test_other_formats_through_a_callable():
    result = aw.run(scripted(body("anthropic", ASK), body("anthropic", SAY)), "?", tools=[look_up], format="anthropic")
    assert result.messages[1]["content"][0]["type"] == "tool_use"


def test_a_limit_of_tokens_asks_streams_for_their_usage():
    asked: list[Any] = []

    def client(_messages, _tools, **more):
        asked.append(more)
        return iter(chat_events(SAY))

    aw.run(client, "?", stream=True)
    aw.run(client, "?", stream=True, budget=aw.Budget(tokens=10))
    assert asked == [{"stream": True}, {"stream": True, "stream_options": {"include_usage": True}}]


# --- what is refused at the start


@aw.tool
def injected(user: Annotated[str, aw.Injected]) -> str:
    return user


WRONG = {
    "no client": ((object(), "?"), {}, "object is no client that is known here"),
    "another format": ((object(), "?"), {"format": "anthropic"}, "no client that speaks anthropic"),
    "no such format": ((scripted(), "?"), {"format": "nope"}, "no wire format 'nope'"),
    "no such service": ((scripted(), "?"), {"service": "nope"}, "no service 'nope'"),
    "no function": ((scripted(), "?"), {"tools": [aw.Tool.from_schema("t", {})]}, "'t' has no function to run"),
    "nothing to inject": ((scripted(), "?"), {"tools": [injected]}, "no value is given for its injected parameter"),
    "two of a name": (
        (scripted(), "?"),
        {"tools": [look_up], "final": aw.FinalTool(Report, name="look_up")},
        "two tools answer to the name 'look_up'",
    ),
    "required is no tool": (
        (scripted(), "?"),
        {"final": aw.FinalTool(Report, requires=["look_up"])},
        "it requires 'look_up', which is no tool here",
    ),
    "requires itself": (
        (scripted(), "?"),
        {"final": aw.FinalTool(Report, requires=["final_answer"])},
        "it requires 'final_answer'",
    ),
    "a strange budget": (
        (scripted(turn(called(1, "{}", "look_up"))), "?"),
        {"tools": [look_up.replace(budget="two")]},
        "a tool's budget is a number",
    ),
    "no model": ((openai.OpenAI(base_url="http://localhost", **OPTIONS), "?"), {}, "the model's name is missing"),
    "no such option": ((scripted(), "?"), {"temprature": 1}, "run takes no temprature"),
}


@pytest.mark.parametrize(("given", "more", "said"), WRONG.values(), ids=WRONG.keys())
def test_mistakes_are_said_at_the_start(given, more, said):
    with pytest.raises((aw.ArgwrightError, LookupError, TypeError), match=said):
        aw.run(*given, **more)
    with pytest.raises((aw.ArgwrightError, LookupError, TypeError), match=said):
        asyncio.run(aw.arun(*given, **more))


def test_an_async_client_wants_to_be_awaited():
    async def client(_messages, _tools):
        return SAY

    with pytest.raises(aw.ArgwrightError, match=r"await aw\.arun"):
        aw.run(client, "?")


def test_a_sync_client_is_awaited_in_a_thread():
    where: list[str] = []

    def client(_messages, _tools):
        where.append(threading.current_thread().name)
        return SAY

    assert asyncio.run(aw.arun(client, "?")).text == "ewöm"
    assert where != [threading.main_thread().name]
    with ScriptedServer([ASK, SAY]) as server, openai.OpenAI(base_url=server.url, **OPTIONS) as real:
        result = asyncio.run(aw.arun(real, "?", model="m", tools=[look_up], stream=True))
    assert result.text == "ewöm"


def test_what_a_client_raises_is_raised_as_it_is():
    with pytest.raises(openai.InternalServerError, match="busy"):
        play(WIRES[0], [Raw({"error": {"message": "busy"}}, 503)])
    error = ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})
    anthropic_stream = next(wire for wire in WIRES if wire.form == "anthropic" and wire.stream)
    with pytest.raises(anthropic.APIStatusError, match="busy"):
        play(anthropic_stream, [Raw([*[*events("anthropic", ASK)][:4], error])])


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.stream], ids=str)
def test_a_stream_that_breaks_off_is_a_reply_that_was_cut(wire):
    broken = aw.Turn((called(1, '{"word": "möwe"', "look_up"),), finish=aw.Finish(None, "missing"))
    done = play(wire, [broken, ASK, SAY], tools=[look_up])
    assert (done.result.text, [outcome.call.id for outcome in done.result.outcomes]) == ("ewöm", ["call_1"] * 2)
    assert done.result.outcomes[0].reason == "truncated"


def test_a_stream_that_never_began_is_raised():
    def client(_messages, _tools):
        raise httpx.ConnectError("refused")
        yield

    with pytest.raises(httpx.ConnectError):
        aw.run(client, "?", stream=True)


# --- the end from outside


def test_an_event_ends_a_run_before_the_next_request():
    cancel = threading.Event()

    @aw.tool
    def ends() -> str:
        cancel.set()
        return "done"

    for run in (aw.run, lambda *given, **more: asyncio.run(aw.arun(*given, **more))):
        cancel.clear()
        result = run(scripted(turn(called(1, "{}", "ends")), SAY), "?", tools=[ends], cancel=cancel)
        assert (result.stop, result.steps) == ("cancelled", 1)
        assert result.messages[-1]["content"] in ("done", result.messages[-1]["content"])
    cancel.set()
    assert aw.run(scripted(SAY), "?", cancel=cancel).stop == "cancelled"
    assert asyncio.run(aw.arun(scripted(SAY), "?", cancel=cancel)).stop == "cancelled"


def test_an_event_ends_a_stream():
    cancel = threading.Event()
    for run in (aw.run, lambda *given, **more: asyncio.run(aw.arun(*given, **more))):
        cancel.clear()
        seen: list[Any] = []

        def on_event(event: Any, seen: list[Any] = seen) -> None:
            seen.append(event)
            cancel.set()

        given = scripted(iter(chat_events(turn(text="ein langer Text, der aufhört"))))
        result = run(given, "?", stream=True, on_event=on_event, cancel=cancel)
        assert (result.stop, len(seen), result.messages) == ("cancelled", 1, [{"role": "user", "content": "?"}])


def test_a_cancelled_task_leaves_a_history_that_can_be_sent_again():
    async def scene():
        running = asyncio.Event()

        @aw.tool(parallel=False)
        async def forever() -> None:
            running.set()
            await asyncio.Event().wait()

        said = scripted(turn(called(1, "{}", "forever"), called(2, '{"word": "a"}', "look_up")), SAY)
        task = asyncio.create_task(aw.arun(said, "?", tools=[forever, look_up]))
        await running.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as raised:
            await task
        return raised.value.result

    result = asyncio.run(scene())
    assert (result.stop, [message["role"] for message in result.messages]) == (
        "cancelled",
        ["user", "assistant", "tool", "tool"],
    )
    assert '"outcome":"unknown"' in result.messages[2]["content"]
    assert '"outcome":"not started"' in result.messages[3]["content"]


def test_a_timeout_around_a_run_is_one():
    async def scene():
        async def client(_messages, _tools):
            await asyncio.Event().wait()

        async with asyncio.timeout(0.01):
            await aw.arun(client, "?")

    with pytest.raises(TimeoutError) as raised:
        asyncio.run(scene())
    cause = raised.value.__cause__ or raised.value.__context__  # before 3.11.3 there is no cause
    assert cause.result.stop == "cancelled"


# --- the conversation


def test_a_stored_conversation_is_mended_before_it_is_sent():
    asked: list[Any] = []

    def client(messages, _tools):
        asked.append(messages)
        return SAY

    broken = {"id": "1", "type": "function", "function": {"name": "look_up", "arguments": "{broken"}}
    stored = [{"role": "user", "content": "?"}, {"role": "assistant", "content": None, "tool_calls": [broken]}]
    aw.run(client, stored, tools=[look_up])
    assert [message["role"] for message in asked[0]] == ["user", "assistant", "tool"]
    assert stored[1]["tool_calls"][0]["function"]["arguments"] == "{broken"


def test_objects_of_an_sdk_stand_in_a_conversation_as_well():
    asked: list[Any] = []

    def client(messages, _tools):
        asked.append(messages)
        return SAY

    use = {"type": "tool_use", "id": "t1", "name": "look_up", "input": {}}
    blocks = [TextBlock(type="text", text="Moment"), ToolUseBlock.model_validate(use)]
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}
    stored = [{"role": "user", "content": "?"}, {"role": "assistant", "content": blocks}, result]
    aw.run(client, stored, format="anthropic", tools=[look_up])
    said = {"role": "assistant", "content": [{"type": "text", "text": "Moment"}, use]}
    assert asked[0] == [stored[0], said, result]
    assert aw.history.check("anthropic", stored) == ()


def test_what_the_provider_holds_is_not_missed():
    asked: list[Any] = []

    def client(messages, _tools, **_more):
        asked.append(messages)
        return SAY

    stored = [{"type": "function_call_output", "call_id": "1", "output": "12"}]
    aw.run(client, stored, format="openai-responses", request={"previous_response_id": "r"})
    assert asked == [stored]


def test_a_client_without_replies_left_is_an_error():
    for run in (aw.run, lambda *given, **more: asyncio.run(aw.arun(*given, **more))):
        with pytest.raises(RuntimeError, match="no reply left"):
            run(scripted(), "?")


def test_a_run_goes_on_from_the_messages_of_another():
    final = aw.FinalTool(Report)
    answer = turn(called(1, '{"reply": "ja"}', "final_answer"))
    first = aw.run(scripted(answer), "?", final=final)
    again = aw.run(scripted(answer), [*first.messages, {"role": "user", "content": "noch?"}], final=final)
    ids = [call["id"] for message in again.messages for call in message.get("tool_calls", ())]
    assert ids == ["call_1", "call_1_2"]
    assert str(again.messages).count(final.system) == 1


def test_the_toolboxs_own_monitor_watches():
    seen: list[Any] = []

    class Monitor:
        def observe(self, outcome, *, model=None):
            seen.append((type(outcome).__name__, model))

    box = aw.Toolbox([look_up], monitor=Monitor())
    aw.run(scripted(ASK, SAY), "?", model="m", tools=box)
    assert seen == [("ValidCall", "m")]


def test_the_policy_of_a_run_goes_before_the_toolboxs():
    fenced = turn(called(1, '```{"word": "möwe"}```', "look_up"))
    assert isinstance(aw.run(scripted(fenced, SAY), "?", tools=[look_up]).outcomes[0], aw.ValidCall)
    strict = aw.run(scripted(fenced, SAY), "?", tools=[look_up], policy=aw.Policy.STRICT)
    assert isinstance(strict.outcomes[0], aw.InvalidCall)


def test_a_result_as_plain_data():
    final = aw.FinalTool(Report)
    told = aw.run(scripted(turn(called(1, '{"reply": "ja"}', "final_answer"))), "?", model="m", final=final).to_dict()
    assert (told["output"], told["stop"]) == ({"reply": "ja"}, "final")
    assert told["counters"] == [
        {"name": "calls", "tool": "final_answer", "kind": "valid", "reason": "", "rule": "", "model": "m", "count": 1}
    ]
