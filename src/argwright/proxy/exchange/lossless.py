"""JSON read so that it can be written again: a number beyond what a float holds stays the number that it is.

`1e999` is JSON, and a reader makes an infinity of it; `Infinity` and `NaN` are none (RFC 8259), whoever writes them. So
a number that overflows keeps its text, and what is no JSON is not read.
"""

from __future__ import annotations

import json
import math
from typing import Any

from argwright.model import compact


class _Beyond(float):
    """A number that overflows, with its text."""

    text: str


def _number(text: str) -> float:
    value = float(text)
    if math.isfinite(value):
        return value
    beyond = _Beyond(value)
    beyond.text = text
    return beyond


def _constant(word: str) -> float:
    raise ValueError(f"{word} is not JSON")


decoded = json.JSONDecoder(strict=False, parse_float=_number, parse_constant=_constant).decode
"""The value of a text; it may hold raw line breaks in strings, as servers send them."""


def loads(data: str | bytes | bytearray, *, lenient: bool = False) -> Any:
    """The value of a body.

    Args:
        data: its text.
        lenient: `NaN` and the infinities are numbers that keep their text, too.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deep.
    """
    return json.loads(data, parse_float=_number, parse_constant=_number if lenient else _constant)


def dumps(data: Any) -> str:
    """Compact JSON, without an infinity."""
    try:
        return _strict(data)
    except ValueError:
        return _spelled(data)


_strict = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def _spelled(data: Any) -> str:
    """JSON of data that holds what is no finite number."""
    if isinstance(data, dict):
        return "{" + ",".join(f"{compact(str(key))}:{_spelled(value)}" for key, value in data.items()) + "}"
    if isinstance(data, (list, tuple)):
        return "[" + ",".join(map(_spelled, data)) + "]"
    if not isinstance(data, float) or math.isfinite(data):
        return compact(data)
    beyond = "null" if math.isnan(data) else "1e999" if data > 0 else "-1e999"  # the sum of such numbers
    return data.text if isinstance(data, _Beyond) else beyond
