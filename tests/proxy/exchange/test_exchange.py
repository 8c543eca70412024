"""Playbooks: what the upstream says, what the client gets. The same in the three protocols, whole and streamed."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace
from typing import Any

import pytest

import argwright as aw
from argwright.model import compact
from argwright.proxy.settings import Mending, ToolSettings
from argwright.scripted import FORMS
from argwright.scripted.saying import Cut
from tests.proxy.exchange.playing import (
    ERR,
    SCHEMAS,
    TRY,
    calls,
    events_of,
    exchange,
    note,
    play,
    play_whole,
    read,
    request,
    sse,
    streamed,
    whole,
)
from tests.proxy.forms.checking import check

FORM = pytest.mark.parametrize("form", FORMS)
GOOD: tuple[str, Any] = ("book_berth", {"m": 12, "name": "Möwe 🐦\u2028"})
MENDED: tuple[str, Any] = ("book_berth", "{'m': '12', name: \"Möwe\",}")
MEANT = ("book_berth", {"m": 12, "name": "Möwe"})
BAD: tuple[str, Any] = ("book_berth", {"side": "aft"})
OTHER: tuple[str, Any] = ("write_log", {"path": "a", "text": "x" * 40})
CUT = Cut([("write_log", '{"path": "a", "text": "half')])
LEAK = 'Moment.\n<tool_call>\n{"name": "book_berth", "arguments": {"m": 12}}\n</tool_call>'


def seen(form: str, out: bytes, *, parse: bool = True) -> Any:
    found = check(form, out, calls_parse=parse, usage=None)
    assert found.faults == ()
    return found


def got(form: str, out: bytes) -> list[tuple[str | None, Any]]:
    """The calls of a client's stream or body."""
    turn = aw.read(form, json.loads(out), dialects=()) if out.startswith(b"{") else read(form, out)
    return calls(turn)


# nothing to do


UNTOUCHED = [
    "Guten Morgen 🐦, a < b", GOOD, [GOOD, OTHER], ["Moment.", GOOD, ("count_gulls", {})], ("count_gulls", "{}"),
    ("book_berth", ' {"m": 12345678901234567890123} '),
]  # fmt: skip


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR, Mending(optimistic=True), replace(TRY, optimistic=True)])
@pytest.mark.parametrize("say", UNTOUCHED, ids=str)
def test_what_is_right_passes_byte_for_byte(form, mending, say):
    sent = streamed(form, say)
    assert play(form, [sent], mending).out == sent
    body = whole(form, say)
    played = play_whole(form, [body], mending)
    assert (played.out, played.status) == (body, 200)
    assert json.loads(played.headers["x-argwright"])["mended"] == 0


@FORM
def test_text_goes_out_at_once(form):
    under = exchange(form)
    sent = streamed(form, "Die Möwen kreisen.").split(b"\n\n")
    out = [under.feed(event + b"\n\n") for event in sent[:-1]]
    said = [place for place, event in enumerate(sent[:-1]) if b"M\\u00f6we" in event or "Möwe".encode() in event]
    assert all("Möwe".encode() in out[place] or b"M\\u00f6we" in out[place] for place in said)
    assert said


@FORM
def test_a_call_is_held_until_it_is_resolved_and_goes_out_when_the_model_goes_on(form):
    under = exchange(form)
    sent = streamed(form, [GOOD, OTHER])
    second = sent.index(b"write_log")
    out = under.feed(sent[:second])
    assert b"12" not in out
    assert b"book_berth" in under.feed(sent[second : second + 200])
    assert got(form, out + under.feed(sent[second + 200 :]) + under.end(broken=False).data)


# mended


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_a_mended_call_is_written_anew_and_told(form, mending):
    played = play(form, [streamed(form, ["Moment.", MENDED])], mending)
    assert got(form, played.out) == [MEANT]
    assert seen(form, played.out).text == "Moment."
    assert [(one["status"], one["tool"]) for one in note(played.out)["calls"]] == [("mended", "book_berth")]
    if form != "anthropic":  # its whole replies cannot hold such a text
        body = play_whole(form, [whole(form, ["Moment.", MENDED])], mending)
        assert got(form, body.out) == [MEANT]
        assert json.loads(body.headers["x-argwright"])["mended"] == 1
        assert note(body.out) == note(played.out)


@FORM
def test_the_others_stay_as_they_came(form):
    sent = streamed(form, [GOOD, MENDED, OTHER])
    out = play(form, [sent]).out
    assert got(form, out) == [(name, arguments) for name, arguments in (GOOD, MEANT, OTHER)]
    seen(form, out)
    first = sent[: sent.index(b"call_1_2")]
    assert out.startswith(first[: first.rindex(b"\n\n")])


@FORM
def test_names_and_aliases(form):
    settings = ToolSettings(aliases={"metres": "m"}, name_aliases=("moor",), value_aliases={"side": {"left": "port"}})
    mending = Mending(tools={"book_berth": settings})
    played = play(form, [streamed(form, ("moor", {"metres": 7, "side": "left"}))], mending)
    assert got(form, played.out) == [("book_berth", {"m": 7, "side": "port"})]
    assert [record.tool for record in played.records] == ["book_berth"]


# calls in the text


@FORM
@pytest.mark.parametrize("piece", [1, 4, 500])
def test_a_call_in_the_text_becomes_one(form, piece):
    played = play(form, [streamed(form, LEAK, piece=piece)])
    found = seen(form, played.out)
    assert (got(form, played.out), found.text.strip()) == ([("book_berth", {"m": 12})], "Moment.")
    assert found.finish in ("tool_calls", "tool_use", "completed")
    body = play_whole(form, [whole(form, LEAK)])
    assert (got(form, body.out), aw.read(form, json.loads(body.out)).text) == ([("book_berth", {"m": 12})], "Moment.")
    assert [record.origin for record in played.records] == ["text:hermes"]


ALIKE = [
    ("no markup", "a < b  \n\n and `<tool_call>`  \n", True),
    ("reasoning", "[THINK]hm[/THINK]  Ja. 🐦", True),
    ("reasoning without an opener", "hm\n</think>\n\nJa.", True),
    ("a channel", "<|channel|>final<|message|>Möwe", False),
    ("a token that closes what nothing opened", "Möwe.<|tool_call_end|>\nJa.", False),
    ("a call and reasoning", "[THINK]hm[/THINK]\n" + LEAK, False),
]


@FORM
@pytest.mark.parametrize(("text", "stays"), [row[1:] for row in ALIKE], ids=[row[0] for row in ALIKE])
def test_a_text_is_the_same_whole_and_streamed(form, text, stays):
    """Byte for byte, unless something was taken out of it; that is told."""
    streams, wholes = play(form, [streamed(form, text)]), play_whole(form, [whole(form, text)])
    body = aw.read(form, json.loads(wholes.out), dialects=())
    turn = read(form, streams.out)
    assert turn.text.split() == body.text.split()
    assert calls(turn) == calls(body)
    assert note(streams.out) == note(wholes.out)
    assert (body.text == turn.text == text) is stays
    assert (note(wholes.out) is None) is stays


@FORM
def test_a_text_that_was_nothing_but_a_call_leaves_no_empty_part(form):
    alone = LEAK.removeprefix("Moment.\n")
    out = play(form, [streamed(form, alone)]).out
    seen(form, out)
    assert read(form, out).text == ""
    assert out.count(b"event: content_block_start") in (0, 1)
    assert b'"output_text"' not in out


@FORM
def test_an_echo_of_a_call_is_left_out_and_the_call_goes_out(form):
    out = play(form, [streamed(form, [LEAK.removeprefix("Moment.\n"), GOOD])]).out
    seen(form, out)
    assert (got(form, out), read(form, out).text, note(out)["reformed"]) == ([GOOD], "", True)


@FORM
@pytest.mark.parametrize("mending", [Mending(), ERR, TRY])
def test_a_refused_call_in_the_text(form, mending):
    text = LEAK.replace('{"m": 12}', '{"side": "aft"}')
    sent = [streamed(form, text), streamed(form, GOOD, 2)]
    if mending is TRY:
        played = play(form, sent, mending)
        assert got(form, played.out) == [GOOD]
        assert b"<tool_call>" not in played.out
        assert "<tool_call>" not in compact(played.asks[0])
    else:
        played = play(form, sent[:1], mending)
        assert got(form, played.out) == []
        assert ("<tool_call>" in read(form, played.out).text) == (mending is not ERR)
    assert played.statuses[0] == "refused"


@FORM
def test_no_text_is_read_for_calls_where_none_may_be_made(form):
    sent = streamed(form, LEAK)
    choice: Any = {"type": "none"} if form == "anthropic" else "none"
    assert play(form, [sent], tool_choice=choice).out == sent


# refused and passed on


@FORM
@pytest.mark.parametrize("say", [BAD, CUT, ("no_such_tool", {}), ("book_berth", "[1, 2")], ids=str)
def test_pass_gives_what_the_model_wrote_with_a_note(form, say):
    sent = streamed(form, say)
    played = play(form, [sent])
    told = note(played.out)["calls"]
    assert (played.statuses, [one["status"] for one in told]) == (["refused"], ["refused"])
    assert got(form, played.out) == got(form, sent)
    before = sent[: sent.rindex(b"data: {")]
    assert played.out.startswith(before[: before.rindex(b"data: {")])


# refused: an error


@FORM
@pytest.mark.parametrize("say", [BAD, CUT, ("no_such_tool", {}), ["Moment.", GOOD, BAD]], ids=str)
def test_error_ends_in_the_protocols_own_error(form, say):
    played = play(form, [streamed(form, say)], ERR)
    found = seen(form, played.out)
    assert (found.end, found.error["code"]) == ("error", "argwright_invalid_call")
    assert note(played.out)["calls"][-1]["status"] == "refused"
    if say is not CUT:
        body = play_whole(form, [whole(form, say)], ERR)
        assert (body.status, body.headers["x-should-retry"]) == (502, "false")
        assert json.loads(body.out)["error"]["code"] == "argwright_invalid_call"


# refused: asked again


@FORM
def test_retry_gives_one_good_reply(form):
    played = play(form, [streamed(form, ["Moment.", BAD]), streamed(form, ["So.", GOOD], 2)], TRY)
    found = seen(form, played.out)
    assert (got(form, played.out), found.end) == ([GOOD], "done")
    assert found.text.split() == ["Moment.", "So."] or found.text == "Moment.So."
    assert (played.statuses, played.exchange.attempts) == (["refused", "valid"], 2)
    body = play_whole(form, [whole(form, ["Moment.", BAD]), whole(form, ["So.", GOOD], 2)], TRY)
    assert (got(form, body.out), body.status) == ([GOOD], 200)
    assert body.asks == played_without_stream(played.asks)
    usage = json.loads(body.out).get("usage", {})
    assert all(value in (2, 4) for value in usage.values())


def played_without_stream(asks: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    return tuple({**ask, "stream": False} for ask in asks)


IDS = [("stored", {}, ["resp_1", "resp_2"], "resp_2"), ("not stored", {"store": False}, ["resp_1"], "resp_1")]


@pytest.mark.parametrize(("more", "created", "completed"), [row[1:] for row in IDS], ids=[row[0] for row in IDS])
def test_the_id_that_can_be_gone_on_from_is_told(more, created, completed):
    form = "openai-responses"
    replies = [
        streamed(form, ["Moment.", BAD]).replace(b"resp_scripted", b"resp_1"),
        streamed(form, ["So:", GOOD], 2).replace(b"resp_scripted", b"resp_2"),
    ]
    assert b"resp_1" in replies[0]
    events = events_of(play(form, replies, TRY, **more).out)
    told = [(event["type"], event["response"]["id"]) for event in events if "response" in event]
    assert [own for kind, own in told if kind == "response.created"] == created
    assert told[-1] == ("response.completed", completed)
    numbers = [event["sequence_number"] for event in events]
    assert numbers == sorted(set(numbers))
    assert [item["type"] for item in events[-1]["response"]["output"]] == ["message", "message", "function_call"]


def test_an_id_that_the_client_never_saw_is_not_told():
    form = "openai-responses"
    replies = [
        streamed(form, BAD).replace(b"resp_scripted", b"resp_1"),
        streamed(form, GOOD, 2).replace(b"resp_scripted", b"resp_2"),
    ]
    out = play(form, replies, TRY).out
    assert b"resp_1" not in out
    assert seen(form, out).calls


@FORM
def test_the_model_is_told_what_is_wrong_and_what_was_not_run(form):
    played = play(form, [streamed(form, [GOOD, BAD]), streamed(form, [GOOD, MENDED], 2)], TRY)
    [ask] = played.asks
    key = "input" if form == "openai-responses" else "messages"
    told = compact(ask[key][1:])
    assert "this call was not run" in told
    assert "schema_error" in told
    assert aw.history.check(form, ask[key]) == ()
    assert got(form, played.out) == [GOOD, MEANT]


@FORM
def test_a_spent_budget_is_an_error(form):
    mending = replace(TRY, retries=2)
    played = play(form, [streamed(form, BAD, number) for number in (1, 2, 3)], mending)
    assert (seen(form, played.out).end, played.exchange.attempts, len(played.asks)) == ("error", 3, 2)
    assert '\\"attempts_left\\":1' in compact(played.asks[0]).replace("\\\\", "\\")
    body = play_whole(form, [whole(form, BAD, number) for number in (1, 2, 3)], mending)
    assert (body.status, body.asks) == (502, played_without_stream(played.asks))


@FORM
def test_a_cut_call_is_not_mended_and_the_model_is_told_to_send_less(form):
    played = play(form, [streamed(form, CUT), streamed(form, OTHER, 2)], TRY)
    assert got(form, played.out) == [OTHER]
    assert "send less" in compact(played.asks[0])


def test_a_conversation_that_the_provider_keeps_gets_the_results_only():
    replies = [streamed("openai-responses", BAD), streamed("openai-responses", GOOD, 2)]
    played = play("openai-responses", replies, TRY, conversation="conv_1")
    assert [item["type"] for item in played.asks[0]["input"]] == ["function_call_output"]


def test_a_text_for_input_becomes_a_message():
    replies = [streamed("openai-responses", BAD), streamed("openai-responses", GOOD, 2)]
    played = play("openai-responses", replies, TRY, input="Möwe?")
    assert played.asks[0]["input"][0] == {"role": "user", "content": "Möwe?"}


# announced, and not done


@FORM
def test_a_stall_is_counted(form):
    sent = streamed(form, "Let me book that berth:")
    played = play(form, [sent])
    assert (played.out, played.exchange.stalled) == (sent, True)
    assert json.loads(play_whole(form, [whole(form, "我来查一下：")]).headers["x-argwright"])["stalled"]
    assert not play(form, [streamed(form, "It is booked.")]).exchange.stalled


@FORM
def test_a_stall_is_asked_for_once(form):
    mending = Mending(on_stall="reask")
    replies = [streamed(form, "Let me book that berth:"), streamed(form, GOOD, 2)]
    played = play(form, replies, mending)
    assert (got(form, played.out), played.exchange.attempts) == ([GOOD], 2)
    assert seen(form, played.out).text.strip() == "Let me book that berth:"
    again = play(form, [streamed(form, "Let me see:"), streamed(form, "Let me see:", 2)], mending)
    assert (again.exchange.attempts, got(form, again.out)) == (2, [])
    body = play_whole(form, [whole(form, "Let me book that berth:"), whole(form, GOOD, 2)], mending)
    assert got(form, body.out) == [GOOD]


# pieces that go out before their call is whole


@FORM
def test_optimistic_pieces_go_out_at_once_and_the_last_one_when_the_call_is_valid(form):
    under = exchange(form, Mending(optimistic=True))
    sent = streamed(form, OTHER)
    half = sent.index(b"xxxx") + 60
    assert b"xxxx" in under.feed(sent[:half])
    assert got(form, b"" + play(form, [sent], Mending(optimistic=True)).out) == [OTHER]


@FORM
@pytest.mark.parametrize(
    ("say", "ends"),
    [
        (("book_berth", '{"m": 12, "name": "x",}'), "done"),
        (("book_berth", '{"m": 12, "name": "x"'), "done"),
        (("book_berth", '{"name": "x", "m": "12"}'), "error"),
        (("book_berth", '{"side": "aft", "m": 1}'), "error"),
    ],
)
def test_optimistic_pieces_are_continued_or_the_stream_errs(form, say, ends):
    played = play(form, [streamed(form, say)], replace(ERR, optimistic=True))
    found = seen(form, played.out)
    assert found.end == ends
    if ends == "done":
        assert got(form, played.out) == [("book_berth", {"m": 12, "name": "x"})]


@FORM
def test_what_has_gone_out_is_not_asked_for_again(form):
    played = play(form, [streamed(form, ("book_berth", '{"name": "x", "side": "aft"}'))], replace(TRY, optimistic=True))
    assert (seen(form, played.out).end, played.asks) == ("error", ())


# what is not the gateway's


FREE: dict[str, Any] = {
    "openai-chat": {"type": "custom", "custom": {"name": "run_sql"}},
    "openai-responses": {"type": "custom", "name": "run_sql"},
    "anthropic": {"type": "bash_20250124", "name": "run_sql"},
}


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR, Mending(optimistic=True)])
def test_calls_of_other_tools_pass_as_they_are(form, mending):
    if form == "anthropic":
        sent = streamed(form, [GOOD, ("run_sql", '{"command": "SELECT \'ü\';"}'), OTHER])
    else:
        free = aw.ToolCall("c9", "run_sql", input="SELECT 'ü';")
        good = aw.ToolCall("c1", "book_berth", '{"m":1}')
        sent = streamed(form, aw.Turn((good, free), finish=aw.Finish(None, "tool_calls")))
    tools = [*request(form)["tools"], FREE[form]]
    assert play(form, [sent], mending, tools=tools).out == sent


def test_the_old_functions_keep_their_form():
    functions = [{"name": name, "parameters": schema} for name, schema in SCHEMAS.items()]
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    pieces: list[dict[str, Any]] = [{"role": "assistant", "content": None}, {"function_call": {"name": "book_berth", "arguments": ""}}, {"function_call": {"arguments": '{"m": "1"}'}}]  # fmt: skip
    sent = sse(
        *({**chunk, "choices": [{"index": 0, "delta": piece, "finish_reason": None}]} for piece in pieces),
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "function_call"}]},
        "[DONE]",
    )
    asked = request("openai-chat") | {"functions": functions}
    del asked["tools"]
    out = events_of(play("openai-chat", [sent], asked=asked).out)
    assert out[1]["choices"][0]["delta"] == {"function_call": {"name": "book_berth", "arguments": '{"m":1}'}}
    fine = sent.replace(b'\\"1\\"', b"1")
    assert play("openai-chat", [fine], asked=asked).out == fine


# tools of which no schema is known


def function(form: str, name: Any, schema: Any) -> dict[str, Any]:
    """A declaration."""
    if form == "anthropic":
        return {"name": name, "input_schema": schema}
    inner = {"name": name, "parameters": schema}
    return {"type": "function", "function": inner} if form == "openai-chat" else {"type": "function", **inner}


UNUSABLE: dict[str, Any] = {
    "a member of another draft": {"type": "object", "properties": {"q": {"type": "string", "required": True}}},
    "no such type": {"type": "object", "properties": {"q": {"type": "str"}}},
    "no such pattern": {"type": "object", "properties": {"q": {"type": "string", "pattern": "["}}},
    "a reference to nothing": {"type": "object", "properties": {"q": {"$ref": "#/$defs/none"}}},
    "a reference elsewhere": {"type": "object", "properties": {"q": {"$ref": "https://example.com/q.json"}}},
    "no object": {"type": "string"},
}
HALF = '{"q": "Möwe 🐦\u2028", "n": '
FINE = '{"q": "Möwe 🐦\u2028", "n": {}}'


@FORM
@pytest.mark.parametrize("mending", [replace(TRY, retries=0), ERR, replace(ERR, optimistic=True)])
@pytest.mark.parametrize("schema", UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.parametrize("alone", [True, False])
def test_calls_of_a_tool_that_is_declared_wrong_are_still_objects(form, mending, schema, alone):
    tools = [*([] if alone else request(form)["tools"]), function(form, "bad", schema)]
    half = play(form, [streamed(form, ("bad", HALF))], mending, tools=tools)
    assert (got(form, half.out), half.statuses) == ([], ["refused"])
    assert note(half.out)["unmended"] == ["bad"]
    fine = streamed(form, ("bad", FINE))
    assert play(form, [fine], mending, tools=tools).out == fine
    quotes = play(form, [streamed(form, ("bad", "{'q': 'x',}"))], replace(mending, optimistic=False), tools=tools)
    assert got(form, quotes.out) == [("bad", {"q": "x"})]
    if form != "anthropic":
        body = play_whole(form, [whole(form, ("bad", HALF))], mending, tools=tools)
        assert (body.status, json.loads(body.headers["x-argwright"])["unmended"]) == (502, 1)


@FORM
@pytest.mark.parametrize("text", ["", "null"])
def test_nothing_is_no_arguments_only_where_that_is_known(form, text):
    tools = [function(form, "bad", {"type": "object", "required": True})]
    if form == "anthropic" and not text:
        return  # there, it is an empty object
    played = play(form, [streamed(form, ("bad", text))], ERR, tools=tools)
    assert (got(form, played.out), played.statuses) == ([], ["refused"])


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_a_tool_that_is_declared_twice_alike_is_one(form, mending):
    tools = request(form)["tools"]
    again = [*tools, *tools]
    played = play(form, [streamed(form, MENDED)], mending, tools=again)
    assert got(form, played.out) == [MEANT]
    assert "unmended" not in note(played.out)


@FORM
def test_of_a_tool_that_is_declared_twice_differently_only_objects_are_asked(form):
    tools = [*request(form)["tools"], function(form, "book_berth", {"type": "object", "required": ["berth"]})]
    fine = streamed(form, ("book_berth", '{"any": 1}'))
    assert play(form, [fine], ERR, tools=tools).out == fine
    half = play(form, [streamed(form, ("book_berth", HALF))], ERR, tools=tools)
    assert (got(form, half.out), note(half.out)["unmended"]) == ([], ["book_berth"])


def test_tools_and_old_functions_that_say_the_same_are_one():
    functions = [{"name": name, "parameters": schema} for name, schema in SCHEMAS.items()]
    played = play("openai-chat", [streamed("openai-chat", MENDED)], ERR, functions=functions)
    assert got("openai-chat", played.out) == [MEANT]


@FORM
def test_a_function_without_a_name_leaves_no_call_unlooked_at(form):
    played = play(form, [streamed(form, ("bad", HALF))], ERR, tools=[function(form, "", {"type": "object"})])
    assert (got(form, played.out), played.statuses) == ([], ["refused"])


def test_a_call_of_the_clients_own_tool_is_an_object():
    tools = [FREE["anthropic"]]
    half = play("anthropic", [streamed("anthropic", ("run_sql", HALF))], ERR, tools=tools)
    assert (got("anthropic", half.out), half.statuses) == ([], ["refused"])


# what goes wrong upstream


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_a_stream_that_breaks_off_ends_in_an_error(form, mending):
    sent = streamed(form, ["Moment.", GOOD])
    for end in (sent.index(b"book_berth") + 100, len(sent) // 2, sent.index(b"book_berth") - 60):
        played = play(form, [sent[:end]], mending, broken=True)
        found = check(form, played.out, calls_parse=False, usage=None)
        assert (found.end, found.error["code"]) == ("error", "upstream_closed")
        assert played.statuses in ([], ["refused"])


@FORM
@pytest.mark.parametrize("mending", [TRY, ERR])
def test_a_stream_that_just_ends_has_no_whole_call(form, mending):
    sent = streamed(form, GOOD)
    end = sent.rindex({"openai-chat": b"data: {", "openai-responses": b"event: "}.get(form, b"event: message_delta"))
    played = play(form, [sent[:end]], replace(mending, retries=0))
    assert check(form, played.out, calls_parse=False, usage=None).end == "error"


ERRORS: dict[str, Any] = {
    "openai-chat": {"error": {"message": "down", "type": "server_error"}},
    "openai-responses": ("error", {"type": "error", "sequence_number": 99, "code": "server_error", "message": "down", "param": None}),
    "anthropic": ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "down"}}),
}  # fmt: skip


SAID = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Möwe"}, "finish_reason": None}]}
UNNOTICED = [
    ("error", {"message": "down"}),
    (None, {"object": "error", "message": "down"}),
    (None, {"choices": [{"index": 0, "delta": {}, "error": {"message": "down"}, "finish_reason": "error"}]}),
    (None, {"choices": [{"index": 0, "delta": {}, "finish_reason": "error"}]}),
]


@pytest.mark.parametrize("mending", [Mending(), ERR, Mending(optimistic=True)])
@pytest.mark.parametrize("event", UNNOTICED, ids=str)
def test_an_error_that_a_client_would_not_notice_is_told_as_one_that_it_does(event, mending):
    out = events_of(play("openai-chat", [sse(SAID, event, "[DONE]")], mending).out)
    assert (out[0], out[2:]) == (SAID, ["[DONE]"])
    assert (out[1]["error"]["code"], out[1]["argwright"]) == ("upstream_failed", {"attempts": 1, "calls": []})
    assert out[1]["error"]["message"] == ("down" if "down" in str(event) else "the provider reported an error")


ENDS = [
    (["tool_calls", "stop"], "tool_calls"),
    (["stop", "stop"], "tool_calls"),
    (["stop", "tool_calls", "stop"], "tool_calls"),
]


@pytest.mark.parametrize("mending", [Mending(), ERR, TRY])
@pytest.mark.parametrize(("given", "told"), ENDS)
def test_a_reason_for_the_end_is_given_once(given, told, mending):
    entry = {"index": 0, "id": "c1", "type": "function", "function": {"name": "book_berth", "arguments": '{"m": 1}'}}
    called = {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [entry]}, "finish_reason": None}]}
    ends = [{"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]} for reason in given]
    out = events_of(play("openai-chat", [sse(called, *ends, "[DONE]")], mending).out)
    assert out[0] == called
    reasons = [None] * (len(given) - 1) + [told]
    assert [event["choices"][0]["finish_reason"] for event in out[1:-1]] == reasons


@FORM
@pytest.mark.parametrize("mending", [Mending(), TRY, ERR])
def test_the_providers_own_error_goes_on(form, mending):
    sent = streamed(form, GOOD)
    cut = sent[: sent.index(b"book_berth")]
    played = play(form, [cut[: cut.rindex(b"\n\n") + 2] + sse(ERRORS[form])], mending)
    assert check(form, played.out, calls_parse=False, usage=None).error["message"] == "down"
    whole_error = json.dumps({"error": {"message": "down"}}).encode()
    assert play_whole(form, [whole_error], mending).out == whole_error


@FORM
@pytest.mark.parametrize("garbage", [b"data: {what\n\n", b"data: 7\n\n", b"data: [1]\n\n", b"event: x\ndata: null\n\n"])
@pytest.mark.parametrize("mending", [TRY, ERR])
def test_garbage_inside_a_call_makes_it_cut(form, mending, garbage):
    sent = streamed(form, GOOD)
    place = sent.index(b"\n\n", sent.index(b"book_berth")) + 2
    played = play(form, [sent[:place] + garbage + sent[place:]], replace(mending, retries=0))
    assert played.statuses == ["refused"]
    assert got(form, played.out) == []


@FORM
@pytest.mark.parametrize("body", [b"", b"<html>", b"{}", b"[]", b"null", b'{"choices": 7}', b"[" * 100_000])
def test_a_body_that_is_no_reply_is_a_bad_gateway(form, body):
    played = play_whole(form, [body])
    assert (played.status, json.loads(played.out)["error"]["code"]) == (502, "upstream_garbled")


@FORM
def test_records_say_what_became_of_every_call_with_its_detail(form):
    played = play(form, [streamed(form, [GOOD, MENDED, BAD])])
    assert [(one.status, one.tool, one.streamed, one.at) for one in played.records] == [
        ("valid", "book_berth", True, 7.0), ("mended", "book_berth", True, 7.0), ("refused", "book_berth", True, 7.0),
    ]  # fmt: skip
    mended, refused = played.records[1], played.records[2]
    assert mended.detail is not None
    assert (mended.detail.arguments_text, mended.detail.arguments) == (MENDED[1], MEANT[1])
    assert mended.rules
    assert refused.detail is not None
    assert (refused.kind, refused.reason, bool(refused.detail.issues), bool(refused.detail.message)) == (
        "schema_error", "missing", True, True,
    )  # fmt: skip
    assert played.exchange.take_records() == ()


@FORM
def test_what_is_over_is_gone_at_once(form):
    """No cycles: nothing waits for the garbage collector."""
    under = exchange(form)
    under.feed(streamed(form, ["Möwe 🐦", GOOD]))
    under.end(broken=False)
    gone = weakref.ref(under._attempt)
    gc.disable()
    try:
        del under
        assert gone() is None
    finally:
        gc.enable()
