"""The same script through every client: three APIs, sync and async, whole and streamed, on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import anthropic
import openai

import argwright as aw
from argwright import history
from argwright.scripted import Request, ScriptedServer

LENGTH = {"openai-chat": "length", "openai-responses": "incomplete:max_output_tokens", "anthropic": "max_tokens"}
HELD = {"openai-chat": "messages", "openai-responses": "input", "anthropic": "messages"}
QUESTION = [{"role": "user", "content": "Wie viele Möwen? 🐦"}]


@dataclass(frozen=True)
class Wire:
    """One way to ask."""

    form: str
    is_async: bool
    stream: bool

    def __str__(self) -> str:
        return f"{self.form}{'-async' if self.is_async else ''}{'-stream' if self.stream else ''}"


WIRES = [
    Wire(form, is_async, stream)
    for form in ("openai-chat", "openai-responses", "anthropic")
    for is_async in (False, True)
    for stream in (False, True)
]


@dataclass(frozen=True)
class Played:
    """What came of a script."""

    result: aw.RunResult
    requests: list[Request]
    form: str

    @property
    def sent(self) -> list[list[Any]]:
        """The messages of each request."""
        return [request.body[HELD[self.form]] for request in self.requests]

    def told(self, request: int = -1) -> str:
        """All text of one request's messages."""
        return str(self.sent[request])


def called(number: int, arguments: Any, name: str) -> aw.ToolCall:
    return aw.ToolCall(f"call_{number}", name, arguments)


def turn(*calls: aw.ToolCall, text: str = "", **more: Any) -> aw.Turn:
    return aw.Turn(calls, text, finish=aw.Finish(None, "tool_calls" if calls else "stop"), **more)


def cut(form: str, *calls: aw.ToolCall, text: str = "") -> aw.Turn:
    return aw.Turn(calls, text, finish=aw.Finish(LENGTH[form], "length"))


def play(wire: Wire, script: Iterable[Any], messages: Any = QUESTION, model: str = "m-1", **options: Any) -> Played:
    """Run a script; every request must be one that its provider takes."""
    with ScriptedServer(script) as server:
        options = {"model": model, "stream": wire.stream, **options}
        if wire.form == "openai-responses":
            options["format"] = wire.form
        done = (
            asyncio.run(_aplay(wire, server, messages, options))
            if wire.is_async
            else _play(wire, server, messages, options)
        )
    played = Played(done, server.requests, wire.form)
    for sent in [*played.sent, done.messages]:
        assert history.check(wire.form, [one for one in sent if one.get("role") != "system"]) == ()
    return played


OPTIONS: dict[str, Any] = {"api_key": "-", "max_retries": 0}


def _play(wire: Wire, server: ScriptedServer, messages: Any, options: Any) -> aw.RunResult:
    plain = {"verify": False}  # no certificates are read: there is no TLS on loopback
    if wire.form == "anthropic":
        http = anthropic.DefaultHttpxClient(**plain)
        with anthropic.Anthropic(base_url=server.root, http_client=http, **OPTIONS) as client:
            return aw.run(client, messages, **options)
    http = openai.DefaultHttpxClient(**plain)
    with openai.OpenAI(base_url=server.url, http_client=http, **OPTIONS) as client:
        return aw.run(client, messages, **options)


async def _aplay(wire: Wire, server: ScriptedServer, messages: Any, options: Any) -> aw.RunResult:
    plain = {"verify": False}
    if wire.form == "anthropic":
        http = anthropic.DefaultAsyncHttpxClient(**plain)
        async with anthropic.AsyncAnthropic(base_url=server.root, http_client=http, **OPTIONS) as client:
            return await aw.arun(client, messages, **options)
    http = openai.DefaultAsyncHttpxClient(**plain)
    async with openai.AsyncOpenAI(base_url=server.url, http_client=http, **OPTIONS) as client:
        return await aw.arun(client, messages, **options)
