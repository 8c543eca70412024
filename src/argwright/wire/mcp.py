"""MCP `tools/call`: JSON-RPC requests that ask for a tool, and their results.

A request's `arguments` are an object or absent; its `id` may be a number, and the response
must have the same, so that one stands in `ToolCall.extra["id"]`. A tool that fails says so
in its result (`isError`), which the model is shown; a JSON-RPC error is a refusal by the
protocol. Requests stand alone: each is at its end when it has come.
`result` reads a response, for those who call tools over MCP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, ToolResult, Turn
from argwright.wire import finish
from argwright.wire.deltas import CallEnd, Delta, ErrorDelta, FinishDelta, ViolationDelta
from argwright.wire.format import Answer, Declaration, Format, Identity, Reply
from argwright.wire.names import ANY
from argwright.wire.plain import arguments, identifier, mapping, objects, rest, text, word

_METHOD = "tools/call"
_PARAMS = frozenset({"name", "arguments"})


def read(body: Json) -> Turn:
    """A request, a batch of them, or the parameters of one."""
    requests = [request for request in objects(body) if _asks(request)]
    failed = next((one["error"] for one in objects(body) if one.get("error")), None)
    return finish.turn([_call(request) for request in requests], _METHOD if requests else None, error=failed)


def _asks(request: Mapping[str, Any]) -> bool:
    return request.get("method") == _METHOD or ("method" not in request and ("name" in request or "params" in request))


def _call(request: Mapping[str, Any]) -> ToolCall:
    params = mapping(request.get("params")) or request
    given = params.get("arguments")
    own = request.get("id") if params is not request else None
    more = rest(params, _PARAMS)
    return ToolCall(
        identifier(own),
        word(params.get("name")),
        {} if given is None else arguments(given),
        extra={
            **({"id": own} if isinstance(own, int) else {}),
            **({"params": more} if more else {}),
        },
    )


def deltas(event: str | None, data: Json) -> Iterator[Delta]:  # noqa: ARG001  # this protocol names no events
    """One message."""
    top = mapping(data)
    if _asks(top):
        call = _call(top)
        given = call.arguments if isinstance(call.arguments, (str, dict)) else None
        yield CallDelta(id=call.id, name=call.name, arguments=given, stage="final", extra=call.extra or None)
        yield CallEnd(id=call.id)
        yield FinishDelta(_METHOD)
    elif top.get("error"):
        yield ErrorDelta(top["error"])
    elif "jsonrpc" not in top:
        yield ViolationDelta("not_a_message", "expected a JSON-RPC message")


def result(body: Json) -> ToolResult:
    """The answer that a response holds: its structured content, else its texts, else its content as it is."""
    top = mapping(body)
    own = identifier(top.get("id"))
    if top.get("error"):
        failure = mapping(top["error"])
        return ToolResult(own, None, {"error": failure.get("message", top["error"])}, is_error=True)
    inner = mapping(top.get("result")) or top
    failed = inner.get("isError") is True
    if inner.get("structuredContent") is not None:
        return ToolResult(own, None, inner["structuredContent"], failed)
    blocks = objects(inner.get("content"))
    if all(block.get("type") == "text" for block in blocks):
        return ToolResult(own, None, "\n".join(text(block.get("text")) for block in blocks), failed)
    return ToolResult(own, None, blocks, failed)


def write(reply: Reply) -> list[dict[str, Any]]:
    """The requests, then one response each."""
    asked = [_message(answer, "method", _METHOD) | {"params": _params(answer)} for answer in reply.answers]
    return [*asked, *(_message(answer, "result", _result(answer)) for answer in reply.answers)]


def _message(answer: Answer, key: str, value: Any) -> dict[str, Any]:
    own = answer.call.extra.get("id")
    return {"jsonrpc": "2.0", "id": own if isinstance(own, int) and str(own) == answer.id else answer.id, key: value}


def _params(answer: Answer) -> dict[str, Any]:
    return {
        **mapping(answer.call.extra.get("params")),
        "name": answer.name,
        "arguments": dict(answer.arguments),
    }


def _result(answer: Answer) -> dict[str, Any]:
    structured = {"structuredContent": answer.content} if isinstance(answer.content, dict) else {}
    return {"content": [{"type": "text", "text": answer.result}], **structured, "isError": answer.is_error}


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of the answer to `tools/list`."""
    schema = {**declaration.schema, "type": "object"}
    return {"name": declaration.name, "description": declaration.description, "inputSchema": schema}


def recognises(body: Json) -> bool:
    """A JSON-RPC message that asks for a tool, or answers."""
    top = next(iter(objects(body)), {})
    answers = "result" in top or "error" in top
    return top.get("jsonrpc") == "2.0" and (top.get("method") == _METHOD or ("method" not in top and answers))


MCP = Format(
    name="mcp",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    identity=Identity.RULES,
    names=ANY,  # a request names a tool as its server did
    ids=ANY,
)
