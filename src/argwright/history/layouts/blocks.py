"""Blocks: calls stand in the content of the model's message, results in the user's next one.

Anthropic's `tool_use` and `tool_result`, Bedrock's `toolUse` and `toolResult`, Gemini's
`functionCall` and `functionResponse`. Results stand before anything else in their
message; blocks that are no calls, thinking and its signatures above all, go back as they
came. An empty text is refused by all three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from argwright.history.content import error_text, with_error
from argwright.history.layouts.layout import Layout
from argwright.history.values import Asked, Call, Message, Result, Said, Step, Told
from argwright.model import Json, compact
from argwright.wire.plain import identifier, mapping, word


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """What differs between the three.

    Args:
        content: the field of a message that holds its blocks.
        model: the role of the model's messages.
        call: a call of a block, `None` if it is none.
        result: a result of a block, likewise.
        empty: whether a block says nothing, and is refused for it.
        block: a text as a block.
    """

    content: str
    model: str
    call: Callable[[Message, str], Call | None]
    result: Callable[[Message, str], Result | None]
    empty: Callable[[Message], bool]
    block: Callable[[str], Message]


def _blocks(kind: _Kind, message: Message) -> list[Json]:
    content = message.get(kind.content)
    if isinstance(content, str):
        return [kind.block(content)]
    return content if isinstance(content, list) else [content] if isinstance(content, dict) else []


def _step(kind: _Kind, message: Message, place: str) -> Step:
    parts: list[Any] = []
    for number, block in enumerate(_blocks(kind, message)):
        where = f"{place}/{kind.content}/{number}"
        found = None
        if isinstance(block, dict):
            found = kind.call(block, where) or kind.result(block, where)
        parts.append(block if found is None else found)
    if any(isinstance(part, Call) for part in parts):
        return Asked(place=place, shell=message, parts=tuple(parts))
    if any(isinstance(part, Result) for part in parts):
        return Told(place=place, shell=message, parts=tuple(parts))
    return Said(place=place, shell=message)


def _kept(kind: _Kind, parts: Sequence[Json]) -> list[Json]:
    return [part for part in parts if not (isinstance(part, dict) and kind.empty(part))]


def _with_role(message: Message, role: str) -> Message:
    return message if word(message.get("role")) is not None else {**message, "role": role}


def _said(kind: _Kind) -> Callable[[Message], Message | None]:
    def said(message: Message) -> Message | None:
        content = message.get(kind.content)
        if isinstance(content, str):
            return message if content.strip() else None
        kept = _kept(kind, _blocks(kind, message))
        return {**message, kind.content: kept} if kept else None

    return said


def _layout(kind: _Kind, **more: Any) -> Layout:
    def told(shell: Message | None, parts: Sequence[Json]) -> list[Message]:
        return [{**_with_role(shell or {}, "user"), kind.content: _kept(kind, parts)}]

    return Layout(
        parse=lambda messages: [_step(kind, message, f"/{number}") for number, message in enumerate(messages)],
        asked=lambda step, entries: [{**_with_role(step.shell, kind.model), kind.content: _kept(kind, entries)}],
        told=told,
        said=_said(kind),
        parts=lambda message: _blocks(kind, message),
        grouped=True,
        objects=True,
        **more,
    )


# --- Anthropic


def _tool_use(block: Message, place: str) -> Call | None:
    if block.get("type") != "tool_use":
        return None
    name = word(block.get("name"))
    return Call(place=place, raw=block, id=identifier(block.get("id")), name=name, arguments=block.get("input"))


def _tool_result(block: Message, place: str) -> Result | None:
    if block.get("type") != "tool_result":
        return None
    return Result(
        place=place,
        raw=block,
        id=identifier(block.get("tool_use_id")),
        name=None,
        content=block.get("content"),
        error=block.get("is_error") is True,
    )


def _anthropic_result(result: Result) -> Json:
    flag = {"is_error": True} if result.error else {}
    made = {**result.raw, "type": "tool_result", "tool_use_id": result.id, "content": result.content, **flag}
    return {key: value for key, value in made.items() if value is not None or key != "content"}


def _anthropic_content(content: Any) -> Any:
    if isinstance(content, dict) and isinstance(content.get("type"), str):
        content = [content]
    if not isinstance(content, list):
        return content if content is None or isinstance(content, str) else compact(content)
    if not all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content):
        return compact(content)
    kept = [block for block in content if not _empty_text(block)]
    return kept if kept or not content else ""


def _empty_text(block: Message) -> bool:
    return block.get("type") == "text" and not str(block.get("text") or "").strip()


def _anthropic_errored(content: Any, error: Json) -> Any:
    if isinstance(content, list):
        return [{"type": "text", "text": error_text(error)}, *content]
    return with_error(content if isinstance(content, str) else "", error)


ANTHROPIC = _layout(
    _Kind(
        content="content",
        model="assistant",
        call=_tool_use,
        result=_tool_result,
        empty=_empty_text,
        block=lambda text: {"type": "text", "text": text},
    ),
    call=lambda call, arguments: {**call.raw, "id": call.id, "name": call.name, "input": arguments},
    result=_anthropic_result,
    blank=lambda _: {},
    errored=_anthropic_errored,
    stub=error_text,
    content=_anthropic_content,
    joined=True,
)


# --- Bedrock


def _use(block: Message, place: str) -> Call | None:
    use = block.get("toolUse")
    if not isinstance(use, dict) or str(use.get("type", "")).startswith("server"):
        return None
    name = word(use.get("name"))
    return Call(place=place, raw=block, id=identifier(use.get("toolUseId")), name=name, arguments=use.get("input"))


def _use_result(block: Message, place: str) -> Result | None:
    told = block.get("toolResult")
    if not isinstance(told, dict) or str(told.get("type", "")).startswith("server"):
        return None
    return Result(
        place=place,
        raw=block,
        id=identifier(told.get("toolUseId")),
        name=None,
        content=told.get("content"),
        error=told.get("status") == "error",
    )


def _bedrock_call(call: Call, arguments: Any) -> Json:
    use = {**mapping(call.raw.get("toolUse")), "toolUseId": call.id, "name": call.name, "input": arguments}
    return {**call.raw, "toolUse": use}


def _bedrock_result(result: Result) -> Json:
    told = {**mapping(result.raw.get("toolResult")), "toolUseId": result.id, "content": result.content}
    return {**result.raw, "toolResult": {**told, "status": "error"} if result.error else told}


def _bedrock_content(content: Any) -> Any:
    """Members of one kind each; `json` is an object, a text is not blank, and there is at least one."""
    if isinstance(content, dict) and not content.keys() & _MEMBERS:
        return [{"json": content}]
    members = content if isinstance(content, list) else [content] if isinstance(content, dict) else None
    if members is None:
        return [{"text": content}] if isinstance(content, str) and content.strip() else [{"json": {"output": content}}]
    return [_member(one) for one in members] or [{"json": {"output": ""}}]


_MEMBERS = frozenset({"json", "text", "image", "document", "video", "searchResult"})


def _member(member: Any) -> Any:
    if not isinstance(member, dict) or not member.keys() & _MEMBERS:
        return {"json": member if isinstance(member, dict) else {"output": member}}
    if "json" in member and not isinstance(member["json"], dict):
        return {**member, "json": {"output": member["json"]}}
    if "text" in member and not str(member["text"] or "").strip():
        return {"json": {"output": member["text"]}}
    return member


BEDROCK = _layout(
    _Kind(
        content="content",
        model="assistant",
        call=_use,
        result=_use_result,
        empty=lambda block: block.keys() == {"text"} and not str(block["text"] or "").strip(),
        block=lambda text: {"text": text},
    ),
    call=_bedrock_call,
    result=_bedrock_result,
    blank=lambda _: {},
    errored=lambda content, error: [{"json": error if isinstance(error, dict) else {"error": error}}, *content],
    stub=lambda error: [{"json": error if isinstance(error, dict) else {"error": error}}],
    content=_bedrock_content,
    joined=True,
    alternating=True,
)


# --- Gemini


def _either(part: Message, camel: str, snake: str) -> tuple[str, Any]:
    return (snake, part[snake]) if snake in part and camel not in part else (camel, part.get(camel))


def _function_call(part: Message, place: str) -> Call | None:
    _, call = _either(part, "functionCall", "function_call")
    if not isinstance(call, dict):
        return None
    return Call(
        place=place,
        raw=part,
        id=identifier(call.get("id")),
        name=word(call.get("name")),
        arguments=call.get("args"),
    )


def _function_response(part: Message, place: str) -> Result | None:
    _, told = _either(part, "functionResponse", "function_response")
    if not isinstance(told, dict):
        return None
    return Result(
        place=place,
        raw=part,
        id=identifier(told.get("id")),
        name=word(told.get("name")),
        content=told.get("response"),
        error=isinstance(told.get("response"), dict) and "error" in told["response"],
    )


def _gemini_call(call: Call, arguments: Any) -> Json:
    key, inner = _either(call.raw, "functionCall", "function_call")
    made = {name: value for name, value in inner.items() if name != "id" or call.id is not None}
    pair = {} if call.id is None else {"id": call.id}
    args = {} if not arguments and "args" not in inner else {"args": arguments}
    return {**call.raw, key: {**made, **pair, "name": call.name, **args}}


def _gemini_result(result: Result) -> Json:
    key, inner = _either(result.raw, "functionResponse", "function_response")
    made = {name: value for name, value in mapping(inner).items() if name != "id"}
    pair = {} if result.id is None else {"id": result.id}
    return {**result.raw, key: {**pair, **made, "name": result.name, "response": result.content}}


def _gemini_errored(content: Any, error: Json) -> Any:
    return {**content, **(error if isinstance(error, dict) else {"error": error})}


def _nothing_in(part: Message) -> bool:
    """Whether a part says nothing: no text, and no signature, which may come on an empty text."""
    return not part or (part.keys() == {"text"} and not part["text"])


GEMINI = _layout(
    _Kind(
        content="parts",
        model="model",
        call=_function_call,
        result=_function_response,
        empty=_nothing_in,
        block=lambda text: {"text": text},
    ),
    call=_gemini_call,
    result=_gemini_result,
    blank=lambda _: {},
    errored=_gemini_errored,
    stub=lambda error: error if isinstance(error, dict) else {"error": error},
    content=lambda content: content if isinstance(content, dict) else {"output": content},
    ids=False,
    named=True,
    bare=True,
)
