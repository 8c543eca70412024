"""Containers that are strict JSON but for quotes and words, read at once by the C scanner.

Single quotes, keys without quotes, `True`, `False`, `None`: one pass over the tokens
finds where the container ends and what is to be noted, one substitution writes the
tokens as JSON does, and the C scanner reads the result. What is not strict JSON then is
not read here but piece by piece, so that no judgement is made twice: a quote inside a
text, a comma too many, a key that comes twice, a bracket that does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from argwright import pointer
from argwright.decode import strict
from argwright.decode.runs import LITERALS, Tally
from argwright.decode.scan import Scan
from argwright.model import Json
from argwright.possessive import compiled

_WS = r"[ \t\n\r]*+"
_NAME = r"[A-Za-z_$][\w$]*+"
_SINGLE = r"'[^'\"\\\x00-\x1f\ud800-\udfff]*+'"
_DOUBLE = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\""
_STRICT = rf"(?:[^\"'\[\]{{}}A-Za-z_$]++|{_DOUBLE}|(?:true|false|null)\b(?!{_WS}:)|(?<=[0-9])[eE](?=[-+0-9]))*+"
_TOKEN = compiled(
    rf"{_STRICT}(?:({_SINGLE}(?:[^\"'\[\]{{}}A-Za-z_$]*+{_SINGLE})*+)|({_NAME})(?={_WS}:)"
    r"|(True|False|None)\b|([{\[])|([}\]]))"
)
"""Past what is strict already: strings in single quotes, a bare key, a word of Python's, or a bracket."""

_SINGLES, _BARE, _WORD, _OPENER, _CLOSER = 1, 2, 3, 4, 5
_NEXT = compiled(rf"{_WS},{_WS}(?=[{{\[])")
_START = compiled(rf"[{{\[][ \t\n\r{{\[]*+(?:['TFN]|{_NAME}{_WS}:)")
_AFTER: Mapping[str, Callable[[str], str]] = {
    "bare-key": '"{}"'.format,
    "python-literal": LITERALS.__getitem__,
    "trailing-comma": lambda _: "",
    "single-quotes": lambda token: f'"{token[1:-1]}"',
}
_BLANKS = " \t\n\r"
_BATCH = 100_000  # characters of items that are read at once; a list may be as long as the text


@dataclass(slots=True)
class _Outline:
    """What one pass over the tokens of containers found.

    Args:
        done: up to where the text stands in `pieces`.
        pieces: the text as JSON.
        tallies: what is foreign in each container, in the order in which they begin.
        open_ones: those of the containers that are open.
        end: where the last whole container ended, and how many pieces and tallies there were then.
    """

    done: int
    pieces: list[str] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)
    open_ones: list[Tally] = field(default_factory=list)
    end: tuple[int, int, int] = (-1, 0, 0)


def begins(text: str, pos: int) -> bool:
    """Whether what stands first in the container at `pos` is written in a foreign way."""
    return _START.match(text, pos) is not None


def value(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """The container whose bracket stands at `pos`, and where it ends."""
    found = _read(scan, pos, many=False)
    return None if found is None else (found[0], found[1][0])


def items(scan: Scan, pos: int) -> tuple[int, list[Json]] | None:
    """The containers that stand in a row from `pos` on, with commas between them, and where the last one ends."""
    return _read(scan, pos, many=True)


def _read(scan: Scan, pos: int, *, many: bool) -> tuple[int, list[Json]] | None:
    """The values, and their end; what a failed look cost is taken from `scan.strict_left`."""
    if scan.strict_left <= 0:
        return None
    found, reached = _outlined(scan, pos, many=many)
    end, pieces, containers = found.end
    if end >= 0:
        try:
            values, _ = strict.scan_once(f"[{''.join(found.pieces[:pieces])}]", 0)
        except (ValueError, StopIteration, RecursionError):
            pass
        else:
            _note(scan, values, found.tallies[:containers], many=many)
            return end, values
    scan.strict_left -= reached - pos
    return None


def _outlined(scan: Scan, pos: int, *, many: bool) -> tuple[_Outline, int]:
    """The outline of the containers at `pos`, and how far the look went."""
    text, room = scan.text, scan.limits.max_depth - scan.depth
    found, at = _Outline(pos), pos
    while (match := _TOKEN.match(text, at)) is not None:
        kind, at = match.lastindex or 0, match.end()
        if kind == _OPENER:
            found.open_ones.append({})
            found.tallies.append(found.open_ones[-1])
            if len(found.open_ones) > room:
                break
        elif kind != _CLOSER:
            start = match.start(kind)
            found.pieces += (text[found.done : start], _as_json(text, (start, at), kind, found.open_ones[-1]))
            found.done = at
        elif not _closed(found, match) or (
            not found.open_ones and (not many or at - pos > _BATCH or not _NEXT.match(text, at))
        ):
            break
    return found, at


def _closed(found: _Outline, match: re.Match[str]) -> bool:
    """Close the innermost container, without a comma behind its last member; `False` if nothing stands before that."""
    text, start, end = match.string, match.start(), match.end()
    tally = found.open_ones.pop()
    lead = text[start : end - 1].rstrip(_BLANKS)
    if lead[-1:] == ",":
        if lead.lstrip(_BLANKS) == "," and text[start - 1] in "{[":
            return False
        comma = start + len(lead) - 1
        _count(tally, "trailing-comma", [comma, comma + 1, 1, comma + 1])
        found.pieces.append(text[found.done : comma])
        found.done = comma + 1
    if not found.open_ones:
        found.pieces.append(text[found.done : end])
        found.done = end
        found.end = (end, len(found.pieces), len(found.tallies))
    return True


def _as_json(text: str, span: tuple[int, int], kind: int, tally: Tally) -> str:
    """A foreign token, or a run of strings in single quotes, as JSON has it; it is counted."""
    start, end = span
    token = text[start:end]
    if kind == _BARE:
        _count(tally, "bare-key", [start, end, 1, end])
        return f'"{token}"'
    if kind == _WORD:
        _count(tally, "python-literal", [start, end, 1, end])
        return LITERALS[token]
    _count(tally, "single-quotes", [start, end, token.count("'") // 2, text.index("'", start + 1) + 1])
    return token.replace("'", '"')


def _count(tally: Tally, rule: str, where: list[int]) -> None:
    known = tally.get(rule)
    if known is None:
        tally[rule] = where
    else:
        known[1] = where[1]
        known[2] += where[2]


def _note(scan: Scan, values: list[Json], tallies: list[Tally], *, many: bool) -> None:
    """Record what was foreign, for each container by itself as long as there is room for that."""
    noted: list[tuple[str, str, list[int]]] = []
    rest: Tally = {}
    room = scan.log.room
    places = _places(scan, values, many=many)
    for tally in tallies:
        if len(noted) < room:
            place = next(places)
            noted += [(rule, place, where) for rule, where in tally.items()]
        else:
            for rule, where in tally.items():
                _count(rest, rule, where)
    noted.sort(key=lambda one: one[2][0])
    for rule, place, where in [*noted, *((rule, "", where) for rule, where in rest.items())]:
        scan.log.put(rule, place, where, _AFTER[rule](scan.text[where[0] : where[3]]))


def _places(scan: Scan, values: list[Json], *, many: bool) -> Iterator[str]:
    """The pointers of the containers of the values, in the order in which they begin."""
    base = "" if scan.frame is None else pointer.join(scan.frame.path())
    name = None if scan.frame is None else scan.frame.token()
    todo: list[tuple[str, Json]] = []
    for index, item in enumerate(values):
        own = name + index if many and isinstance(name, int) else name
        todo.append((base if own is None else f"{base}/{pointer.escape(str(own))}", item))
    todo.reverse()
    while todo:
        place, item = todo.pop()
        yield place
        if type(item) is dict:
            inside = [(f"{place}/{pointer.escape(key)}", child) for key, child in item.items() if _holds(child)]
        else:
            inside = [(f"{place}/{index}", child) for index, child in enumerate(item) if _holds(child)]
        if inside:
            inside.reverse()
            todo += inside


def _holds(item: Json) -> bool:
    return type(item) is dict or type(item) is list
