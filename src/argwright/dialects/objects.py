"""The members of one object, as spans of its text.

A call's wrapper, `{"name": …, "arguments": …}`, is taken apart without decoding the
arguments: they go on exactly as written, so that every repair in them is on record. The
wrapper itself may be JSON or Python notation.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum

from argwright.dialects.brackets import JSON, body_end, settle, whole
from argwright.dialects.literals import LiteralError, unquote
from argwright.possessive import compiled

_SPACES = compiled(r"[ \t\r\n]*+")
_COMMAS = compiled(r"[ \t\r\n,]*+")
_KEY_ALONE = compiled(r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[\w$-]++)\s*:?\s*", re.DOTALL)
_STRING = compiled(r'"(?:[^"\\]|\\.)*+"|\'(?:[^\'\\]|\\.)*+\'', re.DOTALL)
_BARE_KEY = compiled(r"[\w$-]++")
_KEY = compiled(rf"({_STRING.pattern}|{_BARE_KEY.pattern})[ \t\r\n]*+:[ \t\r\n]*+", re.DOTALL)
_BARE_VALUE = compiled(r"[\w.+-]++")


_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)
_STRICT = 4096  # up to where the standard decoder is asked: its errors count the lines before them


class State(Enum):
    """How far an object's text goes: to its brace, to the end of the text, or to something that does not belong."""

    CLOSED = "closed"
    CUT = "cut"
    BROKEN = "broken"


@dataclass(frozen=True)
class Member:
    """One member: its key, the span of its value, and whether the value is whole."""

    key: str
    start: int
    end: int
    whole: bool


@dataclass(frozen=True)
class Object:
    """The members of an object as far as they could be told apart; the last one of a cut object is cut."""

    members: tuple[Member, ...]
    state: State


def members(text: str) -> Object:
    """The members of the object at the beginning of the text."""
    found: list[Member] = []
    pos = 1
    while True:
        pos = _at(_COMMAS, text, pos)
        if text.startswith("}", pos):
            return Object(tuple(found), State.CLOSED if not text[pos + 1 :].strip() else State.BROKEN)
        member = _member(text, pos)
        if member is None:
            return Object(tuple(found), State.CUT if _is_cut_key(text, pos) else State.BROKEN)
        found.append(member)
        pos = _at(_SPACES, text, member.end)
        if pos >= len(text):
            return Object(tuple(found), State.CUT)
        if text[pos] not in ",}\"'":
            return Object(tuple(found), State.BROKEN)


def _at(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return match.end() if match else pos


def _member(text: str, pos: int) -> Member | None:
    key = _KEY.match(text, pos)
    if key is None:
        return None
    pos = key.end()
    end, complete = _value_end(text, pos)
    return None if end == pos else Member(plain(key.group(1)), pos, end, complete)


def _is_cut_key(text: str, pos: int) -> bool:
    """Whether the text ends inside the member that begins at `pos`."""
    rest = text[pos:]
    if _STRING.match(rest) or _BARE_KEY.match(rest):
        return _KEY_ALONE.fullmatch(rest) is not None
    return not rest or rest[0] in "\"'"


def _value_end(text: str, pos: int) -> tuple[int, bool]:
    sign = text[pos : pos + 1]
    if sign in ("{", "["):
        return _strict_end(text, pos) or settle(body_end(whole(text), pos, JSON))
    if sign in ('"', "'"):
        string = _STRING.match(text, pos)
        return (string.end(), True) if string else (len(text), False)
    end = _at(_BARE_VALUE, text, pos)
    return end, end < len(text)


def _strict_end(text: str, pos: int) -> tuple[int, bool] | None:
    """The end of the container at `pos`, if it is strict JSON and near the beginning of the text."""
    if pos > _STRICT:
        return None
    try:
        return _DECODER.raw_decode(text, pos)[1], True
    except (ValueError, RecursionError):
        return None


def objects(text: str) -> list[str]:
    """The objects in an array's text, the last one perhaps cut; what is no object is passed over."""
    found: list[str] = []
    pos = text.find("[") + 1
    while 0 < pos < len(text) and text[pos] != "]":
        end = max(_value_end(text, pos)[0], pos + 1)
        if text[pos] == "{":
            found.append(text[pos:end])
        pos = end
    return found


def plain(written: str) -> str:
    """The text that a string literal or a bare word stands for; itself if it cannot be read."""
    if written[:1] == '"':
        if "\\" not in written:
            return written[1:-1] if len(written) > 1 and written[-1] == '"' else written
        try:
            value = json.loads(written)
        except ValueError:
            return written
        return value if isinstance(value, str) else written
    if written[:1] == "'":
        try:
            return unquote(written)
        except LiteralError:
            return written
    return written
