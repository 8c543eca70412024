"""Strict JSON, RFC 8259, by the standard `json` in C.

Refuses what `json` lets pass though it is damage or no JSON: one key twice, NaN and
Infinity, a number that overflows, half a surrogate pair, nesting beyond the limit.
Why a text was refused is not its business: the tolerant reader looks again and says.
"""

from __future__ import annotations

import json
import json.decoder
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from argwright.model import Json

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
SURROGATE = re.compile("[\ud800-\udfff]")


class NotStrict(ValueError):  # noqa: N818  # a verdict on the text, not a fault
    """The text is not strict JSON, or holds damage that strict JSON allows; `pos`, if known, is where it stopped."""

    def __init__(self, pos: int = -1) -> None:
        super().__init__(pos)
        self.pos = pos


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotStrict
    return members


def _constant(_: str) -> NoReturn:
    raise NotStrict


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotStrict
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_constant, parse_float=_float)
_decode = _DECODER.decode
scan_once: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # missing in typeshed
"""The C scanner: `(text, position)` → `(value, end)`; raises `ValueError` or `StopIteration`."""

NotJson = json.JSONDecodeError


def string_body(text: str, start: int = 0) -> tuple[str, int]:
    """The value of the string whose body begins at `start`, and where its closing quote ended; raw line breaks allowed.

    Raises:
        ValueError: a bad escape, or no closing quote.
    """
    value: str
    value, end = json.decoder.scanstring(text, start, False)  # type: ignore[attr-defined]  # pyright: ignore  # noqa: FBT003, PGH003  # missing in typeshed
    return value, end


def load(text: str, max_depth: int) -> Json:
    """The value of a strict JSON text.

    Raises:
        ValueError: the text is to be looked at by the tolerant reader; `pos`, if there is one, says from where on.
    """
    try:
        value, end = scan_once(text, 0)
        if end != len(text):  # blanks behind it, or something else
            value = _decode(text)
    except StopIteration as stop:
        if stop.value or not text[:1].isspace():
            raise NotStrict(stop.value) from None
        value = _decode(text)  # blanks before it, or something else
    except RecursionError:
        raise NotStrict from None
    if len(text) > max_depth and not is_shallow(value, text, (0, len(text)), max_depth):
        raise NotStrict
    if "\\" in text and "\\u" in text and _ESCAPED_SURROGATE.search(text) and _has_surrogate(value):
        raise NotStrict
    if not _is_encodable(text):
        raise NotStrict
    return value


def depth(value: Json) -> int:
    """How deep the containers of a value are nested."""
    found, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        found += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return found


def is_shallow(value: Json, text: str, span: tuple[int, int], room: int) -> bool:
    """Whether the value that stands there in a text is nested no deeper than that."""
    return text.count("{", *span) + text.count("[", *span) <= room or depth(value) <= room


def may_hold_surrogates(text: str) -> bool:
    """Whether half a surrogate pair may stand in the text, as a character or escaped."""
    return ("\\u" in text and _ESCAPED_SURROGATE.search(text) is not None) or not _is_encodable(text)


def _is_encodable(text: str) -> bool:
    """Whether the text holds no half of a surrogate pair; encoding it is the quickest look."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _has_surrogate(value: Json) -> bool:
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if SURROGATE.search(item):
                return True
        elif isinstance(item, dict):
            todo += [*item, *item.values()]
        elif isinstance(item, list):
            todo += item
    return False
