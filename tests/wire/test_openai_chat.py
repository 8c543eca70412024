"""OpenAI chat completions, and what compatible servers make of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.openai_chat import OPENAI_CHAT
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("tool_calls", "tool_calls", False)
STOPPED = ("stop", "stop", False)


def asks(index: Any = None, id: Any = None, name: Any = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    """An entry of `tool_calls`; what is `None` is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    keys = {key: value for key, value in (("index", index), ("id", id)) if value is not None}
    return {**keys, "function": function, **more}


def chunk(*entries: Any, end: Any = None, **delta: Any) -> dict[str, Any]:
    if entries:
        delta["tool_calls"] = list(entries)
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}


def body(end: Any, **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": end}
    return {"object": "chat.completion", "choices": [choice]}


END = chunk(end="tool_calls")
BERTH = '{"船": "Möwe", "m": 12}'
ONE = call("c1", "book_berth", BERTH, finish_reason="tool_calls")
THANKED = turn(ONE, end=CALLED)

WHOLE = [
    ("text and two calls",
     body("tool_calls", content="Moment", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH), asks(id="c2", name="count_gulls", arguments="{}")]),
     turn(call("c1", "book_berth", BERTH), call("c2", "count_gulls", "{}", finish_reason="tool_calls"), end=CALLED, text="Moment")),
    ("a named choice ends with stop", body("stop", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH)]), turn(ONE, end=("stop", "tool_calls", False))),
    ("an object for arguments", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments={"m": 12})]),
     turn(call("c1", "book_berth", {"m": 12}, finish_reason="tool_calls"), end=CALLED)),
    ("null for arguments", body("tool_calls", tool_calls=[{"id": "c1", "function": {"name": "count_gulls", "arguments": None}}]),
     turn(call("c1", "count_gulls", finish_reason="tool_calls"), end=CALLED)),
    ("a list of arguments stays what it is", body("tool_calls", tool_calls=[asks(id="c1", name="count_gulls", arguments=[1])]),
     turn(call("c1", "count_gulls", "[1]", finish_reason="tool_calls"), end=CALLED)),
    ("one object for the list", body("tool_calls", tool_calls=asks(id="c1", name="book_berth", arguments=BERTH)), THANKED),
    ("a free-text tool", body("tool_calls", tool_calls=[{"id": "c1", "type": "custom", "custom": {"name": "ask_pilot", "input": "wind?"}}]),
     turn(call("c1", "ask_pilot", input="wind?", finish_reason="tool_calls"), end=CALLED)),
    ("the old form", body("function_call", function_call={"name": "book_berth", "arguments": BERTH}),
     turn(call(None, "book_berth", BERTH, finish_reason="tool_calls"), end=("function_call", "tool_calls", False))),
    ("one call in both forms", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH)], function_call={"name": "book_berth", "arguments": BERTH}), THANKED),
    ("another call in the old form", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH)], function_call={"name": "count_gulls", "arguments": "{}"}),
     turn(call("c1", "book_berth", BERTH), call(None, "count_gulls", "{}", finish_reason="tool_calls"), end=CALLED)),
    ("two equal calls are two", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH), asks(id="c2", name="book_berth", arguments=BERTH)]),
     turn(call("c1", "book_berth", BERTH), call("c2", "book_berth", BERTH, finish_reason="tool_calls"), end=CALLED)),
    ("a name full of noise stays as written", body("tool_calls", tool_calls=[asks(id="functions.book_berth:0", name="functions.book_berth:0", arguments="{}")]),
     turn(call("functions.book_berth:0", "functions.book_berth:0", "{}", finish_reason="tool_calls"), end=CALLED)),
    ("no name", body("tool_calls", tool_calls=[asks(id="c1", name="", arguments="{}")]), turn(call("c1", None, "{}", finish_reason="tool_calls"), end=CALLED)),
    ("cut", body("length", tool_calls=[asks(id="c1", name="book_berth", arguments='{"m": 1')]),
     turn(call("c1", "book_berth", '{"m": 1', finish_reason="length"), end=("length", "length", True))),
    ("cut, as the text alone tells", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments='{"船": "Mö')]),
     turn(call("c1", "book_berth", '{"船": "Mö', finish_reason="tool_calls"), end=("tool_calls", "tool_calls", True))),
    ("cut in an earlier call only", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments='{"m": 1'), asks(id="c2", name="count_gulls", arguments="{}")]),
     turn(call("c1", "book_berth", '{"m": 1'), call("c2", "count_gulls", "{}", finish_reason="tool_calls"), end=CALLED)),
    ("reasoning beside the text", body("stop", content="ja", reasoning_content="hm"), turn(end=STOPPED, text="ja", reasoning="hm", extra={"reasoning_content": "hm"})),
    ("reasoning under its other name", body("stop", content="ja", reasoning="hm", reasoning_details=[{"type": "x"}]),
     turn(end=STOPPED, text="ja", reasoning="hm", extra={"reasoning": "hm", "reasoning_details": [{"type": "x"}]})),
    ("content in parts", body("stop", content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "ja"}]),
     turn(end=STOPPED, text="ja", reasoning="hm",
          extra={"content_parts": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "ja"}]})),
    ("opaque data of a call", body("tool_calls", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH, extra_content={"google": {"thought_signature": "c2ln"}})]),
     turn(call("c1", "book_berth", BERTH, finish_reason="tool_calls", extra={"google": {"thought_signature": "c2ln"}}), end=CALLED)),
    ("a malformed call beside a whole one", body("function_call_filter: MALFORMED_FUNCTION_CALL", tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH)]),
     turn(call("c1", "book_berth", BERTH, finish_reason="malformed", blocked=True), end=("function_call_filter: MALFORMED_FUNCTION_CALL", "malformed", False))),
    ("a message of the history", {"role": "assistant", "content": None, "tool_calls": [asks(id="c1", name="book_berth", arguments=BERTH)]}, turn(call("c1", "book_berth", BERTH))),
    ("an error", {"error": {"code": 429, "message": "slow down"}}, turn(end=(None, "error", True), extra={"error": {"code": 429, "message": "slow down"}})),
    ("a refusal goes back as one", body("stop", content=None, refusal="nein"), turn(end=STOPPED, extra={"refusal": "nein"})),
    ("nulls everywhere", {"choices": [{"index": None, "message": {"role": None, "content": None, "tool_calls": None, "function_call": None}, "finish_reason": None}], "usage": None, "model": None}, turn()),
    ("no choices", {"choices": []}, turn()),
    ("nothing", {}, turn()),
    ("no object", [1, "x", None], turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("openai-chat", given) == expected


def test_model_and_usage():
    given = {**body("stop", content="ja"), "model": "m-1", "usage": {"total_tokens": 3}}
    assert read("openai-chat", given) == turn(end=STOPPED, text="ja", model="m-1", usage={"total_tokens": 3})


def test_text_that_is_no_json_is_an_error():
    assert read("openai-chat", "<html>502</html>").finish == turn(end=(None, "error", True)).finish


# Streams. Which call does a piece belong to?

SEVEN, NINE = '{"m": 7}', '{"m": 9}'
TWO = turn(call("c1", "book_berth", SEVEN), call("c2", "count_gulls", NINE, finish_reason="tool_calls"), end=CALLED)
TWINS = turn(call("c1", "book_berth", SEVEN), call("c2", "book_berth", NINE, finish_reason="tool_calls"), end=CALLED)


def without_ids(expected: Any) -> Any:
    return turn(
        *(call(None, made.name, made.arguments, finish_reason=made.finish_reason) for made in expected.calls),
        end=CALLED,
    )


IDENTITY = [
    ("as documented", [chunk(role="assistant", content=None), chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, arguments='{"船": "M')), chunk(asks(0, arguments='öwe", "m": 12}')), END], THANKED),
    ("whole in one piece", [chunk(asks(0, "c1", "book_berth", BERTH), end="tool_calls")], THANKED),
    ("two whole in one chunk", [chunk(asks(0, "c1", "book_berth", SEVEN), asks(1, "c2", "count_gulls", NINE)), END], TWO),
    ("in turn", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(1, "c2", "count_gulls", "")), chunk(asks(0, arguments='{"m":')), chunk(asks(1, arguments='{"m":')),
                 chunk(asks(0, arguments=" 7}")), chunk(asks(1, arguments=" 9}")), END], TWO),
    ("no index", [chunk(asks(None, "c1", "book_berth", "")), chunk(asks(arguments='{"m":')), chunk(asks(arguments=" 7}")), chunk(asks(None, "c2", "count_gulls", "")), chunk(asks(arguments=NINE)), END], TWO),
    ("no index, no ids", [chunk(asks(name="book_berth", arguments=SEVEN)), chunk(asks(name="count_gulls", arguments='{"m":')), chunk(asks(arguments=" 9}")), END], without_ids(TWO)),
    ("no index, the name in every piece", [chunk(asks(name="book_berth", arguments='{"m"')), chunk(asks(name="book_berth", arguments=": 7}")), chunk(asks(name="book_berth", arguments=NINE)), END], without_ids(TWINS)),
    ("no index, the name in every piece, a nested object", [chunk(asks(name="book_berth", arguments='{"at": ')), chunk(asks(name="book_berth", arguments='{"m": 7}}')), END],
     turn(call(None, "book_berth", '{"at": {"m": 7}}', finish_reason="tool_calls"), end=CALLED)),
    ("no index, the name last", [chunk(asks(None, "c1", arguments='{"船": "Möwe", ')), chunk(asks(name="book_berth", arguments='"m": 12}')), END], THANKED),
    ("no index, nothing but the name last", [chunk(asks(None, "c1", arguments=BERTH)), chunk(asks(name="book_berth")), END], THANKED),
    ("index always 0, whole calls", [chunk(asks(0, "c1", "book_berth", SEVEN)), chunk(asks(0, "c2", "count_gulls", NINE)), END], TWO),
    ("index always 0, in pieces", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, arguments='{"m":')), chunk(asks(0, arguments=" 7}")),
                                   chunk(asks(0, "c2", "count_gulls", "")), chunk(asks(0, arguments=NINE)), END], TWO),
    ("index always 0, empty ids after the first", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, "", "", SEVEN)), chunk(asks(0, "c2", "book_berth", "")), chunk(asks(0, "", "", NINE)), END], TWINS),
    ("index always 0, ids in every piece", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, "c1", arguments=SEVEN)), chunk(asks(0, "c2", "book_berth", "")), chunk(asks(0, "c2", arguments=NINE)), END], TWINS),
    ("index always 0, no ids, another name", [chunk(asks(0, None, "book_berth", SEVEN)), chunk(asks(0, None, "count_gulls", NINE)), END], without_ids(TWO)),
    ("index always 0, no ids, the same name", [chunk(asks(0, None, "book_berth", SEVEN)), chunk(asks(0, None, "book_berth", NINE)), END], without_ids(TWINS)),
    ("index always 0, no ids, the same call again is a repeat", [chunk(asks(0, None, "book_berth", SEVEN)), chunk(asks(0, None, "book_berth", SEVEN)), END],
     turn(call(None, "book_berth", SEVEN, finish_reason="tool_calls"), end=CALLED)),
    ("index with holes", [chunk(asks(2, "c1", "book_berth", SEVEN)), chunk(asks(5, "c2", "count_gulls", NINE)), END], TWO),
    ("index as text", [chunk(asks("0", "c1", "book_berth", "")), chunk(asks("0", arguments=SEVEN)), chunk(asks("1", "c2", "count_gulls", NINE)), END], TWO),
    ("one index twice in one chunk", [chunk(asks(0, "c1", "book_berth", ""), asks(0, arguments='{"船": "Möwe"')), chunk(asks(0, arguments=', "m": 12}')), END], THANKED),
    ("the id in every piece", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, "c1", arguments=BERTH[:9])), chunk(asks(0, "c1", arguments=BERTH[9:])), END], THANKED),
    ("the id comes late", [chunk(asks(0, None, "book_berth", "")), chunk(asks(0, "c1", arguments=BERTH[:9])), chunk(asks(0, arguments=BERTH[9:])), END], THANKED),
    ("the id changes: the first stays", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, "x7", arguments=BERTH[:9])), chunk(asks(0, "x8", arguments=BERTH[9:])), END], THANKED),
    ("words that are no id", [chunk(asks(0, "c1", "book_berth", "")), chunk(asks(0, "null", "", BERTH[:9])), chunk(asks(0, "None", arguments=BERTH[9:])), END], THANKED),
    ("never an id", [chunk(asks(0, None, "book_berth", "")), chunk(asks(0, arguments=BERTH)), END], turn(call(None, "book_berth", BERTH, finish_reason="tool_calls"), end=CALLED)),
    ("an id that is a number", [chunk(asks(0, 17, "book_berth", BERTH)), END], turn(call("17", "book_berth", BERTH, finish_reason="tool_calls"), end=CALLED)),
    ("one id for two calls", [chunk(asks(0, "c1", "book_berth", SEVEN), asks(1, "c1", "count_gulls", NINE)), END],
     turn(call("c1", "book_berth", SEVEN), call("c1", "count_gulls", NINE, finish_reason="tool_calls"), end=CALLED)),
    ("one id and one index for two calls", [chunk(asks(0, "c1", "book_berth", SEVEN)), chunk(asks(0, "c1", "book_berth", NINE)), END],
     turn(call("c1", "book_berth", SEVEN), call("c1", "book_berth", NINE, finish_reason="tool_calls"), end=CALLED)),
    ("the name in every piece", [chunk(asks(0, "c1", "book_berth", BERTH[:4])), chunk(asks(0, "c1", "book_berth", BERTH[4:9])), chunk(asks(0, "c1", "book_berth", BERTH[9:])), END], THANKED),
    ("the name in pieces", [chunk(asks(0, "c1", "book_")), chunk(asks(0, name="berth")), chunk(asks(0, arguments=BERTH)), END], THANKED),
    ("the name grows", [chunk(asks(0, "c1", "book_")), chunk(asks(0, "c1", "book_berth")), chunk(asks(0, arguments=BERTH)), END], THANKED),
    ("the name last", [chunk(asks(0, "c1", arguments=BERTH[:9])), chunk(asks(0, name="book_berth", arguments=BERTH[9:])), END], THANKED),
    ("no name at all", [chunk(asks(0, "c1", arguments=BERTH)), END], turn(call("c1", None, BERTH, finish_reason="tool_calls"), end=CALLED)),
    ("empty entries say nothing", [chunk({}), chunk({"index": 0, "function": {}}), chunk(asks(0, "c1", "book_berth", BERTH)), chunk({"function": None}), END], THANKED),
    ("one object for the list", [{"choices": [{"delta": {"tool_calls": asks(0, "c1", "book_berth", BERTH)}, "finish_reason": "tool_calls"}]}], THANKED),
    ("a message for the delta", [{"choices": [{"message": {"role": "assistant", "tool_calls": [asks(None, "c1", "book_berth", BERTH)]}, "finish_reason": "tool_calls"}]}], THANKED),
    ("the old form", [chunk(function_call={"name": "book_berth", "arguments": ""}), chunk(function_call={"arguments": BERTH}), chunk(end="function_call")],
     turn(call(None, "book_berth", BERTH, finish_reason="tool_calls"), end=("function_call", "tool_calls", False))),
    ("one call in both forms", [chunk(asks(0, "c1", "book_berth", ""), function_call={"name": "book_berth", "arguments": ""}),
     chunk(asks(0, arguments=BERTH[:9]), function_call={"arguments": BERTH[:9]}), chunk(asks(0, arguments=BERTH[9:]), function_call={"arguments": BERTH[9:]}), END], THANKED),
    ("a free-text tool", [chunk({"index": 0, "id": "c1", "type": "custom", "custom": {"name": "ask_pilot", "input": "wi"}}), chunk({"index": 0, "custom": {"input": "nd?"}}), END],
     turn(call("c1", "ask_pilot", input="wind?", finish_reason="tool_calls"), end=CALLED)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in IDENTITY], ids=[row[0] for row in IDENTITY])
def test_which_call_a_piece_belongs_to(events, expected):
    same_however_it_comes("openai-chat", [*events, "[DONE]"], expected)


# What do the fragments amount to?


def pieces(*fragments: Any) -> list[Any]:
    return [chunk(asks(0, "c1", "book_berth")), *(chunk(asks(0, arguments=fragment)) for fragment in fragments), END]


FRAGMENTS = [
    ("cut in an escape and in half a pair", ['{"a": "\\u', "d83d", "\\ud", "e00\\", 'n"}'], '{"a": "\\ud83d\\ude00\\n"}'),
    ("equal pieces that are meant", ['{"a": "a', "a", '"}'], '{"a": "aa"}'),
    ("a piece that begins like all before it, and is meant", ['{"a":', '{"a":1}}'], '{"a":{"a":1}}'),
    ("all so far in every piece", ['{"a', '{"a": 1', '{"a": 12}'], '{"a": 12}'),
    ("all so far, with repeats", ['{"a', '{"a', '{"a": 12}', '{"a": 12}'], '{"a": 12}'),
    ("all so far, cut", ['{"a', '{"a": "lo', '{"a": "long'], '{"a": "long'),
    ("pieces, then all again", ['{"a"', ": 12", "}", '{"a": 12}'], '{"a": 12}'),
    ("a placeholder first", ["{}", '{"a"', ": 12}"], '{"a": 12}'),
    ("a placeholder that is meant", ["{}", ""], "{}"),
    ("two objects stay two", ['{"a": 1}', '{"a": 2}'], '{"a": 1}{"a": 2}'),
    ("encoded twice stays so", ['"{\\"a\\"', ': 12}"'], '"{\\"a\\": 12}"'),
    ("no JSON stays so", ["{a: ", "Möwe}"], "{a: Möwe}"),
    ("an object", [{"a": 12}], {"a": 12}),
    ("an object, then its text", [{"a": 12}, '{"a":12}'], '{"a":12}'),
    ("null", ["null"], "null"),
    ("nothing", [""], None),
]  # fmt: skip


@pytest.mark.parametrize(("fragments", "expected"), [row[1:] for row in FRAGMENTS], ids=[row[0] for row in FRAGMENTS])
def test_what_the_fragments_amount_to(fragments, expected):
    made, _ = fed("openai-chat", pieces(*fragments))
    assert [got.arguments for got in made.calls] == [expected]
    assert made.finish.truncated == (expected == '{"a": "long')


def test_a_huge_integer_keeps_its_digits():
    made, _ = fed("openai-chat", pieces('{"id": 25122920', "42121000001}"))
    assert json.loads(made.calls[0].arguments) == {"id": 2512292042121000001}


# The end, and what stands beside the calls

USE = {"usage": {"total_tokens": 5}, "choices": []}
HALF = chunk(asks(0, "c1", "book_berth", '{"m": '))
CUT = call("c1", "book_berth", '{"m": ')


def cut(reason: str) -> Any:
    return call("c1", "book_berth", '{"m": ', finish_reason=reason)


ENDS = [
    ("stop beside a call", [chunk(asks(0, "c1", "book_berth", BERTH)), chunk(end="stop")], turn(ONE, end=("stop", "tool_calls", False)), ()),
    ("two reasons", [chunk(asks(0, "c1", "book_berth", BERTH)), chunk(end="tool_calls"), chunk(end="stop")], THANKED, ()),
    ("a reason in every chunk", [chunk(asks(0, "c1", "book_berth", SEVEN), end="tool_calls"), chunk(asks(1, "c2", "count_gulls", NINE), end="tool_calls")], TWO, ()),
    ("a cut is believed whatever follows", [HALF, chunk(end="length"), chunk(end="tool_calls")], turn(cut("length"), end=("length", "length", True)), ()),
    ("a normal reason for a cut call", [HALF, END], turn(cut("tool_calls"), end=("tool_calls", "tool_calls", True)), ()),
    ("no reason", [chunk(asks(0, "c1", "book_berth", BERTH))], turn(call("c1", "book_berth", BERTH, finish_reason="missing"), end=(None, "missing", True)), ()),
    ("an empty reason is none", [chunk(asks(0, "c1", "book_berth", BERTH), end=""), chunk(end="")],
     turn(call("c1", "book_berth", BERTH, finish_reason="missing"), end=(None, "missing", True)), ()),
    ("the second call is cut", [chunk(asks(0, "c1", "book_berth", SEVEN)), chunk(asks(1, "c2", "count_gulls", '{"m": 9')), chunk(end="length")],
     turn(call("c1", "book_berth", SEVEN), call("c2", "count_gulls", '{"m": 9', finish_reason="length"), end=("length", "length", True)), ()),
    ("an error with a reason", [HALF, {"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}], "error": {"code": 502}}],
     turn(cut("error"), end=("error", "error", True), extra={"error": {"code": 502}}), ("error",)),
    ("an error alone", [HALF, {"error": {"code": 502}}], turn(cut("error"), end=(None, "error", True), extra={"error": {"code": 502}}), ("error",)),
    ("an error by its event's name", [HALF, ("error", {"message": "down"})], turn(cut("error"), end=(None, "error", True), extra={"error": {"message": "down"}}), ("error",)),
    ("empty choices first and last", [{"choices": [], "prompt_filter_results": []}, chunk(asks(0, "c1", "book_berth", BERTH)), END, USE], turn(ONE, end=CALLED, usage={"total_tokens": 5}), ()),
    ("text around the calls", [chunk(role="assistant", content="Ei"), chunk(asks(0, "c1", "book_berth", SEVEN), content="n "), chunk(asks(1, "c2", "count_gulls", NINE)), chunk(content="Moment 🐦"), END],
     turn(*TWO.calls, end=CALLED, text="Ein Moment 🐦"), ()),
    ("reasoning first", [chunk(reasoning_content="h"), chunk(reasoning_content="m"), chunk(asks(0, "c1", "book_berth", BERTH)), END],
     turn(ONE, end=CALLED, reasoning="hm", extra={"reasoning_content": "hm"}), ()),
    ("reasoning under two names at once", [chunk(reasoning="hm", reasoning_content="hm"), chunk(content="ja", end="stop")],
     turn(end=STOPPED, text="ja", reasoning="hm", extra={"reasoning_content": "hm"}), ()),
    ("signed reasoning in pieces", [chunk(reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "h"}]), chunk(reasoning_details=[{"index": 0, "text": "m", "signature": "c2ln"}]), chunk(end="stop")],
     turn(end=STOPPED, extra={"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "hm", "signature": "c2ln"}]}), ()),
    ("content in parts", [chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]), chunk(content=[{"type": "text", "text": "ja"}], end="stop")], turn(end=STOPPED, text="ja", reasoning="hm"), ()),
    ("opaque data of a call", [chunk(asks(0, "c1", "book_berth", BERTH, extra_content={"google": {"thought_signature": "c2ln"}})), END],
     turn(call("c1", "book_berth", BERTH, finish_reason="tool_calls", extra={"google": {"thought_signature": "c2ln"}}), end=CALLED), ()),
    ("another choice is not read", [chunk(content="ja"), {"choices": [{"index": 1, "delta": {"content": "nein"}, "finish_reason": "stop"}]}, chunk(end="stop")], turn(end=STOPPED, text="ja"), ("other_choice",)),
    ("an error in its choice", [HALF, {"choices": [{"index": 0, "error": {"code": 502}, "finish_reason": "error"}]}],
     turn(cut("error"), end=("error", "error", True), extra={"error": {"code": 502}}), ("error",)),
    ("an error in place of a chunk", [HALF, {"object": "error", "message": "down"}],
     turn(cut("error"), end=(None, "error", True), extra={"error": {"object": "error", "message": "down"}}), ("error",)),
    ("hundreds of entries that say nothing", [chunk(asks(0, "", "", ""))] * 300 + [chunk(asks(0, "c1", None, "")), END], turn(end=CALLED), ()),
    ("nulls everywhere", [{"id": None, "choices": [{"index": None, "delta": {"role": None, "content": None, "tool_calls": None}, "finish_reason": None}], "usage": None}, {"choices": None, "usage": None},
                          {"choices": [{"delta": None}]}, chunk({"index": 0, "id": "c1", "type": None, "function": {"name": "book_berth", "arguments": None}}), chunk({"index": 0, "id": None, "function": {"name": None, "arguments": BERTH}}), END], THANKED, ()),
    ("no chunk", [{"hello": 1}, chunk(content="ja", end="stop")], turn(end=STOPPED, text="ja"), ("not_a_chunk",)),
    ("nothing", [], turn(end=(None, "missing", True)), ()),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_ends(events, expected, odd):
    same_however_it_comes("openai-chat", events, expected, odd=odd)


# Writing

RESULTS = [ToolResult("c1", "book_berth", {"ok": True}), ToolResult("c2", "count_gulls", "zu neblig", is_error=True)]


def test_written_with_results():
    got = read(
        "openai-chat",
        body(
            "tool_calls",
            content="Moment",
            tool_calls=[
                asks(id="c1", name="book_berth", arguments=BERTH, mood=1, extra_content={"google": 1, "x": 2}),
                asks(id="c2", name="count_gulls", arguments=""),
            ],
        ),
    )
    assert write("openai-chat", got, None, RESULTS) == [
        {"role": "assistant", "content": "Moment", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "book_berth", "arguments": BERTH}, "mood": 1, "extra_content": {"x": 2, "google": 1}},
            {"id": "c2", "type": "function", "function": {"name": "count_gulls", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"ok":true}'},
        {"role": "tool", "tool_call_id": "c2", "content": "zu neblig"},
    ]  # fmt: skip


def test_written_without_calls():
    assert write("openai-chat", turn(text="ja")) == [{"role": "assistant", "content": "ja"}]
    assert write("openai-chat", turn()) == [{"role": "assistant", "content": ""}]


def test_reasoning_goes_back_under_the_name_it_came_with():
    got = read(
        "openai-chat",
        body(
            "tool_calls",
            content=None,
            reasoning_content="hm",
            tool_calls=[asks(id="c1", name="book_berth", arguments=BERTH)],
        ),
    )
    assert write("openai-chat", got)[0]["reasoning_content"] == "hm"


def test_a_free_text_tool_is_written_as_one():
    got = read(
        "openai-chat",
        body(
            "tool_calls", tool_calls=[{"id": "c1", "type": "custom", "custom": {"name": "ask_pilot", "input": "wind?"}}]
        ),
    )
    assert write("openai-chat", got)[0]["tool_calls"] == [
        {"id": "c1", "type": "custom", "custom": {"name": "ask_pilot", "input": "wind?"}}
    ]


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    plain = {"type": "function", "function": {"name": "n", "description": "d", "parameters": schema}}
    assert OPENAI_CHAT.declare(Declaration(name="n", description="d", schema=schema)) == plain
    strict = OPENAI_CHAT.declare(Declaration(name="n", description="d", schema=schema, strict=True))
    assert strict["function"]["strict"] is True
    for given in (body("stop", content="a"), END, USE):
        assert detect(given) == "openai-chat"
