"""OpenAI chat completions: chunks without names, calls by index, `[DONE]`.

One chunk may hold text, pieces of several calls, the reason for the end and the usage at once. The chunks of what was
asked again carry the id of the first reply. Of a stream only the first choice is read (`chat_choices`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argwright.model import Json
from argwright.proxy.exchange import chat_choices as choices
from argwright.proxy.exchange.chat_choices import BETWEEN, CALLS, first
from argwright.proxy.exchange.frames import written
from argwright.proxy.exchange.judging import Ids, Written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.protocol import OTHER, Body, Change, Fault, Place, Protocol, Seen, Whole
from argwright.wire.openai_chat import mirrored
from argwright.wire.plain import identifier, mapping, number, objects, text, word

_FORMATS = frozenset({"json_object", "json_schema"})
_HEAD = ("id", "object", "created", "model", "system_fingerprint")
_NORMAL = frozenset({"stop", "function_call"})
"""Reasons in whose place stands that calls were made, once some were."""
_CALLED = frozenset({"tool_calls", "function_call"})
_OTHERS, _VENDORS = "tool_call", ("google", "vertex")
"""How `ToolCall.extra` names what a call carries."""


# what a request says


def _declared(body: Body) -> Iterator[Json]:
    for name in ("tools", "functions"):
        yield from body[name] if isinstance(body.get(name), list) else ()


def _several(body: Body) -> bool:
    return (number(body.get("n")) or 1) > 1


def _may_call(body: Body) -> bool:
    return body.get("tool_choice") != "none" and body.get("function_call") != "none"


def _prose(body: Body) -> bool:
    return mapping(body.get("response_format")).get("type") not in _FORMATS


def _legacy(body: Body) -> bool:
    return bool(body.get("functions")) and not body.get("tools")


def _extended(body: Body, messages: list[Body]) -> Body:
    before = body["messages"] if isinstance(body.get("messages"), list) else []
    return {**body, "messages": [*before, *messages]}


def _reminder(told: str) -> list[Body]:
    return [{"role": "user", "content": told}]


# what an event says


def see(name: str | None, data: Body) -> Seen:
    """One chunk."""
    if data.get("error") or data.get("object") == "error" or name == "error":
        return Seen(error=True, odd=not data.get("error"))
    choice, delta = first(data)
    others = bool(choices.others(data))
    if choice is None:
        listed = isinstance(data.get("choices"), list)
        if data.get("usage") or not listed or others:
            return Seen(usage=bool(data.get("usage")), odd=not listed, others=others, strays=choices.strays(data))
        return OTHER
    said, reason = choices.said(delta.get("content")), word(choice.get("finish_reason"))
    usage = bool(data.get("usage"))
    failed = bool(choice.get("error") or reason == "error")  # of which a stock client takes no notice
    calls, odd = delta.get("tool_calls"), failed or _is_odd(data, choice, delta)
    return Seen(
        place=Place.TEXT if said else Place.OTHER,
        text=said,
        finish=reason is not None,
        usage=usage,
        error=failed,
        reads=bool(calls or delta.get("function_call") or reason or usage or odd or others),
        pure=not (reason or usage or others) and not any(value for key, value in delta.items() if key not in CALLS),
        calls=bool(calls or delta.get("function_call")),
        odd=odd,
        others=others,
        strays=others and choices.strays(data),
    )


def _is_odd(data: Body, choice: Body, delta: Body) -> bool:
    """Whether a stock client reads the chunk in another way, or not at all."""
    entries = delta.get("tool_calls") or []
    listed = isinstance(data.get("choices"), list) and isinstance(entries, list)
    placed = choice.get("index") == 0 and isinstance(choice.get("delta"), dict)
    return not (listed and placed) or any(map(_is_odd_piece, objects(entries)))


def _is_odd_piece(entry: Body) -> bool:
    index, own = entry.get("index"), entry.get("id")
    return not isinstance(index, int) or isinstance(index, bool) or (bool(own) and identifier(own) != own)


def _idle(data: Body) -> bool:
    """Whether a chunk holds no choice: it tells the usage, or something of the server's own."""
    return data.get("choices", []) == [] and not data.get("error") and data.get("object") != "error"


# the client's stream


class ChatWriter:
    """Writes chunks."""

    marks = b""

    def __init__(self, ids: Ids, body: Body) -> None:
        self._ids = ids
        self._legacy = _legacy(body)
        self._head: Body = {}
        self._calls = 0
        self._indices: dict[str, int] = {}
        self._later = False
        self._texted = False
        self._role = False
        self._between = ""

    def again(self) -> None:
        """Another reply goes on under the id of the first."""
        self._later = True
        self._between = BETWEEN if self._texted else ""

    def renames(self, _data: Body) -> bool:
        """The first one's name stays."""
        return False

    def misplaced(self) -> None:
        """Indices are given anew with the calls."""

    def even(self) -> bool:
        """A later reply has another id."""
        return not self._later

    def passed(self, _name: str | None, data: Body) -> None:
        """Note the head of the chunks, and whether text went out."""
        self.dropped(data)
        delta = first(data)[1]
        self._role = self._role or bool(delta.get("role"))
        self._texted = self._texted or bool(choices.said(delta.get("content")))
        for entry in objects(delta.get("tool_calls")):
            own = word(entry.get("id"))
            if own is not None:
                self._ids.note(own)
                self._indices[own] = number(entry.get("index")) or 0
            self._calls = max(self._calls, (number(entry.get("index")) or 0) + 1)

    def dropped(self, data: Body) -> None:
        """The first chunk's head counts, whether it goes out or not."""
        if not self._head and "id" in data:
            self._head = {key: data[key] for key in _HEAD if key in data}

    def event(self, name: str | None, data: Body, change: Change) -> bytes:
        """A chunk."""
        changed = self._choices(data, change)
        if changed is None:
            self.dropped(data)
            return b""
        if change.usage is not None and data.get("usage"):
            changed["usage"] = change.usage
        if change.note is not None:
            changed[NOTE] = change.note
        self.passed(name, changed)
        return written({**changed, **self._head} if self._later else changed, name)

    def _choices(self, data: Body, change: Change) -> Body | None:
        """The chunk with its choice changed; `None`, if nothing is left of it."""
        choice, delta = first(data)
        if choice is None:
            return {**data, "choices": objects(data.get("choices"))}
        made = self._delta(delta, change)
        reason = None if change.goes_on else change.reason or choice.get("finish_reason")
        if change.calls_made and reason in _NORMAL:
            reason = "function_call" if self._legacy else "tool_calls"
        if change.calls_lost and reason in _CALLED:
            reason = "stop"
        empty = not made and delta and reason is None and not data.get("usage")
        if empty and change.note is None and not choices.others(data):
            return None
        own = {**{key: value for key, value in choice.items() if key != "message"}, "index": 0}
        return {**data, "choices": [{**own, "delta": made, "finish_reason": reason}, *choices.others(data)]}

    def _delta(self, delta: Body, change: Change) -> Body:
        """What the chunk adds to the message, with what is different."""
        left_out = (CALLS if change.without_calls else frozenset[str]()) | ({"role"} if self._role else set())
        made = {key: value for key, value in delta.items() if key not in left_out}
        if change.text is not None:
            made["content"] = choices.with_text(delta.get("content"), change.text)
        if (self._later or change.text is not None) and not made.get("content"):
            made.pop("content", None)
        if self._between and choices.said(made.get("content")):
            made["content"], self._between = choices.between(self._between, made["content"]), ""
        return made

    def call(self, call: Written, data: Body | None = None) -> bytes:
        """A call in one chunk: its index, id and name, and all of its arguments."""
        self.dropped(data or {})
        own = self._ids.take(call.id)
        if self._legacy:
            return self._chunk({"function_call": {"name": call.name, "arguments": call.text}})
        entry = {"index": self._calls, **_entry(call, own)}
        self._calls += 1
        return self._chunk({"tool_calls": [entry]})

    def rest(self, call: Written, rest: str, _data: Body | None) -> bytes:
        """A chunk with the rest of the arguments."""
        index = self._indices.get(call.id, self._calls - 1)
        return self._chunk({"tool_calls": [{"index": index, "function": {"arguments": rest}}]}) if rest else b""

    def text(self, said: str) -> bytes:
        """A chunk of text."""
        self._texted = True
        return self._chunk({"content": said})

    def _chunk(self, delta: Body) -> bytes:
        head = self._head or {"id": "chatcmpl-argwright", "object": "chat.completion.chunk", "created": 0, "model": ""}
        role = {} if self._role else {"role": "assistant"}
        self._role = True
        return written({**head, "choices": [{"index": 0, "delta": {**role, **delta}, "finish_reason": None}]})

    def last(self, note: Mapping[str, Any]) -> bytes:
        """A chunk without a choice, as the one that tells the usage."""
        return written({**self._head, "choices": [], NOTE: note})

    def end(self) -> bytes:
        """The end marker."""
        return b"data: [DONE]\n\n"

    def failed(self, fault: Fault) -> bytes:
        """A chunk that is an error."""
        return written(error(fault))


def _entry(call: Written, own_id: str) -> Body:
    """A call's entry in a message."""
    others = dict(mapping(call.extra.get(_OTHERS)))
    vendors = {name: call.extra[name] for name in _VENDORS if name in call.extra}
    if vendors:
        others["extra_content"] = {**mapping(others.get("extra_content")), **vendors}
    if call.free:
        return {**others, "id": own_id, "type": "custom", "custom": {"name": call.name, "input": call.text}}
    return {**others, "id": own_id, "type": "function", "function": {"name": call.name, "arguments": call.text}}


# a whole reply


def _choice(body: Body) -> Body:
    return next(iter(objects(body.get("choices"))), {})


def texts(body: Body) -> list[str]:
    """The content's texts."""
    return choices.texts(mapping(_choice(body).get("message")).get("content"))


def shaped(body: Json) -> bool:
    """Whether it has choices, or is an error."""
    top = mapping(body)
    chosen = isinstance(top.get("choices"), list) and any(isinstance(one, dict) for one in top["choices"])
    return chosen or bool(top.get("error")) or top.get("object") == "error"


def sound(body: Body, legacy: bool) -> bool:  # noqa: FBT001  # as the table has it
    """Whether the calls have the documented form: a list, each with an id, of a type, with text for arguments."""
    message = mapping(_choice(body).get("message"))
    entries = message.get("tool_calls") or []
    old = message.get("function_call")
    return (
        isinstance(entries, list)
        and all(map(_is_sound, entries))
        and (not old or mirrored(message) or (legacy and isinstance(mapping(old).get("arguments"), str)))
    )


def _is_sound(entry: Json) -> bool:
    top = mapping(entry)
    own, kind = top.get("id"), text(top.get("type"))
    given = mapping(top.get(kind)).get("input" if kind == "custom" else "arguments")
    return bool(own) and identifier(own) == own and isinstance(given, str)


def rewritten(body: Body, whole: Whole) -> Body:
    """The completion with another message."""
    choice = _choice(body)
    message = dict(mapping(choice.get("message")))
    if whole.texts is not None:
        message["content"] = choices.with_texts(message.get("content"), whole.texts)
    if whole.said:
        message["content"] = choices.behind(whole.said, message.get("content"))
    made = _message_calls(message, whole)
    message = {key: value for key, value in message.items() if key not in CALLS}
    reason = choice.get("finish_reason")
    if made.get("tool_calls") and (reason == "function_call" or (whole.added and reason in (None, "stop"))):
        reason = "tool_calls"
    own = {**choice, "message": message | made, "finish_reason": reason}
    usage = {} if whole.usage is None else {"usage": whole.usage}
    return {**body, "choices": [own], **usage, NOTE: whole.note}


def _message_calls(message: Body, whole: Whole) -> Body:
    """The members of the message that hold its calls, anew."""
    waiting = iter(whole.calls)
    entries: list[Body] = []
    legacy: Body = {}
    twice = mirrored(message)
    for entry in objects(message.get("tool_calls")):
        replaced = next(waiting, None) if _says_something(entry) else None
        entries += [entry] if replaced is None else [{**_bare(entry), **_entry(one, one.id)} for one in replaced]
    for entry in objects(message.get("function_call")):
        if twice:
            own = mapping(entries[0].get("function"))
            legacy = {"name": own.get("name"), "arguments": own.get("arguments")}
            break
        replaced = next(waiting, None)
        if replaced is None or whole.legacy:
            legacy = entry if replaced is None else {"name": replaced[0].name, "arguments": replaced[0].text}
        else:
            entries += [_entry(one, one.id) for one in replaced]
    entries += [_entry(call, call.id) for call in whole.added]
    return ({"tool_calls": entries} if entries else {}) | ({"function_call": legacy} if legacy else {})


def _bare(entry: Body) -> Body:
    """What stays of an entry whose call is written anew."""
    return {key: value for key, value in entry.items() if key == "index"}


def _says_something(entry: Body) -> bool:
    inner = mapping(entry.get("function")) or mapping(entry.get("custom"))
    return bool(inner.get("name") or inner.get("arguments") or inner.get("input"))


def error(fault: Fault) -> Body:
    """OpenAI's error."""
    told: Sequence[tuple[str, Any]] = (
        ("message", fault.message),
        ("type", fault.kind),
        ("param", None),
        ("code", fault.code),
    )
    return {"error": dict(told), NOTE: fault.note}


OPENAI_CHAT = Protocol(
    form="openai-chat",
    history="messages",
    id_prefix="call_",
    declared=_declared,
    may_call=_may_call,
    prose=_prose,
    extended=_extended,
    reminder=_reminder,
    textual=True,
    dense=True,
    legacy=_legacy,
    several=_several,
    strays=choices.strays,
    apart=choices.apart,
    idle=_idle,
    see=see,
    writer=ChatWriter,
    texts=texts,
    shaped=shaped,
    sound=sound,
    rewritten=rewritten,
    error=error,
)
