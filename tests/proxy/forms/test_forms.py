"""The judges themselves: what is well formed passes, and every seeded fault is told.

Each row takes a good stream, does one thing to it, and names the faults that must be told, all of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import argwright as aw
from argwright.scripted import FORMS, body, events
from argwright.scripted.server import frames
from tests.proxy.forms import whole
from tests.proxy.forms.checking import check
from tests.proxy.forms.seen import Call
from tests.proxy.forms.sse import events as framed

Events = list[tuple[Any, Any]]

TURN = aw.Turn(
    (aw.ToolCall("c1", "book_berth", '{"船": "Möwe 🐦"}'), aw.ToolCall("c2", "count_gulls", "{}")),
    text="מעגן\u2028Moment",
    reasoning="hm",
    finish=aw.Finish(None, "tool_calls"),
)
CALLS = (Call(id="c1", name="book_berth", arguments='{"船": "Möwe 🐦"}'), Call(id="c2", name="count_gulls", arguments="{}"))  # fmt: skip


def stream(form: str, turn: aw.Turn = TURN) -> Events:
    return [copy.deepcopy(event) for event in events(form, turn)]


def sent(given: Events) -> bytes:
    return b"".join(frames(given))


def where(given: Events, kind: str, number: int = 0) -> int:
    """The place of the `number`-th event of a kind."""
    return [at for at, (_, data) in enumerate(given) if data["type"] == kind][number]


@pytest.mark.parametrize("form", FORMS)
def test_a_good_stream(form):
    seen = check(form, sent(stream(form)))
    assert seen.faults == ()
    assert (seen.calls, seen.text, seen.end) == (CALLS, "מעגן\u2028Moment", "done")


@pytest.mark.parametrize("form", FORMS)
def test_a_good_stream_cut_between_any_two_events_has_no_fault_but_no_end(form):
    given = stream(form)
    for size in range(len(given)):
        seen = check(form, sent(given[:size]))
        assert (seen.faults, seen.end) == ((), "cut")


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_cut_within_an_event_is_told(form):
    assert check(form, sent(stream(form))[:-1]).slugs() == ["unfinished_event"]
    assert "not_utf8" in check(form, sent(stream(form)).replace("🐦".encode(), "🐦".encode()[:2], 1)).slugs()


def test_frames():
    assert [(one.name, one.data) for one in framed(b': hi\n\nevent: a\r\ndata: {"b":\r\ndata: 1}\r\n\r\n')[0]] == [
        ("a", {"b": 1})
    ]
    faults = framed(b"datum: 1\n\ndata: {\n\ndata: 1")[1]
    assert [one.slug for one in faults] == ["unknown_field", "event_not_json", "unfinished_event"]


Row = tuple[str, Callable[[Events], Any], list[str]]


def _delete(at: int) -> Callable[[Events], Any]:
    return lambda given: given.pop(at)


def _delta(given: Events, at: int) -> dict[str, Any]:
    return given[at][1]["choices"][0]["delta"]


def _call_delta(given: Events, number: int) -> dict[str, Any]:
    entries = [entry for _, data in given[:-1] for entry in data["choices"][0]["delta"].get("tool_calls", ())]
    return entries[number]


def _usage(given: Events) -> Any:
    head = {name: given[0][1][name] for name in ("id", "object", "created", "model")}
    counts = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return (None, {**head, "choices": [], "usage": counts})


CHAT: list[Row] = [
    ("no [DONE]", _delete(-1), []),
    ("twice [DONE]", lambda given: given.append((None, "[DONE]")), ["after_the_end"]),
    ("a named event", lambda given: given.__setitem__(0, ("message", given[0][1])), ["named_event"]),
    ("no role", lambda given: _delta(given, 0).pop("role"), ["role"]),
    ("the role twice", lambda given: _delta(given, 1).__setitem__("role", "assistant"), ["role", "role"]),
    ("the role late", lambda given: _delta(given, 1).__setitem__("role", _delta(given, 0).pop("role")), ["role"]),
    ("another id", lambda given: given[3][1].__setitem__("id", "chatcmpl-2"), ["another_head"]),
    ("another time", lambda given: given[3][1].__setitem__("created", 1), ["another_head"]),
    ("no id", lambda given: given[3][1].pop("id"), ["sdk"]),
    ("the time as text", lambda given: given[3][1].__setitem__("created", "1"), ["sdk", "another_head"]),
    ("an index as text", lambda given: _call_delta(given, 1).__setitem__("index", "0"), ["sdk", "arguments"]),
    ("no index", lambda given: _call_delta(given, 1).pop("index"), ["sdk", "arguments"]),
    ("an object for arguments", lambda given: _call_delta(given, 1)["function"].__setitem__("arguments", {}), ["sdk", "arguments"]),
    ("an index with a hole", lambda given: _call_delta(given, 0).__setitem__("index", 1), ["index", "first_fragment"]),
    ("no id of a call", lambda given: _call_delta(given, 0).pop("id"), ["first_fragment"]),
    ("an empty id", lambda given: _call_delta(given, 0).__setitem__("id", ""), ["first_fragment"]),
    ("no name", lambda given: _call_delta(given, 0)["function"].pop("name"), ["first_fragment"]),
    ("no type", lambda given: _call_delta(given, 0).pop("type"), ["first_fragment"]),
    ("the id again", lambda given: _call_delta(given, 1).__setitem__("id", "c1"), ["id_or_name_again"]),
    ("the name again", lambda given: _call_delta(given, 1)["function"].__setitem__("name", "x"), ["id_or_name_again"]),
    ("one id for two", lambda given: _call_delta(given, -2).__setitem__("id", "c1"), ["id_twice"]),
    ("no finish", _delete(-2), ["no_finish"]),
    ("the finish twice", lambda given: given.insert(-1, given[-2]), ["after_the_finish"]),
    ("text after the finish", lambda given: given.insert(-1, given[3]), ["after_the_finish"]),
    ("another word at the end", lambda given: given[-2][1]["choices"][0].__setitem__("finish_reason", "ended"), ["sdk"]),
    ("no arguments", lambda given: given.__setitem__(slice(None), [one for one in given if '"arguments":"{}"' not in aw.model.compact(one[1])]), ["arguments"]),
    ("arguments that are no JSON", lambda given: _call_delta(given, 1)["function"].__setitem__("arguments", "{x"), ["arguments"]),
    ("usage that nobody asked for", lambda given: given.insert(-1, _usage(given)), ["usage"]),
    ("usage before the end", lambda given: given.insert(3, _usage(given)), ["chunk_after_usage"] * (len([*events("openai-chat", TURN)]) - 4) + ["usage"]),
    ("finish without calls", lambda given: given.__setitem__(slice(1, -2), []), ["tool_calls_without_a_call"]),
    ("an error without a message", lambda given: given.insert(3, (None, {"error": {"code": 1}})), ["error_form"] + ["after_an_error"] * (len([*events("openai-chat", TURN)]) - 4)),
    ("a second choice", lambda given: given[3][1]["choices"][0].__setitem__("index", 1), ["another_choice"]),
]  # fmt: skip


def _block(given: Events, kind: str, number: int) -> dict[str, Any]:
    return given[where(given, kind, number)][1]


def _move(given: Events, from_: int, to: int) -> None:
    given.insert(to, given.pop(from_))


START, DELTA, STOP = "content_block_start", "content_block_delta", "content_block_stop"
ANTHROPIC: list[Row] = [
    ("no message_stop", _delete(-1), []),
    ("no message_start", _delete(0), ["no_message_start"] * (len([*events("anthropic", TURN)]) - 1)),
    ("a second message_start", lambda given: given.insert(1, given[0]), ["second_message_start"]),
    ("a start with a reason", lambda given: given[0][1]["message"].__setitem__("stop_reason", "tool_use"), ["message_start_not_empty"]),
    ("a start with content", lambda given: given[0][1]["message"].__setitem__("content", [{"type": "text", "text": "x"}]), ["message_start_not_empty"]),
    ("after the end", lambda given: given.append(given[-1]), ["after_the_end"]),
    ("a ping anywhere", lambda given: given.insert(4, ("ping", {"type": "ping"})), []),
    ("the name is not the type", lambda given: given.__setitem__(2, ("message", given[2][1])), ["name_is_not_type"]),
    ("a type that is none", lambda given: given.insert(2, ("message_note", {"type": "message_note"})), ["sdk"]),
    ("an index as text", lambda given: _block(given, STOP, 0).__setitem__("index", "0"), ["sdk", "block_in_block"]),
    ("an index with a hole", lambda given: [one[1].__setitem__("index", 9) for one in given if one[1].get("index") == 2], ["index"]),
    ("an index again", lambda given: [one[1].__setitem__("index", 0) for one in given if one[1].get("index") == 3], ["index"]),
    ("a block that is not closed", lambda given: given.pop(where(given, STOP, 1)), ["block_in_block"]),
    ("the last block is not closed", lambda given: given.pop(where(given, STOP, 3)), ["message_delta_in_block", "message_stop_in_block"]),
    ("a block closed twice", lambda given: given.insert(where(given, STOP, 1), given[where(given, STOP, 1)]), ["stop_outside_its_block"]),
    ("a block that is not opened", lambda given: given.pop(where(given, START, 3)), ["delta_outside_its_block", "stop_outside_its_block"]),
    ("a delta before its block", lambda given: _move(given, where(given, START, 3) + 1, where(given, START, 3)), ["delta_outside_its_block"]),
    ("a delta after its block", lambda given: _move(given, where(given, STOP, 3), where(given, STOP, 3) - 1), ["delta_outside_its_block"]),
    ("a delta of another block", lambda given: given[where(given, STOP, 3) - 1][1].__setitem__("index", 2), ["delta_outside_its_block"]),
    ("a delta of another type", lambda given: given[where(given, START, 3) + 1][1].__setitem__("delta", {"type": "text_delta", "text": "x"}), ["delta_of_another_type", "arguments"]),
    ("input in the start", lambda given: _block(given, START, 2)["content_block"].__setitem__("input", {"a": 1}), ["input_in_start"]),
    ("text in the start", lambda given: _block(given, START, 1)["content_block"].__setitem__("text", "x"), ["block_starts_with_text"]),
    ("no id", lambda given: _block(given, START, 2)["content_block"].__setitem__("id", ""), ["call_without_id_or_name"]),
    ("one id for two", lambda given: _block(given, START, 3)["content_block"].__setitem__("id", "c1"), ["id_twice"]),
    ("no message_delta", _delete(-2), ["no_message_delta"]),
    ("a block after the message_delta", lambda given: _move(given, -2, where(given, START, 3)), ["block_after_message_delta"]),
    ("a message_delta in a block", lambda given: _move(given, -2, where(given, STOP, 3)), ["message_delta_in_block"]),
    ("a reason that is none", lambda given: given[-2][1]["delta"].__setitem__("stop_reason", "done"), ["sdk", "no_message_delta"]),
    ("a reason that hides the calls", lambda given: given[-2][1]["delta"].__setitem__("stop_reason", "end_turn"), ["calls_but_end_turn"]),
    ("no call", lambda given: given.__setitem__(slice(where(given, START, 2), -2), []), ["tool_use_without_a_call"]),
    ("no usage", lambda given: given[-2][1].pop("usage"), ["sdk", "no_message_delta"]),
    ("arguments that are no JSON", lambda given: given[where(given, STOP, 3) - 1][1]["delta"].__setitem__("partial_json", "{x"), ["arguments"]),
    ("an error without a message", lambda given: given.__setitem__(slice(4, None), [("error", {"type": "error", "error": "down"})]), ["error_form"]),
    ("an error in the middle", lambda given: given.__setitem__(slice(4, None), [("error", {"type": "error", "error": {"type": "api_error", "message": "down"}})]), []),
]  # fmt: skip

ADDED, DONE, ARGUMENTS = (
    "response.output_item.added",
    "response.output_item.done",
    "response.function_call_arguments.done",
)
TEXT = "response.output_text.done"


def _last(given: Events) -> dict[str, Any]:
    return given[-1][1]["response"]


RESPONSES: list[Row] = [
    ("no end", _delete(-1), []),
    ("no beginning", _delete(0), ["no_created"] * (len([*events("openai-responses", TURN)]) - 1) + ["another_id"]),
    ("twice created", lambda given: given.insert(1, (given[0][0], {**given[0][1], "sequence_number": 0.5})), ["sdk"]),
    ("created late", lambda given: _move(given, 0, 2), ["no_created", "no_created", "sequence_number", "late_or_twice"]),
    ("created with output", lambda given: given[0][1]["response"].__setitem__("output", _last(given)["output"]), ["begins_with_output"]),
    ("after the end", lambda given: given.append((given[-1][0], {**given[-1][1], "sequence_number": 999})), ["after_the_end"]),
    ("the name is not the type", lambda given: given.__setitem__(2, ("response.x", given[2][1])), ["name_is_not_type"]),
    ("a type that is none", lambda given: given[2][1].__setitem__("type", "response.x"), ["name_is_not_type", "sdk", *["no_such_part"] * 5, "item_is_not_its_deltas"]),
    ("a number again", lambda given: given[4][1].__setitem__("sequence_number", 3), ["sequence_number"]),
    ("no number", lambda given: given[4][1].pop("sequence_number"), ["sdk", "done_is_not_its_deltas", "part_is_not_its_deltas", "item_is_not_its_deltas"]),
    ("an index with a hole", lambda given: given[where(given, ADDED, 2)][1].__setitem__("output_index", 3), ["output_index"]),
    ("an index nobody has", lambda given: given[where(given, DONE, 2)][1].__setitem__("output_index", 7), ["no_such_item", "unfinished_item"]),
    ("an item is not done", lambda given: given.pop(where(given, DONE, 1)), ["unfinished_item"]),
    ("an item is done twice", lambda given: given.insert(where(given, DONE, 1) + 1, (DONE, {**given[where(given, DONE, 1)][1], "sequence_number": 10**6})), ["item_is_done", *["sequence_number"]]),
    ("an item's id changes", lambda given: given[where(given, DONE, 1)][1]["item"].__setitem__("id", "fc_9"), ["item_changed", "output_is_not_what_was_told"]),
    ("a call's id changes", lambda given: given[where(given, DONE, 1)][1]["item"].__setitem__("call_id", "c9"), ["item_changed", "output_is_not_what_was_told"]),
    ("a call's name changes", lambda given: given[where(given, DONE, 1)][1]["item"].__setitem__("name", "x"), ["item_changed", "output_is_not_what_was_told"]),
    ("an event of another item", lambda given: given[where(given, ARGUMENTS)][1].__setitem__("item_id", "fc_9"), ["item_id"]),
    ("one id for two", lambda given: given[where(given, ADDED, 2)][1]["item"].__setitem__("call_id", "c1"), ["id_twice", "item_changed"]),
    ("no call id", lambda given: given[where(given, ADDED, 2)][1]["item"].__setitem__("call_id", ""), ["call_without_id_or_name", "item_changed"]),
    ("arguments at once", lambda given: given[where(given, ADDED, 1)][1]["item"].__setitem__("arguments", "{}"), ["begins_with_content"]),
    ("no arguments done", lambda given: given.pop(where(given, ARGUMENTS)), ["item_is_not_its_deltas"]),
    ("arguments done twice", lambda given: given.insert(where(given, ARGUMENTS), (ARGUMENTS, {**given[where(given, ARGUMENTS)][1], "sequence_number": given[where(given, ARGUMENTS) - 1][1]["sequence_number"]})), ["sequence_number", "done_twice"]),
    ("a delta after arguments done", lambda given: _move(given, where(given, ARGUMENTS), where(given, ARGUMENTS) - 1), ["done_is_not_its_deltas", "sequence_number", "delta_after_done"]),
    ("a delta is lost", lambda given: given.pop(where(given, ARGUMENTS) - 1), ["done_is_not_its_deltas"]),
    ("arguments done are others", lambda given: given[where(given, ARGUMENTS)][1].__setitem__("arguments", "{}"), ["done_is_not_its_deltas", "item_is_not_its_deltas"]),
    ("the item's arguments are others", lambda given: given[where(given, DONE, 1)][1]["item"].__setitem__("arguments", "{}"), ["item_is_not_its_deltas", "output_is_not_what_was_told"]),
    ("a done item is in progress", lambda given: given[where(given, DONE, 1)][1]["item"].__setitem__("status", "in_progress"), ["done_in_progress", "output_is_not_what_was_told"]),
    ("text done is another", lambda given: given[where(given, TEXT)][1].__setitem__("text", "x"), ["done_is_not_its_deltas"]),
    ("no text done", lambda given: given.pop(where(given, TEXT)), ["part_is_not_its_deltas"]),
    ("no part done", lambda given: given.pop(where(given, "response.content_part.done")), ["item_done_before_its_part"]),
    ("the part's text is another", lambda given: given[where(given, "response.content_part.done")][1]["part"].__setitem__("text", "x"), ["part_is_not_its_deltas"]),
    ("a part's index", lambda given: given[where(given, "response.content_part.added")][1].__setitem__("content_index", 1), ["part_index", *["no_such_part"] * 5, "item_done_before_its_part", "item_is_not_its_deltas"]),
    ("a delta of another type", lambda given: given[where(given, ARGUMENTS) - 1][1].__setitem__("output_index", 0), ["item_is_done", "item_id", "delta_of_another_type", "done_is_not_its_deltas"]),
    ("the output has one less", lambda given: _last(given).__setitem__("output", _last(given)["output"][1:]), ["output_is_not_what_was_told"]),
    ("the output has another", lambda given: _last(given)["output"][1].__setitem__("arguments", "{}"), ["output_is_not_what_was_told"]),
    ("another id at the end", lambda given: _last(given).__setitem__("id", "resp_2"), ["another_id"]),
    ("another status at the end", lambda given: _last(given).__setitem__("status", "in_progress"), ["status"]),
    ("failed without a message", lambda given: given.__setitem__(-1, ("response.failed", {**given[-1][1], "type": "response.failed", "response": {**_last(given), "status": "failed"}})), ["error_form"]),
    ("an error in the middle", lambda given: given.__setitem__(slice(4, None), [("error", {"type": "error", "sequence_number": 9, "code": "x", "message": "down", "param": None})]), []),
]  # fmt: skip


def _rows() -> list[Any]:
    tables = {"openai-chat": CHAT, "anthropic": ANTHROPIC, "openai-responses": RESPONSES}
    return [pytest.param(form, *row[1:], id=f"{form}: {row[0]}") for form, rows in tables.items() for row in rows]


@pytest.mark.parametrize(("form", "harm", "expected"), _rows())
def test_a_seeded_fault_is_told(form, harm, expected):
    given = stream(form)
    harm(given)
    assert check(form, sent(given)).slugs() == expected


def test_an_end_that_failed():
    given = stream("anthropic")[:4]
    given.append(("error", {"type": "error", "error": {"type": "api_error", "message": "down"}}))
    seen = check("anthropic", sent(given))
    assert (seen.faults, seen.end, seen.error["message"]) == ((), "error", "down")
    chat = check("openai-chat", sent([*stream("openai-chat")[:4], (None, {"error": {"message": "down"}})]))
    assert (chat.faults, chat.end, chat.error) == ((), "error", {"message": "down"})


def test_usage_that_was_asked_for():
    given = stream("openai-chat")
    assert check("openai-chat", sent(given), usage=True).slugs() == ["usage"]
    given.insert(-1, _usage(given))
    assert check("openai-chat", sent(given), usage=True).faults == ()


def test_calls_that_need_not_parse():
    cut = aw.Turn((aw.ToolCall("c1", "book_berth", '{"船": '),), finish=aw.Finish(None, "tool_calls"))
    for form in FORMS:
        assert check(form, sent(stream(form, cut))).slugs() == ["arguments"]
        assert check(form, sent(stream(form, cut)), calls_parse=False).faults == ()


# Whole replies

WHOLE: list[Any] = [
    ("openai-chat", "no id", lambda given: given.pop("id"), ["sdk"]),
    ("openai-chat", "a number for text", lambda given: given["choices"][0]["message"].__setitem__("content", 1), ["sdk"]),
    ("openai-chat", "an object for arguments", lambda given: given["choices"][0]["message"]["tool_calls"][0]["function"].__setitem__("arguments", {}), ["sdk"]),
    ("openai-chat", "no calls", lambda given: given["choices"][0]["message"].pop("tool_calls"), ["finish"]),
    ("openai-chat", "one id for two", lambda given: given["choices"][0]["message"]["tool_calls"][1].__setitem__("id", "c1"), ["call_without_id_or_name"]),
    ("openai-chat", "no JSON", lambda given: given["choices"][0]["message"]["tool_calls"][1]["function"].__setitem__("arguments", "{x"), ["arguments"]),
    ("openai-chat", "no object", lambda given: given["choices"][0]["message"]["tool_calls"][1]["function"].__setitem__("arguments", "null"), ["arguments"]),
    ("openai-responses", "no JSON", lambda given: given["output"][2].__setitem__("arguments", "{x"), ["arguments"]),
    ("openai-responses", "an unknown status", lambda given: given.__setitem__("status", "done"), ["sdk"]),
    ("anthropic", "no calls", lambda given: given.__setitem__("content", given["content"][:2]), ["finish"]),
    ("anthropic", "no id", lambda given: given["content"][2].__setitem__("id", ""), ["call_without_id_or_name"]),
    ("anthropic", "input as text", lambda given: given["content"][2].__setitem__("input", "{}"), ["sdk"]),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_good_body(form):
    seen = whole.check(form, aw.model.compact(body(form, TURN)).encode())
    assert seen.faults == ()
    assert [(one.id, one.name, one.value()) for one in seen.calls] == [(one.id, one.name, one.value()) for one in CALLS]
    assert whole.check(form, b"<html>").slugs() == ["not_json"]


@pytest.mark.parametrize(
    ("form", "harm", "expected"), [pytest.param(row[0], *row[2:], id=f"{row[0]}: {row[1]}") for row in WHOLE]
)
def test_a_seeded_fault_of_a_body_is_told(form, harm, expected):
    given = copy.deepcopy(body(form, TURN))
    harm(given)
    assert whole.check(form, aw.model.compact(given).encode()).slugs() == expected
