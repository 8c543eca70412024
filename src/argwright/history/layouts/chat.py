"""Chat messages: the assistant's `tool_calls`, each answered by a `tool` message (OpenAI chat, Cohere v2, Ollama).

The pair from before calls had ids, `function_call` and role `function`, is still taken by
OpenAI and stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argwright.history.content import error_text, with_error
from argwright.history.layouts.layout import Layout
from argwright.history.values import Asked, Call, Message, Result, Said, Step, Told
from argwright.model import Json, compact
from argwright.wire.plain import identifier, mapping, objects, word


def _parse(name_key: str) -> Any:
    def parse(messages: Sequence[Message]) -> list[Step]:
        return [_step(message, f"/{number}", name_key) for number, message in enumerate(messages)]

    return parse


def _step(message: Message, place: str, name_key: str) -> Step:
    role = message.get("role")
    if role in ("tool", "function"):
        result = Result(
            place=place,
            raw=message,
            id=identifier(message.get("tool_call_id")),
            name=word(message.get(name_key)) or word(message.get("name")),
            content=message.get("content"),
            old=role == "function",
        )
        return Told(place=place, shell=message, parts=(result,))
    calls = [
        _call(entry, f"{place}/tool_calls/{number}") for number, entry in enumerate(objects(message.get("tool_calls")))
    ]
    old = message.get("function_call")
    if isinstance(old, dict):
        calls.append(
            Call(
                place=f"{place}/function_call",
                raw=old,
                id=None,
                name=word(old.get("name")),
                arguments=old.get("arguments"),
                old=True,
            )
        )
    return Asked(place=place, shell=message, parts=tuple(calls)) if calls else Said(place=place, shell=message)


def _call(entry: Message, place: str) -> Call:
    function, custom = mapping(entry.get("function")), entry.get("custom")
    free = isinstance(custom, dict)
    inner = custom if isinstance(custom, dict) else function
    return Call(
        place=place,
        raw=entry,
        id=identifier(entry.get("id")),
        name=word(inner.get("name")),
        arguments=inner.get("input" if free else "arguments"),
        free=free,
    )


def _entry(*, objects_: bool, typed: bool, ids: bool) -> Any:
    """How a call is written: its arguments as an object or as text."""

    def write(call: Call, arguments: Any) -> Json:
        if call.free:
            custom = {**mapping(call.raw.get("custom")), "name": call.name, "input": arguments}
            return {**call.raw, "id": call.id, "type": "custom", "custom": custom}
        shown = arguments if objects_ or isinstance(arguments, str) else compact(arguments)
        function = {"name": call.name, "arguments": shown}
        if call.old:
            return {**call.raw, **function}
        kind = {"type": call.raw.get("type") or "function"} if typed else {}
        made = {**call.raw, "id": call.id, **kind, "function": {**mapping(call.raw.get("function")), **function}}
        return made if ids or call.id is not None else _without(made, "id")

    return write


def _result(name_key: str) -> Any:
    def write(result: Result) -> Json:
        if result.old:
            return {**result.raw, "role": "function", "name": result.name, "content": result.content}
        named = {name_key: result.name} if result.name is not None and name_key else {}
        made = {**result.raw, "role": "tool", "tool_call_id": result.id, **named, "content": result.content}
        return made if result.id is not None else _without(made, "tool_call_id")

    return write


def _without(message: Message, name: str) -> Message:
    return {key: value for key, value in message.items() if key != name}


_OFTEN_NULL = ("tool_calls", "function_call", "audio", "name")


def _without_nulls(message: Message) -> Message:
    return {key: value for key, value in message.items() if value is not None or key not in _OFTEN_NULL}


def asked(step: Asked, entries: Sequence[Json]) -> list[Message]:
    """The assistant message with these calls."""
    message = _without_nulls(step.shell)
    if word(message.get("role")) is None:
        message = {**message, "role": "assistant"}
    if message.get("content") == []:
        message = {**message, "content": None}
    flags = [part.old for part in step.calls]
    calls = [entry for entry, old in zip(entries, flags, strict=True) if not old]
    olds = [entry for entry, old in zip(entries, flags, strict=True) if old]
    made = {**message, **({"tool_calls": calls} if calls else {}), **({"function_call": olds[0]} if olds else {})}
    return [made if calls or "tool_calls" not in made else {k: v for k, v in made.items() if k != "tool_calls"}]


def _told(shell: Message | None, parts: Sequence[Json]) -> list[Message]:  # noqa: ARG001  # each result is a message
    return list(parts)


def _said(message: Message) -> Message | None:
    """A message without calls: no empty list of them, and an assistant's content is text."""
    if message.get("role") != "assistant":
        return message
    made = {key: value for key, value in _without_nulls(message).items() if key != "tool_calls"}
    silent = made.get("content") in (None, []) and not made.get("refusal") and not made.get("audio")
    return {**made, "content": ""} if silent else made


def errored(content: Any, error: Json) -> Any:
    """A result's content, with an error in front."""
    if isinstance(content, list):
        return [{"type": "text", "text": error_text(error)}, *content]
    return with_error(content if isinstance(content, str) else "", error)


def text_content(content: Any) -> Any:
    """Text, or a list of parts; anything else as JSON text."""
    if content is None:
        return ""
    if isinstance(content, str) or (isinstance(content, list) and all(isinstance(part, dict) for part in content)):
        return content
    return compact(content)


def _chat(*, name_key: str = "", objects_: bool = False, typed: bool = True, ids: bool = True) -> Layout:
    return Layout(
        parse=_parse(name_key or "name"),
        call=_entry(objects_=objects_, typed=typed, ids=ids),
        result=_result(name_key),
        blank=lambda _: {},
        asked=asked,
        told=_told,
        said=_said,
        errored=errored,
        stub=error_text,
        content=text_content,
        objects=objects_,
        ids=ids,
        named=bool(name_key),
    )


OPENAI_CHAT = _chat()
NAMED_CHAT = _chat(name_key="name")
COHERE = _chat()
OLLAMA = _chat(name_key="tool_name", objects_=True, typed=False, ids=False)
