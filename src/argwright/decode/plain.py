"""What needs no second look, read at once.

A container that is strict JSON, or nearly, is read by the C scanner, members in uniform
notation by `runs`, a plain member or item by one pattern.

Nothing here decides anything. A value that is strict JSON has one reading; a member
in plain notation is followed by another key or by the closing brace. All the rest is
left to `containers`, piece by piece.
"""

from __future__ import annotations

import re

from argwright.decode import runs, strict, uniform
from argwright.decode.brackets import OPENERS, close, open_frame, store
from argwright.decode.runs import WORDS, Tally, count, note
from argwright.decode.scan import Frame, Scan
from argwright.model import Json
from argwright.shape import Shape

_KEY = (
    r"(?:\"([^\"\\\x00-\x1f\ud800-\udfff]*+)\"|'([^'\"\\\x00-\x1f\ud800-\udfff]*+)'|([A-Za-z_$][\w$]*+))"
    r"[ \t\n\r]*+([:=])[ \t\n\r]*+"
)
_VALUE = (
    r"(?:\"([^\"\\\x00-\x1f\ud800-\udfff]*+)\"|'([^'\\\x00-\x1f\ud800-\udfff]*+)'"
    r"|(-?(?:0|[1-9][0-9]{0,300}+)(?:\.[0-9]{1,300}+)?(?![\w.]))|(true|false|null|True|False|None)\b)[ \t\n\r]*+"
)
_NEXT_KEY = r",(?=[ \t\n\r]*+(?:\"[^\"\\\x00-\x1f]*+\"|'[^'\\\x00-\x1f]*+'|[A-Za-z_$][\w$]*+)[ \t\n\r]*+[:=])"
_MEMBER = re.compile(rf"[ \t\n\r]*+{_KEY}(?:{_VALUE}(?:{_NEXT_KEY}|(?=[)}}]))|(?=[\[{{]))")
_ITEM = re.compile(rf"[ \t\n\r]*+{_VALUE}(?:,(?=[ \t\n\r]*+[\"'\d\[{{-])|(?=\]))")
_GOES_ON = re.compile(rf"[ \t\n\r]*+(?:{_NEXT_KEY}|(?=[)}}]))")
_INTO = re.compile(r"[ \t\n\r]*+(?=[{\[])")
_AFTER = re.compile(r"[ \t\n\r]*+(?:,(?=[ \t\n\r]*+[\"'{\[\w-])|([}\]]))")
_STRICT_START = re.compile(r"[{\[][ \t\n\r]*+[\"\d\[{}\]tfn-]")
_FOREIGN = re.compile("['A-Za-z_$]")  # where the strict scanner stopped
_LEADS = ("{", "[", ",", ":")
_BLANKS = 200  # between a token and the next
_NEXT_MEMBER = re.compile(r",[ \t\n\r]*+\"[^\"\\\x00-\x1f]*+\"[ \t\n\r]*+:")
_COMMAS = 20  # looked at for one before a member
_WORTHWHILE = 200  # characters of strict JSON; fewer are as soon read piece by piece
_KEYS = 4  # groups of `_KEY`


def _key(match: re.Match[str], tally: Tally) -> str:
    """A member's key; its notation is counted if that is not JSON's."""
    key, single, bare, colon = match.group(1, 2, 3, 4)
    if bare is not None:
        count(tally, "bare-key", match.span(3))
    elif single is not None:
        count(tally, "single-quotes", match.span(2))
    if colon == "=":
        count(tally, "punctuation", match.span(4))
    return key or single or bare or ""


def _scalar(match: re.Match[str], keys: int, tally: Tally) -> Json:
    """The value in the groups of `_VALUE`, which stand behind as many groups for the key."""
    string, single, number, word = match.group(keys + 1, keys + 2, keys + 3, keys + 4)
    if string is not None:
        return string
    if number is not None:
        return float(number) if "." in number else int(number)
    if single is not None:
        count(tally, "single-quotes", match.span(keys + 2))
        return single
    if word[0] in "TFN":
        count(tally, "python-literal", match.span(keys + 4))
    return WORDS[word]


def value_at(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The container at `pos`, if it can be read at once: it is strict JSON, or nearly.

    What a failed look cost is taken from `scan.strict_left`, so that nested failures stay linear.
    """
    text = scan.text
    if scan.strict_left <= 0:
        return None
    if scan.stopped >= 0 and not text[:pos].strip():
        return _nearly(scan, pos, scan.stopped)
    if not _STRICT_START.match(text, pos):
        return uniform.value(scan, pos) if uniform.begins(text, pos) else None
    try:
        value, end = strict.scan_once(text, pos)
    except strict.NotJson as fault:
        scan.strict_left -= fault.pos - pos
        return _nearly(scan, pos, fault.pos)
    except StopIteration as stop:
        scan.strict_left -= stop.value - pos
        return _nearly(scan, pos, stop.value)
    except (ValueError, RecursionError):
        scan.strict_left -= len(text) // 4 + 1
        return None
    return (end, value) if _is_shallow(scan, value, (pos, end)) else None


def _is_shallow(scan: Scan, value: Json, span: tuple[int, int]) -> bool:
    return strict.is_shallow(value, scan.text, span, scan.limits.max_depth - scan.depth)


def _nearly(scan: Scan, pos: int, stopped: int) -> tuple[int, Json] | None:
    """The container at `pos`, if the strict scanner stopped at a key or value that is written in a foreign way."""
    before = scan.text[max(pos, stopped - _BLANKS) : stopped].rstrip()
    if _FOREIGN.match(scan.text, stopped) and before[-1:] in _LEADS:
        return uniform.value(scan, pos)
    return None


def but_for_last_comma(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The object at `pos`, if the last closer of the text is its own and only a comma before that makes it no JSON."""
    text = scan.text
    closer = text.rfind("}", pos)
    comma = text.rfind(",", pos, max(closer, 0))
    if scan.strict_left <= 0 or comma < 0 or text[comma + 1 : closer].strip(" \t\n\r"):
        return None
    try:
        value, size = strict.scan_once(f"{text[pos:comma]} {text[comma + 1 : closer + 1]}", 0)
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= comma - pos
        return None
    if pos + size != closer + 1 or not _is_shallow(scan, value, (pos, closer)):
        return None
    scan.log.note("trailing-comma", (comma, comma + 1), "")
    return closer + 1, value


def but_for_opener(scan: Scan, pos: int) -> tuple[int, dict[str, Json]] | None:
    """The members from `pos` to the end of their object, if only its opening brace makes it no JSON."""
    text = scan.text
    if scan.strict_left <= 0 or text[pos] != '"':
        return None
    try:
        value, size = strict.scan_once("{" + text[pos:], 0)
    except strict.NotJson as fault:
        scan.strict_left -= fault.pos
        return None
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= len(text) - pos
        return None
    end = pos + size - 1
    return (end, value) if _is_shallow(scan, value, (pos, end)) else None


def strict_members(scan: Scan, pos: int) -> tuple[int, dict[str, Json]] | None:
    """The members of the object at `pos` before the one where the strict scanner stopped, and behind their comma."""
    text, comma = scan.text, scan.stopped
    if scan.stopped < _WORTHWHILE or scan.strict_left <= 0 or text[:pos].strip():
        return None
    for _ in range(_COMMAS):
        comma = text.rfind(",", pos, comma)
        if comma < 0:
            return None
        if _NEXT_MEMBER.match(text, comma):
            break
    try:
        value, size = strict.scan_once(text[pos:comma] + "}", 0)
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= comma - pos
        return None
    return (comma + 1, value) if size == comma - pos + 1 and _is_shallow(scan, value, (pos, comma)) else None


def members(scan: Scan, pos: int, frame: Frame) -> int:
    """Members in plain notation, as many as there are, or into the first container that is not.

    `frame.after` says whether a member has just ended.
    """
    text = scan.text
    pos = runs.read(scan, pos, frame)
    if frame.after:
        return pos
    tally: Tally = {}
    while match := _MEMBER.match(text, pos):
        frame.key = _key(match, tally)
        pos = match.end()
        if match.lastindex and match.lastindex > _KEYS:
            store(scan, frame, _scalar(match, _KEYS, tally), match.start())
        else:
            whole = value_at(scan, pos)
            if whole is None:
                pos = enter(scan, pos, frame.shape.member(frame.key))
                break
            store(scan, frame, whole[1], pos)
            goes_on = _GOES_ON.match(text, whole[0])
            pos = goes_on.end() if goes_on else whole[0]
            if goes_on is None:
                break
        frame.after = text[pos - 1] != ","
    if tally:
        note(scan, frame, tally)
    return pos


def items(scan: Scan, pos: int, frame: Frame) -> int:
    """Items in plain notation, as many as there are, or into the first container that is not."""
    text, value = scan.text, frame.value
    tally: Tally = {}
    while match := _ITEM.match(text, pos):
        value.append(_scalar(match, 0, tally))
        pos = match.end()
        if text[pos - 1] != ",":
            frame.after = True
            break
    if tally:
        note(scan, frame, tally)
    if not frame.after and (match := _INTO.match(text, pos)) is not None:
        return _containers(scan, match.end(), frame)
    return pos


def _containers(scan: Scan, pos: int, frame: Frame) -> int:
    """The containers that stand in a row in a list, or into the first one that is not plain."""
    row = uniform.items(scan, pos)
    if row is None:
        return enter(scan, pos, frame.shape.item)
    frame.value += row[1]
    frame.after = True
    return row[0]


def enter(scan: Scan, pos: int, shape: Shape) -> int:
    """Into the container whose bracket stands at `pos`."""
    kind, closing = OPENERS[scan.text[pos]]
    open_frame(scan, kind, closing, pos, shape)
    return pos + 1


def after(scan: Scan, pos: int, frame: Frame) -> int | None:
    """Behind a value: past the comma before another, or past this container's closer; `None` if neither stands here."""
    match = _AFTER.match(scan.text, pos)
    if match is None:
        return None
    if match[1] is None:
        frame.after = False
        return match.end()
    if match[1] != frame.closer or frame.doubled:
        return None
    return close(scan, match.end())
