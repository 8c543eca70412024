"""A `Turn` as a provider's server would send it, whole or in events.

Everything goes out as the turn has it, also what no provider would send on purpose:
malformed arguments, missing ids, a reason for the end that does not fit. Texts and
arguments are cut into pieces of a fixed size, so that a script gives the same bytes
every time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from argwright.model import Json, ToolCall, Turn, compact

Event: TypeAlias = tuple[str | None, Any]
"""The SSE event's name, if the protocol has names, and its data."""

_CREATED = 1_700_000_000
_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
_WORDS = {
    "openai-chat": ("tool_calls", "stop", "length"),
    "openai-responses": ("completed", "completed", "incomplete:max_output_tokens"),
    "anthropic": ("tool_use", "end_turn", "max_tokens"),
}
"""How each format says that a reply ended: with calls, in text, cut by its limit."""


def body(form: str, turn: Turn, *, model: str = "scripted") -> dict[str, Any]:
    """The whole reply.

    Args:
        form: `openai-chat`, `openai-responses` or `anthropic`.
        turn: what the model said.
        model: the model's name, unless the turn has one.
    """
    return _BODIES[form](turn, turn.model or model)


def events(form: str, turn: Turn, *, model: str = "scripted", piece: int = 4) -> Iterator[Event]:
    """The reply as the events of a stream.

    Args:
        form: `openai-chat`, `openai-responses` or `anthropic`.
        turn: what the model said; without a reason for its end (`missing`), the stream breaks off there.
        model: the model's name, unless the turn has one.
        piece: characters of text or arguments in one event.
    """
    return _EVENTS[form](turn, turn.model or model, piece)


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _text(arguments: Any) -> str:
    if isinstance(arguments, bytes):
        return arguments.decode("utf-8", "replace")
    return arguments if isinstance(arguments, str) else "" if arguments is None else compact(arguments)


def _reason(form: str, turn: Turn) -> str | None:
    if turn.finish.reason == "missing":
        return None
    called, stopped, cut = _WORDS[form]
    return turn.finish.raw or (cut if turn.finish.reason == "length" else called if turn.calls else stopped)


# OpenAI chat completions


def _chat_call(call: ToolCall, arguments: str) -> dict[str, Any]:
    kind = {"id": call.id} if call.id is not None else {}
    if call.input is not None:
        return {**call.extra, **kind, "type": "custom", "custom": {"name": call.name, "input": call.input}}
    return {**call.extra, **kind, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _chat_body(turn: Turn, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.reasoning:
        message["reasoning_content"] = turn.reasoning
    if turn.calls:
        message["tool_calls"] = [_chat_call(call, _text(call.arguments)) for call in turn.calls]
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": _CREATED,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": _reason("openai-chat", turn)}],
        "usage": dict(turn.usage or _USAGE),
    }


def _chat_events(turn: Turn, model: str, piece: int) -> Iterator[Event]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        head = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": _CREATED, "model": model}
        return None, {**head, "choices": [choice]}

    yield chunk({"role": "assistant", "content": None})
    for text in _pieces(turn.reasoning, piece):
        yield chunk({"reasoning_content": text})
    for text in _pieces(turn.text, piece):
        yield chunk({"content": text})
    for index, call in enumerate(turn.calls):
        yield chunk({"tool_calls": [{"index": index, **_chat_call(call, "")}]})
        for text in _pieces(_text(call.arguments), piece):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": text}}]})
    reason = _reason("openai-chat", turn)
    if reason is not None:
        yield chunk({}, reason)
        yield None, "[DONE]"


# OpenAI Responses


def _item(index: int, call: ToolCall, arguments: str, status: str) -> dict[str, Any]:
    keys = {"id": f"fc_{index}", "call_id": call.id or "", "name": call.name or "", "status": status}
    if call.input is not None:
        return {**call.extra, "type": "custom_tool_call", **keys, "input": call.input if arguments else ""}
    return {**call.extra, "type": "function_call", **keys, "arguments": arguments}


def _message_item(text: str, status: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}] if text else []
    return {"type": "message", "id": "msg_scripted", "role": "assistant", "status": status, "content": content}


def _response(turn: Turn, model: str, *, done: bool) -> dict[str, Any]:
    status, _, detail = (_reason("openai-responses", turn) or "").partition(":") if done else ("in_progress", "", "")
    said = [_message_item(turn.text, "completed")] if turn.text else []
    calls = [
        _item(index, call, _text(call.arguments) or (call.input or ""), "completed")
        for index, call in enumerate(turn.calls, start=len(said))
    ]
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": _CREATED,
        "model": model,
        "status": status,
        "output": [*said, *calls] if done else [],
        "error": turn.extra.get("error"),
        "incomplete_details": {"reason": detail} if detail else None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _responses_body(turn: Turn, model: str) -> dict[str, Any]:
    return _response(turn, model, done=True)


def _responses_events(turn: Turn, model: str, piece: int) -> Iterator[Event]:
    for number, (kind, data) in enumerate(_response_steps(turn, model, piece)):
        yield kind, {"type": kind, "sequence_number": number, **data}


def _response_steps(turn: Turn, model: str, piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "response.created", {"response": _response(turn, model, done=False)}
    if turn.text:
        yield from _message_steps(turn.text, piece)
    for index, call in enumerate(turn.calls, start=1 if turn.text else 0):
        yield from _call_steps(index, call, piece)
    if turn.finish.reason != "missing":
        done = _response(turn, model, done=True)
        yield f"response.{done['status']}", {"response": done}


def _message_steps(text: str, piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    keys = {"item_id": "msg_scripted", "output_index": 0, "content_index": 0}
    done = _message_item(text, "completed")
    [part] = done["content"]
    yield "response.output_item.added", {"output_index": 0, "item": _message_item("", "in_progress")}
    yield "response.content_part.added", {**keys, "part": {**part, "text": ""}}
    for delta in _pieces(text, piece):
        yield "response.output_text.delta", {**keys, "delta": delta, "logprobs": []}
    yield "response.output_text.done", {**keys, "text": text, "logprobs": []}
    yield "response.content_part.done", {**keys, "part": part}
    yield "response.output_item.done", {"output_index": 0, "item": done}


def _call_steps(index: int, call: ToolCall, piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    keys = {"item_id": f"fc_{index}", "output_index": index}
    free = call.input is not None
    kind, name = ("custom_tool_call_input", "input") if free else ("function_call_arguments", "arguments")
    text = (call.input or "") if free else _text(call.arguments)
    yield "response.output_item.added", {"output_index": index, "item": _item(index, call, "", "in_progress")}
    for part in _pieces(text, piece):
        yield f"response.{kind}.delta", {**keys, "delta": part}
    yield f"response.{kind}.done", {**keys, name: text, "name": call.name or ""}
    yield "response.output_item.done", {"output_index": index, "item": _item(index, call, text, "completed")}


# Anthropic Messages


def _use(call: ToolCall, given: Json) -> dict[str, Any]:
    return {**call.extra, "type": "tool_use", "id": call.id or "", "name": call.name or "", "input": given}


def _object(arguments: Any) -> Json:
    """An object, where there is one; the text otherwise, which this wire cannot carry as it is."""
    if isinstance(arguments, dict) or not arguments:
        return arguments or {}
    try:
        return json.loads(arguments)
    except ValueError:
        return _text(arguments)


def _anthropic_body(turn: Turn, model: str) -> dict[str, Any]:
    thought = {"type": "thinking", "thinking": turn.reasoning, "signature": "c2NyaXB0ZWQ="}
    content: list[dict[str, Any]] = [thought] if turn.reasoning else []
    content += [{"type": "text", "text": turn.text}] if turn.text else []
    content += [_use(call, _object(call.arguments)) for call in turn.calls]
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": _reason("anthropic", turn),
        "stop_sequence": None,
        "usage": dict(turn.usage or {"input_tokens": 1, "output_tokens": 1}),
    }


def _anthropic_events(turn: Turn, model: str, piece: int) -> Iterator[Event]:
    for kind, data in _anthropic_steps(turn, model, piece):
        yield kind, {"type": kind, **data}


def _anthropic_steps(turn: Turn, model: str, piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    message = _anthropic_body(turn, model)
    blocks, reason = message["content"], message["stop_reason"]
    yield "message_start", {"message": {**message, "content": [], "stop_reason": None}}
    first_call = len(blocks) - len(turn.calls)
    for index, block in enumerate(blocks):
        if index < first_call:
            yield from _said_steps(index, block, piece)
        else:
            yield from _use_steps(index, turn.calls[index - first_call], piece)
        yield "content_block_stop", {"index": index}
    if reason is not None:
        yield "message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
        yield "message_stop", {}


def _said_steps(index: int, block: dict[str, Any], piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    member = block["type"] if block["type"] in block else "text"
    empty = {name: "" if name != "type" else value for name, value in block.items()}
    yield "content_block_start", {"index": index, "content_block": empty}
    for text in _pieces(block[member], piece):
        yield "content_block_delta", {"index": index, "delta": {"type": f"{member}_delta", member: text}}
    if "signature" in block:
        signed = {"type": "signature_delta", "signature": block["signature"]}
        yield "content_block_delta", {"index": index, "delta": signed}


def _use_steps(index: int, call: ToolCall, piece: int) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "content_block_start", {"index": index, "content_block": _use(call, {})}
    for text in _pieces(_text(call.arguments), piece):
        yield "content_block_delta", {"index": index, "delta": {"type": "input_json_delta", "partial_json": text}}


_BODIES: dict[str, Callable[[Turn, str], dict[str, Any]]] = {
    "openai-chat": _chat_body,
    "openai-responses": _responses_body,
    "anthropic": _anthropic_body,
}
_EVENTS: dict[str, Callable[[Turn, str, int], Iterator[Event]]] = {
    "openai-chat": _chat_events,
    "openai-responses": _responses_events,
    "anthropic": _anthropic_events,
}
FORMS = tuple(_BODIES)
"""The formats that a script can be sent in."""
