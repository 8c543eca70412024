"""What needs no second look, read at once.

A whole strict value is read by the C scanner, members in uniform notation by `runs`, a
plain member or item by one pattern.

Nothing here decides anything. A value that is strict JSON has one reading; a member
in plain notation is followed by another key or by the closing brace. All the rest is
left to `containers`, piece by piece.
"""

from __future__ import annotations

import re

from argwright.decode import runs, strict
from argwright.decode.brackets import OPENERS, close, open_frame, store
from argwright.decode.runs import WORDS, Tally, count, note
from argwright.decode.scan import Frame, Scan
from argwright.model import Json
from argwright.shape import Shape

_KEY = r"(?:\"([^\"\\\x00-\x1f]*+)\"|'([^'\"\\\x00-\x1f]*+)'|([A-Za-z_$][\w$]*+))[ \t\n\r]*+([:=])[ \t\n\r]*+"
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
    """The container at `pos`, if it can be read at once: it is strict JSON, or an object in one uniform notation."""
    found = strict_value(scan, pos)
    if found is None and scan.text[pos] == "{":
        return runs.whole(scan, pos)
    return found


def strict_value(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The container at `pos`, if it is strict JSON to its end.

    What a failed look cost is taken from `scan.strict_left`, so that nested failures stay linear.
    """
    if scan.strict_left <= 0 or not _STRICT_START.match(scan.text, pos):
        return None
    try:
        value, end = strict.scan_once(scan.text, pos)
    except strict.NotJson as fault:
        scan.strict_left -= fault.pos - pos
        return None
    except (ValueError, StopIteration, RecursionError):
        scan.strict_left -= len(scan.text) // 4 + 1
        return None
    room = scan.limits.max_depth - scan.depth
    if scan.text.count("{", pos, end) + scan.text.count("[", pos, end) > room and strict.depth(value) > room:
        return None
    return end, value


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
        whole = value_at(scan, match.end())
        if whole is None:
            return enter(scan, match.end(), frame.shape.item)
        value.append(whole[1])
        frame.after, pos = True, whole[0]
    return pos


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
