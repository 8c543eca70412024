"""A provider's data as plain JSON, whatever holds it, and careful looks into it.

Bodies and events come as dicts, as JSON text, or as the objects of an official SDK;
none of them is imported here, they are asked in their own way for their data. What a
server sends may lack any field or have it with another type, so readers take fields
through the functions below, each of which gives a value of one type and never raises.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from argwright.model import Json

_INDEX = re.compile("[0-9]{1,9}")
_JSON = (dict, list, str, int, float)
_NO_ID = frozenset({"", "null", "none", "undefined"})


class UnreadableError(ValueError):
    """The data is neither JSON nor an object with JSON data; the text says what it is."""


def plain(data: Any) -> Json:
    """JSON data of a dict, JSON text, SDK object or dataclass.

    Raises:
        UnreadableError: there is none; callers turn this into an error value.
    """
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = bytes(data).decode("utf-8", "replace")
    if isinstance(data, str):
        try:
            return json.loads(data, strict=False)
        except (ValueError, RecursionError) as error:
            raise UnreadableError(f"no JSON: {error}") from error
    if isinstance(data, dict):
        return data
    return _dumped(data)


def thoroughly(data: Any) -> Json:
    """As `plain`, with SDK objects that stand inside dicts and lists as well, as in `{"content": reply.content}`.

    Raises:
        UnreadableError: something in it is no JSON data.
    """
    if data is None or isinstance(data, (str, int, float)):
        return data
    if isinstance(data, dict):
        return {key: thoroughly(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [thoroughly(item) for item in data]
    return plain(data)


def _dumped(data: Any) -> Json:
    """What an object that is no dict and no text gives when asked for its data."""
    try:
        if callable(getattr(type(data), "model_dump", None)):
            told = data.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
            return _with_kinds(told, data.model_dump(mode="json", by_alias=True, exclude_none=True, warnings=False))
        if callable(getattr(type(data), "to_dict", None)):
            return data.to_dict()
        if dataclasses.is_dataclass(data) and not isinstance(data, type):
            return dataclasses.asdict(data)
    except Exception as error:  # foreign code: whatever it raises, the object cannot be read
        raise UnreadableError(f"{type(data).__name__} gives no data: {error}") from error
    if isinstance(data, Mapping):
        return dict(data)
    if isinstance(data, Sequence):
        return [item if item is None or isinstance(item, _JSON) else plain(item) for item in data]
    raise UnreadableError(f"expected a JSON object, found {type(data).__name__}")


_KINDS = ("type", "event_type", "role", "object", "method", "jsonrpc")


def _with_kinds(told: Json, whole: Json) -> Json:
    """What an object was told, and what kind of object it is: a class knows its kind without being told."""
    if isinstance(told, dict) and isinstance(whole, dict):
        kinds = {key: whole[key] for key in _KINDS if key in whole and key not in told}
        return {**kinds, **{key: _with_kinds(value, whole.get(key)) for key, value in told.items()}}
    if isinstance(told, list) and isinstance(whole, list) and len(told) == len(whole):
        return [_with_kinds(one, other) for one, other in zip(told, whole, strict=True)]
    return told


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; one object stands for a list of one. The list may be the value itself."""
    if isinstance(value, list):
        return (
            value if len(value) == 1 and isinstance(value[0], dict) else [one for one in value if isinstance(one, dict)]
        )
    return [value] if isinstance(value, dict) else []


def text(value: Any) -> str:
    """The value if it is text, else none."""
    return value if isinstance(value, str) else ""


def word(value: Any) -> str | None:
    """A name or reason: text that is not blank, as written, else `None`."""
    return value if isinstance(value, str) and value.strip() else None


def identifier(value: Any) -> str | None:
    """An id: text or a number; what means none (`""`, `"null"`, …) is `None`."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip().lower() not in _NO_ID else None


def number(value: Any) -> int | None:
    """An index: an int, or digits as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and _INDEX.fullmatch(value) else None


def arguments(value: Any) -> str | dict[str, Any] | None:
    """Arguments as they stand on the wire: text or an object; another JSON value as its text."""
    if value is None or isinstance(value, (str, dict)):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def rest(value: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """The members that a reader does not know, to be carried through; nulls are dropped."""
    return {key: item for key, item in value.items() if key not in known and item is not None}
