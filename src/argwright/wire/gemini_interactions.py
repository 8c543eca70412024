"""Gemini's Interactions API: a reply is a list of steps, streamed step by step.

A call is a step `function_call` with an object of arguments, streamed as text in
`arguments_delta`; the empty object in `step.start` is a placeholder. Texts are steps
`model_output`, thoughts are steps `thought`, whose signature must come back. All other
steps are the server's own tools. The end is the interaction's `status`, of which
`requires_action` means calls. A call whose result stands in the same list is answered
already and is none for us. Results are steps `function_result` with an error flag; what
`write` gives is the request's `input`, of which a caller with `previous_interaction_id`
sends the results alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish, function_shape
from argwright.wire.deltas import (
    CallEnd,
    Delta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    unknown_event,
    whole,
)
from argwright.wire.format import Answer, Format, Reply
from argwright.wire.names import ANY, GEMINI_NAME
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts, one_text, runs
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_CALL_FIELDS = frozenset({"type", "id", "name", "arguments"})
_CALL_MARK: Part = {"type": "function_call"}
_UNDER_WAY = frozenset({"in_progress", "queued", "idle"})


def _plain_texts(items: Json) -> list[str] | None:
    """The texts of a content list that holds nothing but texts; `None` if it holds more."""
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    plain = all(item.keys() <= {"type", "text"} and isinstance(item.get("text"), str) for item in items)
    return [item["text"] for item in items] if plain else None


def _both_texts(last: Part, item: Part) -> bool:
    return _plain_texts([last, item]) is not None


def _content_key(step: Mapping[str, Any]) -> str:
    return "summary" if step.get("type") == "thought" else "content"


def _tidy(step: Part) -> Part | None:
    """A step with neighbouring texts joined."""
    if step.get("type") == "function_call":
        return _CALL_MARK
    key = _content_key(step)
    joined: list[Any] = []
    content = step.get(key)
    items = [item for item in content if _plain_texts([item]) != [""]] if isinstance(content, list) else []
    joined = [one_text(group) if len(group) > 1 else group[0] for group in runs(items, _both_texts)]
    if not joined and step.keys() <= {"type", key} and step.get("type") in ("thought", "model_output"):
        return None
    return {**step, key: joined} if key in step else step


def _rank(step: Part) -> int:
    if step == _CALL_MARK:
        return CALL
    key = _content_key(step)
    plain = step.keys() == {"type", key} and _plain_texts(step[key]) is not None
    return {"thought": 0, "model_output": 1}.get(text(step["type"]), UNUSUAL) if plain else UNUSUAL


_STEPS = Parts(key="steps", mark=_CALL_MARK, tidy=_tidy, rank=_rank)


def read(body: Json) -> Turn:
    """An `Interaction`, or a list of steps."""
    top = mapping(body)
    steps = objects(body) if isinstance(body, list) else objects(top.get("steps"))
    answered = {step.get("call_id") for step in steps if step.get("type") == "function_result"}
    own = [step for step in steps if step.get("type") not in ("user_input", "function_result")]
    own = [step for step in own if step.get("type") != "function_call" or step.get("id") not in answered]
    errors = objects(top.get("errors"))
    turn = finish.turn(
        [_call(step) for step in own if step.get("type") == "function_call"],
        word(top.get("status")),
        text="".join(text(item.get("text")) for step in own for item in _items(step, "model_output")),
        reasoning="".join(text(item.get("text")) for step in own for item in _items(step, "thought")),
        model=word(top.get("model")),
        usage=mapping(top.get("usage")) or None,
        extra={"steps": own},
        error=top.get("error") or (errors[0] if errors and top.get("status") == "failed" else None),
    )
    return _STEPS.settle(turn)


def _items(step: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    return objects(step.get(_content_key(step))) if step.get("type") == kind else []


def _call(step: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        identifier(step.get("id")), word(step.get("name")), arguments(step.get("arguments")), extra=_call_extra(step)
    )


def _call_extra(step: Mapping[str, Any]) -> dict[str, Any]:
    more = rest(step, _CALL_FIELDS)
    return {"step": more} if more else {}


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event; its kind is its `event_type`, which the SSE event's name repeats."""
    top = mapping(data)
    kind = word(top.get("event_type")) or event or ""
    if kind in _EVENTS:
        yield from _EVENTS[kind](top)
    elif isinstance(top.get("steps"), list):
        yield from whole(read(top))
    elif top.get("error"):
        yield ErrorDelta(top["error"])
    else:
        yield unknown_event(kind)


def _start(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, step = number(top.get("index")), mapping(top.get("step"))
    if step.get("type") == "function_call":
        yield CallDelta(
            index,
            identifier(step.get("id")),
            word(step.get("name")),
            arguments(step.get("arguments")),
            stage="initial",
            extra=_call_extra(step) or None,
        )
        yield PartDelta("steps", index, put=_CALL_MARK)
        return
    for item in _items(step, "thought"):
        yield ReasoningDelta(text(item.get("text")))
    for item in _items(step, "model_output"):
        yield TextDelta(text(item.get("text")))
    key = _content_key(step)
    content = objects(step.get(key))
    put = {name: value for name, value in step.items() if name != key and value is not None}
    yield PartDelta("steps", index, put=put, append={key: content} if content else None)


def _delta(top: Mapping[str, Any]) -> Iterator[Delta]:
    index, delta = number(top.get("index")), mapping(top.get("delta"))
    kind = word(delta.get("type")) or ""
    match kind:
        case "arguments_delta":
            yield CallDelta(index, arguments=arguments(delta.get("arguments")))
        case "text":
            yield TextDelta(text(delta.get("text")))
            yield PartDelta("steps", index, append={"content": [dict(delta)]})
        case "thought_summary":
            content = mapping(delta.get("content"))
            yield ReasoningDelta(text(content.get("text")))
            yield PartDelta("steps", index, append={"summary": [content]})
        case "thought_signature":
            yield PartDelta("steps", index, append={"signature": text(delta.get("signature"))})
        case "text_annotation_delta" | "image" | "audio" | "video" | "document":
            yield PartDelta("steps", index, append={"content": [dict(delta)]})
        case _:
            yield PartDelta("steps", index, put={name: value for name, value in delta.items() if name != "type"})


def _stop(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(number(top.get("index")))


def _status(top: Mapping[str, Any]) -> Iterator[Delta]:
    """The interaction, or its status alone; its steps, where it has them, replace what was streamed."""
    inner = mapping(top.get("interaction")) or top
    for step in objects(inner.get("steps")):
        if step.get("type") == "function_call" and identifier(step.get("id")):
            yield CallDelta(
                id=step["id"], name=word(step.get("name")), arguments=arguments(step.get("arguments")), stage="final"
            )
    model, usage, status = word(inner.get("model")), mapping(inner.get("usage")), word(inner.get("status"))
    if model or usage:
        yield MetaDelta(model, usage or None)
    if status and status not in _UNDER_WAY:
        yield FinishDelta(status)


def _error(top: Mapping[str, Any]) -> Iterator[Delta]:
    yield ErrorDelta(top.get("error") or {"message": "unknown"})


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "interaction.created": _status,
    "interaction.status_update": _status,
    "interaction.completed": _status,
    "step.start": _start,
    "step.delta": _delta,
    "step.stop": _stop,
    "error": _error,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The model's steps, then one `function_result` per call."""
    turn = reply.turn
    usual: list[Part] = []
    if turn.reasoning:
        usual.append({"type": "thought", "summary": [{"type": "text", "text": turn.reasoning}]})
    if turn.text:
        usual.append({"type": "model_output", "content": [{"type": "text", "text": turn.text}]})
    return [*_STEPS.written(turn, usual, reply.answers, _call_step), *(_result(answer) for answer in reply.answers)]


def _call_step(answer: Answer) -> Part:
    more = mapping(answer.call.extra.get("step"))
    return {
        **more,
        "type": "function_call",
        "id": answer.id,
        "name": answer.name,
        "arguments": dict(answer.arguments),
    }


def _result(answer: Answer) -> dict[str, Any]:
    result = answer.content if isinstance(answer.content, dict) else answer.result
    return {
        "type": "function_result",
        "call_id": answer.id,
        "name": answer.name,
        "result": result,
        "is_error": answer.is_error,
    }


def recognises(body: Json) -> bool:
    """An event with `event_type`, or an interaction with its steps."""
    top = mapping(body)
    if text(top.get("event_type")).startswith(("interaction.", "step.")):
        return True
    first = next(iter(objects(body)), {}) if isinstance(body, list) else {}
    steps = objects(top.get("steps")) or [first]
    known = {"function_call", "model_output", "thought"}
    return (isinstance(top.get("status"), str) or bool(first)) and steps[0].get("type") in known and "role" not in first


GEMINI_INTERACTIONS = Format(
    name="gemini-interactions",
    read=read,
    deltas=deltas,
    write=write,
    declare=function_shape.flat_tool,
    recognises=recognises,
    names=GEMINI_NAME,
    ids=ANY,
    settle=_STEPS.settle,
)
