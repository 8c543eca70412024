"""The form of whole replies, by the SDKs' types and the documentation of their ends."""

from __future__ import annotations

import json
from typing import Any

from tests.proxy.forms import sdk
from tests.proxy.forms.seen import Call, Fault, Seen


def check(form: str, data: bytes, *, calls_parse: bool = True) -> Seen:
    """What is wrong with the body of a reply with status 200, and what a client reads from it.

    Args:
        form: `openai-chat`, `openai-responses` or `anthropic`.
        data: the body.
        calls_parse: whether each call of a finished reply must be a JSON object.
    """
    try:
        text = data.decode("utf-8")
        body = json.loads(text)
    except ValueError as error:
        return Seen(faults=(Fault(slug="not_json", at=0, found=str(error)),), end="cut")
    wrong = sdk.complaint(sdk.whole(form), text)
    if wrong is not None:
        note = body.get("argwright") if isinstance(body, dict) else None
        return Seen(faults=(Fault(slug="sdk", at=0, found=wrong),), end="cut", note=note)
    if form == "openai-chat" and not body["choices"]:
        return Seen(faults=(Fault(slug="no_choices", at=0),), end="cut")
    said, finish, called = _READ[form](body)
    calls = _calls(form, body)
    faults = [Fault(slug="finish", at=0, found=str(finish))] if finish in called and not calls else []
    if len({call.id for call in calls}) < len(calls) or not all(call.id and call.name for call in calls):
        faults.append(Fault(slug="call_without_id_or_name", at=0, found=str(calls)))
    if calls_parse and finish not in ("length", "incomplete", "max_tokens"):
        faults += [Fault(slug="arguments", at=0, found=call.arguments) for call in calls if not call.is_object()]
    return Seen(faults=tuple(faults), calls=calls, text=said, finish=finish, note=body.get("argwright"))


def _chat(body: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    choice = body["choices"][0]
    return choice["message"].get("content") or "", choice["finish_reason"], ("tool_calls",)


def _responses(body: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    parts = [part for item in body["output"] if item["type"] == "message" for part in item["content"]]
    return "".join(part.get("text", "") for part in parts), body["status"], ()


def _anthropic(body: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    texts = [block["text"] for block in body["content"] if block["type"] == "text"]
    return "".join(texts), body["stop_reason"], ("tool_use",)


def _calls(form: str, body: dict[str, Any]) -> tuple[Call, ...]:
    match form:
        case "openai-chat":
            entries = body["choices"][0]["message"].get("tool_calls") or ()
            return tuple(
                Call(id=one["id"], name=one["function"]["name"], arguments=one["function"]["arguments"])
                for one in entries
                if one["type"] == "function"
            )
        case "openai-responses":
            items = [item for item in body["output"] if item["type"] == "function_call"]
            return tuple(Call(id=one["call_id"], name=one["name"], arguments=one["arguments"]) for one in items)
        case _:
            uses = [block for block in body["content"] if block["type"] == "tool_use"]
            return tuple(Call(id=one["id"], name=one["name"], arguments=json.dumps(one["input"])) for one in uses)


_READ = {"openai-chat": _chat, "openai-responses": _responses, "anthropic": _anthropic}
