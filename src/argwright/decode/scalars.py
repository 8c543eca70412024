"""Numbers, words and strings without quotes.

A number keeps every digit: a whole number never passes through a float. Leading zeros
are no number; where the schema wants text they are text, elsewhere refused. A word is
JSON's or Python's literal, else the beginning of a string that lost its quotes.
"""

from __future__ import annotations

import math
import re
from typing import Final

from argwright.decode import gaps
from argwright.decode.blanks import END, peek
from argwright.decode.escapes import paired
from argwright.decode.follows import CLOSERS, COMMA, ends_string, key_at
from argwright.decode.scan import OBJECT, Scan, Unreadable
from argwright.model import Json
from argwright.possessive import compiled
from argwright.shape import ANY, Shape

ABSENT: Final = object()
"""The value `undefined`: the member is not there."""

_NUMBER = compiled(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?(?![\w.])")
_OTHER_NUMBER = compiled(
    r"(?P<sign>[+-]?)(?P<whole>0|[1-9][0-9]*+(?:_[0-9]++)*+)?(?P<fraction>\.[0-9]*+(?:_[0-9]++)*+)?(?P<exponent>[eE][+-]?[0-9]++)?(?![\w.])"
)
_THOUSANDS = compiled(r"[+-]?[1-9][0-9]{0,2}(?:[,，][0-9]{3})++(\.[0-9]++)?(?![\w.])")
_WORD = compiled(r"[^\W\d][\w]*+")
_LITERALS: dict[str, tuple[Json, str | None]] = {
    "true": (True, None), "false": (False, None), "null": (None, None),
    "True": (True, "python-literal"), "False": (False, "python-literal"), "None": (None, "python-literal"),
    "TRUE": (True, "python-literal"), "FALSE": (False, "python-literal"), "NULL": (None, "python-literal"),
    "undefined": (ABSENT, "undefined"),
}  # fmt: skip
_NO_VALUE = compiled(r"[+-]?(?:nan|inf|infinity|nil)|[^\w]*", re.IGNORECASE)
_BARE = compiled(r"[^\"'`“”„‘’{}\[\]()<>,;，；\n\r\x00]*+")
_LOST_OPENER = compiled(r"[^\W\d_]+ [^\"\\{}\[\]<>\n\r]*+\"(?=\s*[,}])")
"""A sentence and its closing quote. A single word may be the rest of a longer one that was lost."""

_ELLIPSIS = compiled(r"\.{3}|…")


def scalar(scan: Scan, pos: int) -> tuple[int, Json]:
    """The number, literal or unquoted string at `pos`."""
    text = scan.text
    if text[pos] in "-+.0123456789":
        found = _number(scan, pos)
        if found is not None:
            return found
    if _ELLIPSIS.match(text, pos):
        raise Unreadable("not_json", pos, "an ellipsis stands where a value belongs")
    word = _WORD.match(text, pos)
    if word:
        if word.end() >= len(text) and word[0] not in _LITERALS:
            raise Unreadable("truncated", len(text), "the text ends inside a word")
        if word[0] in _LITERALS and _delimited(scan, word.end()):
            value, rule = _LITERALS[word[0]]
            if rule:
                scan.log.note(rule, word.span(), "" if value is ABSENT else str(value).lower(), at=scan.frame)
            return word.end(), value
    return _bare(scan, pos)


def place(scan: Scan) -> Shape:
    """What the schema says of the value being read."""
    frame = scan.frame
    if frame is None:
        return ANY
    return frame.shape.member(frame.key) if frame.kind is OBJECT else frame.shape.item


def _delimited(scan: Scan, pos: int) -> bool:
    """Whether a number or word may end before `pos`."""
    text, frame = scan.text, scan.frame
    at = peek(text, pos)
    if at >= len(text) or text[at] in CLOSERS or COMMA.match(text, at) or END.match(text, at):
        return True
    if frame is None:
        return text[at] == "{"
    if at == pos:
        return False
    return key_at(scan, at, frame, declared=False) if frame.kind is OBJECT else text[at] in "\"'{[-0123456789"


def _number(scan: Scan, pos: int) -> tuple[int, Json] | None:
    text = scan.text
    thousands = _THOUSANDS.match(text, pos)
    if (
        thousands
        and scan.frame is not None
        and scan.frame.kind is OBJECT
        and place(scan).only("integer", "number", "null")
    ):
        after = peek(text, thousands.end())
        if text[after : after + 1] == "}" or (COMMA.match(text, after) and _delimited(scan, thousands.end())):
            digits = thousands[0].replace(",", "").replace("，", "")
            scan.log.note("thousands", thousands.span(), digits, at=scan.frame, inside=True)
            return thousands.end(), _convert(digits, is_float=thousands[1] is not None, pos=pos)
    match = _NUMBER.match(text, pos)
    if match and _delimited(scan, match.end()):
        scan.number_end = match.end()
        return match.end(), _convert(match[0], is_float=(match[1] or match[2]) is not None, pos=pos)
    match = _OTHER_NUMBER.match(text, pos)
    if match and (match["whole"] or len(match["fraction"] or "") > 1) and _delimited(scan, match.end()):
        digits = match[0].replace("_", "")
        if digits.startswith(".") and gaps.is_torn_at_colon(scan, pos):
            raise Unreadable("ambiguous", pos, "more than a zero is missing before this number")
        scan.number_end = match.end()
        scan.log.note("number-form", match.span(), digits.lstrip("+"), at=scan.frame, inside=True)
        is_float = bool(match["fraction"] or match["exponent"])
        if match["fraction"] == "." and not match["exponent"] and place(scan).only("integer", "null"):
            digits, is_float = digits[:-1], False
        return match.end(), _convert(digits, is_float=is_float, pos=pos)
    return None


def _convert(digits: str, *, is_float: bool, pos: int) -> int | float:
    if is_float:
        number = float(digits)
        if math.isinf(number):
            raise Unreadable("not_json", pos, "the number is too large for any type")
        return number
    try:
        return int(digits)
    except ValueError:
        raise Unreadable("too_long", pos, "an integer of more than 4,300 digits") from None


def _bare(scan: Scan, pos: int) -> tuple[int, Json]:
    """A string without quotes, where the schema allows text and its end leaves no doubt."""
    text, frame = scan.text, scan.frame
    if frame is None or not place(scan).allows("string"):
        raise Unreadable("not_json", pos, "a value was expected")
    match = _BARE.match(text, pos)
    end = match.end() if match else pos
    if end >= len(text):
        raise Unreadable("truncated", len(text), "the text ends inside a word")
    value = text[pos:end].rstrip()
    lost = _LOST_OPENER.match(text, pos)
    if lost and frame.kind is OBJECT and frame.shape.properties and ends_string(scan, lost.end(), inner=True):
        if gaps.is_torn_at_colon(scan, pos):
            raise Unreadable("ambiguous", pos, "more than a quote is missing before this text")
        scan.log.note("missing-quote", (pos, pos), '"', at=frame, inside=True)
        return lost.end(), paired(scan, lost[0][:-1], (pos, lost.end() - 1))
    if text[pos] in ":=" or _NO_VALUE.fullmatch(value) or ("null" in place(scan).types and _is_near_null(value)):
        raise Unreadable("not_json", pos, "this is no JSON value")
    if not _ends_bare(scan, end):
        raise Unreadable("not_json", pos, "a value without quotes, whose end is not clear")
    if "\\" in value and ("\\\\" in value or not re.match(r"[A-Za-z]:\\|\.{1,2}\\", value)):
        raise Unreadable("ambiguous", pos, "backslashes in a value without quotes")
    if re.search(r"\s(?://|#|/\*)", value) or (
        re.fullmatch(r"[\d_.:+-]+", value) and not place(scan).only("string", "null")
    ):
        raise Unreadable("not_json", pos, "neither a number nor certainly a text")
    scan.log.note("bare-value", (pos, pos + len(value)), f'"{value}"', at=frame, inside=True)
    return pos + len(value), paired(scan, value, (pos, pos + len(value)))


def _is_near_null(word: str) -> bool:
    """Whether a word is `null` or `None` with a letter lost or moved, where that may stand."""
    bare = word.replace(" ", "").casefold()
    return 1 < len(bare) < 2 * len("null") and any(
        bare in null or null in bare or sorted(bare) == sorted(null) for null in ("null", "none")
    )


def _ends_bare(scan: Scan, pos: int) -> bool:
    text, frame = scan.text, scan.frame
    if text[pos] in "\n\r":
        pos = peek(text, pos)
    if pos < len(text) and (text[pos] in CLOSERS or END.match(text, pos)):
        return True
    if pos < len(text) and COMMA.match(text, pos) and frame is not None:
        after = peek(text, pos + 1)
        if frame.kind is not OBJECT or text[after : after + 1] in tuple(CLOSERS):
            return True
        return key_at(scan, after, frame, declared=False)
    return False
