"""Items: each call and each result stands alone in one list (OpenAI Responses and Realtime, Mistral Conversations).

The model's items of one turn follow each other: reasoning, text, calls. They stay
together and in order, since a reasoning item is refused without the item behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from argwright.history.content import error_text
from argwright.history.layouts.chat import errored, text_content
from argwright.history.layouts.layout import Layout
from argwright.history.values import Asked, Call, Message, Result, Said, Step, Told
from argwright.model import Json, compact
from argwright.wire.plain import identifier, word


@dataclass(frozen=True, kw_only=True)
class _Words:
    """The format's words.

    Args:
        calls: type of a call → type of its result, and the field of the call's arguments.
        key: the field that pairs them.
        output: the field of a result's content.
        items: type → how the id of such an item must begin; another id is left out.
        beside: types of items that belong to the model's turn.
        outside: types of items that stand for others which are not shown.
    """

    calls: dict[str, tuple[str, str]]
    key: str
    output: str
    items: dict[str, str]
    beside: frozenset[str]
    outside: frozenset[str] = frozenset()


_RESPONSES = _Words(
    calls={
        "function_call": ("function_call_output", "arguments"),
        "custom_tool_call": ("custom_tool_call_output", "input"),
    },
    key="call_id",
    output="output",
    items={"function_call": "fc", "custom_tool_call": "ctc"},
    beside=frozenset({"reasoning"}),
    outside=frozenset({"item_reference"}),
)
_CONVERSATIONS = _Words(
    calls={"function.call": ("function.result", "arguments")},
    key="tool_call_id",
    output="result",
    items={},
    beside=frozenset({"message.output", "tool.execution"}),
)


def _layout(words: _Words) -> Layout:
    results = {result: call for call, (result, _) in words.calls.items()}

    def parse(messages: Sequence[Message]) -> list[Step]:
        return _turns([_item(words, results, item, f"/{number}") for number, item in enumerate(messages)], words)

    return Layout(
        parse=parse,
        call=_writer(words),
        result=lambda result: {**result.raw, words.key: result.id, words.output: result.content},
        blank=lambda call: {"type": words.calls[call.raw["type"]][0]},
        asked=lambda _, entries: [entry for entry in entries if isinstance(entry, dict)],
        told=lambda _, parts: list(parts),
        said=lambda message: message,
        errored=errored,
        stub=error_text,
        content=text_content,
        outside=lambda messages: any(word(item.get("type")) in words.outside for item in messages),
    )


def _item(words: _Words, results: dict[str, str], item: Message, place: str) -> Call | Result | Said:
    kind = word(item.get("type")) or ""
    if kind in words.calls:
        field = words.calls[kind][1]
        return Call(
            place=place,
            raw=item,
            id=identifier(item.get(words.key)),
            name=word(item.get("name")),
            arguments=item.get(field),
            free=field != "arguments",
        )
    if kind in results:
        return Result(
            place=place, raw=item, id=identifier(item.get(words.key)), name=None, content=item.get(words.output)
        )
    return Said(place=place, shell=item)


def _turns(items: Sequence[Call | Result | Said], words: _Words) -> list[Step]:
    """The items, those of one turn of the model as one step."""
    steps: list[Step] = []
    run: list[Call | Said] = []
    for item in items:
        if isinstance(item, Call) or (isinstance(item, Said) and _is_models(item.shell, words)):
            run.append(item)
            continue
        steps += _run(run)
        run = []
        steps.append(Told(place=item.place, shell={}, parts=(item,)) if isinstance(item, Result) else item)
    return [*steps, *_run(run)]


def _is_models(item: Message, words: _Words) -> bool:
    kind = word(item.get("type")) or "message"
    if kind == "message":
        return item.get("role") == "assistant"
    return kind in words.beside or kind.endswith("_call")


def _run(run: Sequence[Call | Said]) -> list[Step]:
    if not any(isinstance(item, Call) for item in run):
        return [item for item in run if isinstance(item, Said)]
    return [
        Asked(place=run[0].place, shell={}, parts=tuple(item if isinstance(item, Call) else item.shell for item in run))
    ]


def _writer(words: _Words) -> Callable[[Call, Any], Json]:
    def write(call: Call, arguments: Any) -> Json:
        kind = call.raw.get("type", "")
        field = words.calls[kind][1]
        shown = arguments if isinstance(arguments, str) else compact(arguments)
        made = {**call.raw, words.key: call.id, "name": call.name, field: shown}
        begin = words.items.get(kind)
        if begin and "id" in made and not (isinstance(made["id"], str) and made["id"].startswith(begin)):
            del made["id"]
        return made

    return write


RESPONSES = _layout(_RESPONSES)
CONVERSATIONS = _layout(_CONVERSATIONS)
