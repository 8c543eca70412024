"""Messages of the assistant as frameworks and traces keep them → as the chat API has them.

LangChain writes a message out with its class and its fields, the calls parsed in one
member, those that it could not parse in another, and sometimes as they came in a third;
OpenTelemetry has calls among the parts of a message. Of the same call, what is nearest to
the model is taken: the text before the parsed value. A message in no known form is left
as it is. Whether there may be a call in it all the same is asked of its types and members.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from argwright.wire.plain import mapping

Message = Mapping[str, Any]

_AI = ("ai", "AIMessage", "AIMessageChunk")
_CALLING = re.compile(
    r"(?<!server_)(?<!mcp_)(?:tool|function)[-_. ]?(?:call|use)(?!.*(?:result|response|output))", re.IGNORECASE
)
"""The type of a part that asks the client for something; what a provider's server does itself is no call of ours."""
_MEMBERS = frozenset({"tool_calls", "toolCalls", "function_call", "functionCall", "toolUse", "tool_use", "tool_call"})


def plain(message: Message) -> Message:
    """A message with its calls where the chat API has them; one in another form as it is."""
    if "lc" in message:
        message = _unpacked(message)
    if message.get("type") in _AI:
        return _of_langchain(message)
    parts = message.get("parts")
    if isinstance(parts, list) and any(_is_call(part) for part in parts):
        calls = [_entry(part) for part in parts if _is_call(part)]
        return {"role": "assistant", "tool_calls": calls, "finish_reason": message.get("finish_reason")}
    called = message.get("tool_calls")
    if isinstance(called, list) and any(_is_parsed(call) for call in called):
        return {**message, "tool_calls": [_entry(call) if _is_parsed(call) else call for call in called]}
    return message


def choice(item: Any) -> Message | None:
    """The message in one of a reply's choices, or in a generation of LangChain, with the choice's finish reason."""
    if not isinstance(item, dict) or not isinstance(item.get("message"), dict):
        return None
    message, info = plain(item["message"]), mapping(item.get("generation_info"))
    finish = next((one["finish_reason"] for one in (item, info, message) if one.get("finish_reason")), None)
    return {**message, "finish_reason": finish}


def flat(items: Sequence[Any]) -> list[Any]:
    """What is in a list, or in the lists that it holds: LangChain has one for each prompt."""
    return [item for inner in items for item in (inner if isinstance(inner, list) else [inner])]


def may_call(value: Any) -> bool:
    """Whether something in a value looks like a call, in whatever form."""
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            kind = item.get("type")
            if (isinstance(kind, str) and _CALLING.search(kind)) or any(
                count(item[key]) for key in _MEMBERS & item.keys()
            ):
                return True
            item = list(item.values())
        if isinstance(item, list):
            todo.extend(inner for inner in item if isinstance(inner, (dict, list)))
    return False


def count(calls: Any) -> int:
    """How many calls a member has that has calls; where there is only a number, nothing of them is there."""
    if isinstance(calls, list):
        return len(calls)
    return int(bool(calls) and isinstance(calls, (dict, str)))


def _unpacked(message: Message) -> Message:
    """What LangChain wrote out as a constructor, with the kind of message as its type."""
    inner, path = message.get("kwargs"), message.get("id")
    if not isinstance(inner, dict) or not isinstance(path, list) or not path:
        return message
    return {**inner, "type": path[-1]}


def _of_langchain(message: Message) -> Message:
    data = message.get("data")
    if isinstance(data, dict):  # as `messages_to_dict` has it
        message = data
    raw, told = mapping(message.get("additional_kwargs")), mapping(message.get("response_metadata"))
    parsed = [*_list(message.get("tool_calls")), *_list(message.get("invalid_tool_calls"))]
    calls = _list(raw.get("tool_calls")) or [_entry(call) if _is_parsed(call) else call for call in parsed]
    finish = next((told[key] for key in ("finish_reason", "stop_reason") if told.get(key)), None)
    return {
        "role": "assistant",
        "tool_calls": calls,
        "function_call": None if calls else raw.get("function_call"),
        "finish_reason": message.get("finish_reason") or finish,
        "model": told.get("model_name") or told.get("model"),
    }


def _is_call(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "tool_call" and "name" in part


def _is_parsed(call: Any) -> bool:
    return isinstance(call, dict) and "args" in call and "function" not in call


def _entry(call: Message) -> Message:
    function = {"name": call.get("name"), "arguments": call.get("args", call.get("arguments"))}
    return {"id": call.get("id"), "type": "function", "function": function}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
