"""An event that opens a call is known by its bytes, whatever the call's id is, and only that event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from argwright.model import CallDelta
from argwright.proxy.exchange import anthropic, openai_chat, openai_responses
from argwright.proxy.exchange.frames import parsed
from argwright.proxy.exchange.proving import opening
from argwright.proxy.exchange.running import Pattern, Shapes
from argwright.wire import find


def chat(own: Any, name: Any = "book_berth", arguments: Any = "", delta: dict[str, Any] | None = None, **more: Any) -> bytes:  # fmt: skip
    entry = {"index": 0, "id": own, "type": "function", "function": {"name": name, "arguments": arguments}, **more}
    choice = {"index": 0, "delta": {"tool_calls": [entry], **(delta or {})}, "finish_reason": None}
    told = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: %b\n\n" % json.dumps(told, ensure_ascii=False).encode()


def block(own: str) -> bytes:
    told = {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": own, "name": "Möwe", "input": {}}}  # fmt: skip
    return b"event: content_block_start\ndata: %b\n\n" % json.dumps(told, ensure_ascii=False).encode()


FORMS = {openai_chat.see: "openai-chat", anthropic.see: "anthropic", openai_responses.see: "openai-responses"}


def opened(raw: bytes, see: Any = openai_chat.see) -> Pattern | None:
    frame = parsed(raw)
    return opening(frame, see(frame.name, frame.data), see, find(FORMS[see]).deltas)


OPENINGS = [
    ("chat", openai_chat.see, chat),
    ("a name of another script", openai_chat.see, lambda own: chat(own, "停泊")),
    ("anthropic", anthropic.see, block),
]


@pytest.mark.parametrize(("see", "event"), [one[1:] for one in OPENINGS], ids=[one[0] for one in OPENINGS])
def test_the_same_of_another_call(see, event):
    like, other = opened(event("call_1"), see), event("toolu_01AbcXYZ-9")
    found = like.run(other)
    assert (found.size, found.text) == (len(other), "toolu_01AbcXYZ-9")
    assert like.says(found.text) == tuple(find(FORMS[see]).deltas(like.name, parsed(other).data))
    assert like.body(found.text, found.pieces) == parsed(other).data
    assert like.run(other * 2).size == len(other)


UNLIKE = [
    ("an id that is none", chat("")),
    ("a word that means none", chat("null")),
    ("blanks around an id", chat(" call_1")),
    ("an escape in an id", chat('call_"1')),
    ("a number for an id", chat(7)),
    ("another name", chat("call_1", "count_gulls")),
    ("arguments", chat("call_1", arguments="{")),
    ("a place of its own", chat("call_1", index=1)),
    ("another member", chat("call_1", extra_content={"google": {"thought_signature": "x"}})),
    ("text", chat("call_1", delta={"content": "שלום"})),
    ("cut", chat("call_1")[:-1]),
]


@pytest.mark.parametrize("other", [one[1] for one in UNLIKE], ids=[one[0] for one in UNLIKE])
def test_another_event(other):
    known = Shapes()
    known.add(opened(chat("call_9")))
    assert known.find(other, 0) is None


NONE = [
    ("no id", chat(None)),
    ("no name", chat("call_1", None)),
    ("arguments", chat("call_1", arguments='{"m": 1}')),
    ("text beside", chat("call_1", delta={"content": "x"})),
    ("the beginning of the reply", chat("call_1", delta={"role": "assistant"})),
    ("what a vendor adds", chat("call_1", extra_content={"google": {"thought_signature": "x"}})),
    (
        "two calls",
        chat("call_1").replace(
            b'"tool_calls": [', b'"tool_calls": [{"index": 1, "id": "call_2", "function": {"name": "x"}}, '
        ),
    ),
    ("the id stands elsewhere first", chat("c-1")),
]


@pytest.mark.parametrize("raw", [one[1] for one in NONE], ids=[one[0] for one in NONE])
def test_no_pattern(raw):
    assert opened(raw) is None


def test_what_a_pattern_says_is_a_call():
    assert opened(chat("call_1")).says("call_2") == (CallDelta(0, "call_2", "book_berth", ""),)
