"""The official clients on real sockets: what they read from a stream is what its events say, and they take what we write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import MessageParam, ToolParam
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.responses import ResponseInputItemParam
from openai.types.responses.function_tool_param import FunctionToolParam
from pydantic import TypeAdapter

import argwright as aw
from argwright.scripted import Raw, ScriptedServer, events

ASK = [{"role": "user", "content": "?"}]
BERTH = '{"Hafen": "Ærø 上海", "m": 12}'


def turn(*calls: aw.ToolCall, reason: str = "tool_calls", raw: str | None = None, **more: Any) -> aw.Turn:
    return aw.Turn(calls, finish=aw.Finish(raw, reason), **more)


def call(number: int, arguments: Any = BERTH, name: str = "book_berth") -> aw.ToolCall:
    return aw.ToolCall(f"call_{number}", name, arguments)


SCRIPT = [
    ("a call", turn(call(1))),
    ("text and two calls", turn(call(1), call(2, "{}", "count_gulls"), text="Moment 🐦\u2028שלום")),
    ("no arguments", turn(call(1, "", "count_gulls"))),
    ("text", turn(reason="stop", text="ja")),
    ("no JSON", turn(call(1, "{Hafen: Ærø, 'm': 12"))),
    ("broken off", turn(call(1, BERTH[:20]), reason="missing")),
]  # fmt: skip


def fed(form: str, chunks: Iterator[Any]) -> aw.Turn:
    acc = aw.Accumulator(form)
    try:
        for chunk in chunks:
            acc.feed(chunk)
    except Exception as error:  # noqa: BLE001  # each client has its own for a connection that breaks
        assert "peer closed" in str(error) or "onnection" in str(error), error  # noqa: PT017
    return acc.close()


def by_events(form: str, said: aw.Turn) -> aw.Turn:
    acc = aw.Accumulator(form)
    for name, data in events(form, said, model="m-1"):
        acc.feed(data, event=name)
    return acc.close()


@contextmanager
def chat(server: ScriptedServer) -> Iterator[Any]:
    with openai.OpenAI(base_url=server.url, api_key="-", max_retries=0) as client:
        yield client.chat.completions


@contextmanager
def responses(server: ScriptedServer) -> Iterator[Any]:
    with openai.OpenAI(base_url=server.url, api_key="-", max_retries=0) as client:
        yield client.responses


@contextmanager
def messages(server: ScriptedServer) -> Iterator[Any]:
    with anthropic.Anthropic(base_url=server.root, api_key="-", max_retries=0) as client:
        yield client.messages


CLIENTS = {
    "openai-chat": (chat, {"model": "m-1", "messages": ASK}),
    "openai-responses": (responses, {"model": "m-1", "input": "?"}),
    "anthropic": (messages, {"model": "m-1", "messages": ASK, "max_tokens": 99}),
}


@pytest.mark.parametrize("form", CLIENTS)
@pytest.mark.parametrize("said", [row[1] for row in SCRIPT], ids=[row[0] for row in SCRIPT])
def test_a_real_client_streams_the_same_turn(form, said):
    client, request = CLIENTS[form]
    with ScriptedServer([said]) as server, client(server) as asked, asked.create(**request, stream=True) as stream:
        got = fed(form, stream)
    assert got == by_events(form, said)
    assert [(made.id, made.name) for made in got.calls] == [(made.id, made.name) for made in said.calls]
    assert [made.arguments or "" for made in got.calls] == [
        made.arguments or "" for made in said.calls
    ] or form == "anthropic"
    assert (got.text, got.finish.reason) == (said.text, said.finish.reason)


@pytest.mark.parametrize("form", CLIENTS)
@pytest.mark.parametrize("said", [row[1] for row in SCRIPT[:4]], ids=[row[0] for row in SCRIPT[:4]])
def test_a_real_client_reads_the_same_whole(form, said):
    client, request = CLIENTS[form]
    with ScriptedServer([said]) as server, client(server) as asked:
        got = aw.read(form, asked.create(**request))
    assert [(made.id, made.name) for made in got.calls] == [(made.id, made.name) for made in said.calls]
    assert (got.text, got.finish.reason, got.model) == (said.text, said.finish.reason, "m-1")


def test_the_helpers_of_the_clients_give_objects_that_are_read_too():
    with ScriptedServer([turn(call(1))]) as server, messages(server) as asked:
        with asked.stream(model="m-1", messages=ASK, max_tokens=99) as stream:
            message = stream.get_final_message()
        assert aw.read("anthropic", message).calls[0].arguments == {"Hafen": "Ærø 上海", "m": 12}
    with ScriptedServer([turn(call(1))]) as server, responses(server) as asked:
        with asked.stream(model="m-1", input="?") as stream:
            response = stream.get_final_response()
        assert aw.read("openai-responses", response).calls[0].arguments == BERTH


@pytest.mark.parametrize("form", CLIENTS)
@pytest.mark.parametrize("said", [row[1] for row in SCRIPT[:2]], ids=[row[0] for row in SCRIPT[:2]])
def test_the_events_of_the_clients_own_helpers_add_up_to_the_same(form, said):
    client, request = CLIENTS[form]
    acc = aw.Accumulator(form)
    with ScriptedServer([said]) as server, client(server) as asked, asked.stream(**request) as stream:
        odd = [found for event in stream for found in acc.feed(event) if isinstance(found, aw.ProtocolViolation)]
    assert (acc.close(), odd) == (by_events(form, said), [])


async def read_async(form: str, server: ScriptedServer) -> aw.Turn:
    acc = aw.Accumulator(form)
    anthropics = anthropic.AsyncAnthropic(base_url=server.root, api_key="-")
    openais = openai.AsyncOpenAI(base_url=server.url, api_key="-")
    async with anthropics, openais:
        made = {
            "anthropic": anthropics.messages,
            "openai-chat": openais.chat.completions,
            "openai-responses": openais.responses,
        }
        async with await made[form].create(**CLIENTS[form][1], stream=True) as stream:
            async for chunk in stream:
                acc.feed(chunk)
    return acc.close()


@pytest.mark.parametrize("form", CLIENTS)
def test_the_async_clients_too(form):
    with ScriptedServer([turn(call(1))]) as server:
        assert asyncio.run(read_async(form, server)) == by_events(form, turn(call(1)))


def test_an_error_inside_a_stream():
    error = ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})
    said = [*[*events("anthropic", turn(call(1)))][:4], error]
    acc = aw.Accumulator("anthropic")

    def read_on(asked: Any) -> None:
        with asked.create(**CLIENTS["anthropic"][1], stream=True) as stream:
            for chunk in stream:
                acc.feed(chunk)

    with (
        ScriptedServer([Raw(said)]) as server,
        messages(server) as asked,
        pytest.raises(anthropic.APIStatusError, match="busy"),
    ):
        read_on(asked)
    got = acc.close()
    assert (got.finish.reason, got.calls[0].finish_reason) == ("missing", "missing")


# What we write is what their own types allow.

SCHEMA = {"type": "object", "properties": {"m": {"type": "integer", "minimum": 1}}, "required": ["m"]}
BOX = aw.Toolbox(
    [
        aw.Tool.from_schema("book_berth", SCHEMA, description="ein Liegeplatz"),
        aw.Tool.from_schema("count_gulls", {"type": "object", "properties": {}}),
    ]
)
TYPES = {
    "openai-chat": (ChatCompletionMessageParam, ChatCompletionToolParam),
    "openai-responses": (ResponseInputItemParam, FunctionToolParam),
    "anthropic": (MessageParam, ToolParam),
}
WRITTEN = [
    turn(call(1, '{"m": 12}'), call(2, "{m: ???"), aw.ToolCall(None, "nobody knows me", "{}"), text="Moment"),
    turn(call(1, "{m: 12,}"), reasoning="hm"),
    turn(reason="stop", text="ja"),
]


@pytest.mark.parametrize("form", TYPES)
@pytest.mark.parametrize("said", WRITTEN)
def test_messages_are_of_the_clients_own_types(form, said):
    outcomes = BOX.resolve_turn(said)
    results = [
        aw.ToolResult(one.call.id, one.call.name, {"ok": True}) if isinstance(one, aw.ValidCall) else one.result()
        for one in outcomes
    ]
    kind = TypeAdapter(TYPES[form][0])
    for message in aw.write(form, said, outcomes, results):
        kind.validate_python(message)


@pytest.mark.parametrize("form", TYPES)
@pytest.mark.parametrize("strict", [False, True])
def test_declarations_are_of_the_clients_own_types(form, strict):
    kind = TypeAdapter(TYPES[form][1])
    declared = BOX.declare(form, strict=strict)
    assert len(declared) == 2
    for tool in declared:
        kind.validate_python(tool)


@pytest.mark.parametrize("form", CLIENTS)
def test_a_conversation_goes_through_a_real_client(form):
    client, request = CLIENTS[form]
    member = "input" if form == "openai-responses" else "messages"
    history: list[Any] = [{"role": "user", "content": "?"}]
    script = [turn(call(1, '{"m": 12}'), call(2, "{m: ???")), turn(reason="stop", text="ja")]
    with ScriptedServer(script) as server, client(server) as asked:
        for _ in range(2):
            got = aw.read(form, asked.create(**{**request, member: history}, tools=BOX.declare(form)), tools=BOX)
            outcomes = BOX.resolve_turn(got)
            results = [
                aw.ToolResult(one.call.id, "book_berth", "ok") if isinstance(one, aw.ValidCall) else one.result()
                for one in outcomes
            ]
            history += aw.write(form, got, outcomes, results)
    assert got.text == "ja"
    assert server.requests[1].body[member][: len(history) - 1] == history[:-1]
