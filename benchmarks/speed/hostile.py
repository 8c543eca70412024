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


ITEMS = {
    "objects": '{"a":1},', "objects of bare keys": "{a:1},", "objects in single quotes": "{'a':'b'},",
    "lists": "[1,2],",
    "texts": '"x",', "texts in single quotes": "'x',", "texts without a comma": '"x" ', "Python's words": "True,",
}  # fmt: skip
"""What a list is filled with; a comma is left over at its end."""

MEMBERS = {
    "strict": '"k{}":1,', "without quotes": "k{}:1,", "in single quotes": "'k{}':'v',", "repeated": '"k":1,',
    "nested and never closed": '"k{}":{{', "of call syntax": "k{}=1,",
}  # fmt: skip
"""What an object is filled with."""


def texts() -> Iterator[tuple[str, str]]:
    """Name and text."""
    for name, unit in UNITS.items():
        yield name, unit * (SIZE // len(unit))
    for name, unit in UNITS.items():
        yield f"in a string, {name}", '{"a": "' + unit * (SIZE // len(unit)) + '"}'
    for name, item in ITEMS.items():
        yield f"a list of {name}", "[" + item * (SIZE // len(item)) + "]"
    for name, member in MEMBERS.items():
        count = SIZE // (len(member) + 3)
        yield f"members {name}", "{" + "".join(member.format(number) for number in range(count)) + "}"
    yield "one long value and a trailing comma", '{"a": "' + "x" * SIZE + '",}'
