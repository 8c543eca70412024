"""One line of a log → the calls in it.

Recognised are a call (`{name, arguments}`, an OpenAI `tool_calls` entry, an Anthropic
`tool_use` block), a provider's reply, a pair of request and reply in whatever envelope
(`{request, response}`, with or without `body`, a member may be JSON text, the reply the
text or the list of events of a stream, or no more than its choices or its message; what
the providers' batches give out and traces export is such a pair, too), and a chat as it
is kept for training or as it is sent (`{messages, tools}`, `{input, tools}`, a bare list
of messages, or one of them). A reply is read in its provider's format; of a chat, every
message of the assistant is. The tools come from the request where it is on the line. A
key that stands twice in one object is refused: which of the two was meant, the log does
not say. So is one event of a stream by itself, and a message or a reply with calls that
nobody can read: that a line gives no call must mean that there is none in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from argwright import wire
from argwright.batch.log import messages, replies
from argwright.batch.log.moments import time_of
from argwright.batch.log.values import BadRecordError, declared, load, written
from argwright.model import Json, ToolCall, Turn

NAMES = ("name", "tool", "tool_name", "function")
ARGUMENTS = ("arguments", "raw_arguments")
FINISHES = ("finish_reason", "stop_reason")
CALL_IDS = ("id", "call_id", "tool_call_id", "custom_id")
REQUESTS = ("request", "request_body", "req", "input", "inputs", "body", "kwargs")
RESPONSES = (
    "response", "response_body", "resp", "output", "outputs", "generations", "completion", "result", "reply", "chunks",
    "events", "gen_ai.output.messages",
)  # fmt: skip

_DEPTH = 4  # envelopes in envelopes
_CHATS = ("messages", "input", "contents")
_ASSISTANT = (None, "assistant", "model")
_ROLES = ("user", "assistant", "model", "system", "developer", "tool", "function")
_ENDED = ("errored", "canceled", "expired")  # how a request of a batch ends without a reply
_CHAT = "openai-chat"
_ARGS = ("args", "tool_input")  # only beside a name: other records have such members, too
_BODIES = ("body", "data", "payload", "message", "attributes", "outputBodyJson")
_LISTS = ("data", "runs")
_SETTINGS = ("model_parameters", "modelParameters", "metadata", "extra")  # of a request, without its messages
_INSIDE = ("body", "inputBodyJson", "invocation_params")
_MODELS = ("model", "gen_ai.response.model", "gen_ai.request.model")
_TOOLS = ("tools", "functions", "gen_ai.tool.definitions")
_ENDS = ("finish_reason", "generation_info")  # of a choice by itself
_STRANGE = "a call in a form that is not known"


@dataclass(frozen=True, kw_only=True)
class Found:
    """A call, with what the line says about it.

    Args:
        call: the call; its arguments are text, an object written out, or nothing.
        tools: the declarations of the request it answers, as JSON text.
        model: the model's name.
        at: seconds since the epoch.
    """

    call: ToolCall
    tools: str | None = None
    model: str | None = None
    at: float | None = None


class _Around(NamedTuple):
    """What the envelope says; inner members go before outer ones."""

    tools: str | None = None
    model: str | None = None
    at: float | None = None


def calls(record: Json) -> list[Found]:
    """The calls of a line, in order; a reply without any gives none.

    Raises:
        BadRecordError: nothing in it is known.
    """
    try:
        found = _found(record, _Around(), _DEPTH)
    except RecursionError as error:
        raise BadRecordError("nested too deep") from error
    if found is None:
        raise BadRecordError(_unknown(record))
    return found


def _found(record: Json, around: _Around, depth: int) -> list[Found] | None:
    """The calls, `None` if nothing is recognised."""
    if isinstance(record, str) and record.lstrip()[:1] in ("{", "["):
        record = load(record)
    if isinstance(record, (str, list)):
        return _several(record, around)
    if not isinstance(record, dict) or depth == 0:
        return None
    around = _with(around, record)
    single = _single(record)
    if single is not None:
        return [_made(single, around)]
    is_pair = _is_pair(record)
    found = _paired(record, around, depth) if is_pair else None
    if found is not None:
        return found
    found = _reply(record, around)
    if found is None and not is_pair:
        found = _paired(record, around, depth)
    return _sent(record, around) if found is None else found


def _unknown(record: Json) -> str:
    """What is said of a record in which nothing is known, and how a call would have to be called."""
    if not isinstance(record, dict):
        return f"neither a call (name, arguments) nor a reply or a chat: {type(record).__name__}"
    call = f"{_either(NAMES)}, with {_either(ARGUMENTS + _ARGS)}"
    return f"neither a call ({call}) nor a reply or a chat known by its keys: {', '.join(map(str, record))[:60]}"


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _is_pair(record: Mapping[str, Any]) -> bool:
    """Whether this is an envelope whatever else it looks like: no provider's reply has these members."""
    if "response" not in record:
        return False
    kind = record.get("type")
    return "request" in record or (isinstance(kind, str) and kind.startswith("response."))


def _several(record: str | Sequence[Any], around: _Around) -> list[Found] | None:
    """The calls of a stream as text, lines or events, of a list of calls, or of one of messages."""
    if replies.is_stream(record):
        return _streamed(record, around)
    if isinstance(record, str):
        return None
    turns = replies.heard(record)
    if turns is not None:
        return _turns(turns, around)
    found = _listed(record, around) or _chosen(record, around)
    return _chat(record, around) if found is None else found


def _listed(items: Sequence[Any], around: _Around) -> list[Found]:
    """The calls of a list of nothing else."""
    found: list[Found] = []
    for item in items:
        single = _single(item) if isinstance(item, dict) and item.get("type") != "function_call" else None
        if single is None:
            return []
        found.append(_made(single, _with(around, item)))
    return found


def _chosen(items: Sequence[Any], around: _Around) -> list[Found] | None:
    """The calls of the choices of a reply, or of LangChain's generations, without the reply around them."""
    choices = [messages.choice(item) for item in messages.flat(items)]
    found: list[Found] = []
    for choice in choices:
        if choice is None:
            return None
        found += _message(choice, around)
    return found if choices else None


def _is_message(record: Mapping[str, Any], called: Any) -> bool:
    """Whether this is a message of the chat API by itself; what finished it then stands in it, if anywhere."""
    is_around = any(key in record for key in ("choices", "message", "object"))
    return (
        not is_around
        and isinstance(called, list)
        and all(isinstance(call, dict) and "function" in call for call in called)
    )


def _has_calls(message: Mapping[str, Any]) -> bool:
    return any(messages.count(message.get(key)) for key in ("tool_calls", "function_call"))


def _reply(record: Mapping[str, Any], around: _Around) -> list[Found] | None:
    """The calls of a provider's reply, or of one message of the assistant."""
    return _read(messages.plain(record), around)


def _read(record: Mapping[str, Any], around: _Around) -> list[Found] | None:
    form, called = wire.detect(record), _opened(record.get("tool_calls"))
    if _has_calls(record) and record.get("role") in _ASSISTANT and (form is None or _is_message(record, called)):
        finish = _told(record, FINISHES)
        message = {**record, "tool_calls": called}
        form, record = _CHAT, {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    if form is None:
        return _chosen([record], around) if any(key in record for key in _ENDS) else None
    turns = replies.whole(form, record)
    if sum(len(turn.calls) for turn in turns or ()) < messages.count(called):
        raise BadRecordError("tool_calls in a form that is not known")
    if turns is None:
        raise BadRecordError("a piece of a stream: log the whole reply, or all events of a stream in one line")
    return _turns(turns, around)


def _sent(record: Mapping[str, Any], around: _Around) -> list[Found] | None:
    """The calls of the messages that are sent to a model, or of one of them."""
    sent = next((record[key] for key in _CHATS if isinstance(record.get(key), list)), None)
    if sent is None:
        is_message = record.get("role") in _ROLES and any(key in record for key in ("content", "parts"))
        return _message(record, around) if is_message else None
    found = _chat(sent, around)
    for key in RESPONSES if found else record.keys() - {*_CHATS, *_TOOLS}:
        if messages.may_call(_opened(record.get(key))):
            raise BadRecordError(f"{_STRANGE}, in {key[:60]!r}")
    return found


def _with(around: _Around, record: Mapping[str, Any]) -> _Around:
    model, at = _told(record, _MODELS), time_of(record)
    tools = _opened(_told(record, _TOOLS))
    return _Around(
        tools=declared(tools) if isinstance(tools, list) and tools else around.tools,
        model=model if isinstance(model, str) and model else around.model,
        at=around.at if at is None else at,
    )


def _single(record: Mapping[str, Any]) -> ToolCall | None:
    """The record as one call."""
    if replies.is_event(record):
        return None
    inner = record.get("function")
    if isinstance(inner, dict) and "arguments" in inner:
        return _call(record, inner.get("name"), inner["arguments"])
    if record.get("type") == "tool_use" and "input" in record:
        return _call(record, record.get("name"), record["input"])
    name = _told(record, NAMES)
    if any(key in record for key in ARGUMENTS):
        return _call(record, name, _told(record, ARGUMENTS))
    arguments = _told(record, _ARGS)
    if isinstance(name, str) and isinstance(arguments, (dict, str)):  # a logger's record has a list there
        return _call(record, name, arguments)
    return None


def _told(record: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The first member that is not null."""
    for key in keys:
        if (value := record.get(key)) is not None:
            return value
    return None


def _call(record: Mapping[str, Any], name: Any, arguments: Any) -> ToolCall:
    if not isinstance(name, (str, type(None))):
        raise BadRecordError(f"a call's name is text, not {type(name).__name__}")
    finish = _told(record, FINISHES)
    if not isinstance(finish, (str, type(None))):
        raise BadRecordError(f"a call's finish_reason is text, not {type(finish).__name__}")
    own = next((record[key] for key in CALL_IDS if isinstance(record.get(key), (str, int))), None)
    return ToolCall(id=None if own is None else str(own), name=name, arguments=written(arguments), finish_reason=finish)


def _paired(record: Mapping[str, Any], around: _Around, depth: int) -> list[Found] | None:
    """The calls of the reply in an envelope; the request beside it declares the tools."""
    for key in RESPONSES:
        reply = _opened(record.get(key))
        if not reply or not isinstance(reply, (dict, list, str)):
            continue
        found = _found(reply, _with_request(around, record, depth), depth - 1)
        if found is not None:
            return found
        if isinstance(reply, dict) and _is_failure(reply):
            return []
    for key in _LISTS:
        packed = _packed(record.get(key), around, depth)
        if packed is not None:
            return packed
    for key in _BODIES:
        inner = _opened(record.get(key))
        found = _found(inner, around, depth - 1) if isinstance(inner, (dict, list, str)) else None
        if found is not None:
            return found
    return [] if _is_failure(record) and any(key in record for key in RESPONSES) else None


def _packed(items: Any, around: _Around, depth: int) -> list[Found] | None:
    """The calls of a list of records, as a query is answered by one."""
    if (
        not isinstance(items, list)
        or not items
        or any("role" in item or replies.is_event(item) for item in items if isinstance(item, dict))
    ):
        return None
    found = [_found(item, around, depth - 1) if isinstance(item, dict) else None for item in items]
    return None if None in found else [one for calls in found for one in calls or ()]


def _is_failure(reply: Mapping[str, Any]) -> bool:
    """Whether there was no reply, but an error."""
    body = _opened(reply.get("body"))
    if isinstance(body, dict) and _is_failure(body):
        return True
    error = reply.get("error")
    return (isinstance(error, (dict, str)) and bool(error)) or reply.get("type") in _ENDED


def _streamed(text: str | Sequence[str], around: _Around) -> list[Found] | None:
    """The calls of a stream that was logged as it came."""
    try:
        turns = replies.streamed(text)
    except UnicodeEncodeError as error:
        raise BadRecordError("half a surrogate pair in the text of a stream") from error
    return None if turns is None else _turns(turns, around)


def _with_request(around: _Around, record: Mapping[str, Any], depth: int) -> _Around:
    for key in REQUESTS:
        request = _opened(record.get(key))
        while isinstance(request, dict) and depth:
            around = _with(around, request)
            request, depth = _opened(_told(request, _INSIDE)), depth - 1
    for key in _SETTINGS:
        settings = _opened(record.get(key))
        if isinstance(settings, dict) and around.tools is None:
            inner = settings.get("invocation_params")
            around = around._replace(tools=_with(around, inner if isinstance(inner, dict) else settings).tools)
    return around


def _opened(value: Any) -> Any:
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return load(value)
    except BadRecordError:
        return value


def _chat(sent: Sequence[Any], around: _Around) -> list[Found] | None:
    """The calls of all messages of the assistant."""
    if not sent or not all(isinstance(message, dict) for message in sent):
        return None
    if not any("role" in message or "type" in message or "lc" in message for message in sent):
        return None
    return [found for message in sent for found in _message(message, around)]


def _message(message: Mapping[str, Any], around: _Around) -> list[Found]:
    message = messages.plain(message)
    if message.get("role") not in _ASSISTANT:
        return []
    if "role" not in message and "type" not in message and (single := _single(message)) is not None:
        return [_made(single, around)]
    if message.get("type") == "function_call" and "arguments" in message:
        return [_made(_call(message, message.get("name"), message["arguments"]), around)]
    found = _read(message, _with(around, message))
    if not found and messages.may_call(message):
        raise BadRecordError(_STRANGE)
    return found or []


def _turns(turns: Sequence[Turn], around: _Around) -> list[Found]:
    return [_made(call, around._replace(model=turn.model or around.model)) for turn in turns for call in turn.calls]


def _made(call: ToolCall, around: _Around) -> Found:
    if isinstance(call.arguments, dict):
        call = replace(call, arguments=written(call.arguments))
    return Found(call=call, tools=around.tools, model=around.model, at=around.at)
