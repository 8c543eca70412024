"""Where the sensitive values stand in a text, so that they can be masked there.

A text that is strict JSON is walked: each member with a sensitive name is a span, known to the character. Names are
compared as the rules compare them, without case, `_` and `-`, and a pointer holds at any depth, since arguments arrive
in wrappers. A name that the tool does not declare may be a sensitive one misspelt, and counts as one. A text that is no
strict JSON is searched for the values that were read from it. Where neither finds every one of them, or a sensitive
name stands where no field was read, there is no answer, and the text must not be kept. What stands in a sensitive place
is masked wherever else it stands, unless it is as short as other words, or says as little as `true`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from argwright import pointer
from argwright.model import MASK
from argwright.proxy import json_spans

Path = tuple[str | int, ...]

SEARCHABLE = 4  # characters; a shorter value also stands where it is no secret
_ANY = "*"
_BEGINNING = 6  # characters of a secret that give it away in a quotation cut short
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_NUMBER = re.compile(r"-?\d[\d.eE+-]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NOISE = re.compile(r"[\W_]+")
NOTATION = re.compile(r"[:={<]")


class Spot(NamedTuple):
    """A span to be masked; a whole JSON value becomes a string, a piece of one stays inside its quotes."""

    start: int
    end: int
    whole: bool

    @property
    def sign(self) -> str:
        """What stands there instead."""
        return f'"{MASK}"' if self.whole else MASK


class Secrets:
    """The sensitive places of one tool, wherever a model may have put them.

    Args:
        sensitive: names, or JSON Pointers with `*` for any token.
        declared: names of all fields; any other is sensitive as well. `None`: they are not known.
    """

    def __init__(self, sensitive: Collection[str], declared: Collection[str] | None = None) -> None:
        self._declared = None if declared is None else frozenset(map(_plain, declared))
        self._patterns = {tuple(_plain(token) for token in _tokens(entry)) for entry in sensitive}
        self._words = {words[-1] for pattern in self._patterns if (words := [one for one in pattern if one != _ANY])}

    def ends(self, path: Sequence[str | int]) -> bool:
        """Whether a sensitive place is right here, at whatever depth the arguments begin."""
        return bool(path) and (self._is_named(path) or self._is_strange(path[-1]))

    def _is_named(self, path: Sequence[str | int]) -> bool:
        return any(_ends(pattern, path) for pattern in self._patterns)

    def _is_strange(self, token: str | int) -> bool:
        return self._declared is not None and isinstance(token, str) and _plain(token) not in self._declared

    def covers(self, path: Sequence[str | int]) -> bool:
        """Whether the place, or one above it, is sensitive."""
        return any(self.ends(path[: end + 1]) for end in range(len(path)))

    def named_in(self, text: str) -> bool:
        """Whether a sensitive name stands in a text beside a sign of notation: it may give the field a value."""
        return bool(NOTATION.search(text)) and self.mentions(text) > 0

    def mentions(self, text: str) -> int:
        """How often the sensitive names stand in a text, in any spelling."""
        plain = _plain(text)
        return sum(plain.count(word) for word in self._words)

    def values(self, value: Any, path: Path = ()) -> Iterator[Any]:
        """What is sensitive in a value: scalars, and the keys beside them below a sensitive place."""
        return (item for item, hidden in self._scalars(value, path, hidden=self.covers(path)) if hidden)

    def doubts(self, value: Any) -> bool:
        """Whether a string elsewhere may hold a sensitive field: arguments encoded twice, or beside others."""
        found = self._scalars(value, (), hidden=False)
        return any(isinstance(item, str) and self.named_in(item) for item, hidden in found if not hidden)

    def _scalars(self, value: Any, path: Path, *, hidden: bool) -> Iterator[tuple[Any, bool]]:
        hidden = hidden or self.ends(path)
        if not isinstance(value, (dict, list, tuple)):
            yield value, hidden
            return
        for key, item in _members(value):
            if hidden and isinstance(key, str):
                yield key, True
            yield from self._scalars(item, (*path, key), hidden=hidden)

    def members(self, value: Any, path: Path = ()) -> int:
        """How many places a value has that are named as sensitive; what is below one is not counted again."""
        if path and self._is_named(path):
            return 1
        if not isinstance(value, (dict, list, tuple)):
            return 0
        return sum(self.members(item, (*path, key)) for key, item in _members(value))

    def hide(self, place: str) -> str:
        """A pointer with the tokens below a sensitive place masked: they may be keys of a secret map."""
        path = tokens(place)
        root = next((end for end in range(1, len(path) + 1) if self.ends(path[:end])), len(path))
        return pointer.join([*map(str, path[:root]), *([MASK] if len(path) > root else [])])

    def mask(self, value: Any, path: Path = ()) -> Any:
        """A copy of the value in which every sensitive place is the mask."""
        if self.ends(path):
            return MASK
        match value:
            case dict():
                return {key: self.mask(item, (*path, key)) for key, item in value.items()}
            case list() | tuple():
                return [self.mask(item, (*path, index)) for index, item in enumerate(value)]
            case _:
                return value


def _members(value: Any) -> Iterable[tuple[str | int, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def tokens(place: str) -> list[str | int]:
    """A pointer's tokens, in which numbers are indices."""
    return [int(token) if _INDEX.fullmatch(token) else token for token in pointer.split(place)]


def _tokens(entry: str) -> Sequence[str]:
    return pointer.split(entry) if entry.startswith("/") else (entry,)


def _ends(pattern: Sequence[str], path: Sequence[str | int]) -> bool:
    """Whether the path's end is what the pattern names.

    Indices of lists that the pattern leaves out are skipped. A path that is all used up may lack what stands above it:
    of a text that lost its beginning the inside is read.
    """
    at = len(path)
    named = False
    for wanted in reversed(pattern):
        at -= 1
        while 0 <= at < len(path) - 1 and str(path[at]).isdecimal() and wanted not in (_ANY, str(path[at])):
            at -= 1
        if at < 0:
            return named
        if wanted not in (_ANY, _plain(str(path[at]))):
            return False
        named = named or wanted != _ANY
    return True


def _plain(token: str) -> str:
    return _NOISE.sub("", token).casefold() or token


def places(text: str, effective: Any, written: Sequence[Any], secrets: Secrets) -> list[Spot] | None:
    """The spans to be masked, in order; `None` if a sensitive value may stand elsewhere in the text.

    Args:
        text: the arguments as the model wrote them.
        effective: the arguments that ran; `None` for a refused call.
        written: the one value that was read from the text; nothing if it could not be read.
        secrets: the sensitive places.
    """
    values = [secret for value in (effective, *written) for secret in secrets.values(value)]
    if effective is None and any(not isinstance(value, dict) or secrets.doubts(value) for value in written):
        return None
    standing = json_spans.places(text)
    if standing is not None:
        spots = [Spot(place.start, place.end, whole=True) for place in standing if secrets.ends(place.path)]
        seen = [secret for spot in spots for secret in _scalars(json.loads(text[spot.start : spot.end]))]
        spots += _repeated(text, telling([*values, *seen]))
        return _with_found(text, [value for value in values if value not in seen], spots)
    if not written or secrets.mentions(text) > sum(secrets.members(value) for value in written):
        return None
    return _with_found(text, values, [])


def _scalars(value: Any) -> Iterator[Any]:
    """All that a value holds, keys as well."""
    if not isinstance(value, (dict, list)):
        yield value
        return
    for key, item in _members(value):
        if isinstance(key, str):
            yield key
        yield from _scalars(item)


def _with_found(text: str, values: Sequence[Any], spots: list[Spot]) -> list[Spot] | None:
    """The spans with those of the values; `None` if one of them cannot be found, or not be told from other text."""
    for value in values:
        forms = [form for form in _forms(value) if len(form) >= SEARCHABLE]
        found = [spot for form in forms for spot in _finds(text, form, whole=not isinstance(value, str))]
        if not found and value not in ("", None):  # which are no secret
            return None
        spots = spots + found
    return _merged(spots)


def _forms(value: Any) -> set[str]:
    """How a value may stand in a text."""
    if not isinstance(value, str):
        return {json.dumps(value), str(value)}
    written = json.dumps(value, ensure_ascii=False)[1:-1]
    return {value, written, json.dumps(value)[1:-1], repr(value)[1:-1], json.dumps(written, ensure_ascii=False)[1:-1]}


def telling(values: Iterable[Any]) -> list[str]:
    """How values may stand in a text of which they are worth a mask, the longest first."""
    worth = [value for value in values if not isinstance(value, bool) and value is not None]
    return sorted({form for value in worth for form in _forms(value) if len(form) >= SEARCHABLE}, key=len, reverse=True)


def _repeated(text: str, forms: Sequence[str]) -> Iterator[Spot]:
    """Where a text that is JSON says one of them, in a string or by itself; a number is none within another one."""
    strings = [found.span() for found in _STRING.finditer(text)] if forms else []
    for form in forms:
        sign = re.escape(form)
        for found in re.finditer(rf"(?<![\w.]){sign}(?![\w.])" if _NUMBER.fullmatch(form) else sign, text):
            at = bisect_right(strings, (found.start(), 0)) - 1
            yield Spot(*found.span(), whole=at < 0 or found.start() >= strings[at][1])


def _finds(text: str, form: str, *, whole: bool) -> Iterator[Spot]:
    at = text.find(form)
    while at >= 0:
        yield Spot(at, at + len(form), whole)
        at = text.find(form, at + len(form))


def _merged(spots: list[Spot]) -> list[Spot]:
    merged: list[Spot] = []
    for spot in sorted(spots):
        if merged and spot.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(spot.end, merged[-1].end))
        else:
            merged.append(spot)
    return merged


def gives_away(text: str, values: Collection[Any], secrets: Secrets) -> bool:
    """Whether a quotation, which may be cut short, tells a sensitive value or names a field that has one."""
    forms = {form[:_BEGINNING] for value in values if value not in ("", None) for form in _forms(value)}
    return secrets.named_in(text) or any(form in text for form in forms)


@dataclass(frozen=True)
class Masked:
    """A text with spans masked, and where its characters went.

    Args:
        text: the text with each span replaced.
        spots: what was replaced, by its place in the original.
    """

    text: str
    spots: tuple[Spot, ...]

    def moved(self, position: int) -> int:
        """Where a position of the original is; one inside a replaced span is its start."""
        shift = 0
        for spot in self.spots:
            if position <= spot.start:
                break
            if position < spot.end:
                return spot.start + shift
            shift += len(spot.sign) - (spot.end - spot.start)
        return position + shift


def masked(text: str, spots: Sequence[Spot]) -> Masked:
    """The text with each span replaced by its sign."""
    pieces: list[str] = []
    at = 0
    for spot in spots:
        pieces += [text[at : spot.start], spot.sign]
        at = spot.end
    return Masked("".join([*pieces, text[at:]]), tuple(spots))
