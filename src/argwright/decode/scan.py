"""What one run of the tolerant reader carries: the text, the log of repairs, the open containers.

The readers are functions of `(scan, position)` that return `(position, value)`. A text
that has no reading ends in `Unreadable`, which never leaves this package: `decode`
turns it into an `Undecodable` value. An exception, because the reader that meets
the fault is many calls away from the door and none of those between has anything to add.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from argwright import pointer
from argwright.decode.notation import NOTATION
from argwright.model import Json, Repair
from argwright.policy import Limits
from argwright.shape import Shape

_PYTHON = re.compile(r"[^{]*+\{\s*'")
_MOST_ENTRIES = 1_000  # records of one text; a person reads a handful, and a hostile text has one for every bracket
_EXCERPT = 80  # characters of `before` and `after` that a repair keeps; the span names the rest

OBJECT: Final = "object"
ARRAY: Final = "array"


class Unreadable(Exception):  # noqa: N818  # no error: the private way to the door
    """The text has no reading from `position` on."""

    def __init__(self, reason: str, position: int, message: str, readings: tuple[Json, ...] = ()) -> None:
        super().__init__(reason, position, message)
        self.reason = reason
        self.position = position
        self.message = message
        self.readings = readings


@dataclass(slots=True, eq=False)
class Frame:
    """One open container.

    Args:
        kind: OBJECT or ARRAY.
        value: the dict or list being filled.
        shape: what the schema says of it.
        closer: the character that closes it.
        parent: the container around it.
        name: its key or index there.
        start: where its opener stands.
        key: of an object, the member being read.
        after: a value has been read; a comma or the closer comes next.
        doubled: it was opened by two braces and wants two closers.
        naming: a key is being read; what happens there belongs to the container, since the member has no name yet.
    """

    kind: str
    value: Any
    shape: Shape
    closer: str
    parent: Frame | None
    name: str | int | None
    start: int
    key: str = ""
    after: bool = False
    doubled: bool = False
    naming: bool = False

    def token(self) -> str | int | None:
        """The key or index of the member or item being read; none while a key is."""
        if self.naming:
            return None
        return self.key if self.kind is OBJECT else len(self.value)

    def path(self) -> list[str | int]:
        """The path of the container from the root."""
        path: list[str | int] = []
        frame: Frame | None = self
        while frame is not None and frame.name is not None:
            path.append(frame.name)
            frame = frame.parent
        path.reverse()
        return path


@dataclass(slots=True)
class _Entry:
    """A repair in the making: merged over the places of one container or string, which is open or has a pointer."""

    rule: str
    at: Frame | None
    token: str | int | None
    start: int
    end: int
    before: str
    after: str
    count: int = 1
    place: str = ""


@dataclass(slots=True)
class Log:
    """The repairs so far, in the order of their first place."""

    text: str
    limits: Limits
    entries: dict[Any, _Entry] = field(default_factory=dict)
    choices: int = 0
    rules: set[str] = field(default_factory=set)

    def note(
        self,
        rule: str,
        span: tuple[int, int],
        after: str,
        *,
        at: Frame | None = None,
        inside: bool = False,
        count: int = 1,
        first: int | None = None,
    ) -> None:
        """Record a repair in the container `at`, or with `inside` in the member that it is reading.

        Args:
            rule: its name in `NOTATION`.
            span: from the first to the last of its places.
            after: what the first place became.
            at: the container.
            inside: it belongs to one member or item of the container.
            count: how many places.
            first: where the first place ends, if there are several.
        """
        start, end = span
        if NOTATION[rule].choice:
            self.choices += count
            if self.choices > self.limits.max_repairs:
                raise Unreadable("too_many_repairs", start, f"more than {self.limits.max_repairs} places were unclear")
        if len(self.entries) >= _MOST_ENTRIES:
            at = None
        token = at.token() if inside and at is not None else None
        key = (rule, id(at), token)
        entry = self.entries.get(key)
        if entry is not None:
            entry.end = max(entry.end, end)
            entry.count += count
            return
        self.rules.add(rule)
        before = self.text[start : min(end if first is None else first, start + _EXCERPT)]
        self.entries[key] = _Entry(rule, at, token, start, end, before, after[:_EXCERPT], count)

    def put(self, rule: str, place: str, where: list[int], after: str) -> None:
        """Record a uniform notation of a container that is done, by its pointer; `where` as in a `Tally` of `runs`."""
        start, end, count, first = where
        key = (rule, place)
        known = self.entries.get(key)
        if known is not None:
            known.end = max(known.end, end)
            known.count += count
            return
        self.rules.add(rule)
        before = self.text[start : min(first, start + _EXCERPT)]
        self.entries[key] = _Entry(rule, None, None, start, end, before, after[:_EXCERPT], count, place)

    @property
    def room(self) -> int:
        """For how many more records there is room; the rest is recorded together, at the root."""
        return _MOST_ENTRIES - len(self.entries)

    def repairs(self) -> tuple[Repair, ...]:
        """What was done, as values."""
        pointers: dict[Frame | None, str] = {None: ""}
        return tuple(_repair(entry, _pointer(entry, pointers)) for entry in self.entries.values())


def _repair(entry: _Entry, place: str) -> Repair:
    """The finished record; the frozen value is filled at once, since a text with many records makes many."""
    made = object.__new__(Repair)
    fields = {
        "rule": entry.rule,
        "certainty": NOTATION[entry.rule].certainty,
        "pointer": place,
        "span": (entry.start, entry.end),
        "before": entry.before,
        "after": entry.after,
        "count": entry.count,
    }
    object.__setattr__(made, "__dict__", fields)
    return made


def _pointer(entry: _Entry, known: dict[Frame | None, str]) -> str:
    """The pointer of a repair's place; that of each container is made once."""
    missing: list[Frame] = []
    frame = entry.at
    while frame is not None and frame not in known:
        missing.append(frame)
        frame = frame.parent
    base = known[frame] or entry.place
    for frame in reversed(missing):  # from the outside in
        base = base if frame.name is None else f"{base}/{pointer.escape(str(frame.name))}"
        known[frame] = base
    return base if entry.token is None else f"{base}/{pointer.escape(str(entry.token))}"


@dataclass(slots=True)
class Scan:
    """One run over one text.

    Args:
        text: what is read; spans count its characters.
        shape: what the schema says of the root.
        limits: length, depth and number of choices.
        ended: the provider reported a normal end.
        guess: a cut text is closed where it broke instead of refused.
        frame: the innermost open container.
        inner: how many strings had inner quotes, and `odd` how many an odd number.
        lost: where the last key ended that has lost its closing quote; -1 if none has.
        number_end: where the last number ended; a text that ends there may have lost digits.
        inserted: how many missing closers were put in before the end.
        strict_left: how many characters may still be looked at in vain by the strict scanner.
        stopped: where the strict scanner stopped that began with the text; -1 if it did not say.
        mixed_until: up to where members were seen to mix notations or repeat keys.
        gaps: what the text writes behind a colon and a comma, once somebody has looked.
    """

    text: str
    shape: Shape
    limits: Limits
    log: Log
    ended: bool = False
    guess: bool = False
    frame: Frame | None = None
    depth: int = 0
    inner: int = 0
    odd: int = 0
    lost: int = -1
    number_end: int = -1
    inserted: int = 0
    strict_left: int = 0
    stopped: int = -1
    mixed_until: int = 0
    gaps: tuple[str, str] | None = None
    frames: list[Frame] = field(default_factory=list)  # keeps every frame alive, since the log knows them by id

    def is_python(self) -> bool:
        """Whether single quotes delimit other strings of this text: Python wrote it, with Python's escapes."""
        return "single-quotes" in self.log.rules or _PYTHON.match(self.text) is not None

    def where(self) -> str:
        """The pointer of what is being read."""
        if self.frame is None:
            return ""
        path, token = self.frame.path(), self.frame.token()
        return pointer.join(path if token is None else [*path, token])
