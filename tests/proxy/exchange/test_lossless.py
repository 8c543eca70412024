"""Numbers that no float holds, through the gateway."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from argwright.proxy.exchange.frames import encoded
from argwright.proxy.exchange.lossless import decoded, dumps, loads
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import (
    ERR,
    TRY,
    calls,
    events_of,
    play,
    play_whole,
    read,
    request,
    sse,
    streamed,
    whole,
)

FORM = pytest.mark.parametrize("form", FORMS)
SAME = [
    '{"a":[1e999,-1e999,{"b":2.5E+400}],"c":"Möwe 🐦 \u2028 مرحبا"}', "1e400", "-1E400", "[]", '{"":{"x":1e999,"y":null,"z":true,"n":12345678901234567890123}}',
]  # fmt: skip


@pytest.mark.parametrize("text", SAME)
def test_what_was_read_is_written_as_it_came(text):
    assert (dumps(loads(text)), dumps(decoded(text)), encoded(loads(text.encode()))) == (text, text, text.encode())


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_what_is_no_number_is_not_read(text):
    for reader in (loads, decoded):
        with pytest.raises(ValueError, match="is not JSON"):
            reader(text)
    assert json.loads(dumps(loads(text, lenient=True)), parse_constant=str) == json.loads(text, parse_constant=str)


def test_infinities_that_were_not_read_are_numbers_all_the_same():
    assert dumps([math.inf, -math.inf, math.nan]) == "[1e999,-1e999,null]"


def test_half_a_surrogate_pair_is_written_as_an_escape():
    assert encoded(["\ud83d", "🐦", "\udc26"]) == '["\\ud83d","🐦","\\udc26"]'.encode()


FAULTY: tuple[str, Any] = ("book_berth", "{'m': 12}")
LOG = {"logprobs": {"content": [{"token": "x", "logprob": "NUMBER"}]}}


def with_number(form: str, number: str) -> bytes:
    """A whole reply with a call to be mended, and this number beside it."""
    body = json.loads(whole(form, FAULTY if form != "anthropic" else ("book_berth", {"m": "12"}))) | LOG
    return json.dumps(body).replace('"NUMBER"', number).encode()


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("number", ["-1e999", "1E+400"])
def test_beside_a_mended_call_a_number_stays_as_it_came(form, mending, number):
    played = play_whole(form, [with_number(form, number)], mending)
    assert f'"logprob":{number}'.encode() in played.out
    assert played.statuses == ["mended"]
    json.loads(played.out, parse_constant=pytest.fail)


@FORM
@pytest.mark.parametrize("number", ["NaN", "-Infinity"])
def test_a_body_with_what_is_no_number_is_no_json(form, number):
    played = play_whole(form, [with_number(form, number)], ERR)
    assert (played.status, json.loads(played.out)["error"]["code"]) == (502, "upstream_garbled")


@FORM
@pytest.mark.parametrize("number", ["NaN", "-Infinity"])
def test_whoever_wants_everything_passed_gets_it_as_it_came(form, number):
    played = play_whole(form, [with_number(form, number)], Mending())
    assert (played.status, f'"logprob":{number}'.encode() in played.out) == (200, True)
    plain = whole(form, "Moin.").replace(b"Moin.", b'Moin.", "x": ' + number.encode() + b', "y": "', 1)
    assert play_whole(form, [plain], Mending()).out == plain


def test_in_a_stream_too():
    sent = streamed("openai-chat", FAULTY).replace(
        b'"finish_reason": "tool_calls"', b'"x": -1e999, "finish_reason": "tool_calls"'
    )
    assert b"-1e999" in sent
    played = play("openai-chat", [sent], ERR)
    assert b'"x":-1e999' in played.out
    assert calls(read("openai-chat", played.out)) == [("book_berth", {"m": 12})]
    lost = play("openai-chat", [sent.replace(b"-1e999", b"NaN")], ERR)
    assert (b"NaN" in lost.out, events_of(lost.out)[-1]["error"]["code"]) == (False, "upstream_garbled")


def test_a_number_of_the_request_goes_upstream_as_it_came():
    history = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "book_berth", "arguments": '{"m": '}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "?"},
    ]  # fmt: skip
    body = json.dumps(request("openai-chat") | {"messages": history, "seed": "NUMBER"}).replace('"NUMBER"', "1e999")
    under = play("openai-chat", [sse("[DONE]")], asked=body.encode()).exchange
    assert under.ask != body.encode()
    assert b'"seed":1e999' in under.ask
