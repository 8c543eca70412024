"""What holds for every reply, whatever is wrong with it and however its bytes arrive.

- The client's stream is well formed by independent judges; its calls are exactly the valid ones, or it ends in an error.
- Where nothing had to change, the bytes are the upstream's own.
- Any way to cut the upstream's bytes gives the same answer; ended anywhere, nothing cut comes out as a call.
- Text goes out at once.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import argwright as aw
from argwright.cli import demo
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy import scripts
from tests.proxy.driving import ERROR, MODES, PASS, RETRY, complaints, drive, exchange, seen
from tests.proxy.forms import whole
from tests.proxy.forms.checking import check
from tests.proxy.forms.sse import events
from tests.proxy.scripts import Script

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"  # every byte, in some minutes
SETS = {
    "arguments": scripts.arguments,
    "several": scripts.several,
    "odd": scripts.odd,
    "leaked": scripts.leaked,
    "framings": scripts.framings,
    "golden": scripts.golden,
}
WANTED = {
    "arguments": ("pass", "error", "optimistic"),
    "several": tuple(MODES),
    "odd": ("pass", "retry", "optimistic"),
    "leaked": ("pass", "error"),
    "framings": ("error", "optimistic retry"),
    "golden": ("error", "optimistic"),
}
ROWS = [(name, mode) for name, modes in WANTED.items() for mode in modes]


@pytest.mark.parametrize(("name", "mode"), ROWS)
def test_form_and_calls(name, mode):
    found = {}
    for script in SETS[name]():
        said = complaints(script, MODES[mode], drive(script, MODES[mode]))
        if said:
            found[str(script)] = said
    assert found == {}


@cache
def untouched() -> list[Script]:
    """Replies in which nothing is wrong."""
    made = []
    for script in (*scripts.arguments(), *scripts.several(), *scripts.framings()):
        due = script.right()
        found = check(script.form, script.sent) if script.streamed else whole.check(script.form, script.sent)
        if not (due.refused or due.mended or found.faults):
            made.append(script)
    return made


@pytest.mark.parametrize("mode", MODES)
def test_what_is_right_passes_byte_for_byte(mode):
    rows = untouched()
    assert len(rows) > 20
    assert [str(one) for one in rows if drive(one, MODES[mode]).data != one.sent] == []


# However the bytes arrive


def cut_at(places: Iterable[int]) -> Any:
    def cut(data: bytes) -> list[bytes]:
        ends = sorted({place for place in places if 0 < place < len(data)} | {len(data)})
        return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    return cut


def streams(*titles: str) -> list[Script]:
    return [one for one in scripts.several() if one.streamed and one.title in titles]


CHOSEN = streams("a good one and a mended one", "three, the middle one bad")
MANY = [
    one for one in (*scripts.odd(), *scripts.framings(), *scripts.several(), *scripts.leaked()[::5]) if one.streamed
]


@pytest.mark.parametrize("mode", ["error", "optimistic"])
@pytest.mark.parametrize("script", CHOSEN, ids=str)
def test_cut_in_two_anywhere(script, mode):
    mending = MODES[mode]
    whole_answer = drive(script, mending)
    for place in range(1, len(script.sent), 1 if THOROUGH else 19):
        assert drive(script, mending, cut=cut_at([place])).data == whole_answer.data, place


@pytest.mark.parametrize("mode", ["retry", "optimistic"])
def test_byte_by_byte_and_in_random_pieces(mode):
    found = []
    for number, script in enumerate(MANY):
        chance = random.Random(number)
        answer = drive(script, MODES[mode])
        size = len(script.sent)
        ways = [[chance.randrange(size) for _ in range(size // 20)], *([range(size)] if number % 6 == 0 else [])]
        found += [str(script) for way in ways if drive(script, MODES[mode], cut=cut_at(way)) != answer]
    assert found == []


# Ended anywhere


def ended(script: Script, place: int, mending: Mending, *, broken: bool) -> list[str]:
    short = replace(script, sent=script.sent[:place])
    return complaints(short, mending, drive(short, mending, broken=broken))


@pytest.mark.parametrize("mode", ["retry", "error", "optimistic"])
@pytest.mark.parametrize("script", CHOSEN, ids=str)
def test_a_stream_that_ends_at_any_byte(script, mode):
    found = {}
    for place in range(0, len(script.sent), 1 if THOROUGH else 41):
        said = ended(script, place, MODES[mode], broken=place % 2 == 0)
        if said:
            found[place] = said
    assert found == {}


def test_many_streams_that_end_somewhere():
    found = {}
    for number, script in enumerate(MANY):
        chance = random.Random(number)
        for place in [chance.randrange(len(script.sent)) for _ in range(2)]:
            for mode in ("error", "optimistic"):
                said = ended(script, place, MODES[mode], broken=place % 2 == 0)
                if said:
                    found[f"{script}, {place}, {mode}"] = said
    assert found == {}


# Asking again


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("title", ["all bad", "three, the middle one bad", "a good one and a bad one"])
def test_the_second_request_is_one_that_its_provider_takes(form, streamed, title):
    bad = next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, form, streamed))
    good = next(
        one for one in scripts.several() if (one.title, one.form, one.streamed) == ("two good ones", form, streamed)
    )
    got = drive(bad, replace(RETRY, retries=2), good.sent)
    assert len(got.asks) == 2
    first, second = (json.loads(ask) for ask in got.asks)
    talk = "input" if form == "openai-responses" else "messages"
    assert {name: value for name, value in second.items() if name != talk} == {
        name: value for name, value in first.items() if name != talk
    }
    assert second[talk][: len(first[talk])] == first[talk]
    assert len(second[talk]) > len(first[talk])
    assert aw.history.check(form, second[talk]) == ()
    found = seen(good, got)
    assert found.faults == ()
    assert found.end == "done"
    assert [(one.name, one.value()) for one in found.calls][-2:] == good.right().valid


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_the_budget_ends(form, streamed):
    bad = next(one for one in scripts.several() if (one.title, one.form, one.streamed) == ("all bad", form, streamed))
    for retries in (0, 1, 3):
        got = drive(bad, replace(RETRY, retries=retries))
        assert len(got.asks) == retries + 1
        assert seen(bad, got).end == "error"


@pytest.mark.parametrize("form", FORMS)
def test_usage_is_that_of_all_attempts(form):
    bad, good = (
        next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, form, False))
        for title in ("all bad", "two good ones")
    )

    def used(script: Script, **counts: int) -> bytes:
        body = json.loads(script.sent)
        body["usage"] = {**counts, **({} if form == "anthropic" else {"total_tokens": sum(counts.values())})}
        return aw.model.compact(body).encode()

    names = ("prompt_tokens", "completion_tokens") if form == "openai-chat" else ("input_tokens", "output_tokens")
    first = replace(bad, sent=used(bad, **dict(zip(names, (100, 20), strict=True))))
    got = drive(first, RETRY, used(good, **dict(zip(names, (130, 7), strict=True))))
    usage = json.loads(got.data)["usage"]
    assert [usage[name] for name in names] == [230, 27]
    assert usage.get("total_tokens", 257) == 257


def with_usage(script: Script, asked: int, said: int) -> bytes:
    """The stream with what it cost, where its protocol tells it."""
    frames = script.sent.decode().split("\n\n")[:-1]
    if script.form == "openai-chat":
        head = {
            "id": "chatcmpl-scripted",
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": "scripted",
        }
        counts = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        frames.insert(-1, "data: " + json.dumps({**head, "choices": [], "usage": counts}))
        return ("\n\n".join(frames) + "\n\n").encode()
    made = []
    for frame in frames:
        name, _, data = frame.partition("\ndata: ")
        event = json.loads(data)
        if event["type"] == "message_start":
            event["message"]["usage"] = {"input_tokens": asked, "output_tokens": 1}
        elif event["type"] == "message_delta":
            event["usage"] = {"output_tokens": said}
        elif event["type"] == "response.completed":
            event["response"]["usage"] = {
                "input_tokens": asked,
                "input_tokens_details": {"cached_tokens": asked - 1, "cache_write_tokens": 0},
                "output_tokens": said,
                "output_tokens_details": {"reasoning_tokens": 2},
                "total_tokens": asked + said,
            }
        made.append(f"{name}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n")
    return "".join(made).encode()


def used(form: str, data: bytes) -> tuple[int, int]:
    """What a client makes of the usage: tokens asked and said."""
    told: dict[str, Any] = {}
    for event in events(data)[0]:
        if event.data == "[DONE]":
            continue
        for place in (event.data, event.data.get("message") or {}, event.data.get("response") or {}):
            told.update({name: count for name, count in (place.get("usage") or {}).items() if count is not None})
    names = ("prompt_tokens", "completion_tokens") if form == "openai-chat" else ("input_tokens", "output_tokens")
    return told[names[0]], told[names[1]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("title", ["all bad", "a good one and a bad one"])
def test_usage_of_streams_is_that_of_all_attempts(form, title):
    bad, good = (
        next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (name, form, True))
        for name in (title, "two good ones")
    )
    request = bad.request(stream_options={"include_usage": True}) if form == "openai-chat" else bad.request()
    first = replace(bad, sent=with_usage(bad, 100, 20))
    got = drive(first, RETRY, with_usage(good, 130, 7), request=request)
    assert len(got.asks) == 2
    assert check(form, got.data, usage=form == "openai-chat").faults == ()
    assert used(form, got.data) == (230, 27)


# Nothing waits that need not


TALK = "Es ist ein Platz frei: 🐦\nUnd noch einer, hier: 7 < 8.\n\n- ja\n- nein"
CALL = aw.ToolCall("c0", "get_temperature", '{"location": "北京"}')


def frames_of(form: str) -> tuple[Script, list[bytes]]:
    turn = aw.Turn((CALL,), TALK, finish=aw.Finish(None, "tool_calls"))
    schemas = {tool.name: tool.schema for tool in demo.TOOLS}
    script = next(one for one in scripts.said("talk", form, schemas, turn) if one.streamed)
    return script, [frame + b"\n\n" for frame in script.sent.split(b"\n\n") if frame]


@pytest.mark.parametrize("mode", ["retry", "error", "optimistic"])
@pytest.mark.parametrize("form", FORMS)
def test_text_goes_out_at_once(form, mode):
    """What may begin a call waits for the piece after it, and no longer."""
    script, frames = frames_of(form)
    under = exchange(script, MODES[mode])
    told, given, before = b"", b"", ""
    held = []
    for frame in frames:
        given += frame
        told += under.feed(frame)
        arrived, out = (check(form, data, calls_parse=False).text for data in (given, told))
        assert arrived.startswith(out)
        assert out.startswith(before)
        held += [arrived] if out != arrived else []
        before = arrived
    assert len(held) <= 2


@pytest.mark.parametrize("form", FORMS)
def test_optimistic_passes_a_call_while_it_is_a_valid_beginning(form):
    script, frames = frames_of(form)
    begins = next(number for number, frame in enumerate(frames) if CALL.name.encode() in frame)
    closes = next(number for number, frame in enumerate(frames) if number > begins and b'"\\"}"' in frame)
    under = exchange(script, MODES["optimistic"])
    out = [under.feed(frame) for frame in frames]
    assert out[begins:closes] == frames[begins:closes]
    assert closes - begins >= 4
    assert b"".join(out) == script.sent  # what makes the call whole waits until it is judged


# Requests


@pytest.mark.parametrize("form", FORMS)
def test_a_request_is_sent_on_as_the_client_wrote_it(form):
    script = next(
        one for one in scripts.several() if (one.title, one.form, one.streamed) == ("two good ones", form, True)
    )
    assert exchange(script, ERROR).ask == aw.model.compact(script.request()).encode()


@pytest.mark.parametrize("form", FORMS)
def test_a_request_without_tools_is_none_of_its_business(form):
    script = next(one for one in scripts.several() if (one.title, one.form, one.streamed) == ("no call", form, True))
    under = exchange(script, ERROR, {**script.request(), "tools": []})
    assert not under.engaged
    assert not exchange(script, PASS, {"model": "m"}).engaged


def test_a_record_for_every_call():
    for script in scripts.several():
        due = script.right()
        got = drive(script, ERROR)
        wanted = [
            ("mended" if one.repairs or one.call.name != one.tool.name else "valid")
            if isinstance(one, aw.ValidCall)
            else "refused"
            for one in due.outcomes
        ]
        assert [one.status for one in got.records] == wanted, str(script)
        assert [one.reason for one in got.records] == [
            one.reason if isinstance(one, aw.InvalidCall) else None for one in due.outcomes
        ]
