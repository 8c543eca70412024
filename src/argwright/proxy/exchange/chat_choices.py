"""The choices of a chat completion, and the text of a message.

A request asks for several with `n`, and some servers send more than they were asked for. In a whole reply each is one
of its own. In a stream only the first is read: a piece of a call in another one is a stray, which nobody looks at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from argwright.model import Json
from argwright.proxy.exchange.protocol import Body
from argwright.wire.plain import mapping, number, objects, text

CALLS = frozenset({"tool_calls", "function_call"})
"""Members of a message that hold calls."""
BETWEEN = "\n\n"
"""Stands between the texts of replies that become one."""


def first(data: Body) -> tuple[Body | None, Body]:
    """The first choice of a chunk, and what it adds to the message."""
    choice = next(filter(_is_first, objects(data.get("choices"))), None)
    return choice, _message(choice or {})


def _is_first(choice: Body) -> bool:
    index = choice.get("index")
    return not index or number(index) == 0


def _message(choice: Body) -> Body:
    return mapping(choice.get("delta") or choice.get("message"))


def others(data: Body) -> list[Body]:
    """The other choices of a chunk."""
    choices = objects(data.get("choices"))
    if len(choices) == 1 and _is_first(choices[0]):
        return []
    one = first(data)[0]
    return [choice for choice in choices if choice is not one]


def strays(data: Body) -> bool:
    """Whether a chunk holds a piece of a call in another choice than the first."""
    return any(choice_calls(choice) for choice in others(data))


def choice_calls(choice: Body) -> bool:
    """Whether a choice holds a piece of a call, wherever a client may look for it."""
    parts = (choice.get("delta"), choice.get("message"))
    return any(mapping(part).get(name) for part in parts for name in CALLS)


# a whole reply


def apart(body: Body) -> list[Body]:
    """A completion as completions of one choice each."""
    return [{**body, "choices": [choice]} for choice in objects(body.get("choices"))]


# the text of a message


def said(content: Json) -> str:
    """The text of a content: text, or a list of parts."""
    return content if isinstance(content, str) else "".join(texts(content))


def texts(content: Json) -> list[str]:
    """The texts of a content, in order."""
    if isinstance(content, list):
        return [part["text"] for part in objects(content) if isinstance(part.get("text"), str)]
    return [text(content)]


def with_texts(content: Json, kept: Sequence[str]) -> Json:
    """A content with other texts; a part that says nothing any more is left out."""
    if not isinstance(content, list):
        return kept[0] or None
    waiting = iter(kept)
    return [*_parts(content, waiting)] or None


def _parts(content: list[Any], waiting: Iterator[str]) -> Iterator[Json]:
    for part in content:
        if not (isinstance(part, dict) and isinstance(part.get("text"), str)):
            yield part
        elif one := next(waiting, ""):
            yield {**part, "text": one}


def with_text(content: Json, told: str) -> Json:
    """What a chunk adds to the content, with another text."""
    if not isinstance(content, list):
        return told
    rest = [part for part in content if not isinstance(mapping(part).get("text"), str)]
    return [*rest, {"type": "text", "text": told}] if told else rest


def between(blank: str, content: Json) -> Json:
    """A content behind what stands between two texts."""
    return [{"type": "text", "text": blank}, *content] if isinstance(content, list) else blank + text(content)


def behind(before: Sequence[str], content: Json) -> Json:
    """A content behind what earlier replies said."""
    if isinstance(content, list):
        return [*({"type": "text", "text": one} for one in before), *content]
    own = text(content)
    return BETWEEN.join([*before, own] if own else before)
