"""The official Python clients through the gateway, against an upstream that misbehaves in every way.

A stock client gets valid calls or an exception of its own that says why. It never gets a call that was not valid, text
that is no JSON, or a reply that it cannot read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy import scripts
from tests.proxy.clients.reading import (
    ASYNC,
    BLOCKING,
    REFUSED,
    Answer,
    Failed,
    Way,
    anthropic_client,
    async_anthropic_client,
    async_openai_client,
    in_a_loop,
    openai_client,
    raised,
)
from tests.proxy.driving import ENVELOPE, GARBAGE, out_of_form
from tests.proxy.scripts import Script
from tests.proxy.serving import Act, Asked, Server, serving

SCRIPTS = [*scripts.arguments(), *scripts.several(), *scripts.odd(), *scripts.leaked()[::3]]
MODES = {
    "retry": Mending(on_invalid="retry", retries=1),
    "error": Mending(on_invalid="error"),
    "optimistic": Mending(on_invalid="error", optimistic=True),
}
_PASSING = 7  # bytes of a stream's pieces: within any event


def acting(asked: Asked) -> Act:
    """The script whose number the model's name holds."""
    script = SCRIPTS[int(json.loads(asked.body)["model"].removeprefix("m-"))]
    return act(script)


def act(script: Script) -> Act:
    if not script.streamed:
        return Act(pieces=[script.sent], kind="application/json", length=True)
    pieces = [script.sent[at : at + 97] for at in range(0, len(script.sent), 97)]
    return Act(pieces=pieces)


@pytest.fixture(scope="module", params=MODES)
def gateway(request) -> Iterator[Server]:
    with serving(acting, MODES[request.param]) as server:
        yield server


@pytest.fixture(scope="module")
def clients(gateway) -> Iterator[dict[str, Any]]:
    with openai_client(gateway.url) as one, anthropic_client(gateway.root) as other:
        yield {"openai-chat": one, "openai-responses": one, "anthropic": other}


def played(way: Way, step: int) -> list[tuple[int, Script]]:
    """Every `step`-th script for this way to ask."""
    rows = [
        (number, script)
        for number, script in enumerate(SCRIPTS)
        if (script.form, script.streamed) == (way.form, way.streamed)
    ]
    return rows[BLOCKING.index(way) % step if way in BLOCKING else 0 :: step]


def asked(number: int, script: Script) -> dict[str, Any]:
    request = script.request()
    del request["stream"]
    return {**request, "model": f"m-{number}"}


ODD_TO_HELPERS = frozenset({"text", "content in parts"})
"""No calls, and not as documented: the SDKs' helpers stop or warn, where what passes through is not ours to change."""
_TAKEN_BACK = "its beginning had gone out"


def judged(script: Script, answer: Answer) -> str | None:
    """What is wrong with what a program got."""
    due = script.right()
    if answer.error is not None and _TAKEN_BACK in str(answer.error) and (due.mended or out_of_form(script)):
        return None  # pieces went out while they were a valid beginning, and what has gone out cannot be mended
    if answer.error is not None and script.title in ODD_TO_HELPERS:
        return None
    if answer.error is not None:
        if not isinstance(answer.error, (*REFUSED, Failed)) and "`response.completed`" not in str(answer.error):
            return f"{script}: crashed: {answer.error!r}"
        return None if may_fail(script) else f"{script}: refused: {answer.error!r}"
    shown = [*answer.calls]
    if any(one not in due.valid for one in shown):
        return f"{script}: a call that was never valid: {shown}, valid are {due.valid}"
    if due.refused:
        return f"{script}: a refused call, and the client was told nothing: {shown}"
    if not may_fail(script) and shown != due.valid:
        return f"{script}: {shown} are not {due.valid}"
    return None


def may_fail(script: Script) -> bool:
    due = script.right()
    return (
        due.refused
        or due.turn.finish.reason in ("error", "missing")
        or script.title in ENVELOPE
        or (script.title in GARBAGE and not script.streamed)
    )


@pytest.mark.parametrize("way", BLOCKING, ids=lambda way: way.ask.__name__)
def test_blocking_clients_get_valid_calls_or_a_clear_refusal(clients, way):
    found = []
    for number, script in played(way, 3):
        try:
            answer = way.ask(clients[way.form], asked(number, script))
        except Exception as error:  # noqa: BLE001  # whatever comes is judged
            answer = raised(error)
        found.append(judged(script, answer))
    assert [one for one in found if one is not None] == []


@pytest.mark.parametrize("way", ASYNC, ids=lambda way: way.ask.__name__)
def test_asynchronous_clients_get_valid_calls_or_a_clear_refusal(gateway, way):
    async def one(client: Any, limit: asyncio.Semaphore, number: int, script: Script) -> str | None:
        async with limit:
            try:
                answer = await way.ask(client, asked(number, script))
            except Exception as error:  # noqa: BLE001  # whatever comes is judged
                answer = raised(error)
        return judged(script, answer)

    async def all_of_them() -> list[str | None]:
        made = async_anthropic_client(gateway.root) if way.form == "anthropic" else async_openai_client(gateway.url)
        limit = asyncio.Semaphore(8)
        async with made as client:
            return await asyncio.gather(*(one(client, limit, *row) for row in played(way, 5)))

    assert [one for one in in_a_loop(all_of_them()) if one is not None] == []


# A bad reply, then a good one

GOOD = {(one.form, one.streamed): one for one in scripts.several() if one.title == "two good ones"}
BAD = ["a good one and a bad one", "all bad", "three, the middle one bad", "a good one and a cut one"]


@pytest.mark.parametrize("way", BLOCKING, ids=lambda way: way.ask.__name__)
@pytest.mark.parametrize("title", BAD)
def test_a_second_reply_that_is_good_is_all_that_the_client_sees(way, title):
    first = next(
        one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, way.form, way.streamed)
    )
    good = GOOD[way.form, way.streamed]
    with (
        serving([act(first), act(good)], Mending(on_invalid="retry")) as server,
        anthropic_client(server.root) if way.form == "anthropic" else openai_client(server.url) as client,
    ):
        answer = way.ask(client, asked(0, first))
    due = good.right()
    shown = [*answer.calls]
    assert shown[-2:] == due.valid  # a good call of the first reply may have gone out before
    assert len(server.upstream.asked) == 2


@pytest.mark.parametrize("way", BLOCKING, ids=lambda way: way.ask.__name__)
@pytest.mark.parametrize("mode", ["error", "optimistic"])
def test_a_refusal_is_an_exception_of_the_client(way, mode):
    """Also for a program that does not look at the events of an error."""
    bad = next(one for one in scripts.several() if (one.title, one.form, one.streamed) == ("all bad", way.form, way.streamed))  # fmt: skip
    with (
        serving([act(bad)], MODES[mode]) as server,
        anthropic_client(server.root) if way.form == "anthropic" else openai_client(server.url) as client,
        pytest.raises(REFUSED, match="get_temperature"),
    ):
        way.ask(client, asked(0, bad))


@pytest.mark.parametrize("form", ["openai-chat", "openai-responses", "anthropic"])
def test_a_stock_client_does_not_ask_again_for_a_refused_call(form):
    """Two loops that ask again would multiply."""
    bad = next(one for one in scripts.several() if (one.title, one.form, one.streamed) == ("all bad", form, False))
    with serving(lambda _asked: act(bad), Mending(on_invalid="error")) as server:
        maker = anthropic_client if form == "anthropic" else openai_client
        way = next(one for one in BLOCKING if (one.form, one.streamed) == (form, False))
        with (
            maker(server.root if form == "anthropic" else server.url, max_retries=2) as client,
            pytest.raises(REFUSED),
        ):
            way.ask(client, asked(0, bad))
        assert len(server.upstream.asked) == 1


# What the gateway is not asked to look at


def test_keys_go_through_and_come_to_the_upstream_only():
    good = GOOD["openai-chat", False]
    with serving([act(good)], Mending(on_invalid="error")) as server, openai_client(server.url) as client:
        client.chat.completions.create(
            **asked(0, good), extra_headers={"x-trace": "7"}, extra_query={"api-version": "1"}
        )
        [told] = server.upstream.asked
    assert told.headers["authorization"] == "Bearer sk-secret"
    assert (told.headers["x-trace"], told.path, told.query) == ("7", "/v1/chat/completions", "api-version=1")


def test_errors_of_the_upstream_are_the_clients_own():
    import openai

    busy = Act(
        status=429,
        pieces=[b'{"error": {"message": "slow down", "type": "rate_limit", "code": "busy"}}'],
        kind="application/json",
        headers={"retry-after": "7", "x-ratelimit-remaining-requests": "0"},
    )
    good = GOOD["openai-chat", False]
    with (
        serving([busy], Mending(on_invalid="retry")) as server,
        openai_client(server.url) as client,
        pytest.raises(openai.RateLimitError) as raised,
    ):
        client.chat.completions.create(**asked(0, good))
    assert raised.value.code == "busy"
    assert raised.value.response.headers["retry-after"] == "7"
    assert raised.value.response.headers["x-ratelimit-remaining-requests"] == "0"
    assert len(server.upstream.asked) == 1


@pytest.mark.parametrize("form", FORMS)
def test_asked_again_under_no_key_of_the_first_request(form):
    bad, good = (
        next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, form, False))
        for title in ("a good one and a bad one", "two good ones")
    )
    with serving([act(bad), act(good)], Mending(on_invalid="retry")) as server:
        asking = {**asked(0, bad), "extra_headers": {"Idempotency-Key": "key-1"}}
        with anthropic_client(server.root) if form == "anthropic" else openai_client(server.url) as client:
            way = next(one for one in BLOCKING if (one.form, one.streamed) == (form, False))
            assert way.ask(client, asking).error is None
        keys = [request.headers.get("idempotency-key") for request in server.upstream.asked]
    assert keys == ["key-1", None]
