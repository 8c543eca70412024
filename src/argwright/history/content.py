"""Arguments and results as a history may hold them: what counts as an object, and an error beside a result."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from argwright.decode import Decoded, decode
from argwright.model import Json, compact
from argwright.policy import Policy

UNREADABLE = "the arguments of this call were no JSON object; {} stands in their place"
NOT_RECORDED = "no result of this call was recorded"

_DEEPEST = 400  # below every stack limit of the JSON writers that a history goes through


def strict_object(raw: Any) -> dict[str, Json] | None:
    """The object that stored arguments are, read as JSON and nothing else; `None` if they are none."""
    value = raw
    if isinstance(raw, str):
        try:
            value = json.loads(raw, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) and is_json(value) else None


def _refuse(word: str) -> None:
    raise ValueError(word)


def is_json(value: Any) -> bool:
    """Whether a value is JSON data that every writer of JSON takes."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > _DEEPEST:
            return False
        match item:
            case dict():
                if not all(isinstance(key, str) for key in item):
                    return False
                waiting += [(sub, depth + 1) for sub in item.values()]
            case list():
                waiting += [(sub, depth + 1) for sub in item]
            case float():
                if not math.isfinite(item):
                    return False
            case None | bool() | int() | str():
                pass
            case _:
                return False
    return True


def tolerant_object(raw: Any) -> dict[str, Json] | None:
    """The object that stored arguments mean, if they have no other reading."""
    if isinstance(raw, (bytes, bytearray)):
        raw = bytes(raw).decode("utf-8", "replace")
    for _ in range(2):  # once for what was encoded twice
        if not isinstance(raw, str) or not raw.strip():
            return None
        match decode(raw, policy=Policy.EXACT):
            case Decoded(value):
                if isinstance(value, dict):
                    return value if is_json(value) else None
                raw = value
            case _:
                return None
    return None


def is_nothing(raw: Any) -> bool:
    """Whether stored arguments are a way to write that there are none."""
    return raw is None or (isinstance(raw, str) and raw.strip() in ("", "null", "None"))


def tells_error(text: str) -> bool:
    """Whether the text of a result says by itself that it is an error."""
    value = strict_object(text)
    return text.lstrip().lower().startswith("error") if value is None else "error" in value


def with_error(text: str, error: Json) -> str:
    """A result's text with an error put in front, if it does not tell one already."""
    if tells_error(text):
        return text
    told: dict[str, Json] = dict(error) if isinstance(error, dict) else {"error": error}
    return compact({**told, "result": text} if text else told)


def error_text(error: Json) -> str:
    """An error as the text of a result."""
    return compact(error if isinstance(error, dict) else {"error": error})


def without_lone_surrogates(value: Any, at: str) -> tuple[Any, tuple[str, ...]]:
    """A copy of JSON data in which every lone half of a surrogate pair is U+FFFD, and where that was so.

    Args:
        value: JSON data of any depth; what holds no such half comes back as it is.
        at: the place of the value, as a JSON Pointer.
    """
    places: list[str] = []
    return _mended(value, at, places), tuple(places)


def _mended(value: Any, at: str, places: list[str]) -> Any:
    if at.count("/") > _DEEPEST:
        return value
    if isinstance(value, str):
        if is_clean(value):
            return value
        places.append(at)
        return clean(value)
    if isinstance(value, list):
        return [_mended(item, f"{at}/{number}", places) for number, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    made: dict[Any, Any] = {}
    for key, item in value.items():
        named = key
        if isinstance(key, str) and not is_clean(key):
            places.append(at)
            named = next(name for name in _names(clean(key)) if name not in made and name not in value)
        made[named] = _mended(item, f"{at}/{_token(named)}", places)
    return made


def _names(name: str) -> Iterator[str]:
    """A name, and further ones for when it is taken."""
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


def _token(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def is_clean(text: str) -> bool:
    """Whether a text can be encoded: it holds no lone half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def clean(text: str) -> str:
    """The text with complete pairs as one character and every lone half as U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
