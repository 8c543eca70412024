"""Gemini: whole, as SSE, as one array, by partial arguments; parts and signatures where they were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.stream import Accumulator
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.gemini import GEMINI
from tests.wire.reading import call, cut, fed, same_however_it_comes, turn

STOP = ("STOP", "tool_calls", False)


def body(*parts: dict[str, Any], end: str | None = None, **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {"candidates": [candidate | ({"finishReason": end} if end else {})]} | more


def asks(name: str, args: Any = None, *, id: str | None = None, sign: str | None = None, **more: Any) -> dict[str, Any]:
    said = {"name": name} | ({} if args is None else {"args": args}) | ({"id": id} if id else {}) | more
    return {"functionCall": said} | ({"thoughtSignature": sign} if sign else {})


WHOLE = [
    ("two calls, one signed", [body({"text": "Erst wässern.", "thought": True}, {"text": "Mache ich."},
                                    asks("water_plants", {"bed": "北", "litres": 2.5}, id="g1", sign="QUJD"), asks("play_song", id="g2"), end="STOP",
                                    modelVersion="gemini-y", usageMetadata={"totalTokenCount": 9})],
     turn(call("g1", "water_plants", {"bed": "北", "litres": 2.5}, extra={"thought_signature": "QUJD"}),
          call("g2", "play_song", {}, finish_reason="tool_calls"),
          end=STOP, text="Mache ich.", reasoning="Erst wässern.", model="gemini-y", usage={"totalTokenCount": 9})),
    ("nothing but text", [body({"text": "שלום"}, {"text": " 🌱"}, end="STOP")], turn(end=("STOP", "stop", False), text="שלום 🌱")),
    ("args as text, as list, as null", [body(asks("a", '{"n": 1}'), asks("b", [1]), asks("c", None), end="STOP")],
     turn(call(None, "a", '{"n": 1}'), call(None, "b", "[1]"), call(None, "c", {}, finish_reason="tool_calls"), end=STOP)),
    ("cut", [body(asks("play_song", {"title": "La mer"}), end="MAX_TOKENS")],
     turn(call(None, "play_song", {"title": "La mer"}, finish_reason="length"), end=("MAX_TOKENS", "length", True))),
    ("a malformed call without content", [{"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}],
     turn(end=("MALFORMED_FUNCTION_CALL", "malformed", False))),
    ("an undeclared tool, with the model's text", [body(end="UNEXPECTED_TOOL_CALL") | {"candidates": [
        {"content": {}, "finishReason": "UNEXPECTED_TOOL_CALL", "finishMessage": "Unexpected tool call: dig()"}]}],
     turn(end=("UNEXPECTED_TOOL_CALL", "malformed", False), extra={"finishMessage": "Unexpected tool call: dig()"})),
    ("too many calls: what came is blocked", [body(asks("play_song", {"title": "x"}), end="TOO_MANY_TOOL_CALLS")],
     turn(call(None, "play_song", {"title": "x"}, blocked=True, finish_reason="malformed"), end=("TOO_MANY_TOOL_CALLS", "malformed", False))),
    ("a blocked prompt", [{"promptFeedback": {"blockReason": "OTHER"}}], turn(end=("OTHER", "content_filter", False))),
    ("a filter", [body({"text": "Ich"}, end="SPII")], turn(end=("SPII", "content_filter", False), text="Ich")),
    ("an image filter", [body(end="IMAGE_RECITATION")], turn(end=("IMAGE_RECITATION", "content_filter", False))),
    ("continued elsewhere", [body({"text": "…"}, end="CONTINUATION")], turn(end=("CONTINUATION", "length", True), text="…")),
    ("a word of tomorrow", [body({"text": "x"}, end="OTHER")], turn(end=("OTHER", "unknown", False), text="x")),
    ("an error", [{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}],
     turn(end=(None, "error", True), extra={"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}})),
    ("snake case", [{"candidates": [{"content": {"parts": [{"function_call": {"name": "play_song", "args": {"title": "夜曲"}},
                                                           "thought_signature": "WA=="}]}, "finish_reason": "STOP"}]}],
     turn(call(None, "play_song", {"title": "夜曲"}, extra={"thought_signature": "WA=="}, finish_reason="tool_calls"), end=STOP)),
    ("an unnamed call", [body({"functionCall": {"args": {"a": 1}}}, end="STOP")],
     turn(call(None, None, {"a": 1}, finish_reason="tool_calls"), end=STOP)),
    ("nothing", [{}], turn()),
    ("fields of other types", [{"candidates": "x"}, {"candidates": [{"content": {"parts": [3, {"functionCall": "f"}, {"text": 1}]}}]}], turn()),
]  # fmt: skip


@pytest.mark.parametrize(("bodies", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(bodies, expected):
    for given in bodies:
        assert read("gemini", given) == expected
        assert read("gemini", json.dumps(given)) == expected


def part(path: str, *, more: bool = False, **value: Any) -> dict[str, Any]:
    return {"jsonPath": path, **value} | ({"willContinue": True} if more else {})


def goes_on(*entries: dict[str, Any], last: bool = False) -> dict[str, Any]:
    return {
        "functionCall": ({"partialArgs": list(entries)} if entries else {}) | ({} if last else {"willContinue": True})
    }


STREAMS = [
    ("two calls of one name without ids", [body({"text": "hm", "thought": True}), body(asks("play_song", {"title": "a"})), body(asks("play_song", {"title": "a"})),
                                           body({"text": ""}, end="STOP", usageMetadata={"n": 1})],
     turn(call(None, "play_song", {"title": "a"}), call(None, "play_song", {"title": "a"}, finish_reason="tool_calls"), end=STOP, reasoning="hm", usage={"n": 1})),
    ("two calls without arguments", [body(asks("stop"), asks("stop", sign="QQ=="), end="STOP")],
     turn(call(None, "stop", {}), call(None, "stop", {}, extra={"thought_signature": "QQ=="}, finish_reason="tool_calls"), end=STOP)),
    ("one id twice", [body(asks("play_song", {"title": "a"}, id="x")), body(asks("play_song", {"title": "b"}, id="x"), end="STOP")],
     turn(call("x", "play_song", {"title": "a"}), call("x", "play_song", {"title": "b"}, finish_reason="tool_calls"), end=STOP)),
    ("text in pieces", [body({"text": "雨"}), body({"text": "が\u2028"}), body({"text": "降る"}, end="STOP")],
     turn(end=("STOP", "stop", False), text="雨が\u2028降る")),
    ("by path, signed", [body(asks("plan_trip", id="p", sign="Uw==", willContinue=True)),
                         body(goes_on(part("$.to", stringValue="Kö", more=True))), body(goes_on(part("$.to", stringValue='ln "Süd"'), part("$.days", numberValue=3))),
                         body(goes_on(part("$.via[0]", stringValue="Bonn"), part("$.opts.bike", boolValue=False), part("$.opts.note", nullValue="NULL_VALUE"))),
                         body(goes_on(part("$.skip[]"))), body(goes_on(last=True)), body(end="STOP")],
     turn(call("p", "plan_trip", '{"to": "Köln \\"Süd\\"", "days": 3, "via": ["Bonn"], "opts": {"bike": false, "note": null}, "skip": []}',
               extra={"thought_signature": "Uw=="}, finish_reason="tool_calls"), end=STOP)),
    ("by path, ended by its last entry", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ulm"), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ulm"}', finish_reason="tool_calls"), end=STOP)),
    ("by path, all in one", [body({"functionCall": {"name": "plan_trip", "partialArgs": [part("$.to", stringValue="Ulm")]}}, end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ulm"}', finish_reason="tool_calls"), end=STOP)),
    ("by path, no arguments", [body(asks("stop", willContinue=True)), body(goes_on(last=True), end="STOP")],
     turn(call(None, "stop", "{}", finish_reason="tool_calls"), end=STOP)),
    ("by path, name and id in every piece", [body(asks("plan_trip", id="p", willContinue=True)),
                                             body(asks("plan_trip", id="p", partialArgs=[part("$.to", stringValue="Ulm")], willContinue=True)),
                                             body(asks("plan_trip", id="p", partialArgs=[part("$.days", numberValue=2)])), body(end="STOP")],
     turn(call("p", "plan_trip", '{"to": "Ulm", "days": 2}', finish_reason="tool_calls"), end=STOP)),
    ("by path, with an empty placeholder", [body(asks("plan_trip", {}, willContinue=True)), body(goes_on(part("$.to", stringValue="Ulm"), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ulm"}', finish_reason="tool_calls"), end=STOP)),
    ("by path, and whole at the end", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ulm"))), body({"functionCall": {"args": {"to": "Ulm"}}}, end="STOP")],
     turn(call(None, "plan_trip", {"to": "Ulm"}, finish_reason="tool_calls"), end=STOP)),
    ("by path, and something else as the whole", [body(asks("plan_trip", {"to": "Hof"}, willContinue=True)), body(goes_on(part("$.to", stringValue="Ulm"), last=True), end="STOP")],
     turn(call(None, "plan_trip", {"to": "Hof"}, blocked=True, finish_reason="tool_calls"), end=STOP)),
    ("whole, but said to go on", [body(asks("plan_trip", {"to": "Hof"}, willContinue=True)), body(end="STOP")],
     turn(call(None, "plan_trip", {"to": "Hof"}, finish_reason="incomplete"), end=("STOP", "tool_calls", True))),
    ("by path, two calls", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ulm"))), body(goes_on(last=True)),
                            body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Hof"), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ulm"}'), call(None, "plan_trip", '{"to": "Hof"}', finish_reason="tool_calls"), end=STOP)),
    ("by path, out of order", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.a.x", numberValue=1), part("$.b", stringValue="p"))),
                               body(goes_on(part("$.a.y", numberValue=2), part("$.b", stringValue="q"), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"a": {"x": 1, "y": 2}, "b": "pq"}', finish_reason="tool_calls"), end=STOP)),
    ("by path, with two values for one place", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.days", numberValue=1))),
                                                body(goes_on(part("$.days", numberValue=2), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"days": 1}', blocked=True, finish_reason="tool_calls"), end=STOP)),
    ("by path, cut", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ul", more=True)), end="MAX_TOKENS")],
     turn(call(None, "plan_trip", '{"to": "Ul"', finish_reason="length"), end=("MAX_TOKENS", "length", True))),
    ("by path, never ended though the end is normal", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ul", more=True))), body(end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ul"', finish_reason="incomplete"), end=("STOP", "tool_calls", True))),
    ("by path, never begun", [body(asks("stop", willContinue=True)), body(end="STOP")],
     turn(call(None, "stop", "{", finish_reason="incomplete"), end=("STOP", "tool_calls", True))),
    ("by path, given up for the next call", [body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ul"))),
                                            body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Hof"), last=True), end="STOP")],
     turn(call(None, "plan_trip", '{"to": "Ul"', finish_reason="incomplete"), call(None, "plan_trip", '{"to": "Hof"}', finish_reason="tool_calls"), end=STOP)),
    ("a broken connection", [body(asks("play_song", {"title": "a"}))],
     turn(call(None, "play_song", {"title": "a"}, finish_reason="missing"), end=(None, "missing", True))),
    ("malformed after a whole call", [body(asks("play_song", {"title": "a"})), {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "bad"}]}],
     turn(call(None, "play_song", {"title": "a"}, blocked=True, finish_reason="malformed"), end=("MALFORMED_FUNCTION_CALL", "malformed", False), extra={"finishMessage": "bad"})),
    ("a signature on an empty text", [body(asks("stop")), body({"text": "", "thoughtSignature": "Ug=="}, end="STOP")],
     turn(call(None, "stop", {}, finish_reason="tool_calls"), end=STOP, extra={"parts": [{"functionCall": {}}, {"text": "", "thoughtSignature": "Ug=="}]})),
    ("text after a call", [body({"text": "a"}), body(asks("stop")), body({"text": "b"}), body({"text": "c"}, end="STOP")],
     turn(call(None, "stop", {}, finish_reason="tool_calls"), end=STOP, text="abc", extra={"parts": [{"text": "a"}, {"functionCall": {}}, {"text": "bc"}]})),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected):
    same_however_it_comes("gemini", events, expected)
    array = ("[" + "\n,\r\n".join(json.dumps(event, ensure_ascii=False) for event in events) + "]\n").encode()
    for seed in range(4):
        assert cut("gemini", array, seed) == expected


WHOLE_TOO = [row for row in STREAMS if row[0] != "a broken connection"]


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in WHOLE_TOO], ids=[row[0] for row in WHOLE_TOO])
def test_the_list_of_a_streams_bodies_reads_like_the_stream(events, expected):
    assert read("gemini", events) == expected


def test_an_error_inside_a_stream_keeps_what_came():
    events = [body(asks("play_song", {"title": "a"})), {"error": {"code": 500, "message": "internal"}}]
    got, odd = fed("gemini", events)
    assert odd == ["error"]
    assert got == turn(
        call(None, "play_song", {"title": "a"}, finish_reason="error"),
        end=(None, "error", True),
        extra={"error": {"code": 500, "message": "internal"}},
    )


def test_what_is_no_body_is_reported():
    got, odd = fed("gemini", [{"hello": 1}, {"candidates": [{"index": 1, "content": {"parts": [{"text": "other"}]}}]}])
    assert (odd, got) == (["not_a_response", "other_choice"], turn(end=(None, "missing", True)))


def test_the_value_so_far_is_shown_while_it_streams():
    acc = Accumulator("gemini")
    for event in (body(asks("plan_trip", willContinue=True)), body(goes_on(part("$.to", stringValue="Ul", more=True)))):
        acc.feed(event)
    assert [(shot.name, shot.arguments, set(shot.complete)) for shot in acc.snapshot()] == [
        ("plan_trip", {"to": "Ul"}, set())
    ]
    acc.feed(body(goes_on(part("$.to", stringValue="m"), part("$.days", numberValue=2), part("$.via", more=True))))
    assert [(shot.arguments, set(shot.complete)) for shot in acc.snapshot()] == [
        ({"to": "Ulm", "days": 2}, {"/to", "/days"})
    ]


def test_parts_go_back_where_they_were():
    parts = [
        {"text": "見て", "thought": True, "thoughtSignature": "VA=="},
        {"executableCode": {"language": "PYTHON", "code": "1+1"}},
        asks("play_song", {"title": "a"}, id="s1", sign="QQ==") | {"partMetadata": {"k": 1}},
        {"text": "und"},
        asks("stop", {}, id="s2"),
    ]
    got = read("gemini", body(*parts, end="STOP"))
    assert write("gemini", got)[0] == {"role": "model", "parts": parts}


def test_results_in_one_message_with_their_ids_only_if_the_calls_had_some():
    got = read("gemini", body(asks("play_song", {"title": "a"}, id="s1"), asks("stop"), end="STOP"))
    results = [ToolResult("s1", "play_song", {"ok": True}), ToolResult(None, "stop", "kaputt", is_error=True)]
    assert write("gemini", got, None, results) == [
        {"role": "model", "parts": [asks("play_song", {"title": "a"}, id="s1"), asks("stop", {})]},
        {"role": "user", "parts": [
            {"functionResponse": {"id": "s1", "name": "play_song", "response": {"output": {"ok": True}}}},
            {"functionResponse": {"name": "stop", "response": {"error": "kaputt"}}},
        ]},
    ]  # fmt: skip


def test_an_error_that_says_so_itself_is_not_wrapped_again():
    got = read("gemini", body(asks("stop"), end="STOP"))
    result = ToolResult(None, "stop", {"error": "no", "attempts_left": 1}, is_error=True)
    assert write("gemini", got, None, [result])[1]["parts"][0]["functionResponse"]["response"] == {
        "error": "no",
        "attempts_left": 1,
    }


def test_nothing_to_say_is_no_message():
    assert write("gemini", turn()) == []


@pytest.mark.parametrize(
    ("schema", "declared"),
    [
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {"parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}},
         {"parametersJsonSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}}),
        ({"type": "object", "properties": {}}, {}),
    ],
)  # fmt: skip
def test_declarations(schema, declared):
    one = GEMINI.declare(Declaration(name="play_song", description="plays", schema=schema))
    assert one == {"name": "play_song", "description": "plays"} | declared
    assert GEMINI.collect([one]) == [{"functionDeclarations": [one]}]


def test_detected():
    assert detect(body({"text": "a"})) == "gemini"
    assert detect([body({"text": "a"})]) == "gemini"
    assert detect({"promptFeedback": {"blockReason": "SAFETY"}}) == "gemini"
    assert detect({"role": "model", "parts": [{"text": "a"}]}) == "gemini"
