"""Calls and values in call syntax: `name(key='text', n=2, flag=True, tags=['a'])`, `name{key:<|"|>text<|"|>}`.

Pure functions of text and position that return the position behind and the value. Only
what the notation allows is read: keyword arguments, strings, numbers, the three words,
lists, dictionaries with text keys. Anything else is a `LiteralError`, and the caller
hands the text on as written, for `argwright.decode` to mend on record or to refuse.
Nothing is evaluated, and no string is read by two rules: an escape that the notation
does not know is a fault, not a backslash.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from argwright.model import Json
from argwright.possessive import compiled

MAX_DEPTH = 64  # nesting of one value; deeper ones go on as written, to a reader without recursion

_SPACES = compiled(r"\s*+")
_NAME = compiled(r"[^\W\d][\w.-]*+")
_KEY = compiled(r"[^\W\d][\w.$-]*+|\d++")
_NUMBER = compiled(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?(?![\w.])", re.ASCII)
_WORD = compiled(r"[A-Za-z]++(?![\w.])")
_WORDS = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
_ESCAPE = compiled(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0",
    "\\": "\\", "'": "'", '"': '"',
}  # fmt: skip
_STRINGS = (
    compiled(r"'''((?:[^'\\]|\\.|'(?!''))*+)'''", re.DOTALL),
    compiled(r'"""((?:[^"\\]|\\.|"(?!""))*+)"""', re.DOTALL),
    compiled(r"'((?:[^'\\\n\r]|\\.)*+)'", re.DOTALL),
    compiled(r'"((?:[^"\\\n\r]|\\.)*+)"', re.DOTALL),
)
_SURROGATE = compiled("[\ud800-\udfff]")
_CODE_POINTS = 0x110000


class LiteralError(ValueError):
    """The text is not in the notation."""


@dataclass(frozen=True)
class Rules:
    """A notation: what stands between a key and its value, which tokens delimit strings, whether keys may be bare."""

    assign: str
    tokens: tuple[str, ...] = ()
    bare_keys: bool = False


PYTHON = Rules(assign="=")


@dataclass(frozen=True)
class Call:
    """A call as written: its name and its keyword arguments in order, repeated ones too."""

    name: str
    arguments: tuple[tuple[str, Json], ...]


def spaces(text: str, pos: int) -> int:
    """Past white space."""
    match = _SPACES.match(text, pos)
    return match.end() if match else pos


def call(text: str, pos: int, rules: Rules = PYTHON) -> tuple[int, Call]:
    """A name and its arguments in `()` or, with bare keys, in `{}`.

    Raises:
        LiteralError: the text is not in the notation.
    """
    name = _NAME.match(text, pos)
    if name is None:
        raise LiteralError
    pos = spaces(text, name.end())
    pos, pairs = arguments(text, pos, rules)
    return pos, Call(name.group(), pairs)


def arguments(text: str, pos: int, rules: Rules = PYTHON) -> tuple[int, tuple[tuple[str, Json], ...]]:
    """The keyword arguments between the brackets that begin at `pos`.

    Raises:
        LiteralError: the text is not in the notation.
    """
    closer = {"(": ")", "{": "}" if rules.bare_keys else ""}.get(text[pos : pos + 1])
    if not closer:
        raise LiteralError
    pairs: list[tuple[str, Json]] = []
    pos = spaces(text, pos + 1)
    while not text.startswith(closer, pos):
        pos, key = _key(text, pos, rules)
        if text[pos : pos + 1] not in rules.assign or pos >= len(text):
            raise LiteralError
        pos, item = value(text, spaces(text, pos + 1), rules)
        pairs.append((key, item))
        pos = _next(text, pos, closer)
    return pos + 1, tuple(pairs)


def _key(text: str, pos: int, rules: Rules) -> tuple[int, str]:
    bare = _KEY.match(text, pos)
    if bare:
        return spaces(text, bare.end()), bare.group()
    pos, key = _string(text, pos, rules)
    if not rules.bare_keys:
        raise LiteralError
    return spaces(text, pos), key


def _next(text: str, pos: int, closer: str) -> int:
    """Past a comma to the next item, or to the closer."""
    pos = spaces(text, pos)
    if text.startswith(",", pos):
        return spaces(text, pos + 1)
    if not text.startswith(closer, pos):
        raise LiteralError
    return pos


def value(text: str, pos: int, rules: Rules = PYTHON, depth: int = 0) -> tuple[int, Json]:
    """One literal.

    Raises:
        LiteralError: the text is not in the notation, or is nested too deep.
    """
    sign = text[pos : pos + 1]
    if depth > MAX_DEPTH or not sign:
        raise LiteralError
    if sign == "[":
        return _list(text, pos, rules, depth)
    if sign == "{":
        return _dict(text, pos, rules, depth)
    if number := _NUMBER.match(text, pos):
        return number.end(), _number(number.group())
    word = _WORD.match(text, pos)
    if word and word.group() in _WORDS:
        return word.end(), _WORDS[word.group()]
    return _string(text, pos, rules)


def _list(text: str, pos: int, rules: Rules, depth: int) -> tuple[int, Json]:
    items: list[Json] = []
    pos = spaces(text, pos + 1)
    while not text.startswith("]", pos):
        pos, item = value(text, pos, rules, depth + 1)
        items.append(item)
        pos = _next(text, pos, "]")
    return pos + 1, items


def _dict(text: str, pos: int, rules: Rules, depth: int) -> tuple[int, Json]:
    members: dict[str, Json] = {}
    pos = spaces(text, pos + 1)
    while not text.startswith("}", pos):
        pos, key = _key(text, pos, rules) if rules.bare_keys else _string(text, pos, rules)
        pos = spaces(text, pos)
        if not text.startswith(":", pos) or key in members:
            raise LiteralError
        pos, members[key] = value(text, spaces(text, pos + 1), rules, depth + 1)
        pos = _next(text, pos, "}")
    return pos + 1, members


def _number(digits: str) -> int | float:
    if digits.lstrip("-").isdigit():
        try:
            return int(digits)
        except ValueError as error:  # more digits than the interpreter converts
            raise LiteralError from error
    number = float(digits)
    if math.isinf(number):
        raise LiteralError
    return number


def _string(text: str, pos: int, rules: Rules) -> tuple[int, str]:
    for token in rules.tokens:
        if text.startswith(token, pos):
            end = text.find(token, pos + len(token))
            if end < 0:
                raise LiteralError
            return end + len(token), text[pos + len(token) : end]
    for pattern in _STRINGS:
        if found := pattern.match(text, pos):
            return found.end(), _unescape(found.group(1))
    raise LiteralError


def unquote(literal: str) -> str:
    """The text of one quoted string, the whole of it.

    Raises:
        LiteralError: it is no string literal, or has an escape that the notation does not know.
    """
    end, text = _string(literal, 0, PYTHON)
    if end != len(literal):
        raise LiteralError
    return text


def _unescape(body: str) -> str:
    if "\\" not in body:
        return body
    text = _ESCAPE.sub(_escape, body)
    if not _SURROGATE.search(text):
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise LiteralError from error


def _escape(match: re.Match[str]) -> str:
    code = match.group()[1:]
    if len(code) > 1:
        point = int(code[1:], 16)
        if point >= _CODE_POINTS:
            raise LiteralError
        return chr(point)
    if code not in _ESCAPES:
        raise LiteralError
    return _ESCAPES[code]
