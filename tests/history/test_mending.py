"""Whole conversations, before and after, with what was changed; one table a format."""

from __future__ import annotations

import pytest

import argwright as aw
from argwright.errors import UnknownFormatError
from argwright.history import Change, Effective, check, effective

UNREADABLE = '{"error":"the arguments of this call were no JSON object; {} stands in their place"}'
STUB = '{"error":"no result of this call was recorded"}'
USER = {"role": "user", "content": "天气?\u2028שלום 🌧️"}


def fn(own, arguments, name="f"):
    return {"id": own, "type": "function", "function": {"name": name, "arguments": arguments}}


def asked(*calls, **more):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)} | more


def told(own, content="ok", **more):
    return {"role": "tool", "tool_call_id": own, "content": content, **more}


IN_ORDER = [
    ("openai-chat", [USER, asked(fn("a", '{ "x": 1 }'), fn("b", "{}")), told("b"), told("a", [{"type": "text", "text": "ok"}]), USER]),
    ("openai-chat", [{"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}, {"role": "function", "name": "f", "content": "ok"}]),
    ("openai-chat", [asked({"id": "c", "type": "custom", "custom": {"name": "q", "input": "SELECT '"}}), told("c")]),
    ("openai-chat", [asked({**fn("call_x", "{}"), "extra_content": {"google": {"thought_signature": "c2ln"}}}), told("call_x")]),
    ("openai-responses", [
        {"role": "user", "content": "hi"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": "{}", "status": "completed"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "function_call", "call_id": "c2", "name": "f", "arguments": '{"城市":"奥斯陆"}'},
        {"type": "function_call_output", "call_id": "c2", "output": "2"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "1"}]},
        {"role": "assistant", "content": "done"},
    ]),
    ("openai-responses", [{"type": "item_reference", "id": "fc_9"}, {"type": "function_call_output", "call_id": "c9", "output": "9"}]),
    ("anthropic", [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "…", "signature": "s"},
            {"type": "text", "text": "Checking."},
            {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}, "caller": {"type": "direct"}},
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1"}, {"type": "text", "text": "and?"}]},
    ]),
    ("gemini", [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [
            {"text": "", "thoughtSignature": "e"},
            {"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"},
            {"functionCall": {"name": "f", "args": {"x": 1}}},
        ]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}, {"functionResponse": {"name": "f", "response": {"output": 1}}}]},
    ]),
    ("gemini", [
        {"role": "model", "parts": [{"function_call": {"id": "1", "name": "f", "args": {}}}]},
        {"role": "function", "parts": [{"function_response": {"id": "1", "name": "f", "response": {"error": "no"}}}]},
    ]),
    ("bedrock-converse", [
        {"role": "user", "content": [{"text": "hi"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "tooluse_1", "content": [{"json": {"t": 1}}], "status": "success"}}, {"text": "?"}]},
    ]),
    ("ollama", [
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
        {"role": "tool", "tool_name": "f", "content": "ok"},
    ]),
    ("cohere", [{"role": "assistant", "tool_plan": "p", "tool_calls": [fn("f_1", "{}")]}, told("f_1", [{"type": "document", "document": {"data": "x"}}])]),
    ("mistral-conversations", [
        {"type": "function.call", "tool_call_id": "D1x9Qk2aZ", "name": "f", "arguments": "{}"},
        {"type": "function.result", "tool_call_id": "D1x9Qk2aZ", "result": "ok"},
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "messages"), IN_ORDER)
def test_what_is_in_order_is_untouched(form, messages):
    before = repr(messages)
    assert check(form, messages) == ()
    made, changes = effective(form, messages)
    assert repr(made) == before
    assert changes == ()


MENDED = [
    ("bad arguments without a result", "openai-chat",
     [asked(fn("a", "{city: Os"))],
     [asked(fn("a", "{}")), told("a", UNREADABLE)],
     ["arguments", "missing_result"]),
    ("bad arguments with a result", "openai-chat",
     [asked(fn("a", '{"x": ')), told("a", "sunny")],
     [asked(fn("a", "{}")), told("a", UNREADABLE[:-1] + ',"result":"sunny"}')],
     ["arguments", "result_content"]),
    ("bad arguments with an error told already", "openai-chat",
     [asked(fn("a", "oops")), told("a", '{"error": "not JSON"}')],
     [asked(fn("a", "{}")), told("a", '{"error": "not JSON"}')],
     ["arguments", "result_content"]),
    ("arguments with one reading", "openai-chat",
     [asked(fn("a", "```json\n{'城市': '奥斯陆',}\n```")), told("a")],
     [asked(fn("a", '{"城市":"奥斯陆"}')), told("a")],
     ["arguments"]),
    ("empty arguments", "openai-chat",
     [asked(fn("a", ""), fn("b", None), fn("c", "null")), told("a"), told("b"), told("c")],
     [asked(fn("a", "{}"), fn("b", "{}"), fn("c", "{}")), told("a"), told("b"), told("c")],
     ["arguments"] * 3),
    ("an object where text is wanted", "openai-chat",
     [asked(fn("a", {"x": "é"})), told("a")],
     [asked(fn("a", '{"x":"é"}')), told("a")],
     ["arguments"]),
    ("an id used twice", "openai-chat",
     [asked(fn("call_0", "{}")), told("call_0", "1"), asked(fn("call_0", "{}")), told("call_0", "2")],
     [asked(fn("call_0", "{}")), told("call_0", "1"), asked(fn("call_0_2", "{}")), told("call_0_2", "2")],
     ["id", "id"]),
    ("a long id", "openai-chat",
     [asked(fn("x" * 70, "{}")), told("x" * 70)],
     None, ["id", "id"]),
    ("an orphan, a duplicate, and a result out of place", "openai-chat",
     [told("z"), asked(fn("a", "{}"), fn("b", "{}")), told("a", "1"), USER, told("b", "2"), told("a", "3")],
     [asked(fn("a", "{}"), fn("b", "{}")), told("a", "1"), told("b", "2"), USER],
     ["orphan_result", "duplicate_result", "order"]),
    ("an empty list of calls", "openai-chat",
     [{"role": "assistant", "content": None, "tool_calls": []}, {"role": "assistant", "content": "x", "tool_calls": None}],
     [{"role": "assistant", "content": ""}, {"role": "assistant", "content": "x"}],
     ["empty", "empty"]),
    ("an empty list of parts", "openai-chat",
     [asked(fn("a", "{}"), content=[]), told("a"), {"role": "assistant", "content": []}],
     [asked(fn("a", "{}")), told("a"), {"role": "assistant", "content": ""}],
     ["empty", "empty"]),
    ("null for no arguments", "gemini",
     [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": None}}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}],
     [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}],
     ["shape"]),
    ("half a pair", "openai-chat",
     [{"role": "user", "content": "a\ud83d"}, asked(fn("a", '{"x": "\\udc00"}')), told("a", "b\ud800")],
     [{"role": "user", "content": "a\ufffd"}, asked(fn("a", '{"x":"\ufffd"}')), told("a", "b\ufffd")],
     ["surrogate", "surrogate", "surrogate"]),
    ("a name that is refused", "openai-chat",
     [asked(fn("a", "{}", "fs.read")), told("a", {"t": "é"})],
     [asked(fn("a", "{}", "fs_read_4074bc02")), told("a", '{"t":"é"}')],
     ["name", "result_content"]),
    ("no result at the end, an item id that is refused", "openai-responses",
     [{"type": "function_call", "id": "call_1", "call_id": "c1", "name": "f", "arguments": "{}"}, USER],
     [{"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}, {"type": "function_call_output", "call_id": "c1", "output": STUB}, USER],
     ["shape", "missing_result"]),
    ("a custom call without a result", "openai-responses",
     [{"type": "custom_tool_call", "call_id": "c1", "name": "q", "input": "SELECT"}],
     [{"type": "custom_tool_call", "call_id": "c1", "name": "q", "input": "SELECT"}, {"type": "custom_tool_call_output", "call_id": "c1", "output": STUB}],
     ["missing_result"]),
    ("text where an object is wanted, a result before its text, one missing", "anthropic",
     [{"role": "assistant", "content": [
         {"type": "text", "text": " "},
         {"type": "tool_use", "id": "a b", "name": "f", "input": '{"x": 1}'},
         {"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
      {"role": "user", "content": [{"type": "text", "text": "?"}, {"type": "tool_result", "tool_use_id": "a b", "content": "1"}]}],
     [{"role": "assistant", "content": [
         {"type": "tool_use", "id": "a_b_c8687a08", "name": "f", "input": {"x": 1}},
         {"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
      {"role": "user", "content": [
          {"type": "tool_result", "tool_use_id": "a_b_c8687a08", "content": "1"},
          {"type": "tool_result", "tool_use_id": "c", "content": STUB, "is_error": True},
          {"type": "text", "text": "?"}]}],
     None),
    ("a result goes into the user's next message", "anthropic",
     [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": "{"}]}, {"role": "user", "content": "stop"}],
     [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
      {"role": "user", "content": [
          {"type": "tool_result", "tool_use_id": "a", "content": UNREADABLE, "is_error": True}, {"type": "text", "text": "stop"}]}],
     ["arguments", "missing_result"]),
    ("fewer responses than calls, a response that is no object", "gemini",
     [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": "{"}}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": "sunny"}}]},
      {"role": "user", "parts": []}],
     [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": {}}}]},
      {"role": "user", "parts": [
          {"functionResponse": {"name": "f", "response": {"output": "sunny"}}},
          {"functionResponse": {"name": "g", "response": {"error": UNREADABLE[10:-2]}}}]}],
     ["arguments", "result_content", "missing_result", "empty"]),
    ("blank texts, empty content, two of one role", "bedrock-converse",
     [{"role": "user", "content": [{"text": "a"}]}, {"role": "user", "content": [{"text": " "}, {"text": "b"}]},
      {"role": "assistant", "content": [{"toolUse": {"toolUseId": "é", "name": "f", "input": {}}}]},
      {"role": "user", "content": [{"toolResult": {"toolUseId": "é", "content": []}}]}],
     None, ["id", "empty", "result_content", "id", "roles"]),
    ("text where an object is wanted", "ollama",
     [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": '{"x": 1}'}}]}, {"role": "tool", "content": "1"}],
     [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}]}, {"role": "tool", "tool_name": "f", "content": "1"}],
     ["arguments", "name"]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "messages", "made", "rules"), [pytest.param(*row[1:], id=row[0]) for row in MENDED])
def test_what_is_mended(form, messages, made, rules):
    found, changes = effective(form, messages)
    if made is not None:
        assert found == made
    if rules is not None:
        assert sorted(change.rule for change in changes) == sorted(rules)
    assert check(form, messages) != ()
    assert check(form, found) == ()
    assert effective(form, found) == Effective(found, ())


def test_a_change_says_where_and_what():
    messages = [{"role": "assistant", "content": [{"type": "tool_use", "id": "a b", "name": "f", "input": {}}]}]
    change = effective("anthropic", messages).changes[0]
    assert change == Change(
        rule="id",
        pointer="/0/content/0",
        message="the call has an id that is taken, or that the provider refuses",
        before="a b",
        after="a_b_c8687a08",
    )
    assert change.to_dict()["pointer"] == "/0/content/0"


# --- ids by provider

LONG = "call_" + "9" * 80


@pytest.mark.parametrize(
    ("form", "service", "own", "fits"),
    [
        ("openai-chat", None, LONG, lambda made: len(made) <= 64),
        ("openai-chat", "openai", "c" * 41, lambda made: len(made) <= 40),
        ("openai-chat", "mistral", "call_0", lambda made: len(made) == 9 and made.isalnum()),
        ("openai-chat", "kimi", "functions.get_weather:0", lambda made: made == "functions.get_weather:0"),
        ("openai-chat", "litellm", f"{LONG}__thought__{LONG}", lambda made: made == f"{LONG}__thought__{LONG}"),
        ("openai-chat", "vllm", "chatcmpl-tool-" + "a" * 32, lambda made: made == "chatcmpl-tool-" + "a" * 32),
    ],
)
def test_ids_as_each_service_takes_them(form, service, own, fits):
    made = effective(form, [asked(fn(own, "{}")), told(own)], service=service).messages
    assert fits(made[0]["tool_calls"][0]["id"])
    assert made[1]["tool_call_id"] == made[0]["tool_calls"][0]["id"]
    assert check(form, made, service=service) == ()


def test_kimi_gets_ids_that_its_template_can_read():
    messages = [asked(fn("", "{}", "get_weather")), told("", "1"), asked(fn(None, "{}", "get_time")), told(None, "2")]
    made = effective("openai-chat", messages, service="kimi").messages
    assert [message["tool_calls"][0]["id"] for message in made[::2]] == [
        "functions.get_weather:0",
        "functions.get_time:1",
    ]


def test_ids_stay_the_same_while_the_conversation_grows():
    start = [asked(fn(None, "{}"), fn("x" * 90, "{}")), told(None), told("x" * 90)]
    longer = [*start, asked(fn(None, "{}"), fn("x" * 90, "{}")), told(None), told("x" * 90)]
    for service in (None, "mistral", "kimi", "openai"):
        short = effective("openai-chat", start, service=service).messages
        assert effective("openai-chat", longer, service=service).messages[: len(short)] == short


# --- outcomes

BOX = aw.Toolbox([aw.Tool.from_schema("get_weather", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}, aliases={"town": "city"})])  # fmt: skip


def test_outcomes_put_the_effective_arguments_in_place():
    turn = aw.Turn(
        calls=(aw.ToolCall("a", "get_weather", '{"town": "奥斯陆"}'), aw.ToolCall("b", "get_weather", '{"city": '))
    )
    outcomes = BOX.resolve_turn(turn)
    messages = [
        asked(fn("a", '{"town": "奥斯陆"}', "get_weather"), fn("b", '{"city": ', "get_weather")),
        told("a", "1"),
    ]
    made, changes = effective("openai-chat", messages, outcomes=outcomes)
    assert made[0] == asked(fn("a", '{"city":"奥斯陆"}', "get_weather"), fn("b", "{}", "get_weather"))
    assert made[1] == told("a", "1")
    assert made[2] == told("b", aw.model.compact(dict(outcomes[1].feedback)))
    assert [change.rule for change in changes] == ["arguments", "arguments", "missing_result"]
    assert effective("openai-chat", made, outcomes=outcomes) == Effective(made, ())


def test_outcomes_of_one_id_are_taken_in_order():
    calls = [aw.ToolCall("call_0", "get_weather", f'{{"town": "{city}"}}') for city in ("Oslo", "Rom")]
    messages = [
        message for call in calls for message in (asked(fn("call_0", call.arguments, "get_weather")), told("call_0"))
    ]
    made = effective("openai-chat", messages, outcomes=[BOX.resolve(call) for call in calls]).messages
    assert [message["tool_calls"][0]["function"]["arguments"] for message in made[::2]] == [
        '{"city":"Oslo"}',
        '{"city":"Rom"}',
    ]


# --- what the provider holds, and mistakes


def test_results_for_calls_that_the_provider_holds():
    messages = [{"type": "function_call_output", "call_id": "c1", "output": "1"}]
    assert effective("openai-responses", messages, known_ids={"c1"}) == Effective(messages, ())
    assert check("openai-responses", messages, known_ids={"c1"}) == ()
    assert effective("openai-responses", messages).messages == []


def test_mistakes_of_the_caller():
    with pytest.raises(UnknownFormatError, match="no wire format 'nope'"):
        effective("nope", [])
    with pytest.raises(UnknownFormatError, match="'mcp' keeps no histories; these do: openai-chat, "):
        check("mcp", [])
    with pytest.raises(LookupError, match="no service 'nope'"):
        effective("openai-chat", [], service="nope")
    for messages in ("[]", {"role": "user"}):
        with pytest.raises(ValueError, match="expected a list of messages"):
            effective("openai-chat", messages)
    with pytest.raises(ValueError, match="expected"):
        effective("openai-chat", [3])


def test_objects_of_an_sdk_are_messages():
    types = pytest.importorskip("google.genai.types")
    content = types.Content(role="model", parts=[types.Part(function_call=types.FunctionCall(name="f", args={"x": 1}))])
    made = effective("gemini", [content]).messages
    assert made[0] == {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]}
    assert len(made) == 2
