"""A whole reply as the stream that was asked for.

Some servers answer a request for a stream with a whole reply, at which a stock client breaks, or worse, reads nothing.
The reply is told in events, as the provider itself would have told it: nothing is left out, but for what was not asked
for, and nothing is judged. What reads streams goes on from there. A body that is no reply is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from argwright.proxy.exchange.chat_choices import CALLS
from argwright.proxy.exchange.frames import ENDED, encoded, written
from argwright.proxy.exchange.lossless import loads
from argwright.proxy.exchange.protocol import Body
from argwright.proxy.exchange.table import TABLE
from argwright.proxy.exchange.whole import is_error
from argwright.wire.openai_chat import mirrored
from argwright.wire.plain import mapping, objects, text

_PIECE = 64 * 1024  # characters of one event: far below what readers of events take
_CALLS = {
    "function_call": ("function_call_arguments", "arguments"),
    "custom_tool_call": ("custom_tool_call_input", "input"),
}
"""What the events of a call's item are named after, and the member that holds its text."""
_ENDS = {"incomplete": "response.incomplete", "failed": "response.failed", "cancelled": "response.cancelled"}
_UNFINISHED = frozenset({"queued", "in_progress"})


def retold(form: str, body: bytes, asked: bytes) -> bytes | None:
    """The events; `None` for what is no reply of this protocol.

    Args:
        form: the protocol.
        body: the whole reply.
        asked: the request.
    """
    try:
        reply, request = loads(body), mapping(loads(asked, lenient=True))
        if not isinstance(reply, dict) or not TABLE[form].shaped(reply) or is_error(reply):
            return None
        return b"".join(_TELLERS[form](reply, request))
    except Exception:  # noqa: BLE001  # the last line of defence: what a server sends never raises
        return None


def _pieces(said: str) -> Iterator[str]:
    return (said[at : at + _PIECE] for at in range(0, len(said), _PIECE))


# OpenAI chat completions


def _chat(reply: Body, request: Body) -> Iterator[bytes]:
    wanted = bool(mapping(request.get("stream_options")).get("include_usage"))
    head = {key: value for key, value in reply.items() if key not in ("choices", "usage")}
    head["object"] = "chat.completion.chunk"
    for choice in objects(reply["choices"]):
        kept = {key: value for key, value in choice.items() if key not in ("message", "delta", "finish_reason")}
        for delta in _deltas(mapping(choice.get("message") or choice.get("delta"))):
            yield written({**head, "choices": [{**kept, "delta": delta, "finish_reason": None}]})
            kept.pop("logprobs", None)
        if choice.get("finish_reason") is not None:
            yield written({**head, "choices": [{**kept, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if wanted and reply.get("usage") is not None:
        yield written({**head, "choices": [], "usage": reply["usage"]})
    yield ENDED


def _deltas(message: Body) -> Iterator[Body]:
    """What a message adds, piece by piece."""
    calls = message.get("tool_calls")
    old = {} if mirrored(message) else mapping(message.get("function_call"))
    rest = {key: value for key, value in message.items() if key not in CALLS and (value or key == "content")}
    content = rest.get("content")
    first, *more = [*_pieces(content)] if isinstance(content, str) and content else [content]
    yield {**rest, "content": first}
    for piece in more:
        yield {"content": piece}
    for at, entry in enumerate(objects(calls)):
        yield from ({"tool_calls": [one]} for one in _entries(at, entry))
    if old:
        yield {"function_call": old}


def _entries(at: int, entry: Body) -> Iterator[Body]:
    """A call in pieces of its arguments."""
    inner = mapping(entry.get("function"))
    given = inner.get("arguments")
    if not isinstance(given, str) or len(given) <= _PIECE:
        yield {**entry, "index": at}
        return
    yield {**entry, "index": at, "function": {**inner, "arguments": ""}}
    for piece in _pieces(given):
        yield {"index": at, "function": {"arguments": piece}}


# Anthropic messages


def _anthropic(reply: Body, _request: Body) -> Iterator[bytes]:
    usage = mapping(reply.get("usage"))
    message = {**reply, "type": "message", "content": [], "stop_reason": None, "stop_sequence": None}
    yield _event("message_start", message={**message, "usage": {"input_tokens": 0, **usage, "output_tokens": 0}})
    for index, block in enumerate(reply["content"]):
        begun, deltas = _block(mapping(block))
        yield _event("content_block_start", index=index, content_block=begun)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    end = {"stop_reason": reply.get("stop_reason"), "stop_sequence": reply.get("stop_sequence")}
    yield _event("message_delta", delta=end, usage={"output_tokens": 0, **usage})
    yield _event("message_stop")


def _block(block: Body) -> tuple[Body, list[Body]]:
    """How a block begins, and what comes of it then."""
    match block.get("type"):
        case "text":
            cited = [{"type": "citations_delta", "citation": one} for one in objects(block.get("citations"))]
            said = [{"type": "text_delta", "text": one} for one in _pieces(text(block.get("text")))]
            return {**block, "text": ""} | ({"citations": []} if cited else {}), [*said, *cited]
        case "thinking":
            thought = [{"type": "thinking_delta", "thinking": one} for one in _pieces(text(block.get("thinking")))]
            signature = {"type": "signature_delta", "signature": block.get("signature") or ""}
            return {**block, "thinking": "", "signature": ""}, [*thought, signature]
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            given = block.get("input")
            arguments = "" if given is None else given if isinstance(given, str) else encoded(given).decode()
            said = [{"type": "input_json_delta", "partial_json": one} for one in _pieces(arguments)]
            return {**block, "input": {}}, said
        case _:
            return block, []


# OpenAI Responses


def _responses(reply: Body, _request: Body) -> Iterator[bytes]:
    status = text(reply.get("status"))
    begun = {**reply, "status": "in_progress", "output": [], "usage": None, "error": None, "incomplete_details": None}
    events: list[Body] = [{"type": f"response.{kind}", "response": begun} for kind in ("created", "in_progress")]
    for index, item in enumerate(reply["output"]):
        events += _item(index, mapping(item))
    if status not in _UNFINISHED:
        events.append({"type": _ENDS.get(status, "response.completed"), "response": reply})
    for number, event in enumerate(events):
        yield _event(event["type"], sequence_number=number, **{key: event[key] for key in event if key != "type"})


def _item(index: int, item: Body) -> Iterator[Body]:
    """An item: added, told, done."""
    begun, told = _told(item)
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    for event in told:
        kind = event.pop("type")
        yield {"type": f"response.{kind}", "item_id": item.get("id"), "output_index": index, **event}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _told(item: Body) -> tuple[Body, list[Body]]:
    """How an item begins, and what comes of it then."""
    kind = text(item.get("type"))
    if kind == "message" and isinstance(item.get("content"), list):
        parts = [event for at, part in enumerate(objects(item["content"])) for event in _part(at, part)]
        return {**item, "status": "in_progress", "content": []}, parts
    if kind == "reasoning" and isinstance(item.get("summary"), list):
        parts = [event for at, part in enumerate(objects(item["summary"])) for event in _summary(at, part)]
        return {**item, "summary": []}, parts
    name, member = _CALLS.get(kind, ("", ""))
    given = item.get(member)
    if not name or not isinstance(given, str):
        return item, []
    said = [{"type": f"{name}.delta", "delta": one} for one in _pieces(given)]
    done = {"type": f"{name}.done", "name": item.get("name"), member: given}
    return {**item, member: "", "status": "in_progress"}, [*said, done]


def _part(at: int, part: Body) -> Iterator[Body]:
    """A part of a message."""
    member = "refusal" if part.get("type") == "refusal" else "text"
    said = text(part.get(member))
    probable = {"logprobs": part.get("logprobs") or []} if member == "text" else {}
    name = "refusal" if member == "refusal" else "output_text"
    yield {"type": "content_part.added", "content_index": at, "part": {**part, member: ""}}
    for one in _pieces(said):
        yield {"type": f"{name}.delta", "content_index": at, "delta": one, **({"logprobs": []} if probable else {})}
    yield {"type": f"{name}.done", "content_index": at, member: said, **probable}
    yield {"type": "content_part.done", "content_index": at, "part": part}


def _summary(at: int, part: Body) -> Iterator[Body]:
    """A part of the summary of what was thought."""
    said = text(part.get("text"))
    yield {"type": "reasoning_summary_part.added", "summary_index": at, "part": {**part, "text": ""}}
    for one in _pieces(said):
        yield {"type": "reasoning_summary_text.delta", "summary_index": at, "delta": one}
    yield {"type": "reasoning_summary_text.done", "summary_index": at, "text": said}
    yield {"type": "reasoning_summary_part.done", "summary_index": at, "part": part}


def _event(kind: str, **members: Any) -> bytes:
    return written({"type": kind, **members}, kind)


_TELLERS: dict[str, Callable[[Body, Body], Iterator[bytes]]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
}
