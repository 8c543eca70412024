"""What is recognised in a line of a log, and what is not."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argwright.batch.log import records
from argwright.batch.log.values import BadRecordError, load

TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
TOLD = json.dumps(TOOLS, separators=(",", ":"))
CHAT = {
    "id": "c", "object": "chat.completion", "created": 1_700_000_000, "model": "m-1",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": None, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}},
    ]}}],
}  # fmt: skip
RESPONSES = {
    "id": "r", "object": "response", "created_at": 1_700_000_000.5, "model": "m-2", "status": "completed",
    "output": [{"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x":1}', "status": "completed"}],
}  # fmt: skip
ANTHROPIC = {
    "id": "msg", "type": "message", "role": "assistant", "model": "m-3", "stop_reason": "max_tokens",
    "content": [{"type": "text", "text": "well"}, {"type": "tool_use", "id": "t", "name": "f", "input": {"n": 12345678901234567890}}],
    "usage": {"input_tokens": 1, "output_tokens": 1},
}  # fmt: skip
REQUEST = {"model": "asked", "messages": [{"role": "user", "content": "hi"}], "tools": TOOLS}
MESSAGE = CHAT["choices"][0]["message"]
USED = {"role": "assistant", "content": ANTHROPIC["content"]}
STREAM = "".join(
    f"data: {json.dumps({'id': 'c', 'object': 'chat.completion.chunk', 'model': 'm-4', 'choices': [choice]})}\n\n"
    for choice in (
        {"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x"'}}]}},
        {"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]}},
        {"index": 0, "delta": {}, "finish_reason": "tool_calls"},
    )
) + "data: [DONE]\n\n"  # fmt: skip

CHUNKS = [json.loads(line[5:]) for line in STREAM.split("\n") if line.startswith("data: {")]
EVENTS = [
    {"type": "message_start", "message": {"id": "msg", "type": "message", "role": "assistant", "model": "m-3", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"x"'}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ":1}"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    {"type": "message_stop"},
]  # fmt: skip
ENTRY = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}
OLD = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"x":1}'}}
CALLED = {"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x":1}'}


def chosen(*finishes):
    return {**CHAT, "choices": [
        {"index": place, "finish_reason": finish, "message": {"role": "assistant", "tool_calls": [ENTRY]}}
        for place, finish in enumerate(finishes)
    ]}  # fmt: skip


def of_choices(*indices):
    return [{**chunk, "choices": [{**choice, "index": index} for choice in chunk["choices"]]}
            for chunk in CHUNKS for index in indices]  # fmt: skip


F, G = ("f", '{"x":1}', None), ("g", "{", "tool_calls")
T = ("f", '{"n":12345678901234567890}', "length")

RECOGNISED = {
    "a call": ({"name": "f", "arguments": '{"x":1}'}, [F], {}),
    "a call with what a log says": (
        {"name": "f", "arguments": '{"x":1}', "finish_reason": "stop", "model": "m", "timestamp": "2025-07-01T00:00:00Z"},
        [("f", '{"x":1}', "stop")], {"model": "m", "at": 1_751_328_000.0},
    ),
    "a call with its arguments parsed": ({"name": "f", "arguments": {"x": 1}}, [F], {}),
    "a call without arguments": ({"tool": "f", "arguments": None}, [("f", None, None)], {}),
    "a call with a number for arguments": ({"tool_name": "f", "arguments": 3}, [("f", "3", None)], {}),
    "an entry of tool_calls": ({"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}, [F], {}),
    "a tool_use block": ({"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}, [F], {}),
    "a chat completion": (CHAT, [F, G], {"model": "m-1", "at": 1_700_000_000.0}),
    "a response": (RESPONSES, [("f", '{"x":1}', "tool_calls")], {"model": "m-2", "at": 1_700_000_000.5}),
    "a message of Anthropic": (ANTHROPIC, [T], {"model": "m-3"}),
    "request and response": ({"request": REQUEST, "response": CHAT}, [F, G], {"model": "m-1", "tools": TOLD}),
    "request and response as text": (
        {"request": json.dumps(REQUEST), "response": json.dumps(ANTHROPIC), "ts": 1_700_000_000_000},
        [T], {"model": "m-3", "tools": TOLD, "at": 1_700_000_000.0},
    ),
    "bodies in envelopes": (
        {"custom_id": "x", "request": {"url": "/v1", "body": REQUEST}, "response": {"status_code": 200, "body": RESPONSES}},
        [("f", '{"x":1}', "tool_calls")], {"model": "m-2", "tools": TOLD},
    ),
    "a batch's output": ({"custom_id": "x", "response": {"status_code": 200, "body": CHAT}, "error": None}, [F, G], {}),
    "a stream as it came": ({"request": REQUEST, "response": STREAM}, [("f", '{"x":1}', "tool_calls")],
                            {"model": "m-4", "tools": TOLD}),
    "a reply that is an error": ({"request": REQUEST, "response": {"error": {"message": "overloaded"}}}, [], {}),
    "a reply without calls": ({**CHAT, "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}}]}, [], {}),
    "a chat": ({"messages": [{"role": "user", "content": "hi"}, MESSAGE, USED], "tools": TOOLS},
               [F, ("g", "{", None), ("f", T[1], None)], {"tools": TOLD}),
    "a list of messages": ([{"role": "user", "content": "hi"}, MESSAGE], [F, ("g", "{", None)], {}),
    "a chat without calls": ({"messages": [{"role": "user", "content": "hi"}]}, [], {}),
    "items of the Responses API": ([{"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x":1}'}], [F], {}),
    "a call by itself, beside what was said of it": (
        {"tool_calls": [ENTRY], "model": "m", "finish_reason": "length"}, [("f", '{"x":1}', "length")], {"model": "m"},
    ),
    "a list of calls": ([{"name": "f", "arguments": '{"x":1}'}, {"name": "f", "arguments": {"x": 1}}], [F, F], {}),
    "several choices": (chosen("tool_calls", "length"), [("f", '{"x":1}', "tool_calls"), ("f", '{"x":1}', "length")],
                        {"model": "m-1"}),
    "the events of a stream": ({"request": REQUEST, "response": CHUNKS}, [("f", '{"x":1}', "tool_calls")],
                               {"model": "m-4", "tools": TOLD}),
    "the events of a stream by themselves": (EVENTS, [("f", '{"x":1}', "tool_calls")], {"model": "m-3"}),
    "events under their own name": ({"request": REQUEST, "events": EVENTS}, [("f", '{"x":1}', "tool_calls")], {"tools": TOLD}),
    "the events of a stream that was cut": ({"response": CHUNKS[:1]}, [("f", '{"x"', "missing")], {}),
    "a stream of several choices": (of_choices(0, 1), [("f", '{"x":1}', "tool_calls")] * 2, {"model": "m-4"}),
    "a stream of several choices as text": (
        {"response": "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in of_choices(1, 0))},
        [("f", '{"x":1}', "tool_calls")] * 2, {},
    ),
    "a stream as lines": ({"response": STREAM.split("\n")}, [("f", '{"x":1}', "tool_calls")], {}),
    "a stream as lines without the blank ones": ({"response": STREAM.split("\n\n")[:-1]}, [("f", '{"x":1}', "tool_calls")], {}),
    "a stream in an envelope, behind a comment": (
        {"request": REQUEST, "response": {"status": 200, "body": ": waiting\n\n" + STREAM}},
        [("f", '{"x":1}', "tool_calls")], {"tools": TOLD},
    ),
    "a stream with a separator of lines in a text": (
        {"response": STREAM.replace(":1}", ':\\"\u2028\\"}')}, [("f", '{"x":"\u2028"}', "tool_calls")], {},
    ),
    "the last event of a stream, which has the whole": ({"type": "response.completed", "response": RESPONSES},
                                                        [("f", '{"x":1}', "tool_calls")], {"model": "m-2"}),
    "a batch's output of Anthropic": ({"custom_id": "x", "result": {"type": "succeeded", "message": ANTHROPIC}}, [T], {}),
    "a batch's request that failed": ({"custom_id": "x", "response": None, "error": {"code": "batch_expired"}}, [], {}),
    "a batch's request that was refused": (
        {"custom_id": "x", "response": {"status_code": 400, "body": {"error": {"message": "bad"}}}, "error": None}, [], {},
    ),
    "a batch's request that was given up": ({"custom_id": "x", "result": {"type": "expired"}}, [], {}),
    "tools as text": ({"messages": [MESSAGE], "tools": json.dumps(TOOLS)}, [F, ("g", "{", None)], {"tools": TOLD}),
    "a chat of the first API": ({"messages": [OLD], "functions": [{"name": "f"}]}, [F], {"tools": '[{"name":"f"}]'}),
    "a chat as Responses is sent one": ({"model": "m", "input": [{"role": "user", "content": "hi"}, CALLED]}, [F], {"model": "m"}),
    "a chat as Gemini is sent one": (
        {"contents": [{"role": "user", "parts": [{"text": "hi"}]},
                      {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]}]}, [F], {},
    ),
    "a message with a call without arguments": (
        [{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f"}}]}], [("f", None, None)], {},
    ),
    "a call as frameworks keep one": ({"name": "f", "args": {"x": 1}, "id": "a", "type": "tool_call"}, [F], {}),
    "messages as frameworks keep them": (
        [{"role": "user", "content": "hi"},
         {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {"x": 1}, "id": "a"}], "invalid_tool_calls": []}],
        [F], {},
    ),
    "a call whose first members are null": (
        {"name": None, "tool": "f", "arguments": None, "raw_arguments": '{"x":1}', "finish_reason": None, "stop_reason": "length"},
        [("f", '{"x":1}', "length")], {},
    ),
    "a call as a hook of an agent is told it": (
        {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "f", "tool_input": {"x": 1}}, [F], {},
    ),
    "a message by itself": (MESSAGE, [F, ("g", "{", None)], {}),
    "a message by itself, with how it ended": (
        {"role": "assistant", "tool_calls": [ENTRY], "finish_reason": "length"}, [("f", '{"x":1}', "length")], {},
    ),
    "a message without calls by itself": ({"role": "user", "content": "hi"}, [], {}),
    "calls as text": ({"role": "assistant", "tool_calls": json.dumps([ENTRY])}, [F], {}),
    "a choice by itself": ({"body": {"index": 0, "message": MESSAGE, "finish_reason": "length"}},
                           [F, ("g", "{", "length")], {}),
    "the choices of a reply": (
        {"input": [{"role": "user", "content": "hi"}], "metadata": {"tools": TOOLS},
         "output": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"},
                    {"index": 1, "message": {"role": "assistant", "tool_calls": [ENTRY]}, "finish_reason": "length"}]},
        [("f", '{"x":1}', "length")], {"tools": TOLD},
    ),
    "an observation of a model": (
        {"type": "GENERATION", "name": "g", "startTime": "2025-07-01T00:00:00Z", "model": "m",
         "input": {"messages": [{"role": "user", "content": "hi"}], "tools": TOOLS},
         "output": {"role": "assistant", "content": None, "tool_calls": [ENTRY]}},
        [F], {"model": "m", "tools": TOLD, "at": 1_751_328_000.0},
    ),
    "a run of a model": (
        {"name": "chat", "run_type": "llm", "start_time": "2025-07-01T00:00:00", "inputs": {"messages": [[]]},
         "outputs": {"generations": [[{"text": "", "message": {
             "lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
             "kwargs": {"content": "", "tool_calls": [{"name": "f", "args": {"x": 1}, "id": "a"}],
                        "response_metadata": {"finish_reason": "length", "model_name": "m"}}}}]]},
         "extra": {"invocation_params": {"tools": TOOLS}}},
        [("f", '{"x":1}', "length")], {"model": "m", "tools": TOLD, "at": 1_751_328_000.0},
    ),
    "a run whose outputs are a reply": ({"inputs": json.dumps(REQUEST), "outputs": json.dumps(CHAT)}, [F, G],
                                        {"model": "m-1", "tools": TOLD}),
    "a reply beside the parameters of its request": (
        {"call_type": "completion", "startTime": 1_700_000_000.5, "messages": [MESSAGE], "response": CHAT,
         "model_parameters": {"tools": TOOLS}}, [F, G], {"model": "m-1", "tools": TOLD},
    ),
    "a span": (
        {"name": "chat m", "attributes": {
            "gen_ai.request.model": "asked", "gen_ai.response.model": "m", "gen_ai.tool.definitions": json.dumps(TOOLS),
            "gen_ai.output.messages": json.dumps([{"role": "assistant", "finish_reason": "length", "parts": [
                {"type": "text", "content": "well"}, {"type": "tool_call", "id": "a", "name": "f", "arguments": {"x": 1}}]}])}},
        [("f", '{"x":1}', "length")], {"model": "m", "tools": TOLD},
    ),
    "an invocation as a cloud logs it": (
        {"modelId": "m", "timestamp": "2025-07-01T00:00:00Z", "input": {"inputBodyJson": {"messages": []}},
         "output": {"outputBodyJson": {"output": {"message": {"role": "assistant", "content": [
             {"toolUse": {"toolUseId": "t", "name": "f", "input": {"x": 1}}}]}}, "stopReason": "max_tokens"}}},
        [("f", '{"x":1}', "length")], {"at": 1_751_328_000.0},
    ),
    "the answer to a query": ({"data": [{"type": "GENERATION", "input": [], "output": {"role": "assistant", "tool_calls": [ENTRY]}},
                                        {"type": "GENERATION", "input": [{"role": "user"}], "output": "hi"}], "meta": {"page": 1}},
                              [F], {}),
    "calls among other things": ([{"name": "f", "arguments": '{"x":1}'}, {"type": "SPAN"}], [F], {}),
    "a chat with calls, beside what was expected": (
        {"messages": [{"role": "assistant", "tool_calls": [ENTRY]}], "expected": {"tool_calls": [ENTRY]}, "tool_calls": 3}, [F], {},
    ),
    "a chat that counts its calls": ({"messages": [{"role": "user", "content": "hi"}], "metadata": {"tool_calls": 0}}, [], {}),
    "what a server called itself": (
        {"messages": [{"role": "assistant", "content": [{"type": "server_tool_use", "name": "search", "input": {}}]}]}, [], {},
    ),
    "the whole as text": (json.dumps({"name": "f", "arguments": '{"x":1}'}), [F], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", RECOGNISED)
def test_recognised(name):
    record, calls, around = RECOGNISED[name]
    found = records.calls(load(json.dumps(record)))
    assert [(one.call.name, one.call.arguments, one.call.finish_reason) for one in found] == calls
    for field, value in around.items():
        assert {getattr(one, field) for one in found} == {value}


UNKNOWN = (
    "neither a call (name, tool, tool_name or function, with arguments, raw_arguments, args or tool_input) "
    "nor a reply or a chat known by its keys: "
)
PIECE = "a piece of a stream: log the whole reply, or all events of a stream in one line"


@pytest.mark.parametrize(("text", "why"), [
    ("not json", "no JSON at character 0: expecting value"),
    ('{"name": "f", "arguments": "{}"} {}', "no JSON at character 33: extra data"),
    ('{"name": "f", "arguments": "{}", "arguments": "[]"}', "the key 'arguments' stands twice in one object"),
    ('{"type": "tool_use", "name": "f", "input": {"a": 1, "a": 2}}', "the key 'a' stands twice in one object"),
    ("[" * 100_000, "no JSON that can be read: nested too deep"),
    ('{"name": "root", "args": [1], "msg": "x"}', UNKNOWN + "name, args, msg"),
    ('{"function": {"name": "f"}, "args": {}}', UNKNOWN + "function, args"),
    ("3", "neither a call (name, arguments) nor a reply or a chat: int"),
    ('{"level": "info", "msg": "x"}', UNKNOWN + "level, msg"),
    ("[]", "neither a call (name, arguments) nor a reply or a chat: list"),
    ('{"name": 3, "arguments": "{}"}', "a call's name is text, not int"),
    ('{"name": "f", "arguments": "{}", "finish_reason": 1}', "a call's finish_reason is text, not int"),
    (json.dumps(CHUNKS[0]), PIECE),
    (json.dumps(CHUNKS[-1]), PIECE),
    (json.dumps(EVENTS[2]), PIECE),
    (json.dumps({"type": "response.function_call_arguments.done", "item_id": "i", "arguments": '{"x":1}'}), PIECE),
    ('{"messages": [{"role": "assistant", "tool_calls": [{"action": "f"}]}]}', "tool_calls in a form that is not known"),
    (json.dumps({"data": [{"name": "f", "arguments": "{}"}, {"level": "info"}]}), UNKNOWN + "data"),
    (json.dumps({"messages": [{"role": "user", "content": "hi"}], "回答": {"tool_calls": [ENTRY]}}),
     "a call in a form that is not known, in '回答'"),
    (json.dumps({"role": "assistant", "tool_calls": [ENTRY, {"action": "g"}]}), "tool_calls in a form that is not known"),
    ('{"messages": [{"role": "assistant", "content": [{"type": "tool-call", "toolName": "f"}]}]}', "a call in a form that is not known"),
    ('{"input": [{"role": "user"}], "output": {"said": {"toolCalls": [{"f": 1}]}}}', "a call in a form that is not known, in 'output'"),
    ('{"messages": [], "output": "{\\"said\\": {\\"type\\": \\"tool-use\\"}}", "input": [{"role": "user"}]}',
     "a call in a form that is not known, in 'output'"),
    (json.dumps([CHUNKS[0], {**CHUNKS[0], "id": "d"}, CHUNKS[2]]), "events of several replies: log those of one reply in one line"),
    (json.dumps({"response": STREAM.replace("m-4", "\ud83d").replace("\\ud83d", "\ud83d")}),
     "half a surrogate pair in the text of a stream"),
    ('{"name": "f", "arguments": {"x": ' + "9" * 5_000 + "}}", "no JSON that can be read: an integer of thousands of digits"),
    ('{"request": {"messages": []}}', UNKNOWN + "request"),
])  # fmt: skip
def test_not_recognised(text, why):
    with pytest.raises(BadRecordError) as caught:
        records.calls(load(text))
    assert str(caught.value) == why


@pytest.mark.parametrize("record", [
    '{"name": "f", "arguments": %s}', '{"request": {"tools": [%s]}, "response": {"name": "f", "arguments": "{}"}}',
    '{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": %s}]}]}',
])  # fmt: skip
def test_no_nesting_costs_more_than_its_line(record):
    for depth in (100, *range(900, 1_010, 3), 5_000):
        with suppress(BadRecordError):
            assert records.calls(load(record % ('{"a":' * depth + "1" + "}" * depth)))


KEYS = st.sampled_from([
    *records.NAMES, *records.ARGUMENTS, *records.FINISHES, *records.RESPONSES, *records.REQUESTS, "args", "tool_input", "type",
    "role", "content", "parts", "messages", "message", "choices", "delta", "data", "runs", "tools", "tool_calls", "lc", "kwargs",
    "additional_kwargs", "invalid_tool_calls", "response_metadata", "generation_info", "metadata", "extra", "attributes", "error",
    "invocation_params", "function_call", "input", "index", "model", "object", "candidates", "done", "id", "at",
])  # fmt: skip
WORDS = st.sampled_from([
    "f", "{}", "[]", '{"name": "f", "arguments": "{}"}', "data: {}", "assistant", "user", "ai", "tool_call", "tool_use", "length",
    "function_call", "chat.completion.chunk", "message_start", "response.created", "constructor", "\ud800", "",
])  # fmt: skip
RECORDS = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=14,
)


@settings(max_examples=400, deadline=None)
@given(record=RECORDS)
def test_any_line_gives_calls_or_a_reason(record):
    with suppress(BadRecordError):
        found = records.calls(record)
        assert all(isinstance(one.call.arguments, (str, type(None))) for one in found)
