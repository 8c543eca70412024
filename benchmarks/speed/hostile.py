"""Inputs of one megabyte made to hurt."""

from __future__ import annotations

from collections.abc import Iterator

SIZE = 1_000_000

UNITS = {
    "opening brackets": "[", "opening braces": '{"a":', "closing brackets": "]", "quotes": '"', "apostrophes": "'",
    "backslashes": "\\", "escaped quotes": '\\"', "commas": ",", "colons": ":", "fences": "```\n",
    "json fences": "```json\n{\n", "tags": "<tool_call>", "open tags": "<", "think tags": "<think>",
    "special tokens": "<|im_end|>", "empty objects": "{}", "digits": "9", "blanks": " ", "line breaks": "\n",
    "inner quotes": '"a" b ', "quote and brace": '{"', "comment starts": "/*", "hashes": "#", "dollars": "${",
    "call openers": "f(", "bare words": "word ", "curly quotes": "“", "parameters": "<parameter=a>",
    "byte order marks": "\ufeff", "nul characters": "\0",
}  # fmt: skip


def texts() -> Iterator[tuple[str, str]]:
    """Name and text."""
    for name, unit in UNITS.items():
        yield name, unit * (SIZE // len(unit))
    for name, unit in UNITS.items():
        yield f"in a string, {name}", '{"a": "' + unit * (SIZE // len(unit)) + '"}'
    yield "one long value and a trailing comma", '{"a": "' + "x" * SIZE + '",}'
