"""OpenAI chat completions, and every service that speaks its form.

Documented at platform.openai.com under chat completions: `choices[0].message` whole,
`choices[0].delta` streamed, ended by `[DONE]`. Compatible servers get nearly every field
wrong at times, so any of them may be missing, null, of another type, or repeated; which
call a piece belongs to is decided by the accumulator's rules (`Identity.RULES`).
Only the first choice is read. There is no error flag: an error is told in the result's text.
Some servers say a call in both ways, the old `function_call` and `tool_calls`: it is one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from argwright.model import Json, ToolCall, Turn
from argwright.wire import finish, function_shape
from argwright.wire.deltas import (
    ArgumentsDelta,
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
from argwright.wire.format import Answer, Format, Identity, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_BARE = frozenset({"index", "type", "function"})
_CALL_FIELDS = frozenset({"id", "index", "type", "function", "custom"})
_VENDORS = ("google", "vertex")
"""Members of a call's `extra_content` (thought signatures); they stand in `ToolCall.extra` by these names."""
_OTHERS = "tool_call"
"""The key in `ToolCall.extra` for what else a call carries."""
_PARTS = "content_parts"
"""The key in `Turn.extra` for a content that is no text but a list of parts."""
_REASONING = ("reasoning_content", "reasoning")
_CARRIED = ("reasoning_details", "refusal", "audio", "annotations")
"""Members of a message that the service wants back beside text and calls."""


def read(body: Json) -> Turn:
    """A `chat.completion`, or one assistant message."""
    top = mapping(body)
    choice = next(iter(objects(top.get("choices"))), {"message": top})
    message = mapping(choice.get("message") or choice.get("delta"))
    calls = [_call(entry) for entry in objects(message.get("tool_calls"))]
    old = [] if mirrored(message) else objects(message.get("function_call"))
    calls += [_call({"function": entry}) for entry in old]
    said, thought = _content(message.get("content"))
    key = next((name for name in _REASONING if text(message.get(name))), None)
    extra = {name: message[name] for name in _CARRIED if message.get(name)}
    if key:
        extra[key] = message[key]
    if isinstance(message.get("content"), list):
        extra[_PARTS] = message["content"]
    return finish.turn(
        [call for call in calls if _says_something(call)],
        word(choice.get("finish_reason")),
        text=said,
        reasoning=thought + (text(message[key]) if key else ""),
        model=word(top.get("model")),
        usage=mapping(top.get("usage")) or None,
        extra=extra,
        error=_failure(top, choice),
    )


def _failure(top: Mapping[str, Any], choice: Mapping[str, Any]) -> Any:
    """The error that stands beside the choices, in one of them, or in place of everything."""
    return top.get("error") or choice.get("error") or (dict(top) if top.get("object") == "error" else None)


def _call(entry: Mapping[str, Any]) -> ToolCall:
    function, custom = mapping(entry.get("function")), mapping(entry.get("custom"))
    return ToolCall(
        identifier(entry.get("id")),
        word(function.get("name") or custom.get("name")),
        arguments(function.get("arguments")),
        input=text(custom.get("input")) if custom else None,
        extra=_opaque(entry),
    )


def mirrored(message: Mapping[str, Any]) -> bool:
    """Whether the old `function_call` of a message, or of what a chunk adds to it, says its first call once more."""
    old, calls = mapping(message.get("function_call")), objects(message.get("tool_calls"))
    new = mapping(calls[0].get("function")) if old and calls else {}
    return bool(new) and all((old.get(key) or None) == (new.get(key) or None) for key in ("name", "arguments"))


def _opaque(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What a call carries beside its own fields, to be sent back."""
    if entry.keys() <= _CALL_FIELDS:
        return {}
    others = rest(entry, _CALL_FIELDS)
    content = mapping(others.pop("extra_content", None))
    vendors = {name: content[name] for name in _VENDORS if name in content}
    if content.keys() > vendors.keys():
        others["extra_content"] = {name: value for name, value in content.items() if name not in vendors}
    return vendors | ({_OTHERS: others} if others else {})


def _sent_back(call: ToolCall) -> dict[str, Any]:
    """The reverse of `_opaque`."""
    others = dict(mapping(call.extra.get(_OTHERS)))
    vendors = {name: call.extra[name] for name in _VENDORS if name in call.extra}
    if vendors:
        others["extra_content"] = {**mapping(others.get("extra_content")), **vendors}
    return others


def _says_something(call: ToolCall) -> bool:
    return bool(call.name or call.arguments or call.input)


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


def deltas(event: str | None, data: Json) -> list[Delta]:
    """One `chat.completion.chunk`."""
    top = mapping(data)
    if "choices" not in top and "error" not in top and "usage" not in top:
        return _no_chunk(event, top)
    found: list[Delta] = []
    if top.get("usage"):
        found.append(MetaDelta(word(top.get("model")), mapping(top["usage"])))
    raw, error = None, top.get("error")
    for choice in objects(top.get("choices")):
        if choice.get("index") and number(choice["index"]) != 0:
            found.append(ViolationDelta("other_choice", "only the first choice of a reply is read"))
            continue
        message = mapping(choice.get("delta") or choice.get("message"))
        twice = "function_call" in message and mirrored(message)
        for key, value in message.items():
            if value and key in _MEMBERS and not (twice and key == "function_call"):
                found += _MEMBERS[key](value, message, top)
        raw = word(choice.get("finish_reason")) or raw
        error = error or choice.get("error")
    if error:
        found.append(ErrorDelta(error, raw))
    elif raw:
        found.append(FinishDelta(raw))
    return found


def _no_chunk(event: str | None, top: Mapping[str, Any]) -> list[Delta]:
    """An error; or an event of the SDK's own stream helper, of which the chunk counts and the rest says nothing new."""
    if event == "error" or top.get("object") == "error":
        return [ErrorDelta(dict(top))]
    if top.get("type") == "chunk" and mapping(top.get("chunk")):
        return deltas(None, top["chunk"])
    if text(top.get("type")).startswith(("content.", "refusal.", "tool_calls.", "logprobs.")):
        return []
    return [ViolationDelta("not_a_chunk", "expected an object with choices")]


# what each member of a message's delta says; the message and the chunk around it go along


def _role(_value: Json, _message: Json, top: Mapping[str, Any]) -> Iterator[Delta]:
    model = word(top.get("model"))
    if model:
        yield MetaDelta(model)


def _said(value: Json, _message: Json, _top: Json) -> Iterator[Delta]:
    said, thought = _content(value)
    if thought:
        yield ReasoningDelta(thought)
    if said:
        yield TextDelta(said)


def _thought(name: str, value: Json, message: Mapping[str, Any], _top: Json) -> Iterator[Delta]:
    """The reasoning; where it comes under both its names, it is the same."""
    if text(value) and name == next(known for known in _REASONING if message.get(known)):
        yield ReasoningDelta(value, name)


def _details(value: Json, _message: Json, _top: Json) -> Iterator[Delta]:
    for detail in objects(value):
        grows = {key: detail[key] for key in ("text", "summary", "data") if isinstance(detail.get(key), str)}
        put = {key: item for key, item in detail.items() if key not in grows and item is not None}
        yield PartDelta("reasoning_details", number(detail.get("index")), put, grows)


def _carried(key: str, value: Json, _message: Json, _top: Json) -> Iterator[Delta]:
    yield MetaDelta(extra={key: value})


def _pieces(value: Json, _message: Json, _top: Json) -> list[Delta]:
    return [piece for entry in objects(value) if (piece := _piece(entry)) is not None]


def _legacy(value: Json, _message: Json, _top: Json) -> list[Delta]:
    return _pieces({"index": 0, "function": value}, None, None)


def _piece(entry: Mapping[str, Any]) -> CallDelta | ArgumentsDelta | None:
    """One entry of `tool_calls`; nothing, if it says nothing."""
    inner = mapping(entry.get("function") or entry.get("custom"))
    index, given = number(entry.get("index")), arguments(inner.get("arguments"))
    if given and len(inner) == 1 and entry.keys() <= _BARE and isinstance(given, str):
        return ArgumentsDelta(given, index)  # as nearly every entry is
    name = word(inner.get("name"))
    own_id = identifier(entry.get("id"))
    extra = _opaque(entry) or None
    said = text(inner.get("input")) if "custom" in entry else None
    if not (name or own_id or extra or said):
        return ArgumentsDelta(given, index) if isinstance(given, str) and given else _parsed(index, given)
    return CallDelta(index, own_id, name, given, input=said, extra=extra)


def _parsed(index: int | None, given: Any) -> CallDelta | None:
    """Arguments that came as an object; an empty text says nothing."""
    return CallDelta(index, arguments=given) if isinstance(given, dict) else None


_MEMBERS: dict[str, Callable[[Any, Any, Any], Iterable[Delta]]] = {
    "role": _role,
    "content": _said,
    **{name: partial(_thought, name) for name in _REASONING},
    "reasoning_details": _details,
    "tool_calls": _pieces,
    "function_call": _legacy,
    "refusal": partial(_carried, "refusal"),
    "audio": partial(_carried, "audio"),
    "annotations": partial(_carried, "annotations"),
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one `tool` message per call."""
    turn = reply.turn
    parts = objects(turn.extra.get(_PARTS))
    message: dict[str, Any] = {"role": "assistant", "content": parts or turn.text or None}
    message |= {key: turn.extra[key] for key in _REASONING if text(turn.extra.get(key))}
    message |= {key: turn.extra[key] for key in _CARRIED if _may_carry(key, turn.extra.get(key))}
    if reply.answers:
        message["tool_calls"] = [_written(answer) for answer in reply.answers]
    elif message["content"] is None:
        message["content"] = ""
    results = [{"role": "tool", "tool_call_id": answer.id, "content": answer.result} for answer in reply.answers]
    return [message, *results]


def _may_carry(key: str, value: Any) -> bool:
    """Whether a member of the turn's extra data is what this wire has under that name."""
    if key == "refusal":
        return bool(text(value))
    return bool(value) and (isinstance(value, dict) if key == "audio" else objects(value) == value)


def _written(answer: Answer) -> dict[str, Any]:
    if answer.call.input is None:
        return _sent_back(answer.call) | function_shape.written(answer)
    custom = {"name": answer.name, "input": answer.call.input}
    return {**_sent_back(answer.call), "id": answer.id, "type": "custom", "custom": custom}


def recognises(body: Json) -> bool:
    """`choices`, a chat object as OpenAI names it, or a message with calls whose arguments are text."""
    top = mapping(body)
    if isinstance(top.get("choices"), list) or text(top.get("object")).startswith("chat.completion"):
        return True
    calls = [mapping(entry.get("function")) for entry in objects(top.get("tool_calls"))]
    return top.get("role") == "assistant" and any(isinstance(call.get("arguments"), str) for call in calls)


OPENAI_CHAT = Format(
    name="openai-chat",
    read=read,
    deltas=deltas,
    write=write,
    declare=function_shape.tool,
    recognises=recognises,
    identity=Identity.RULES,
    names=NAME_64,
    ids=Rule(longest=64, cut=40),
)
