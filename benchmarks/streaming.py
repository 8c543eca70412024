"""`python -m benchmarks.streaming`: the value so far of arguments that arrive in pieces of four characters.

After each piece the value so far is read. argwright is fed whole events of a stream and asked for a snapshot and
its arguments; jiter parses the text so far again in its partial mode. The growth is the exponent of the time over
the length: 1 is linear, 2 what parsing again costs.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from argwright import Accumulator
from benchmarks.pictures import Bar, Picture, Section

_PIECE = 4
_LENGTH = 50_000
_ROUNDS = 3
_WORDS = (
    "the",
    "berth",
    "lies",
    "north",
    "of",
    "a",
    "quay",
    "whose",
    "crane",
    "is",
    "old",
    "and",
    "Ærø",
    "ferries",
    "wait",
)


def records(length: int) -> str:
    """A list of small records."""
    rows: list[dict[str, Any]] = []
    size = 0
    while size < length:
        number = len(rows)
        row = {
            "id": 1000 + number,
            "name": f"berth {number}",
            "metres": number * 1.25,
            "tags": ["a", "b"],
            "free": number % 2 == 0,
        }
        rows.append(row)
        size += len(json.dumps(row, ensure_ascii=False)) + 2
    return json.dumps({"rows": rows}, ensure_ascii=False)


def prose(length: int, words: Sequence[str] = _WORDS, end: str = ".\n") -> str:
    """One long string, with a line break every dozen words."""
    chance = random.Random(7)
    lines: list[str] = []
    while sum(map(len, lines)) < length:
        lines.append(" ".join(chance.choice(words) for _ in range(12)) + end)
    return json.dumps({"path": "notes.txt", "content": "".join(lines)[:length]}, ensure_ascii=False)


def ascii_prose(length: int) -> str:
    """One long string of ASCII with line breaks."""
    return prose(length, [word for word in _WORDS if word.isascii()])


def ascii_line(length: int) -> str:
    """One long string of ASCII and nothing to unescape: what a parser reads fastest, many characters at a time."""
    return prose(length, [word for word in _WORDS if word.isascii()], ". ")


def code(length: int) -> str:
    """One long string, with a quote or a line break every few characters."""
    chance = random.Random(7)
    lines = ('def f(x):\n    return "a"\n', "for i in range(10):\n\tprint('x')\n", 'x = {"a": 1}\n', "# Ærø\n")
    text = "".join(chance.choice(lines) for _ in range(length // 8))
    return json.dumps({"path": "a.py", "content": text[: int(length * 0.9)]}, ensure_ascii=False)


TEXTS: dict[str, Callable[[int], str]] = {
    "records": records,
    "one long string": prose,
    "one long string of code": code,
    "one long string of ASCII": ascii_prose,
    "the same without a line break": ascii_line,
}


def argwright(text: str) -> float:
    """Seconds for the text as a stream, the value so far read after each event."""
    acc = Accumulator("openai-chat")
    events = [_event({"index": 0, "id": "call_1", "type": "function", "function": {"name": "save", "arguments": ""}})]
    events += [
        _event({"index": 0, "function": {"arguments": text[start : start + _PIECE]}})
        for start in range(0, len(text), _PIECE)
    ]
    began = time.thread_time()
    for event in events:
        acc.feed(event)
        so_far = acc.snapshot()[0].arguments
    seconds = time.thread_time() - began
    if so_far != json.loads(text):
        raise AssertionError("the value so far is not the value at the end")
    return seconds


def _event(entry: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"tool_calls": [entry]}, "logprobs": None, "finish_reason": None}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def again(text: str) -> float:
    """Seconds for parsing the text so far after each piece."""
    import jiter

    data = text.encode()
    began = time.thread_time()
    for end in range(_PIECE, len(data) + _PIECE, _PIECE):
        jiter.from_json(data[:end], partial_mode="trailing-strings")
    return time.thread_time() - began


def measure(name: str) -> dict[str, float]:
    """The figures of one kind of text; each is the best of several rounds, taken turn by turn."""
    text, longer = TEXTS[name](_LENGTH), TEXTS[name](4 * _LENGTH)
    ours, theirs, ours_longer = math.inf, math.inf, math.inf
    for _ in range(_ROUNDS):
        ours = min(ours, argwright(text))
        theirs = min(theirs, again(text))
        ours_longer = min(ours_longer, argwright(longer))
    growth = math.log(ours_longer / ours) / math.log(len(longer) / len(text))
    return {"argwright": ours, "again": theirs, "ratio": theirs / ours, "growth": growth}


def section() -> Section:
    """All figures."""
    rows = ["| arguments, 50 KB | argwright | jiter, again | times faster | growth |", "|---|--:|--:|--:|--:|"]
    bars = []
    for name in TEXTS:
        got = measure(name)
        ours, theirs = got["argwright"] * 1000, got["again"] * 1000
        rows.append(f"| {name} | {ours:.0f} ms | {theirs:.0f} ms | {got['ratio']:.1f} | {got['growth']:.2f} |")
        bars += [Bar(name, ours, f"argwright {ours:.0f} ms", own=True), Bar("jiter, again", theirs, f"{theirs:.0f} ms")]
    text = "\n".join([*rows, "", "The value so far is read after each piece of four characters; growth 1 is linear."])
    told = "milliseconds for 50 KB in pieces of 4 characters, the value so far read after each; logarithmic"
    picture = Picture("streaming", "arguments that arrive in pieces", told, bars, logarithmic=True)
    return Section("Streaming", text, [picture])


if __name__ == "__main__":
    print(section().text)
