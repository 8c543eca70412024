"""Members in uniform notation, read in one go.

One pattern finds how far they go: every key and value is plain, and behind the last
stands another key or the closing brace. Strict members are read by the C scanner;
bare keys or single quotes throughout are taken apart by one more pattern.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from argwright.decode import strict
from argwright.decode.scan import Frame, Scan
from argwright.model import Json
from argwright.possessive import compiled

Tally: TypeAlias = dict[str, list[int]]
"""How often a notation stood in one run, and where: `[start, end, count, end of the first]` by rule."""

LITERALS = {"True": "true", "False": "false", "None": "null"}
_CAPITALS = ("T", "F", "N")
WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}

_WS = r"[ \t\n\r]*+"
_STRING = r"\"(?:[^\"\\\x00-\x1f\ud800-\udfff]++|\\[\"\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})*+\""
_SINGLE = r"'[^'\"\\\x00-\x1f\ud800-\udfff]*+'"
_BARE = r"[A-Za-z_$][\w$]*+"
_NUMBER = r"-?(?:0|[1-9][0-9]{0,300}+)(?:\.[0-9]{1,300}+)?"
_WORD = "true|false|null|True|False|None"
_KEY = rf"{_STRING}|{_SINGLE}|{_BARE}"
_VALUE = rf"{_STRING}|{_SINGLE}|{_NUMBER}|{_WORD}"
_RUN = compiled(
    rf"{_WS}({_KEY}){_WS}:{_WS}({_VALUE}){_WS}(?:,{_WS}({_KEY}){_WS}:{_WS}({_VALUE}){_WS})*"
    rf"(?:,(?={_WS}(?:{_KEY}){_WS}:)|(?=\}}))"
)
"""The whole run; its groups are the first key and value, and the last key and value if there are more."""

_PYTHON_WORD = compiled(rf"{_STRING}|{_SINGLE}|\b(True|False|None)\b(?!{_WS}:)")
_MEMBER = compiled(
    rf"{_WS}({_STRING})?+({_SINGLE})?+({_BARE})?+{_WS}:{_WS}({_STRING})?+({_SINGLE})?+({_NUMBER})?+({_WORD})?+{_WS},?+"
)


def count(tally: Tally, rule: str, span: tuple[int, int]) -> None:
    """One more place of a notation."""
    places = tally.setdefault(rule, [span[0], 0, 0, span[1]])
    places[1] = span[1]
    places[2] += 1


def note(scan: Scan, frame: Frame | None, tally: Tally) -> None:
    """Record the notations of one run, each once."""
    text = scan.text
    for rule, (start, end, places, first) in tally.items():
        word = text[start:first]
        if rule == "single-quotes":
            scan.log.note(rule, (start - 1, end + 1), f'"{word}"', at=frame, count=places, first=first + 1)
        else:
            after = ":" if rule == "punctuation" else LITERALS[word] if rule == "python-literal" else f'"{word}"'
            scan.log.note(rule, (start, end), after, at=frame, count=places, first=first)


def read(scan: Scan, pos: int, frame: Frame) -> int:
    """Past the uniform members that begin at `pos`; there still if none do, or if one repeats a key."""
    value = frame.value
    match = _RUN.match(scan.text, pos) if pos >= scan.mixed_until else None
    if match is None:
        return pos
    tally: Tally = {}
    run = _members(match, tally)
    if run is None or not value.keys().isdisjoint(run):
        scan.mixed_until = match.end()
        return pos
    value.update(run)
    frame.after = scan.text[match.end() - 1] != ","
    if tally:
        note(scan, frame, tally)
    return match.end()


def _members(run: re.Match[str], tally: Tally) -> dict[str, Json] | None:
    start, end = run.span()
    body = run.string[start : end - 1 if run.string[end - 1] == "," else end]
    strictly = _strict(body) if run.string[run.start(1)] == '"' else None
    return _loose(body, run, tally) if strictly is None else strictly


def _strict(body: str) -> dict[str, Json] | None:
    try:
        value: dict[str, Json] = strict.scan_once("{" + body + "}", 0)[0]
    except (ValueError, StopIteration):
        return None
    return value


def _loose(body: str, run: re.Match[str], tally: Tally) -> dict[str, Json] | None:
    """The members, and what is to be noted; `None` if they mix notations, so that each must be looked at."""
    found = _MEMBER.findall(body)
    members: dict[str, Json] = {}
    bare = singles = 0
    for string_key, single_key, bare_key, string, single, number, word in found:
        members[_key(string_key, single_key, bare_key)] = _value(string, single, number, word)
        bare += bare_key != ""
        singles += (single_key != "") + (single != "")
    if len(members) != len(found) or (bare and (singles or bare != len(found))):
        return None
    if bare or singles:
        _tally_run(run, tally, bare, singles)
    if any(one[6][:1] in _CAPITALS for one in found):
        start = run.start()
        for word in _PYTHON_WORD.finditer(body):
            if word.lastindex:
                count(tally, "python-literal", (start + word.start(1), start + word.end(1)))
    return members


def _tally_run(run: re.Match[str], tally: Tally, bare: int, singles: int) -> None:
    """What stands throughout the run: from the first key to the last key, or to the last value in single quotes."""
    more = 2 if run.lastindex == 4 else 0  # noqa: PLR2004  # the last key and value are groups of their own
    start, first = run.span(1)
    if bare:
        tally["bare-key"] = [start, run.end(1 + more), bare, first]
        return
    last = run.end(2 + more) if run.string[run.start(2 + more)] == "'" else run.end(1 + more)
    tally["single-quotes"] = [start + 1, last - 1, singles, first - 1]


def _key(string: str, single: str, bare: str) -> str:
    return bare or (_text(string) if string else single[1:-1])


def _value(string: str, single: str, number: str, word: str) -> Json:
    if string:
        return _text(string)
    if single:
        return single[1:-1]
    if number:
        return float(number) if "." in number else int(number)
    return WORDS[word]


def _text(string: str) -> str:
    return strict.string_body(string, 1)[0] if "\\" in string else string[1:-1]
