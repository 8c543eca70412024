"""Several choices, whole and streamed, and contents that are lists of parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

import argwright as aw
from argwright.proxy.exchange import chat_choices as choices
from argwright.proxy.exchange import retold
from argwright.proxy.settings import Mending
from tests.proxy.exchange.playing import ERR, TRY, calls, events_of, note, play, play_whole, read, sse, streamed
from tests.proxy.forms.checking import check

CHAT = "openai-chat"
FINE, QUOTES, HALF = '{"m": 12, "name": "Möwe 🐦\u2028"}', "{'m': 12}", '{"m": 12, "name": '
RETRY_ONCE = Mending(on_invalid="retry", retries=1)


# a whole reply


def choice(index: Any, *arguments: str, content: Any = None) -> dict[str, Any]:
    """A choice with calls; their ids repeat those of the other choices."""
    made = [
        {"id": f"call_{at}", "type": "function", "function": {"name": "book_berth", "arguments": text}}
        for at, text in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": content} | ({"tool_calls": made} if made else {})
    return {"index": index, "message": message, "finish_reason": "tool_calls" if made else "stop"}


def completion(*given: dict[str, Any]) -> bytes:
    usage = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}
    head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    return json.dumps({**head, "choices": [*given], "usage": usage}).encode()


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("n", [None, 1, 2, 0, "2"], ids=repr)
def test_valid_choices_pass_byte_for_byte(mending, n):
    body = completion(choice(0, FINE, FINE), choice(1, FINE), choice(2, content="Guten Morgen 🐦"))
    played = play_whole(CHAT, [body], mending, n=n)
    assert (played.out, played.status, played.statuses) == (body, 200, ["valid"] * 3)


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_each_choice_is_mended(mending):
    leak = '<tool_call>\n{"name": "book_berth", "arguments": {"m": 7}}\n</tool_call>'
    body = completion(choice(0, FINE), choice(1, QUOTES), choice(2, content=leak))
    played = play_whole(CHAT, [body], mending, n=3)
    made = json.loads(played.out)
    assert [one["index"] for one in made["choices"]] == [0, 1, 2]
    assert made["choices"][0] == json.loads(body)["choices"][0]
    told = [[call["function"]["arguments"] for call in one["message"]["tool_calls"]] for one in made["choices"]]
    assert told == [[FINE], ['{"m":12}'], ['{"m": 7}']]
    assert made["choices"][2]["finish_reason"] == "tool_calls"
    assert made["usage"] == json.loads(body)["usage"]
    assert [one["status"] for one in made["argwright"]["calls"]] == ["mended", "mended"]
    assert json.loads(played.headers["x-argwright"])["mended"] == 2


@pytest.mark.parametrize("mending", [RETRY_ONCE, ERR])
@pytest.mark.parametrize("order", [(FINE, HALF), (QUOTES, HALF), (HALF, FINE)], ids=str)
@pytest.mark.parametrize("n", [None, 2])
def test_a_refused_call_in_any_choice_is_an_error_and_nothing_is_asked_again(mending, order, n):
    body = completion(*(choice(at, text) for at, text in enumerate(order)))
    played = play_whole(CHAT, [body], mending, n=n)
    assert (played.status, played.asks, json.loads(played.out)["error"]["code"]) == (502, (), "argwright_invalid_call")
    assert json.loads(played.headers["x-argwright"])["refused"] == 1


def test_pass_gives_every_choice_with_a_note():
    body = completion(choice(0, FINE), choice(1, HALF))
    played = play_whole(CHAT, [body], n=2)
    made = json.loads(played.out)
    assert made["choices"] == json.loads(body)["choices"]
    assert [(one["status"], one["reason"]) for one in made["argwright"]["calls"]] == [("refused", "truncated")]


def test_a_stall_in_one_of_several_is_not_asked_about():
    body = completion(choice(0, content="Let me look that up:"), choice(1, FINE))
    played = play_whole(CHAT, [body], Mending(on_stall="reask"), n=2)
    assert (played.out, played.asks) == (body, ())


# a stream


def chunk(index: Any, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [{"index": index, "delta": delta, "finish_reason": reason}]}


def called(index: Any, text: str) -> list[dict[str, Any]]:
    opening = {"index": 0, "id": "c9", "type": "function", "function": {"name": "book_berth", "arguments": ""}}
    pieces = [{"index": 0, "function": {"arguments": text[at : at + 4]}} for at in range(0, len(text), 4)]
    return [*(chunk(index, {"tool_calls": [one]}) for one in (opening, *pieces)), chunk(index, {}, "tool_calls")]


@pytest.mark.parametrize("mending", [RETRY_ONCE, ERR])
@pytest.mark.parametrize("index", [1, 7, -1, "1", 1.0, True, "x"], ids=repr)
@pytest.mark.parametrize("step", [0, 1, 50])
@pytest.mark.parametrize("first", ["Moment.", ("book_berth", {"m": 1})], ids=["text", "call"])
def test_a_call_in_another_choice_of_a_stream_is_an_error(mending, index, step, first):
    head, end = streamed(CHAT, first).rsplit(b"data: [DONE]", 1)
    played = play(CHAT, [head + sse(*called(index, HALF)) + b"data: [DONE]" + end], mending, step=step)
    assert b"c9" not in played.out
    last = events_of(played.out)[-1]
    assert (last["error"]["code"], "a choice that was not asked for" in last["error"]["message"]) == (
        "upstream_garbled",
        True,
    )
    assert played.asks == ()


@pytest.mark.parametrize("mending", [RETRY_ONCE, ERR])
def test_a_second_call_beside_the_first_choice_in_one_chunk_is_an_error(mending):
    both = chunk(0, {"content": "Hm."})
    both["choices"] += called(0, HALF)[1]["choices"]
    played = play(CHAT, [sse(both, chunk(0, {}, "stop"), "[DONE]")], mending)
    assert events_of(played.out)[-1]["error"]["code"] == "upstream_garbled"
    assert "tool_calls" not in str(events_of(played.out))


@pytest.mark.parametrize("step", [0, 1])
def test_pass_lets_calls_of_other_choices_through_and_says_so(step):
    first, end = streamed(CHAT, ("book_berth", QUOTES)).rsplit(b"data: [DONE]", 1)
    sent = first + sse(*called(1, HALF)) + b"data: [DONE]" + end
    played = play(CHAT, [sent], step=step, n=2)
    assert calls(read(CHAT, played.out)) == [("book_berth", {"m": 12})]
    pieces = [one["choices"][0] for one in events_of(played.out)[:-1] if one["choices"][0]["index"] == 1]
    assert pieces == [one["choices"][0] for one in called(1, HALF)]
    assert note(played.out)["unmended_choices"] is True
    fine = streamed(CHAT, ("book_berth", {"m": 1})).replace(b"data: [DONE]", sse(*called(1, FINE)) + b"data: [DONE]")
    told = play(CHAT, [fine], step=step, n=2)
    assert note(told.out) == {"attempts": 1, "calls": [], "unmended_choices": True}


@pytest.mark.parametrize("mending", [Mending(on_stall="reask"), RETRY_ONCE, ERR])
def test_text_of_other_choices_passes_and_nothing_is_asked_again(mending):
    head, end = streamed(CHAT, ["Let me look that up:"]).rsplit(b"data: [DONE]", 1)
    sent = head + sse(chunk(1, {"content": "Nein 🐦"}), chunk(1, {}, "stop")) + b"data: [DONE]" + end
    played = play(CHAT, [sent], mending)
    assert (played.out, played.asks) == (sent, ())


# what stands in a chunk


@pytest.mark.parametrize(
    ("index", "is_first"), [(0, True), (None, True), ("0", True), (False, True), ("", True), (1, False), (True, False), ("x", False), (1.5, False), ([], True)],
    ids=repr,
)  # fmt: skip
def test_the_first_choice(index, is_first):
    one = {"index": index, "delta": {"tool_calls": [{}]}}
    data = {"choices": [one]}
    assert choices.first(data) == ((one, one["delta"]) if is_first else (None, {}))
    assert (choices.others(data), choices.strays(data)) == (([], False) if is_first else ([one], True))


# contents in parts

LEAK = '<tool_call>\n{"name": "book_berth", "arguments": {"m": 12}}\n</tool_call>'
THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_a_call_in_a_part_of_a_whole_reply_becomes_one(mending):
    parts = [THOUGHT, {"type": "text", "text": "Moment. 🐦"}, {"type": "text", "text": LEAK}]
    played = play_whole(CHAT, [completion(choice(0, content=parts))], mending)
    [made] = json.loads(played.out)["choices"]
    assert made["message"]["content"] == [THOUGHT, {"type": "text", "text": "Moment. 🐦"}]
    assert calls(aw.read(CHAT, json.loads(played.out))) == [("book_berth", {"m": 12})]
    assert made["finish_reason"] == "tool_calls"
    alone = play_whole(CHAT, [completion(choice(0, content=[{"type": "text", "text": LEAK}]))], mending)
    assert json.loads(alone.out)["choices"][0]["message"]["content"] is None


def test_parts_without_a_call_pass_byte_for_byte():
    body = completion(
        choice(0, content=[THOUGHT, {"type": "text", "text": "a < b"}, {"type": "reference", "reference_ids": [1]}])
    )
    assert play_whole(CHAT, [body], ERR).out == body


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("step", [0, 1, 40])
@pytest.mark.parametrize("size", [3, 11, 400])
def test_a_call_in_parts_of_a_stream_becomes_one(mending, step, size):
    said = "Moment. 🐦\n" + LEAK
    pieces = [said[at : at + size] for at in range(0, len(said), size)]
    deltas = [
        {"role": "assistant", "content": [THOUGHT]},
        *({"content": [{"type": "text", "text": one}]} for one in pieces),
    ]
    sent = sse(*(chunk(0, delta) for delta in deltas), chunk(0, {}, "stop"), "[DONE]")
    played = play(CHAT, [sent], mending, step=step)
    turn = read(CHAT, played.out)
    assert (calls(turn), turn.text.strip(), turn.reasoning) == ([("book_berth", {"m": 12})], "Moment. 🐦", "hm")
    contents = [one["choices"][0]["delta"].get("content") for one in events_of(played.out)[:-1]]
    assert all(isinstance(one, list) for one in contents if one)
    assert turn.finish.raw == "tool_calls"


def test_parts_of_a_later_reply_stand_apart_from_the_first():
    sent = [streamed(CHAT, ["Erst.", ("book_berth", HALF)])]
    sent.append(
        sse(
            chunk(0, {"role": "assistant", "content": [{"type": "text", "text": "Dann."}]}),
            chunk(0, {}, "stop"),
            "[DONE]",
        )
    )
    assert read(CHAT, play(CHAT, sent, TRY).out).text == "Erst.\n\nDann."


# calls said in both ways


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("text", [FINE, QUOTES])
def test_an_old_call_that_says_the_new_one_once_more_is_one_call(mending, text):
    body = json.loads(completion(choice(0, text)))
    [one] = body["choices"]
    one["message"]["function_call"] = one["message"]["tool_calls"][0]["function"]
    sent = json.dumps(body).encode()
    played = play_whole(CHAT, [sent], mending)
    message = json.loads(played.out)["choices"][0]["message"]
    assert message["function_call"] == message["tool_calls"][0]["function"]
    assert calls(aw.read(CHAT, json.loads(played.out))) == [
        ("book_berth", json.loads(FINE) if text == FINE else {"m": 12})
    ]
    assert len(played.records) == 1
    assert (played.out == sent) is (text == FINE)


@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
@pytest.mark.parametrize("text", [FINE, QUOTES])
@pytest.mark.parametrize("size", [4, 400])
def test_in_a_stream_too(mending, text, size):
    function: dict[str, Any] = {"name": "book_berth", "arguments": ""}
    opening = {"index": 0, "id": "c1", "type": "function", "function": function}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": None},
        {"function_call": function, "tool_calls": [opening]},
    ]
    for at in range(0, len(text), size):
        piece = {"arguments": text[at : at + size]}
        deltas.append({"function_call": piece, "tool_calls": [{"index": 0, "function": piece}]})
    sent = sse(*(chunk(0, delta) for delta in deltas), chunk(0, {}, "tool_calls"), "[DONE]")
    played = play(CHAT, [sent], mending)
    found = check(CHAT, played.out, usage=None)
    assert [one.value() for one in found.calls] == [json.loads(FINE) if text == FINE else {"m": 12}]
    assert len(played.records) == 1
    assert (played.out == sent) is (text == FINE)


def test_in_a_whole_reply_to_a_request_for_a_stream_too():
    body = json.loads(completion(choice(0, FINE)))
    [one] = body["choices"]
    one |= {"logprobs": {"content": [{"token": "x", "logprob": "NUMBER"}]}}
    one["message"]["function_call"] = one["message"]["tool_calls"][0]["function"]
    events = retold(CHAT, json.dumps(body).replace('"NUMBER"', "-2e999").encode(), b"{}")
    assert events is not None
    assert b'"logprob":-2e999' in events
    played = play(CHAT, [events], ERR)
    assert (calls(read(CHAT, played.out)), len(played.records)) == ([("book_berth", json.loads(FINE))], 1)
    assert retold(CHAT, json.dumps(body).replace('"NUMBER"', "NaN").encode(), b"{}") is None


def test_several_choices_of_a_whole_reply_to_a_request_for_a_stream():
    events = retold(CHAT, completion(choice(0, FINE), choice(1, HALF)), b"{}")
    assert events is not None
    last = events_of(play(CHAT, [events], ERR).out)[-1]
    assert last["error"]["code"] == "upstream_garbled"


def test_an_old_call_that_says_another_thing_is_another():
    body = json.loads(completion(choice(0, FINE)))
    body["choices"][0]["message"]["function_call"] = {"name": "count_gulls", "arguments": "{}"}
    played = play_whole(CHAT, [json.dumps(body).encode()], ERR)
    assert [name for name, _ in calls(aw.read(CHAT, json.loads(played.out)))] == ["book_berth", "count_gulls"]
