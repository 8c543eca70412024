"""Calls and tools of the shape that OpenAI began."""

from __future__ import annotations

import pytest

from argwright.model import ToolCall, Turn
from argwright.wire import function_shape
from argwright.wire.format import Declaration
from argwright.wire.names import ANY
from argwright.wire.writing import reply

CALLS = [
    ({"id": "a", "type": "function", "index": 0, "function": {"name": "n", "arguments": '{"字": 1}'}}, ToolCall("a", "n", '{"字": 1}')),
    ({"function": {"name": "n", "arguments": {"字": 1}}}, ToolCall(None, "n", {"字": 1})),
    ({"id": "null", "function": {"name": " "}}, ToolCall(None, None)),
    ({"id": 7, "function": {"name": "n", "arguments": [1]}, "namespace": "x", "empty": None}, ToolCall("7", "n", "[1]", extra={"namespace": "x"})),
    ({"function": "n"}, ToolCall(None, None)),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "expected"), CALLS)
def test_calls(entry, expected):
    assert function_shape.call(entry) == expected


def test_written():
    [answer] = reply(Turn((ToolCall("a", "n", {"字": 1}),)), None, (), names=ANY, ids=ANY).answers
    assert function_shape.written(answer) == {
        "id": "a",
        "type": "function",
        "function": {"name": "n", "arguments": '{"字":1}'},
    }


@pytest.mark.parametrize("strict", [False, True])
def test_tools(strict):
    function = {"name": "n", "description": "d", "parameters": {"type": "object"}} | (
        {"strict": True} if strict else {}
    )
    declaration = Declaration(name="n", description="d", schema={"type": "object"}, strict=strict)
    assert function_shape.tool(declaration) == {"type": "function", "function": function}


def test_flat_tools():
    declaration = Declaration(name="n", description="d", schema={"type": "object"}, strict=True)
    assert function_shape.flat_tool(declaration) == {
        "type": "function", "name": "n", "description": "d", "parameters": {"type": "object"},
    }  # fmt: skip
