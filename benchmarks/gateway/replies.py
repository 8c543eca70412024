"""The replies of the benchmark: OpenAI chat streams of text, of a good call, and of a call that needs mending."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

TOOL = {
    "type": "function",
    "function": {
        "name": "search_products",
        "description": "Search the catalogue",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}
_GOOD = '{"query": "wireless headphones 降噪", "limit": 25, "tags": ["black", "over-ear"]}'
_FAULTY = '{query: \'wireless headphones 降噪\', "limit": "25", tags: ["black", "over-ear",]}'
_PIECE = 4


@dataclass(frozen=True)
class Reply:
    """A stream.

    Args:
        events: each as its bytes.
        told: how many of the first are text, which the client gets one by one; the rest is sent at once.
        calls: whether a call comes.
    """

    events: Sequence[bytes]
    told: int
    calls: bool


def _chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    head = {"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion.chunk", "created": 1_741_569_952,
            "model": "m-1", "service_tier": "default", "system_fingerprint": "fp_44709d6fcb"}  # fmt: skip
    return f"data: {json.dumps({**head, 'choices': [choice]}, ensure_ascii=False)}\n\n".encode()


def reply(texts: int, arguments: str | None = None) -> Reply:
    """So many events of text, then perhaps a call."""
    events = [_chunk({"role": "assistant", "content": ""})]
    events += [_chunk({"content": f" word{number % 7}" if number else "Let me see:"}) for number in range(texts)]
    told = len(events)
    if arguments is not None:
        start = {"name": "search_products", "arguments": ""}
        events.append(_chunk({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": start}]}))
        for at in range(0, len(arguments), _PIECE):
            part = {"arguments": arguments[at : at + _PIECE]}
            events.append(_chunk({"tool_calls": [{"index": 0, "function": part}]}))
    events += [_chunk({}, "stop" if arguments is None else "tool_calls"), b"data: [DONE]\n\n"]
    return Reply(events, told, arguments is not None)


REPLIES: dict[str, Callable[[int], Reply]] = {
    "text": cache(reply),
    "good": cache(lambda texts: reply(texts, _GOOD)),
    "mended": cache(lambda texts: reply(texts, _FAULTY)),
}


def request(kind: str, texts: int, stream: int) -> bytes:
    """The body of a request; the model's name says which reply it wants, and which stream it is."""
    return json.dumps(
        {
            "model": f"{kind}/{texts}/{stream}",
            "stream": True,
            "messages": [{"role": "user", "content": "headphones, black, at most 25"}],
            "tools": [TOOL],
        }
    ).encode()
