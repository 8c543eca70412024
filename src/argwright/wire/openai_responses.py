"""OpenAI Responses.

A reply is a list of items; a call is a `function_call` item whose `call_id` pairs it with
its result, while `id` only names the item. Its events say everything up to three times:
pieces, then the whole of a part, then the item, then the response. A later whole replaces
what the pieces gave, unless it is empty; an item may also come only there. There is no
`[DONE]`, and no error flag: an error is told in the result's text. Items that the turn's
own fields do not tell (reasoning with its encrypted content, the server's own tools) stand
in `Turn.extra["output"]` and go back as they came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import (
    ArgumentsDelta,
    CallEnd,
    Delta,
    EndDelta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
    whole,
)
from argwright.wire.format import Answer, Declaration, Format, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_CALLS = frozenset({"function_call", "custom_tool_call"})
_CALL_FIELDS = frozenset({"type", "id", "call_id", "name", "arguments", "input", "status", "object"})
_OTHERS = "function_call"
"""The key in `ToolCall.extra` for what a call's item carries beside the call (`namespace`, `caller`)."""
_CALL_MARK: Part = {"type": "function_call"}
_RESULT_PARTS = frozenset({"input_text", "input_image", "input_file"})
_WHOLE = "response_output"  # in a stream's extra until the turn is settled: the output as the last event has it


def _kind(item: Any) -> str:
    return text(mapping(item).get("type"))


def _tidy(item: Part) -> Part | None:
    if _kind(item) in _CALLS:
        return _CALL_MARK
    return item if "type" in item or "role" in item else None


def _rank(item: Part) -> int:
    if item == _CALL_MARK:
        return CALL
    known = item.keys() <= {"type", "role", "content", "id", "status", "object"}
    return 0 if known and _is_message(item) and _is_plain(item.get("content")) else UNUSUAL


def _is_message(item: Mapping[str, Any]) -> bool:
    return (item.get("type", "message"), item.get("role", "assistant")) == ("message", "assistant")


def _is_plain(content: Json) -> bool:
    """Whether the content of a message is nothing but one text."""
    if isinstance(content, str):
        return True
    parts = objects(content)
    return all(
        _kind(part) in {"output_text", "text"} and not {key for key, value in part.items() if value} - {"type", "text"}
        for part in parts
    )


_ITEMS = Parts(key="output", mark=_CALL_MARK, tidy=_tidy, rank=_rank)


def read(body: Json) -> Turn:
    """A `response`, a list of items, or one item."""
    top = mapping(body)
    items = objects(body) if isinstance(body, list) or "output" not in top else objects(top["output"])
    calls = [_call(item) for item in items if _kind(item) in _CALLS]
    made = finish.turn(
        calls,
        _raw(top, items),
        text="".join(map(_said, items)),
        reasoning="".join(map(_thought, items)),
        model=word(top.get("model")),
        usage=mapping(top.get("usage")) or None,
        extra={"output": items},
        error=top.get("error"),
    )
    return _ITEMS.settle(made)


def _raw(response: Mapping[str, Any], items: list[dict[str, Any]]) -> str | None:
    """The reason for the end: the status with its detail; an unfinished call is believed before a normal end."""
    status = word(response.get("status")) if "output" in response else None
    if status == "incomplete":
        details = mapping(response.get("incomplete_details") or response.get("status_details"))
        detail = word(details.get("reason"))
        return f"incomplete:{detail}" if detail else status
    cut = any(_kind(item) in _CALLS and item.get("status") == "incomplete" for item in items)
    return "incomplete" if cut and status in {None, "completed"} else status


def _call(item: Mapping[str, Any]) -> ToolCall:
    others = rest(item, _CALL_FIELDS)
    return ToolCall(
        identifier(item.get("call_id")),
        word(item.get("name")),
        arguments(item.get("arguments")),
        input=text(item.get("input")) if item.get("type") == "custom_tool_call" else None,
        extra={_OTHERS: others} if others else {},
    )


def _said(item: Mapping[str, Any]) -> str:
    if not _is_message(item):
        return ""
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "".join(text(part.get("text") or part.get("refusal") or part.get("transcript")) for part in objects(content))


def _thought(item: Mapping[str, Any]) -> str:
    if item.get("type") != "reasoning":
        return ""
    return "".join(text(part.get("text")) for name in ("summary", "content") for part in objects(item.get(name)))


def settle(turn: Turn) -> Turn:
    """A streamed turn with what came only in whole items, if it did."""
    last = turn.extra.get(_WHOLE)
    extra = {key: value for key, value in turn.extra.items() if key != _WHOLE}
    items = objects(last) or objects(extra.get("output"))
    settled = replace(
        turn,
        text=turn.text or "".join(map(_said, items)),
        reasoning=turn.reasoning or "".join(map(_thought, items)),
        extra={**extra, "output": items},
    )
    cut = any(_kind(item) in _CALLS and item.get("status") == "incomplete" for item in items)
    return _ITEMS.settle(_cut(settled) if cut and not turn.finish.truncated else settled)


def _cut(turn: Turn) -> Turn:
    """The turn as cut: the server said so of one of its calls, whatever it says of the whole."""
    calls, end = finish.finished((replace(call, finish_reason=None) for call in turn.calls), "incomplete")
    return replace(turn, calls=calls, finish=end)


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event: `data.type` names it, else the SSE event."""
    top = mapping(data)
    kind = text(top.get("type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif "output" in top or kind in _CALLS:
        yield from whole(read(top))
    elif mapping(top.get("error")):
        yield ErrorDelta(top["error"])
    elif not kind.startswith(("response.", "keepalive")):
        yield ViolationDelta("unknown_event", f"no event of this protocol: {kind[:40]!r}")


def _keys(top: Mapping[str, Any]) -> tuple[int | None, str | None]:
    return number(top.get("output_index")), identifier(top.get("item_id"))


def _begin(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield MetaDelta(word(mapping(top.get("response")).get("model")))


def _item(item: Mapping[str, Any], index: int | None, *, final: bool) -> CallDelta:
    call = _call(item)
    given = call.arguments if not isinstance(call.arguments, bytes) else None
    return CallDelta(
        index,
        call.id,
        call.name,
        given,
        stage="final" if final else "initial",
        item=identifier(item.get("id")),
        input=call.input,
        extra=call.extra or None,
    )


def _added(top: Mapping[str, Any]) -> Iterator[Delta]:
    item = mapping(top.get("item"))
    if _kind(item) in _CALLS:
        yield _item(item, number(top.get("output_index")), final=False)


def _mark(item: Mapping[str, Any]) -> Part:
    return _CALL_MARK | ({"status": "incomplete"} if item.get("status") == "incomplete" else {})


def _done(top: Mapping[str, Any]) -> Iterator[Delta]:
    item, index = mapping(top.get("item")), number(top.get("output_index"))
    yield PartDelta("output", index, put=item if _kind(item) not in _CALLS else _mark(item))
    if _kind(item) in _CALLS:
        yield _item(item, index, final=True)
        yield CallEnd(index, identifier(item.get("call_id")), identifier(item.get("id")))


def _piece(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, item = _keys(top)
    piece = text(top.get("delta"))
    if piece and index is not None:
        yield ArgumentsDelta(piece, index)
    elif piece:
        yield CallDelta(item=item, arguments=piece)


def _arguments(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, item = _keys(top)
    own_id, given = identifier(top.get("call_id")), arguments(top.get("arguments"))
    yield CallDelta(index, own_id, word(top.get("name")), given, stage="final", item=item)


def _input_piece(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, item = _keys(top)
    yield CallDelta(index, item=item, input=text(top.get("delta")))


def _input(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, item = _keys(top)
    yield CallDelta(index, stage="final", item=item, input=text(top.get("input")))


def _text(top: Mapping[str, Any]) -> Iterator[Delta]:
    if text(top.get("delta")):
        yield TextDelta(top["delta"])


def _reasoning(top: Mapping[str, Any]) -> Iterator[Delta]:
    if text(top.get("delta")):
        yield ReasoningDelta(top["delta"])


def _end(top: Mapping[str, Any]) -> Iterator[Delta]:
    """The response is over: its items again, and why."""
    response = mapping(top.get("response"))
    items = objects(response.get("output"))
    yield from (
        _item(item, None if identifier(item.get("call_id")) else place, final=True)
        for place, item in enumerate(items)
        if _kind(item) in _CALLS
    )
    extra = {_WHOLE: items} if items else None
    yield MetaDelta(word(response.get("model")), mapping(response.get("usage")) or None, extra)
    kind = text(top.get("type")).removeprefix("response.")
    raw = _raw({"output": [], "status": kind, **response}, items)
    if mapping(response.get("error")) or raw == "failed":
        yield ErrorDelta(response.get("error"), raw)
    elif raw:
        yield FinishDelta(raw)
    yield EndDelta()


def _error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta(
        top.get("error") or {key: value for key, value in top.items() if key in {"code", "message", "param"}}
    )


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "response.created": _begin,
    "response.output_item.added": _added,
    "response.output_item.done": _done,
    "response.function_call_arguments.delta": _piece,
    "response.function_call_arguments.done": _arguments,
    "response.custom_tool_call_input.delta": _input_piece,
    "response.custom_tool_call_input.done": _input,
    "response.output_text.delta": _text,
    "response.refusal.delta": _text,
    "response.output_audio_transcript.delta": _text,
    "response.audio_transcript.delta": _text,
    "response.text.delta": _text,
    "response.reasoning_summary_text.delta": _reasoning,
    "response.reasoning_text.delta": _reasoning,
    "response.completed": _end,
    "response.incomplete": _end,
    "response.failed": _end,
    "response.cancelled": _end,
    "response.done": _end,
    "error": _error,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The items of the reply, then one output per call."""
    turn = reply.turn
    usual = [{"role": "assistant", "content": turn.text}] if turn.text else []
    items = _ITEMS.written(turn, usual, reply.answers, call_item)
    return [*items, *(output_item(answer) for answer in reply.answers)]


def call_item(answer: Answer) -> dict[str, Any]:
    """A call as an item; without an `id`, which only the server gives."""
    if answer.call.input is not None:
        made = {"type": "custom_tool_call", "call_id": answer.id, "name": answer.name, "input": answer.call.input}
    else:
        made = {"type": "function_call", "call_id": answer.id, "name": answer.name, "arguments": answer.text}
    return {**mapping(answer.call.extra.get(_OTHERS)), **made}


def output_item(answer: Answer) -> dict[str, Any]:
    """A result as an item."""
    kind = "custom_tool_call_output" if answer.call.input is not None else "function_call_output"
    given = answer.content
    parts = isinstance(given, list) and all(_kind(item) in _RESULT_PARTS for item in given)
    return {"type": kind, "call_id": answer.id, "output": given if parts and given else answer.result}


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`; `strict` is said either way, since its default here is true."""
    return {
        "type": "function",
        "name": declaration.name,
        "description": declaration.description,
        "parameters": dict(declaration.schema),
        "strict": declaration.strict,
    }


def recognises(body: Json) -> bool:
    """A `response`, one of its events, or items of one."""
    if isinstance(body, list):
        return any(_kind(item) in _CALLS | {"function_call_output"} for item in objects(body))
    top = mapping(body)
    kind = text(top.get("type"))
    return top.get("object") == "response" or (kind.startswith("response.") and "event_id" not in top) or kind in _CALLS


OPENAI_RESPONSES = Format(
    name="openai-responses",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    names=NAME_64,
    ids=Rule(longest=64),
    settle=settle,
)
