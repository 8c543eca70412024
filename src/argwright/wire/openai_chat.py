"""OpenAI chat completions, and every service that speaks its form.

Documented at platform.openai.com under chat completions: `choices[0].message` whole,
`choices[0].delta` streamed, ended by `[DONE]`. Compatible servers get nearly every field
wrong at times, so any of them may be missing, null, of another type, or repeated; which
call a piece belongs to is decided by the accumulator's rules (`Identity.RULES`).
Only the first choice is read. There is no error flag: an error is told in the result's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from argwright.model import Json, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import (
    CallDelta,
    Delta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
)
from argwright.wire.format import Declaration, Format, Identity, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_CALL_FIELDS = frozenset({"id", "index", "type", "function", "custom"})
_REASONING = ("reasoning_content", "reasoning")
_CARRIED = ("reasoning_details", "refusal", "audio", "annotations")
"""Members of a message that the service wants back beside text and calls."""


def read(body: Json) -> Turn:
    """A `chat.completion`, or one assistant message."""
    top = mapping(body)
    choice = next(iter(objects(top.get("choices"))), {"message": top})
    message = mapping(choice.get("message") or choice.get("delta"))
    calls = [_call(entry) for entry in objects(message.get("tool_calls"))]
    calls += [_call({"function": entry}) for entry in objects(message.get("function_call"))]
    said, thought = _content(message.get("content"))
    key = next((name for name in _REASONING if text(message.get(name))), None)
    extra = {name: message[name] for name in _CARRIED if message.get(name)}
    if key:
        extra[key] = message[key]
    if isinstance(message.get("content"), list):
        extra["content"] = message["content"]
    return finish.turn(
        [call for call in calls if _says_something(call)],
        word(choice.get("finish_reason")),
        text=said,
        reasoning=thought + (text(message[key]) if key else ""),
        model=word(top.get("model")),
        usage=mapping(top.get("usage")) or None,
        extra=extra,
        error=top.get("error") or choice.get("error"),
    )


def _call(entry: Mapping[str, Any]) -> ToolCall:
    function, custom = mapping(entry.get("function")), mapping(entry.get("custom"))
    return ToolCall(
        identifier(entry.get("id")),
        word(function.get("name") or custom.get("name")),
        arguments(function.get("arguments")),
        input=text(custom.get("input")) if custom else None,
        extra=rest(entry, _CALL_FIELDS),
    )


def _says_something(call: ToolCall) -> bool:
    return bool(call.id or call.name or call.arguments or call.input)


def _content(content: Json) -> tuple[str, str]:
    """Text and reasoning of a message's content: text, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    said, thought = "", ""
    for part in objects(content):
        inner = part.get("thinking")
        thought += inner if isinstance(inner, str) else "".join(text(piece.get("text")) for piece in objects(inner))
        said += text(part.get("text") or part.get("refusal"))
    return said, thought


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One `chat.completion.chunk`."""
    top = mapping(data)
    choices = objects(top.get("choices"))
    if "choices" not in top and "error" not in top and "usage" not in top:
        if event == "error":
            yield ErrorDelta(data)
            return
        yield ViolationDelta("not_a_chunk", "expected an object with choices")
    if top.get("usage"):
        yield MetaDelta(word(top.get("model")), mapping(top["usage"]))
    raw = None
    for choice in choices:
        if number(choice.get("index") or 0) != 0:
            yield ViolationDelta("other_choice", "only the first choice of a reply is read")
            continue
        yield from _message(mapping(choice.get("delta") or choice.get("message")), top)
        raw = word(choice.get("finish_reason")) or raw
    if top.get("error"):
        yield ErrorDelta(top["error"], raw)
    elif raw:
        yield FinishDelta(raw)


def _message(message: Mapping[str, Any], top: Mapping[str, Any]) -> Iterator[Delta]:
    if message.get("role") and word(top.get("model")):
        yield MetaDelta(top["model"])
    for key in _REASONING:
        if text(message.get(key)):
            yield ReasoningDelta(message[key], key)
            break
    content = message.get("content")
    if content:
        said, thought = _content(content)
        if thought:
            yield ReasoningDelta(thought)
        if said:
            yield TextDelta(said)
    yield from _carried(message)
    for entry in objects(message.get("tool_calls")):
        yield from _piece(entry)
    if message.get("function_call"):
        yield from _piece({"index": 0, "function": message["function_call"]})


def _carried(message: Mapping[str, Any]) -> Iterator[Delta]:
    for detail in objects(message.get("reasoning_details")):
        grows = {key: detail[key] for key in ("text", "summary", "data") if isinstance(detail.get(key), str)}
        put = {key: value for key, value in detail.items() if key not in grows and value is not None}
        yield PartDelta("reasoning_details", number(detail.get("index")), put, grows)
    rest_of = {key: message[key] for key in _CARRIED[1:] if message.get(key)}
    if rest_of:
        yield MetaDelta(extra=rest_of)


def _piece(entry: Mapping[str, Any]) -> Iterator[Delta]:
    function, custom = mapping(entry.get("function")), mapping(entry.get("custom"))
    piece = CallDelta(
        number(entry.get("index")),
        identifier(entry.get("id")),
        word(function.get("name") or custom.get("name")),
        arguments(function.get("arguments")),
        input=text(custom.get("input")) if custom else None,
        extra=rest(entry, _CALL_FIELDS) or None,
    )
    if piece.id or piece.name or piece.arguments or piece.input or piece.extra:
        yield piece


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one `tool` message per call."""
    turn = reply.turn
    message: dict[str, Any] = {"role": "assistant", "content": turn.extra.get("content", turn.text or None)}
    message |= {key: turn.extra[key] for key in (*_REASONING, *_CARRIED) if key in turn.extra}
    if reply.answers:
        message["tool_calls"] = [
            {
                **answer.call.extra,
                "id": answer.id,
                "type": "custom",
                "custom": {"name": answer.name, "input": answer.call.input},
            }
            if answer.call.input is not None
            else {
                **answer.call.extra,
                "id": answer.id,
                "type": "function",
                "function": {"name": answer.name, "arguments": answer.text},
            }
            for answer in reply.answers
        ]
    elif message["content"] is None:
        message["content"] = ""
    results = [{"role": "tool", "tool_call_id": answer.id, "content": answer.result} for answer in reply.answers]
    return [message, *results]


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`."""
    function = {
        "name": declaration.name,
        "description": declaration.description,
        "parameters": dict(declaration.schema),
    }
    return {"type": "function", "function": function | ({"strict": True} if declaration.strict else {})}


def recognises(body: Json) -> bool:
    """`choices`, or a chat object, as OpenAI names it."""
    top = mapping(body)
    return isinstance(top.get("choices"), list) or text(top.get("object")).startswith("chat.completion")


OPENAI_CHAT = Format(
    name="openai-chat",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    identity=Identity.RULES,
    names=NAME_64,
    ids=Rule(longest=64),
)
