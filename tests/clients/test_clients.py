"""What goes to each client, without asking anybody."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from argwright.clients import Client, client_of, is_broken, is_refusal
from argwright.errors import DeclarationError
from argwright.loop import CallModel

USER = {"role": "user", "content": "?"}
SYSTEM = {"role": "system", "content": "Höflich!"}
TOOL = {"name": "t"}


def echo(**given: Any) -> Any:
    return given


async def later(**given: Any) -> Any:
    return given


def sdk(create=echo, **more):
    made = SimpleNamespace(create=create)
    return SimpleNamespace(
        chat=SimpleNamespace(completions=made), responses=made, messages=made, base_url="http://x/v1", **more
    )


def openai(create=echo):
    client = sdk(create)
    del client.messages
    return client


def anthropic(create=echo):
    client = sdk(create)
    del client.chat, client.responses
    return client


def asked(*messages, tools=(TOOL,), choice=None, **request):
    return CallModel(messages=messages, tools=list(tools), choice=choice, request={"model": "m", **request})


SENT = [
    (openai(), None, asked(USER), False, {"messages": [USER], "model": "m", "tools": [TOOL]}),
    (openai(), "openai-chat", asked(USER, tools=()), True, {"messages": [USER], "model": "m", "stream": True}),
    (openai(), "openai-responses", asked(USER), False, {"input": [USER], "model": "m", "tools": [TOOL]}),
    (
        openai(),
        None,
        asked(USER, choice="c", temperature=0, tools=[TOOL, TOOL]),
        False,
        {"messages": [USER], "model": "m", "temperature": 0, "tools": [TOOL, TOOL], "tool_choice": "c"},
    ),
    (
        openai(),
        "openai-responses",
        CallModel(messages=(USER,), tools=[TOOL], request={"model": "m", "tools": [{"type": "web_search"}]}),
        False,
        {"input": [USER], "model": "m", "tools": [TOOL, {"type": "web_search"}]},
    ),
    (anthropic(), None, asked(USER, tools=()), False, {"messages": [USER], "model": "m"}),
    (
        anthropic(),
        "anthropic",
        asked(SYSTEM, USER, tools=(), max_tokens=9),
        False,
        {"messages": [USER], "model": "m", "max_tokens": 9, "system": "Höflich!"},
    ),
    (
        anthropic(),
        None,
        asked(SYSTEM, USER, tools=(), system=[{"type": "text", "text": "a"}]),
        False,
        {
            "messages": [USER],
            "model": "m",
            "system": [{"type": "text", "text": "a"}, {"type": "text", "text": "Höflich!"}],
        },
    ),
]


LONG = [
    ({"max_tokens": 21_333}, False),
    ({"max_tokens": 21_334}, True),
    ({"max_tokens": 21_334, "timeout": 9}, False),
    ({"max_tokens": 8_193, "model": "claude-opus-4-0"}, True),
]


@pytest.mark.parametrize(("request_", "streamed"), LONG)
def test_what_anthropics_client_would_not_wait_for_is_streamed(request_, streamed):
    sent = client_of(anthropic()).create(asked(USER, **request_), False)
    assert sent.get("stream", False) is streamed


@pytest.mark.parametrize(("client", "form", "call", "stream", "sent"), SENT, ids=range(len(SENT)))
def test_what_is_sent(client, form, call, stream, sent):
    made = client_of(client, form)
    assert made.create(call, stream) == sent
    assert (made.base_url, made.is_async) == ("http://x/v1", False)


def test_an_async_sdk_is_known():
    assert client_of(openai(later)).is_async
    assert client_of(later).is_async


class Callable:
    async def __call__(self, messages, tools):
        return messages, tools


def test_a_callable_gets_messages_and_tools():
    def plain(*given):
        return given

    def more(messages, tools, **rest):
        return messages, tools, rest

    assert client_of(plain).create(asked(USER), False) == ([USER], [TOOL])
    assert client_of(more).create(asked(USER, choice="c"), True) == (
        [USER],
        [TOOL],
        {"model": "m", "tool_choice": "c", "stream": True},
    )
    assert client_of(Callable(), "anthropic").form == "anthropic"
    assert client_of(Callable()).is_async
    assert client_of(print).create.__name__ == "ask"


def test_a_client_is_itself():
    made = Client(form="openai-chat", create=echo)
    assert client_of(made) is made


@pytest.mark.parametrize(("client", "form"), [(openai(), "anthropic"), (anthropic(), "openai-chat"), (3, None)])
def test_who_does_not_speak_the_format(client, form):
    with pytest.raises(DeclarationError, match="known are those of openai and anthropic"):
        client_of(client, form)


class StatusError(Exception):
    def __init__(self, status_code):
        self.status_code = status_code


class TransportError(Exception):
    pass


class RemoteProtocolError(TransportError):
    pass


def test_what_errors_mean():
    assert [is_refusal(StatusError(status)) for status in (400, 422, 429, 500)] == [True, True, False, False]
    assert not is_refusal(ValueError())
    assert [is_broken(error) for error in (RemoteProtocolError(), ConnectionResetError(), ValueError())] == [
        True,
        True,
        False,
    ]
