"""Blocks that the upstream numbers as no client reads them: from 0, without a gap, opened and closed once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anthropic
import pytest

from argwright.proxy.settings import Mending
from tests.proxy.exchange.playing import ERR, GO, TRY, note, play, request, sse
from tests.proxy.forms import anthropic as form
from tests.proxy.serving import Act, Server, serving

FINE, MENDED, MEANT = '{"m": 12, "name": "Möwe 🐦"}', "{'m': '12', 'name': 'Möwe 🐦'}", {"m": 12, "name": "Möwe 🐦"}
TEXT = {"type": "text", "text": "Moment 🐦\u2028"}
THOUGHT = {"type": "thinking", "thinking": "嗯"}
CALL = {"type": "tool_use", "id": "t1", "name": "book_berth"}
LATER = {"type": "tool_use", "id": "t2", "name": "book_berth"}


def event(kind: str, **members: Any) -> tuple[str, dict[str, Any]]:
    return kind, {"type": kind, **members}


def block(index: int, what: dict[str, Any], said: str = "", *, closed: bool = True) -> list[Any]:
    match what["type"]:
        case "text":
            begun, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": what["text"]}
        case "thinking":
            begun, delta = {**what, "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "嗯"}
        case _:
            begun, delta = {**what, "input": {}}, {"type": "input_json_delta", "partial_json": said}
    start = event("content_block_start", index=index, content_block=begun)
    stop = [event("content_block_stop", index=index)] if closed else []
    return [start, event("content_block_delta", index=index, delta=delta), *stop]


def message(*blocks: list[Any], reason: str = "tool_use") -> bytes:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": [], "stop_reason": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return sse(
        event("message_start", message={**head, "stop_sequence": None, "usage": usage}),
        *(one for given in blocks for one in given),
        event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage={"output_tokens": 2}),
        event("message_stop"),
    )


def numbered(*blocks: tuple[int, dict[str, Any]]) -> Any:
    """The blocks with these numbers; calls say what they are told to."""
    return lambda said: message(*(block(index, what, said) for index, what in blocks))


NUMBERED: dict[str, tuple[Any, list[str]]] = {
    "a number again": (numbered((0, TEXT), (0, CALL)), ["text", "tool_use"]),
    "from 1": (numbered((1, CALL)), ["tool_use"]),
    "from 1, with a text": (numbered((1, TEXT), (2, CALL)), ["text", "tool_use"]),
    "a gap": (numbered((0, TEXT), (3, CALL)), ["text", "tool_use"]),
    "a gap before the last of two": (numbered((0, CALL), (5, LATER)), ["tool_use", "tool_use"]),
    "one number for all": (numbered((0, THOUGHT), (0, TEXT), (0, CALL)), ["thinking", "text", "tool_use"]),
    "one number for two calls": (numbered((0, CALL), (0, LATER)), ["tool_use", "tool_use"]),
    "backwards": (numbered((2, THOUGHT), (1, TEXT), (0, CALL)), ["thinking", "text", "tool_use"]),
    "a text behind": (numbered((1, CALL), (1, TEXT)), ["tool_use", "text"]),
}
MENDINGS = [GO, ERR, TRY]
each = pytest.mark.parametrize(("made", "kinds"), NUMBERED.values(), ids=NUMBERED)
said_in_both = pytest.mark.parametrize("said", [FINE, MENDED], ids=["valid", "mended"])


def blocks(out: bytes) -> list[dict[str, Any]]:
    """What a client has at the end: each delta added to the block that stands in its place."""
    found: list[dict[str, Any]] = []
    for frame in out.decode().split("\n\n"):
        data = json.loads(frame.partition("data: ")[2] or "{}")
        if data.get("type") == "content_block_start":
            found.append({**data["content_block"], "said": ""})
        elif data.get("type") == "content_block_delta":
            found[data["index"]]["said"] += next(iter(value for key, value in data["delta"].items() if key != "type"))
    return found


@each
@said_in_both
@pytest.mark.parametrize("mending", MENDINGS)
def test_blocks_are_numbered_anew(made, kinds, said, mending):
    out = play("anthropic", [made(said)], mending).out
    found = form.check(out)
    assert found.faults == ()
    assert [one["type"] for one in blocks(out)] == kinds
    assert [one.value() for one in found.calls] == [MEANT] * kinds.count("tool_use")
    assert found.text == ("Moment 🐦\u2028" if "text" in kinds else "")
    assert note(out)["reformed"] is True


@each
@pytest.mark.parametrize("size", [1, 7, 64])
def test_however_it_is_cut(made, kinds, size):
    for said in (FINE, MENDED):
        sent = made(said)
        assert play("anthropic", [sent], ERR, step=size).out == play("anthropic", [sent], ERR).out


@each
def test_what_other_streams_taught_changes_nothing(made, kinds):
    """Events are known by the bytes of streams before; a call's opening among them."""
    sent = made(FINE)
    play("anthropic", [message(block(0, TEXT), block(1, CALL, FINE))])
    first = play("anthropic", [sent], ERR).out
    for what in (CALL, TEXT):
        play("anthropic", [message(*(block(at, what, FINE) for at in range(4)))])
    assert play("anthropic", [sent], ERR).out == first


@pytest.mark.parametrize("mending", MENDINGS)
def test_a_text_alone(mending):
    out = play("anthropic", [message(block(4, TEXT), reason="end_turn")], mending).out
    found = form.check(out)
    assert (found.faults, found.text, note(out)) == ((), TEXT["text"], {"attempts": 1, "calls": [], "reformed": True})


@pytest.mark.parametrize("mending", [*MENDINGS, replace(ERR, optimistic=True)])
def test_what_is_numbered_as_documented_stays(mending):
    sent = message(block(0, THOUGHT), block(1, TEXT), block(2, CALL, FINE), block(3, LATER, FINE))
    assert play("anthropic", [sent], mending).out == sent


@said_in_both
def test_a_block_that_is_left_open_is_closed_where_another_is_written(said):
    out = play("anthropic", [message(block(1, TEXT, closed=False), block(2, CALL, said))], ERR).out
    found = form.check(out)
    assert (found.faults, [one.value() for one in found.calls]) == ((), [MEANT])


def test_asked_again():
    replies = [
        message(block(1, TEXT), block(1, CALL, '{"side": "aft"}')),
        message(block(3, TEXT), block(3, LATER, MENDED)),
    ]
    found = form.check(play("anthropic", replies, TRY).out)
    assert (found.faults, [one.value() for one in found.calls], found.text) == ((), [MEANT], TEXT["text"] * 2)


# the official client


@pytest.fixture(scope="module", params=[ERR, TRY, GO], ids=["error", "retry", "pass"])
def gateway(request: Any) -> Iterator[Server]:
    def acting(asked: Any) -> Act:
        title, _, said = json.loads(asked.body)["model"].partition("/")
        return Act(pieces=[NUMBERED[title][0](said)])

    mending: Mending = request.param
    with serving(acting, mending) as server:
        yield server


@each
@said_in_both
def test_the_official_client(gateway, made, kinds, said):
    title = next(name for name, row in NUMBERED.items() if row[0] is made)
    asked = request("anthropic")
    with (
        anthropic.Anthropic(base_url=gateway.root, api_key="sk-secret", max_retries=0) as client,
        client.messages.stream(
            model=f"{title}/{said}", max_tokens=9, messages=asked["messages"], tools=asked["tools"]
        ) as stream,
    ):
        content = stream.get_final_message().content
    assert [one.type for one in content] == kinds
    assert [one.input for one in content if one.type == "tool_use"] == [MEANT] * kinds.count("tool_use")
