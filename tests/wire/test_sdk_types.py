"""The official SDKs' own types take what is written, and what they hold is read."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult, Turn
from argwright.wire import FORMATS, read, write
from argwright.wire.format import Declaration
from tests.wire.reading import call, fed, turn


def of(module: str) -> property:
    """An SDK's module, loaded by the first test that needs it: some take seconds."""
    return property(lambda _self: pytest.importorskip(module))


SCHEMA = {"type": "object", "properties": {"城": {"type": "string"}}, "required": ["城"]}
TOOL = Declaration(name="find_hotel", description="finds one", schema=SCHEMA)
NAMES = ["find_hotel", "cancel"]


def asked(form: str, **more: Any) -> Turn:
    """A reply with text, reasoning and two calls that came in this format's own way."""
    rest = {"extra": {"thought_signature": "c2ln"}} if form == "gemini" else {}
    calls = (call("call_a1b2", "find_hotel", {"城": "מדריד 🏨\u2028"}, **rest), call("call_c3d4", "cancel", {}))
    return turn(*calls, text="Einen Moment", reasoning="erst suchen", **more)


RESULTS = [
    ToolResult("call_a1b2", "find_hotel", {"name": "Ritz"}),
    ToolResult("call_c3d4", "cancel", "zu spät", is_error=True),
]


def told(form: str, **more: Any) -> list[dict[str, Any]]:
    return write(form, asked(form, **more), None, RESULTS)


def declared(form: str) -> Any:
    return FORMATS[form].collect([FORMATS[form].declare(TOOL)])


class TestGemini:
    types = of("google.genai.types")

    def test_takes_what_is_written(self):
        contents = [self.types.Content.model_validate(message) for message in told("gemini")]
        parts = contents[0].parts
        assert [part.function_call.name for part in parts if part.function_call] == NAMES
        assert [part.thought_signature for part in parts if part.function_call] == [b"sig", None]
        assert [part.function_response.response for part in contents[1].parts] == [
            {"output": {"name": "Ritz"}},
            {"error": "zu spät"},
        ]

    def test_takes_the_declaration(self):
        [tool] = [self.types.Tool.model_validate(one) for one in declared("gemini")]
        assert tool.function_declarations[0].parameters_json_schema == SCHEMA

    def test_is_read(self):
        body = {"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"text": "hm", "thought": True}, {"functionCall": {"id": "g", "name": "find_hotel", "args": {"城": "Rom"}}, "thoughtSignature": "c2ln"}]}}],
            "modelVersion": "g", "usageMetadata": {"totalTokenCount": 3}}  # fmt: skip
        response = self.types.GenerateContentResponse.model_validate(body)
        assert read("gemini", response) == read("gemini", body)
        assert read("gemini", response).calls[0].extra == {"thought_signature": "c2ln"}
        assert read("gemini", response.candidates[0].content).calls[0].name == "find_hotel"

    def test_its_stream_is_read(self):
        parts = [
            {"functionCall": {"name": "find_hotel", "id": "g", "willContinue": True}},
            {"functionCall": {"partialArgs": [{"jsonPath": "$.nights", "numberValue": 3}, {"jsonPath": "$['城']", "stringValue": "Ro", "willContinue": True}], "willContinue": True}},
            {"functionCall": {"partialArgs": [{"jsonPath": "$['城']", "stringValue": "m"}]}},
        ]  # fmt: skip
        bodies = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
        bodies.append({"candidates": [{"finishReason": "STOP"}]})
        chunks = [self.types.GenerateContentResponse.model_validate(body) for body in bodies]
        expected = turn(
            call("g", "find_hotel", '{"nights": 3, "城": "Rom"}', finish_reason="tool_calls"),
            end=("STOP", "tool_calls", False),
        )
        assert fed("gemini", chunks) == (expected, [])


class TestGeminiInteractions:
    types = of("google.genai.interactions")

    def test_takes_what_is_written(self):
        steps = told("gemini-interactions")
        kinds = {
            "thought": "ThoughtStep",
            "model_output": "ModelOutputStep",
            "function_call": "FunctionCallStep",
            "function_result": "FunctionResultStep",
        }
        made = [getattr(self.types, kinds[step["type"]]).model_validate(step) for step in steps]
        assert [step.type for step in made] == [
            "thought",
            "model_output",
            "function_call",
            "function_call",
            "function_result",
            "function_result",
        ]
        assert [step.is_error for step in made[-2:]] == [False, True]

    def test_takes_the_declaration(self):
        assert self.types.Function.model_validate(declared("gemini-interactions")[0]).parameters == SCHEMA

    def test_is_read(self):
        body = {"id": "v", "status": "requires_action", "steps": [
            {"type": "model_output", "content": [{"type": "text", "text": "ja"}]}, {"type": "function_call", "id": "f", "name": "cancel", "arguments": {"城": 1}}]}  # fmt: skip
        assert read("gemini-interactions", self.types.Interaction.model_validate(body)) == read(
            "gemini-interactions", body
        )

    def test_its_stream_is_read(self):
        start = self.types.StepStart.model_validate(
            {"index": 0, "step": {"type": "function_call", "id": "f", "name": "cancel", "arguments": {}}}
        )
        delta = self.types.StepDelta.model_validate(
            {"index": 0, "delta": {"type": "arguments_delta", "arguments": '{"城": 1}'}}
        )
        stop = self.types.StepStop.model_validate({"index": 0})
        end = self.types.InteractionCompletedEvent.model_validate(
            {"interaction": {"id": "v", "status": "requires_action"}}
        )
        expected = turn(
            call("f", "cancel", '{"城": 1}', finish_reason="tool_calls"), end=("requires_action", "tool_calls", False)
        )
        assert fed("gemini-interactions", [start, delta, stop, end]) == (expected, [])


@pytest.fixture(scope="module")
def operation():
    """The service's model of the operation, without a client."""
    loaders = pytest.importorskip("botocore.loaders")
    model = pytest.importorskip("botocore.model")
    service = model.ServiceModel(loaders.Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    return service.operation_model("Converse")


class TestBedrock:
    def test_takes_what_is_written_and_the_declaration(self, operation):
        validate = pytest.importorskip("botocore.validate")
        asking = {"role": "user", "content": [{"text": "x"}]}
        request = {
            "modelId": "amazon.nova",
            "messages": [asking, *told("bedrock-converse")],
            "toolConfig": declared("bedrock-converse"),
        }
        report = validate.ParamValidator().validate(request, operation.input_shape)
        assert not report.has_errors(), report.generate_report()

    def test_is_read(self, operation):
        parsers = pytest.importorskip("botocore.parsers")
        body = b'{"output": {"message": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "cancel", "input": {"a": 1}}}]}}, "stopReason": "tool_use"}'
        parsed = parsers.create_parser("rest-json").parse(
            {"status_code": 200, "headers": {}, "body": body}, operation.output_shape
        )
        assert read("bedrock-converse", parsed).calls == (call("t", "cancel", {"a": 1}, finish_reason="tool_calls"),)


class TestOllama:
    types = of("ollama")

    def test_takes_what_is_written(self):
        messages = [self.types.Message.model_validate(message) for message in told("ollama")]
        assert [one.function.name for one in messages[0].tool_calls] == NAMES
        assert [(one.role, one.tool_name) for one in messages[1:]] == [("tool", name) for name in NAMES]

    def test_takes_the_declaration(self):
        assert self.types.Tool.model_validate(declared("ollama")[0]).function.name == "find_hotel"

    def test_is_read(self):
        body = {
            "model": "m",
            "message": {
                "role": "assistant",
                "content": "ja",
                "tool_calls": [{"function": {"name": "cancel", "arguments": {"城": 1}}}],
            },
            "done": True,
            "done_reason": "stop",
        }
        response = self.types.ChatResponse.model_validate(body)
        assert read("ollama", response) == read("ollama", body) == fed("ollama", [response])[0]


class TestCohere:
    cohere = of("cohere")

    def test_takes_what_is_written(self):
        messages = told("cohere")
        assistant = self.cohere.AssistantMessage.model_validate(messages[0])
        assert [one.function.name for one in assistant.tool_calls] == NAMES
        assert assistant.tool_plan == "erst suchen"
        assert [self.cohere.ToolMessageV2.model_validate(message).tool_call_id for message in messages[1:]] == [
            "call_a1b2",
            "call_c3d4",
        ]

    def test_takes_the_declaration(self):
        assert self.cohere.ToolV2.model_validate(declared("cohere")[0]).function.name == "find_hotel"

    def test_is_read(self):
        from cohere.v2.types.v2chat_response import V2ChatResponse

        body = {"id": "r", "finish_reason": "TOOL_CALL", "message": {"role": "assistant", "tool_plan": "hm", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "cancel", "arguments": "{}"}}]}}  # fmt: skip
        assert read("cohere", V2ChatResponse.model_validate(body)) == read("cohere", body)

    def test_its_stream_is_read(self):
        from cohere.core.unchecked_base_model import construct_type
        from cohere.v2.types.v2chat_stream_response import V2ChatStreamResponse

        raw = [
            {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": {"id": "a", "type": "function", "function": {"name": "cancel", "arguments": ""}}}}},
            {"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": {"function": {"arguments": '{"城": 1}'}}}}},
            {"type": "tool-call-end", "index": 0},
            {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
        ]  # fmt: skip
        events = [construct_type(type_=V2ChatStreamResponse, object_=event) for event in raw]
        expected = turn(
            call("a", "cancel", '{"城": 1}', finish_reason="tool_calls"), end=("TOOL_CALL", "tool_calls", False)
        )
        assert fed("cohere", events) == (expected, [])

    def test_version_1(self):
        from cohere.types import ToolCall
        from cohere.types import ToolResult as Given

        message, results = write("cohere", asked("cohere", extra={"api_version": "1"}), None, RESULTS)
        assert [ToolCall.model_validate(one).name for one in message["tool_calls"]] == NAMES
        assert [Given.model_validate(one).outputs for one in results["tool_results"]] == [
            [{"name": "Ritz"}],
            [{"error": "zu spät"}],
        ]


class TestMistral:
    types = of("mistralai.client.models")

    def test_takes_what_is_written(self):
        entries = told("mistral-conversations")
        kinds = {
            "message.output": "MessageOutputEntry",
            "function.call": "FunctionCallEntry",
            "function.result": "FunctionResultEntry",
        }
        made = [getattr(self.types, kinds[entry["type"]]).model_validate(entry) for entry in entries]
        assert [entry.type for entry in made] == ["message.output", *["function.call"] * 2, *["function.result"] * 2]
        assert [len(entry.tool_call_id) for entry in made[1:]] == [9, 9, 9, 9]

    def test_takes_the_declaration(self):
        assert (
            self.types.FunctionTool.model_validate(declared("mistral-conversations")[0]).function.parameters == SCHEMA
        )

    def test_is_read(self):
        body = {"object": "conversation.response", "conversation_id": "c", "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}, "outputs": [
            {"type": "message.output", "content": "ja"}, {"type": "function.call", "tool_call_id": "A1b2C3d4E", "name": "cancel", "arguments": '{"城": 1}'}]}  # fmt: skip
        assert read("mistral-conversations", self.types.ConversationResponse.model_validate(body)) == read(
            "mistral-conversations", body
        )

    def test_its_stream_is_read(self):
        raw = [
            ("function.call.delta", {"id": "f", "name": "cancel", "tool_call_id": "A1b2C3d4E", "arguments": '{"城":'}),
            ("function.call.delta", {"id": "f", "name": "cancel", "tool_call_id": "A1b2C3d4E", "arguments": " 1}"}),
            ("conversation.response.done", {"usage": {"total_tokens": 2}}),
        ]  # fmt: skip
        events = [
            self.types.ConversationEvents.model_validate({"event": kind, "data": {"type": kind, **data}})
            for kind, data in raw
        ]
        got, odd = fed("mistral-conversations", events)
        assert (got.calls, odd) == ((call("A1b2C3d4E", "cancel", '{"城": 1}', finish_reason="tool_calls"),), [])


class TestAgUi:
    core = of("ag_ui.core")

    def test_takes_what_is_written(self):
        messages = told("ag-ui")
        kinds = {"reasoning": "ReasoningMessage", "assistant": "AssistantMessage", "tool": "ToolMessage"}
        made = [getattr(self.core, kinds[message["role"]], None) for message in messages]
        ours = [kind.model_validate(message) for kind, message in zip(made, messages, strict=True) if kind is not None]
        assert [one.function.name for one in ours[-3].tool_calls] == NAMES
        assert [one.error for one in ours[-2:]] == [None, "zu spät"]

    def test_takes_the_declaration(self):
        assert self.core.Tool.model_validate(declared("ag-ui")[0]).parameters == SCHEMA

    def test_its_events_are_read_also_when_nobody_told_them_their_type(self):
        events = [
            self.core.RunStartedEvent(thread_id="t", run_id="r"),
            self.core.ToolCallStartEvent(tool_call_id="c", tool_call_name="cancel"),
            self.core.ToolCallArgsEvent(tool_call_id="c", delta='{"城": 1}'),
            self.core.ToolCallEndEvent(tool_call_id="c"),
            self.core.RunFinishedEvent(thread_id="t", run_id="r"),
        ]
        expected = turn(call("c", "cancel", '{"城": 1}', finish_reason="stop"), end=("stop", "stop", False))
        assert fed("ag-ui", events) == (expected, [])


class TestMcp:
    types = of("mcp.types")

    def test_takes_what_is_written(self):
        one, two, *answers = told("mcp")
        assert [self.types.CallToolRequest.model_validate(request).params.name for request in (one, two)] == NAMES
        results = [self.types.CallToolResult.model_validate(answer["result"]) for answer in answers]
        assert [(result.model_dump(by_alias=True)["isError"], result.content[0].text) for result in results] == [
            (False, '{"name":"Ritz"}'),
            (True, "zu spät"),
        ]
        for message in (one, two, *answers):
            kind = self.types.JSONRPCRequest if "method" in message else self.types.JSONRPCResponse
            assert kind.model_validate(message).id == message["id"]

    def test_takes_the_declaration(self):
        tool = self.types.Tool.model_validate(declared("mcp")[0])
        assert tool.model_dump(by_alias=True)["inputSchema"] == SCHEMA

    def test_is_read(self):
        request = self.types.CallToolRequest(
            params=self.types.CallToolRequestParams(name="cancel", arguments={"城": 1})
        )
        assert [(one.name, one.arguments) for one in read("mcp", request).calls] == [("cancel", {"城": 1})]
