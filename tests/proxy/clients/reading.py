"""What a program gets from the official clients: its calls and text, or the client's own exception."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import anthropic
import openai

REFUSED = (openai.APIError, anthropic.APIError)
"""What a client raises for a refusal that it understands; anything else is a crash."""


_Made = TypeVar("_Made")
_WAIT = 20  # seconds in which everything is closed


class Failed(Exception):  # noqa: N818  # what a program raises that looks at the events
    """The stream said that it failed."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came out.

    Args:
        calls: names and arguments; arguments that do not parse are an exception of the program, so they are not read.
        text: what was said.
        error: what the client raised.
    """

    calls: tuple[tuple[str, Any], ...] = ()
    text: str = ""
    error: Exception | None = None


def raised(error: Exception) -> Answer:
    """What a client raised, without the frames in which it did.

    These hold what the client left unfinished, and the answer too: a ring, which the garbage collector would take apart
    in whatever thread it happens to run, while the client's event loop works on the same in its own.
    """
    seen: BaseException | None = error
    while seen is not None:
        seen.__traceback__ = None
        seen = seen.__cause__ or seen.__context__
    return Answer(error=error)


def in_a_loop(work: Coroutine[Any, Any, _Made]) -> _Made:
    """What comes of the work, in an event loop that ends when all that clients left unfinished is closed."""

    async def closed() -> _Made:
        try:
            return await work
        finally:
            async with asyncio.timeout(_WAIT):
                await _settled()

    return asyncio.run(closed())


async def _settled() -> None:
    """An unfinished generator is closed by a task of its own, and then the one that it reads from."""
    while True:
        await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if not others:
            break
        await asyncio.wait(others)
    await asyncio.get_running_loop().shutdown_asyncgens()


def openai_client(url: str, **more: Any) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=url, api_key="sk-secret", http_client=openai.DefaultHttpxClient(verify=False), **{"max_retries": 0, **more}
    )  # fmt: skip


def async_openai_client(url: str, **more: Any) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url=url,
        api_key="sk-secret",
        http_client=openai.DefaultAsyncHttpxClient(verify=False),
        **{"max_retries": 0, **more},
    )


def anthropic_client(root: str, **more: Any) -> anthropic.Anthropic:
    return anthropic.Anthropic(
        base_url=root,
        api_key="sk-secret",
        http_client=anthropic.DefaultHttpxClient(verify=False),
        **{"max_retries": 0, **more},
    )


def async_anthropic_client(root: str, **more: Any) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(
        base_url=root,
        api_key="sk-secret",
        http_client=anthropic.DefaultAsyncHttpxClient(verify=False),
        **{"max_retries": 0, **more},
    )


# What the SDK's objects hold


def of_chat(completion: Any) -> Answer:
    message = completion.choices[0].message
    calls = [(one.function.name, json.loads(one.function.arguments)) for one in message.tool_calls or ()]
    return Answer(calls=tuple(calls), text=message.content or "")


def of_response(response: Any) -> Answer:
    calls = [(one.name, json.loads(one.arguments)) for one in response.output if one.type == "function_call"]
    return Answer(calls=tuple(calls), text=response.output_text)


def of_message(message: Any) -> Answer:
    calls = [(one.name, one.input) for one in message.content if one.type == "tool_use"]
    texts = [one.text for one in message.content if one.type == "text"]
    return Answer(calls=tuple(calls), text="".join(texts))


def of_chunks(chunks: list[Any]) -> Answer:
    """As most programs do it by hand: pieces added up by index."""
    names: dict[int, str] = {}
    texts: dict[int, str] = {}
    said = ""
    for chunk in chunks:
        for choice in chunk.choices:
            said += choice.delta.content or ""
            for entry in choice.delta.tool_calls or ():
                names.setdefault(entry.index, entry.function.name or "")
                texts[entry.index] = texts.get(entry.index, "") + (entry.function.arguments or "")
    return Answer(calls=tuple((names[index], json.loads(texts[index])) for index in sorted(names)), text=said)


def of_events(events: list[Any]) -> Answer:
    """Items as they are done; the documented ends that are none raise."""
    failed = [one for one in events if one.type in ("error", "response.failed")]
    if failed:
        raise Failed(str(failed[0]))
    items = [one.item for one in events if one.type == "response.output_item.done"]
    text = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    calls = [(one.name, json.loads(one.arguments)) for one in items if one.type == "function_call"]
    return Answer(calls=tuple(calls), text=text)


# The ways to ask, blocking


def chat(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    return of_chat(client.chat.completions.create(**asked))


def chat_by_hand(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    with client.chat.completions.create(**asked, stream=True) as chunks:
        return of_chunks([*chunks])


def chat_helper(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    with client.chat.completions.stream(**asked) as stream:
        return of_chat(stream.get_final_completion())


def responses(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    return of_response(client.responses.create(**asked))


def responses_by_hand(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    with client.responses.create(**asked, stream=True) as events:
        return of_events([*events])


def responses_helper(client: openai.OpenAI, asked: dict[str, Any]) -> Answer:
    with client.responses.stream(**asked) as stream:
        return of_response(stream.get_final_response())


def messages(client: anthropic.Anthropic, asked: dict[str, Any]) -> Answer:
    return of_message(client.messages.create(**asked))


def messages_helper(client: anthropic.Anthropic, asked: dict[str, Any]) -> Answer:
    with client.messages.stream(**asked) as stream:
        return of_message(stream.get_final_message())


# and asynchronous


async def async_chat(client: openai.AsyncOpenAI, asked: dict[str, Any]) -> Answer:
    return of_chat(await client.chat.completions.create(**asked))


async def async_chat_by_hand(client: openai.AsyncOpenAI, asked: dict[str, Any]) -> Answer:
    async with await client.chat.completions.create(**asked, stream=True) as chunks:
        return of_chunks([one async for one in chunks])


async def async_responses(client: openai.AsyncOpenAI, asked: dict[str, Any]) -> Answer:
    return of_response(await client.responses.create(**asked))


async def async_responses_helper(client: openai.AsyncOpenAI, asked: dict[str, Any]) -> Answer:
    async with client.responses.stream(**asked) as stream:
        return of_response(await stream.get_final_response())


async def async_messages(client: anthropic.AsyncAnthropic, asked: dict[str, Any]) -> Answer:
    return of_message(await client.messages.create(**asked))


async def async_messages_helper(client: anthropic.AsyncAnthropic, asked: dict[str, Any]) -> Answer:
    async with client.messages.stream(**asked) as stream:
        return of_message(await stream.get_final_message())


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to ask.

    Args:
        form: the protocol.
        streamed: whether the reply is a stream.
        ask: the function.
    """

    form: str
    streamed: bool
    ask: Callable[..., Any]


BLOCKING = [
    Way(form="openai-chat", streamed=False, ask=chat),
    Way(form="openai-chat", streamed=True, ask=chat_by_hand),
    Way(form="openai-chat", streamed=True, ask=chat_helper),
    Way(form="openai-responses", streamed=False, ask=responses),
    Way(form="openai-responses", streamed=True, ask=responses_by_hand),
    Way(form="openai-responses", streamed=True, ask=responses_helper),
    Way(form="anthropic", streamed=False, ask=messages),
    Way(form="anthropic", streamed=True, ask=messages_helper),
]
ASYNC = [
    Way(form="openai-chat", streamed=False, ask=async_chat),
    Way(form="openai-chat", streamed=True, ask=async_chat_by_hand),
    Way(form="openai-responses", streamed=False, ask=async_responses),
    Way(form="openai-responses", streamed=True, ask=async_responses_helper),
    Way(form="anthropic", streamed=False, ask=async_messages),
    Way(form="anthropic", streamed=True, ask=async_messages_helper),
]
