"""MCP: requests for tools, one or a batch, ids that are numbers; responses with both kinds of error."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolResult
from argwright.wire import detect, read, write
from argwright.wire.format import Declaration
from argwright.wire.mcp import MCP, result
from tests.wire.reading import call, same_however_it_comes, turn

ASKED = ("tools/call", "tool_calls", False)


def asks(id: Any, name: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
    params = {"name": name, **({} if arguments is None else {"arguments": arguments}), **more}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


WHOLE = [
    ("a number as id", asks(7, "読む", {"頁": 3}), turn(call("7", "読む", {"頁": 3}, extra={"id": 7}, finish_reason="tool_calls"), end=ASKED)),
    ("text as id, no arguments, meta", asks("x", "a/b.c", _meta={"progressToken": 1}),
     turn(call("x", "a/b.c", {}, extra={"params": {"_meta": {"progressToken": 1}}}, finish_reason="tool_calls"), end=ASKED)),
    ("a batch", [asks(1, "a", {}), {"jsonrpc": "2.0", "method": "notifications/progress"}, asks(2, "a", {})],
     turn(call("1", "a", {}, extra={"id": 1}), call("2", "a", {}, extra={"id": 2}, finish_reason="tool_calls"), end=ASKED)),
    ("the parameters alone", {"name": "a", "arguments": {"n": 1}}, turn(call(None, "a", {"n": 1}, finish_reason="tool_calls"), end=ASKED)),
    ("arguments that are no object", asks(1, "a", [1]), turn(call("1", "a", "[1]", extra={"id": 1}, finish_reason="tool_calls"), end=ASKED)),
    ("another method", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, turn()),
    ("an error", {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}}, turn(end=(None, "error", True), extra={"error": {"code": -32602, "message": "no"}})),
    ("nothing", {}, turn()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_whole_bodies(given, expected):
    assert read("mcp", given) == expected


def test_every_request_of_a_stream_is_at_its_end_when_it_has_come():
    events = [
        asks(1, "a", {"n": 1}),
        {"jsonrpc": "2.0", "method": "notifications/message"},
        asks(2, "a", {"n": 1}),
        asks("3", "b"),
    ]
    expected = turn(
        call("1", "a", {"n": 1}, extra={"id": 1}),
        call("2", "a", {"n": 1}, extra={"id": 2}),
        call("3", "b", {}, finish_reason="tool_calls"),
        end=ASKED,
    )
    same_however_it_comes("mcp", events, expected)
    same_however_it_comes(
        "mcp",
        [{"hello": 1}, asks(2, "a")],
        turn(call("2", "a", {}, extra={"id": 2}, finish_reason="tool_calls"), end=ASKED),
        odd=("not_a_message",),
    )


ANSWERS = [
    ("structured", {"content": [{"type": "text", "text": "{}"}], "structuredContent": {"t": -3}, "isError": False}, ToolResult("7", None, {"t": -3})),
    ("structured, no object", {"content": [], "structuredContent": [1]}, ToolResult("7", None, [1])),
    ("texts", {"content": [{"type": "text", "text": "ein"}, {"type": "text", "text": "zwei"}]}, ToolResult("7", None, "ein\nzwei")),
    ("an image", {"content": [{"type": "image", "data": "QQ==", "mimeType": "image/png"}]}, ToolResult("7", None, [{"type": "image", "data": "QQ==", "mimeType": "image/png"}])),
    ("a failure", {"content": [{"type": "text", "text": "kaputt"}], "isError": True}, ToolResult("7", None, "kaputt", is_error=True)),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_results(given, expected):
    assert result({"jsonrpc": "2.0", "id": 7, "result": given}) == expected
    assert result(given) == ToolResult(None, None, expected.content, expected.is_error)


def test_a_refusal_by_the_protocol_is_an_error_too():
    refused = {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Unknown tool: 読"}}
    assert result(refused) == ToolResult("7", None, {"error": "Unknown tool: 読"}, is_error=True)


def test_written_as_requests_and_responses_with_the_same_ids():
    got = read("mcp", [asks(7, "読む", {"頁": 3}, _meta={"k": 1}), asks("x", "b")])
    assert write(
        "mcp", got, None, [ToolResult("7", "読む", {"ok": 1}), ToolResult("x", "b", "kaputt", is_error=True)]
    ) == [
        asks(7, "読む", {"頁": 3}, _meta={"k": 1}),
        asks("x", "b", {}),
        {
            "jsonrpc": "2.0",
            "id": 7,
            "result": {
                "content": [{"type": "text", "text": '{"ok":1}'}],
                "structuredContent": {"ok": 1},
                "isError": False,
            },
        },
        {"jsonrpc": "2.0", "id": "x", "result": {"content": [{"type": "text", "text": "kaputt"}], "isError": True}},
    ]


def test_declared_and_detected():
    assert MCP.declare(Declaration(name="a.b/c", description="d", schema={"properties": {}})) == {
        "name": "a.b/c", "description": "d", "inputSchema": {"type": "object", "properties": {}},
    }  # fmt: skip
    assert (
        detect(asks(1, "a"))
        == detect([asks(1, "a")])
        == detect({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})
        == "mcp"
    )
    assert detect({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) is None
