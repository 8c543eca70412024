"""OpenAI Responses: items that are said three times, or only once, wherever that is."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.openai_responses import OPENAI_RESPONSES
from tests.wire.reading import call, fed, same_however_it_comes, turn

CALLED = ("completed", "tool_calls", False)
ARGS = '{"Hafen": "Ærø", "m": 12}'


def item(n: int, name: str = "book_berth", arguments: str = ARGS, **more: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{n}",
        "call_id": f"c{n}",
        "name": name,
        "arguments": arguments,
        "status": "completed",
        **more,
    }


def custom(n: int, text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "custom_tool_call",
        "id": f"ctc_{n}",
        "call_id": f"c{n}",
        "name": "ask_pilot",
        "input": text,
        **more,
    }


def said(text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], **more}],
    }


def thought(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": text}], **more}


def response(*output: Any, status: str = "completed", **more: Any) -> dict[str, Any]:
    return {
        "object": "response",
        "status": status,
        "output": list(output),
        "error": None,
        "incomplete_details": None,
        **more,
    }


def event(kind: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return f"response.{kind}", {"type": f"response.{kind}", **more}


def end(*output: Any, status: str = "completed", **more: Any) -> Any:
    return event(status, response=response(*output, status=status, **more))


ONE = call("c1", "book_berth", ARGS, finish_reason="tool_calls")
BOOKED = turn(ONE, end=CALLED)
MARK = {"type": "function_call"}

WHOLE = [
    ("two calls", response(item(1), item(2, "count_gulls", "{}")), turn(call("c1", "book_berth", ARGS), call("c2", "count_gulls", "{}", finish_reason="tool_calls"), end=CALLED)),
    ("text before a call", response(said("Moment"), item(1)), turn(ONE, end=CALLED, text="Moment")),
    ("text after a call keeps its place", response(item(1), said("Moment")), turn(ONE, end=CALLED, text="Moment", extra={"output": [MARK, said("Moment")]})),
    ("reasoning is kept as it came", response(thought("hm", encrypted_content="eA=="), item(1)),
     turn(ONE, end=CALLED, reasoning="hm", extra={"output": [thought("hm", encrypted_content="eA=="), MARK]})),
    ("a free-text tool", response(custom(1, "wind?")), turn(call("c1", "ask_pilot", input="wind?", finish_reason="tool_calls"), end=CALLED)),
    ("the server's own tools are no calls", response({"type": "web_search_call", "id": "ws_1"}, said("ja")),
     turn(end=("completed", "stop", False), text="ja", extra={"output": [{"type": "web_search_call", "id": "ws_1"}, said("ja")]})),
    ("a namespace goes along", response(item(1, namespace="harbour")), turn(call("c1", "book_berth", ARGS, finish_reason="tool_calls", extra={"function_call": {"namespace": "harbour"}}), end=CALLED)),
    ("cut", response(item(1, arguments='{"m": 1', status="incomplete"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
     turn(call("c1", "book_berth", '{"m": 1', finish_reason="length"), end=("incomplete:max_output_tokens", "length", True))),
    ("cut by a filter", response(item(1), status="incomplete", incomplete_details={"reason": "content_filter"}),
     turn(call("c1", "book_berth", ARGS, finish_reason="incomplete"), end=("incomplete:content_filter", "content_filter", True))),
    ("cut, as the item alone tells", response(item(1, status="incomplete")), turn(call("c1", "book_berth", ARGS, finish_reason="length"), end=("incomplete", "length", True))),
    ("failed", response(status="failed", error={"code": "server_error"}), turn(end=("failed", "error", True), extra={"error": {"code": "server_error"}})),
    ("a list of items", [said("Moment"), item(1)], turn(call("c1", "book_berth", ARGS), text="Moment")),
    ("one item", item(1), turn(call("c1", "book_berth", ARGS))),
    ("an answer in plain words", [{"role": "assistant", "content": "ja"}], turn(text="ja")),
    ("what is not the model's is not read", [{"role": "user", "content": "?"}, {"type": "function_call_output", "call_id": "c1", "output": "x"}],
     turn(extra={"output": [{"role": "user", "content": "?"}, {"type": "function_call_output", "call_id": "c1", "output": "x"}]})),
    ("a refusal is text", response({"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "nein"}]}),
     turn(end=("completed", "stop", False), text="nein", extra={"output": [{"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "nein"}]}]})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("openai-responses", given) == expected


def test_model_and_usage():
    got = read("openai-responses", response(model="m-1", usage={"total_tokens": 3}))
    assert (got.model, got.usage) == ("m-1", {"total_tokens": 3})


BEGIN = event("created", response=response(status="in_progress"))
OPEN = item(1, arguments="", status="in_progress")
ADDED = event("output_item.added", output_index=0, item=OPEN)
DONE = event("output_item.done", output_index=0, item=item(1))


def piece(text: str, **keys: Any) -> Any:
    return event("function_call_arguments.delta", delta=text, **(keys or {"output_index": 0, "item_id": "fc_1"}))


def pieces(*texts: str, **keys: Any) -> list[Any]:
    return [piece(text, **keys) for text in texts]


SAID = event("function_call_arguments.done", output_index=0, item_id="fc_1", arguments=ARGS)
ALL = pieces(ARGS[:7], ARGS[7:])
TWO = turn(call("c1", "book_berth", ARGS), call("c2", "count_gulls", "{}", finish_reason="tool_calls"), end=CALLED)

STREAMS = [
    ("as documented", [BEGIN, ADDED, *ALL, SAID, DONE, end(item(1))], BOOKED, ()),
    ("the first event holds all", [event("output_item.added", output_index=0, item=item(1)), piece(ARGS), DONE, end(item(1))], BOOKED, ()),
    ("no pieces", [ADDED, SAID, end(item(1))], BOOKED, ()),
    ("only the item", [DONE, end()], BOOKED, ()),
    ("only the response", [BEGIN, end(item(1))], BOOKED, ()),
    ("only pieces", [ADDED, *ALL, end()], BOOKED, ()),
    ("an empty last value replaces nothing", [ADDED, *ALL, event("function_call_arguments.done", output_index=0, arguments=""), end(item(1, arguments=""))], BOOKED, ()),
    ("the last value holds where the pieces were wrong", [ADDED, piece('{"m": '), SAID, DONE, end(item(1))], BOOKED, ()),
    ("no first event", [*ALL, DONE, end(item(1))], BOOKED, ()),
    ("keys by item", [ADDED, *pieces(ARGS[:7], ARGS[7:], item_id="fc_1"), end()], BOOKED, ()),
    ("item ids that change", [ADDED, *pieces(ARGS[:7], ARGS[7:], item_id="fc_9", output_index=0), event("output_item.done", output_index=0, item=item(1, id="fc_8")), end(item(1, id="fc_7"))], BOOKED, ()),
    ("item ids that change, and no index", [ADDED, *pieces(ARGS[:7], item_id="fc_9"), *pieces(ARGS[7:], item_id="fc_8"), end()], BOOKED, ()),
    ("two in turn", [ADDED, event("output_item.added", output_index=1, item=item(2, "count_gulls", "")), *pieces("{", output_index=1), *pieces(ARGS[:7], output_index=0), *pieces("}", output_index=1), *pieces(ARGS[7:], output_index=0), end()], TWO, ()),
    ("the second first", [event("output_item.done", output_index=1, item=item(2, "count_gulls", "{}")), DONE, end(item(1), item(2, "count_gulls", "{}"))], TWO, ()),
    ("indices with holes, the response without", [event("output_item.added", output_index=3, item=OPEN), *pieces(ARGS, output_index=3), event("output_item.done", output_index=5, item=item(2, "count_gulls", "{}")), end(item(1), item(2, "count_gulls", "{}"))], TWO, ()),
    ("two equal calls are two", [end(item(1), item(2))], turn(call("c1", "book_berth", ARGS), call("c2", "book_berth", ARGS, finish_reason="tool_calls"), end=CALLED), ()),
    ("a free-text tool", [event("output_item.added", output_index=0, item=custom(1, "")), event("custom_tool_call_input.delta", output_index=0, delta="wi"), event("custom_tool_call_input.delta", output_index=0, delta="nd?"),
                          event("custom_tool_call_input.done", output_index=0, input="wind?"), event("output_item.done", output_index=0, item=custom(1, "wind?")), end(custom(1, "wind?"))],
     turn(call("c1", "ask_pilot", input="wind?", finish_reason="tool_calls"), end=CALLED), ()),
    ("cut", [ADDED, piece('{"m": 1'), event("function_call_arguments.done", output_index=0, arguments='{"m": 1'), event("output_item.done", output_index=0, item=item(1, arguments='{"m": 1', status="incomplete")),
             end(item(1, arguments='{"m": 1', status="incomplete"), status="incomplete", incomplete_details={"reason": "max_output_tokens"})],
     turn(call("c1", "book_berth", '{"m": 1', finish_reason="length"), end=("incomplete:max_output_tokens", "length", True)), ()),
    ("cut, as the item alone tells", [ADDED, *ALL, event("output_item.done", output_index=0, item=item(1, status="incomplete")), end()],
     turn(call("c1", "book_berth", ARGS, finish_reason="length"), end=("incomplete", "length", True)), ()),
    ("failed", [ADDED, piece('{"m"'), end(status="failed", error={"code": "server_error"})],
     turn(call("c1", "book_berth", '{"m"', finish_reason="error"), end=("failed", "error", True), extra={"error": {"code": "server_error"}}), ("error",)),
    ("an error", [ADDED, ("error", {"type": "error", "code": "x", "message": "down", "param": None})],
     turn(call("c1", "book_berth", "", finish_reason="error"), end=(None, "error", True), extra={"error": {"code": "x", "message": "down", "param": None}}), ("error",)),
    ("broken off", [ADDED, *ALL, SAID], turn(call("c1", "book_berth", ARGS, finish_reason="missing"), end=(None, "missing", True)), ()),
    ("text", [BEGIN, event("output_text.delta", delta="j"), event("output_text.delta", delta="a"), event("output_item.done", output_index=0, item=said("ja")), end(said("ja"))], turn(end=("completed", "stop", False), text="ja"), ()),
    ("text in the item only", [event("output_item.done", output_index=0, item=said("ja")), end()], turn(end=("completed", "stop", False), text="ja"), ()),
    ("text in the response only", [end(said("ja"))], turn(end=("completed", "stop", False), text="ja"), ()),
    ("reasoning", [event("reasoning_summary_text.delta", delta="h"), event("reasoning_summary_text.delta", delta="m"), event("output_item.done", output_index=0, item=thought("hm")), event("output_item.done", output_index=1, item=item(1)), end(thought("hm"), item(1))],
     turn(ONE, end=CALLED, reasoning="hm", extra={"output": [thought("hm"), MARK]}), ()),
    ("the server's own tools are no calls", [event("web_search_call.searching", item_id="ws_1"), event("mcp_call_arguments.delta", delta="{}"), event("output_item.done", output_index=0, item={"type": "web_search_call", "id": "ws_1"}), end()],
     turn(end=("completed", "stop", False), extra={"output": [{"type": "web_search_call", "id": "ws_1"}]}), ()),
    ("after the end", [end(said("ja")), event("output_text.delta", delta="nein")], turn(end=("completed", "stop", False), text="ja"), ("after_end",)),
    ("no event of ours", [{"hello": 1}, end(said("ja"))], turn(end=("completed", "stop", False), text="ja"), ("unknown_event",)),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected", "odd"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(events, expected, odd):
    same_however_it_comes("openai-responses", events, expected, odd=odd)


def test_a_whole_body_where_a_stream_was_expected():
    body = response(thought("hm"), item(1))
    assert fed("openai-responses", [body]) == (read("openai-responses", body), [])


RESULTS = [
    ToolResult("c1", "book_berth", [{"type": "input_text", "text": "ja"}]),
    ToolResult("c2", "ask_pilot", {"error": "fog"}, is_error=True),
]


def test_written_with_results():
    got = read("openai-responses", response(thought("hm"), item(1, namespace="harbour"), custom(2, "wind?")))
    assert write("openai-responses", got, None, RESULTS) == [
        thought("hm"),
        {"type": "function_call", "call_id": "c1", "name": "book_berth", "arguments": ARGS, "namespace": "harbour"},
        {"type": "custom_tool_call", "call_id": "c2", "name": "ask_pilot", "input": "wind?"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "ja"}]},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": '{"error":"fog"}'},
    ]


def test_written_without_calls():
    assert write("openai-responses", turn(text="ja")) == [{"role": "assistant", "content": "ja"}]
    assert write("openai-responses", turn()) == []


def test_declared_and_detected():
    schema = {"type": "object", "properties": {}}
    made = {"type": "function", "name": "n", "description": "d", "parameters": schema, "strict": False}
    assert OPENAI_RESPONSES.declare(Declaration(name="n", description="d", schema=schema)) == made
    for given in (response(), BEGIN[1], DONE[1], item(1), [said("a"), item(1)]):
        assert detect(given) == "openai-responses"
