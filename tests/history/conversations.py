"""Conversations for the properties of histories: written by argwright itself, then damaged in every way seen."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

import argwright as aw
from argwright import wire

FORMATS = (
    "openai-chat", "openai-responses", "openai-realtime", "anthropic", "gemini", "bedrock-converse", "cohere", "ollama",
    "mistral-conversations",
)  # fmt: skip

TEXTS = st.sampled_from(["", "ok", "在奥斯陆 🌧️", "ל־שלום", "a\u2028b", "  ", '{"error": "no such city"}'])
IDS = st.one_of(
    st.none(),
    st.sampled_from(
        ["call_0", "call_1", "toolu_01", "functions.get_weather:0", "D1x9Qk2aZ", "a b", "é", "x" * 80, "x" * 79 + "y"]
    ),
    st.integers(0, 99).map("call_{}".format),
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["city", "城市", "a\u2028b"]),
    st.one_of(st.integers(), TEXTS, st.none(), st.lists(st.booleans(), max_size=2)),
    max_size=2,
)
CALLS = st.builds(
    aw.ToolCall,
    IDS,
    st.sampled_from(["get_weather", "fs.read", "查询天气", "n" * 70]),
    st.one_of(
        ARGUMENTS,
        ARGUMENTS.map(aw.model.compact),
        st.sampled_from(["", "{", "{'a': 1}", '```json\n{"a": 1}\n```', "[1]", '{"a": "\\ud800"}']),
    ),
)
TURNS = st.builds(
    lambda calls, text: aw.Turn(
        calls=tuple(calls), text=text, finish=aw.Finish("stop", "tool_calls" if calls else "stop")
    ),
    st.lists(CALLS, max_size=3),
    TEXTS,
)
CONTENTS = st.one_of(TEXTS, st.sampled_from([{"temp": -3}, [1, "é"], None, 7]))


def user(form: str, text: str) -> dict[str, Any]:
    if form == "gemini":
        return {"role": "user", "parts": [{"text": text}]}
    if form == "bedrock-converse":
        return {"role": "user", "content": [{"text": text}]}
    if form == "mistral-conversations":
        return {"type": "message.input", "role": "user", "content": text}
    if form == "openai-realtime":
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return {"role": "user", "content": text}


def _numbered(turn: aw.Turn, number: int) -> aw.Turn:
    """A turn whose calls have ids of their own in the conversation."""
    calls = [
        replace(call, id=None if call.id is None else f"{number}{at}{call.id}") for at, call in enumerate(turn.calls)
    ]
    return replace(turn, calls=tuple(calls), model=f"m{number}")


@st.composite
def written(draw: Any, form: str) -> list[dict[str, Any]]:
    """A conversation as `aw.write` writes it."""
    messages = [user(form, "hi")]
    for number, drawn in enumerate(draw(st.lists(TURNS, min_size=1, max_size=3))):
        turn = _numbered(drawn, number)
        results = [
            aw.ToolResult(call.id, call.name, draw(CONTENTS), is_error=draw(st.booleans())) for call in turn.calls
        ]
        messages += wire.write(form, turn, None, results)
        if (form == "bedrock-converse" or draw(st.booleans())) and messages[-1].get("role") != "user":
            messages.append(user(form, draw(TEXTS.filter(str.strip))))
    return messages


_VALUES = st.sampled_from(
    [
        None,
        "",
        "null",
        [],
        {},
        "\ud83d",
        "a\udc00b",
        7,
        [None],
        "call_0",
        '{"a": NaN}',
        {"x": float("inf")},
        True,
        {"type": "text", "text": ""},
    ]
)


@st.composite
def damaged(draw: Any, form: str) -> list[dict[str, Any]]:
    """A conversation with messages lost, repeated and out of place, and members overwritten anywhere."""
    messages = copy.deepcopy(draw(written(form)))
    for _ in range(draw(st.integers(1, 4))):
        _damage(draw, form, messages)
    return messages


@st.composite
def misplaced(draw: Any, form: str) -> list[dict[str, Any]]:
    """A conversation with calls and results lost, repeated, out of place, and with bad ids and arguments."""
    messages = copy.deepcopy(draw(written(form)))
    for _ in range(draw(st.integers(1, 4))):
        entry = draw(st.sampled_from(_entries(messages) or [({}, ())]))
        if entry[1] and draw(st.booleans()):
            entry[0][draw(st.sampled_from(entry[1]))] = draw(
                st.sampled_from(["", None, "call_0", "{", "é", "x" * 90, "\ud800"])
            )
        else:
            at = draw(st.integers(0, len(messages) - 1))
            messages.insert(draw(st.integers(0, len(messages) - 1)), messages.pop(at))
    return messages


_OF_ENTRIES = (
    "id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "name", "arguments", "input", "args",
)  # fmt: skip


def _entries(value: Any) -> list[tuple[dict[str, Any], list[str]]]:
    """Everything in a conversation that has an id, a name or arguments, with these."""
    found: list[tuple[dict[str, Any], list[str]]] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            keys = [key for key in item if key in _OF_ENTRIES]
            found += [(item, keys)] if keys else []
            waiting += [sub for key, sub in item.items() if key not in ("input", "args", "response", "json")]
        elif isinstance(item, list):
            waiting += item
    return found


def _damage(draw: Any, form: str, messages: list[Any]) -> None:
    if not messages:
        return
    at = draw(st.integers(0, len(messages) - 1))
    match draw(st.sampled_from(["drop", "repeat", "swap", "user", "write", "write", "remove"])):
        case "drop":
            del messages[at]
        case "repeat":
            messages.insert(draw(st.integers(0, len(messages))), copy.deepcopy(messages[at]))
        case "swap":
            messages.insert(draw(st.integers(0, len(messages) - 1)), messages.pop(at))
        case "user":
            messages.insert(at, user(form, "and?"))
        case "write":
            holder, key = _somewhere(draw, messages[at])
            holder[key] = copy.deepcopy(draw(_VALUES))
        case "remove":
            holder, key = _somewhere(draw, messages[at])
            del holder[key]


def _somewhere(draw: Any, message: Any) -> tuple[Any, Any]:
    """A member anywhere in a message: its holder and its key."""
    places: list[tuple[Any, Any]] = []
    waiting = [message]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        places += [(holder, key) for key in keys]
        waiting += [holder[key] for key in keys if isinstance(holder[key], (dict, list))]
    return draw(st.sampled_from(places)) if places else ({"": ""}, "")
