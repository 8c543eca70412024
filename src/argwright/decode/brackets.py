"""Brackets: opening and closing containers, and the ways in which they do not fit.

A closer that fits a container further out shows that one is missing before it: it is
put in, once. How a text may end with containers open is decided in `end` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from typing import Any, Final, NoReturn

from argwright.decode.blanks import peek
from argwright.decode.follows import closer
from argwright.decode.scan import ARRAY, OBJECT, Frame, Scan, Unreadable
from argwright.model import Json, compact
from argwright.shape import Shape

_OPEN_ENDS = ("'", ' "', '("', '["', '="', ':"', ',"', '{"')
OPENERS: Final = {"{": (OBJECT, "}"), "[": (ARRAY, "]"), "(": (ARRAY, ")"), "｛": (OBJECT, "}"), "［": (ARRAY, "]")}
"""An opening bracket: what it opens, and what closes it."""


def open_frame(scan: Scan, kind: str, closing: str, start: int, shape: Shape) -> Frame:  # noqa: PLR0917  # the one constructor
    """Open a container inside the present one; its bracket stands at `start`."""
    scan.depth += 1
    if scan.depth > scan.limits.max_depth:
        raise Unreadable("too_deep", start, f"nested deeper than {scan.limits.max_depth}")
    parent = scan.frame
    name: str | int | None = None
    if parent is not None:
        name = parent.key if parent.kind is OBJECT else len(parent.value)
    value: Any = {} if kind is OBJECT else []
    frame = Frame(kind, value, shape, closing, parent, name, start)
    scan.frame = frame
    scan.frames.append(frame)
    if scan.text[start : start + 1] in "｛［":
        scan.log.note("punctuation", (start, start + 1), "{" if kind is OBJECT else "[", at=frame)
    if kind is ARRAY and closing == ")":
        scan.log.note("python-container", (start, start + 1), "[", at=frame)
    return frame


def close(scan: Scan, pos: int) -> int:
    """The innermost container is done: it becomes a value of the one around it."""
    frame: Frame = scan.frame  # type: ignore[assignment]  # called with a container open
    scan.depth -= 1
    scan.frame = frame.parent
    if frame.parent is not None:
        store(scan, frame.parent, frame.value, frame.start)
    return pos


def store(scan: Scan, frame: Frame, value: Json, pos: int) -> None:
    """Put the value that began at `pos` where the container was reading one."""
    frame.after = True
    if frame.kind is ARRAY:
        frame.value.append(value)
        return
    if frame.key in frame.value:
        old = frame.value[frame.key]
        if not _same(old, value):
            readings = tuple({frame.key: one} for one in (old, value))
            raise Unreadable("duplicate_key", pos, f"two values for the key {frame.key[:60]!r}", readings)
        scan.log.note("repeated-key", (pos, pos), "", at=frame)
        return
    frame.value[frame.key] = value


def _same(one: Json, other: Json) -> bool:
    """Whether two values are written alike: `1` is not `1.0`, nor `true`."""
    if type(one) is not type(other):
        return False
    return compact(one) == compact(other) if isinstance(one, (dict, list, float)) else bool(one == other)


def closing(scan: Scan, pos: int, frame: Frame) -> int:
    """A closing bracket: of this container, of one around it, or of none."""
    text = scan.text
    char = closer(text[pos])
    _check_closer(scan, pos, frame, char)
    if char == frame.closer or (frame.kind is OBJECT and text[frame.start] == "[" and char in "]}"):
        if text[pos] != char:
            scan.log.note("punctuation", (pos, pos + 1), char, at=frame)
        if frame.doubled:
            frame.doubled = False
            scan.log.note("doubled-braces", (pos, pos + 1), "", at=frame)
            frame.after = True
            return pos + 1
        return close(scan, pos + 1)
    if any(one.closer == char for one in around(frame)):
        insert(scan, pos, frame)
        return close(scan, pos)
    if scan.inserted:
        raise Unreadable("ambiguous", pos, "brackets are mixed up")
    after = peek(text, pos + 1)
    if after < len(text) and text[after] not in ",;，；}])｝］":
        raise Unreadable("ambiguous", pos, "a closing bracket in the middle of a value")
    if after < len(text) and frame.kind is OBJECT and is_mixed(frame.value.get(frame.key)):
        raise Unreadable("ambiguous", pos, "a bracket too many behind a list of lists, or one too few inside")
    scan.log.note("extra-closer", (pos, pos + 1), "", at=frame)
    return pos + 1


def is_mixed(value: Json) -> bool:
    """Whether a list holds lists and other values beside each other."""
    return isinstance(value, list) and 0 < sum(isinstance(item, list) for item in value) < len(value)


def _check_closer(scan: Scan, pos: int, frame: Frame, char: str) -> None:
    """Refuse a set that no brace closes, and one value in parentheses: a tuple of one has a comma."""
    text = scan.text
    if frame.kind is not ARRAY:
        return
    if text[frame.start] == "{" and char != "}":
        raise Unreadable("ambiguous", pos, "a set or a list, and no bracket closes it")
    if frame.closer == ")" and char == ")" and len(frame.value) == 1:
        before = pos - 1
        while text[before].isspace():
            before -= 1
        if text[before] != ",":
            raise Unreadable("ambiguous", pos, "one value in parentheses")


def insert(scan: Scan, pos: int, frame: Frame) -> None:
    """Note a missing closer in the middle; a second one leaves more than one tree."""
    scan.inserted += 1
    if scan.inserted > 1 or scan.inner:
        raise Unreadable("ambiguous", pos, "more than one bracket is missing")
    if not frame.value and not frame.after:
        raise Unreadable("ambiguous", pos, "a container closes that nothing stands in")
    if _ends_with(frame, frame.closer):
        raise Unreadable("ambiguous", pos, "the bracket is missing, or it stands inside the last text")
    scan.log.note("missing-closer", (pos, pos), frame.closer, at=frame)


def _ends_with(frame: Frame, closer_: str) -> bool:
    """Whether the last value of the container is a text with this closer at its end."""
    last = frame.value.get(frame.key) if frame.kind is OBJECT else frame.value[-1] if frame.value else None
    return isinstance(last, str) and last.rstrip().endswith(closer_)


def around(frame: Frame) -> Iterator[Frame]:
    """The containers around this one, from the inside out."""
    one = frame.parent
    while one is not None:
        yield one
        one = one.parent


def double(scan: Scan, pos: int, frame: Frame) -> int:
    """A brace right behind a brace: both open the same object."""
    if frame.doubled:
        raise Unreadable("not_json", pos, "a key was expected")
    frame.doubled = True
    scan.log.note("doubled-braces", (pos, pos + 1), "", at=frame)
    return pos + 1


def end(scan: Scan, pos: int, frame: Frame) -> int:
    """The text is over, or its end is marked, with containers open."""
    if pos >= len(scan.text) and not _may_end(scan, frame):
        cut(scan, "inside an object" if frame.kind is OBJECT else "inside a list")
    if (scan.inserted or scan.inner) and pos >= len(scan.text):
        raise Unreadable("ambiguous", pos, "a bracket is missing, and that is not all")
    if not frame.after and not frame.value and pos < len(scan.text):
        raise Unreadable("truncated", pos, "nothing stands in the last container")
    scan.log.note("missing-closer", (pos, pos), frame.closer, at=frame)
    if frame.doubled:
        frame.doubled = False
    return close(scan, pos)


def _may_end(scan: Scan, frame: Frame) -> bool:
    """Whether nothing could follow: every open object has all it declares, or the provider said that this is the end.

    A number may have lost digits, and a text that ends in a blank was about to quote something.
    """
    text = scan.text.rstrip()
    if "python-container" in scan.log.rules:
        return False
    if not frame.after or scan.number_end == len(text) or (not scan.ended and text.endswith(_OPEN_ENDS)):
        return False
    if (
        frame.kind is OBJECT
        and frame.shape.member(frame.key).only("array")
        and not _is_list(frame.value.get(frame.key))
    ):
        return False
    one: Frame | None = frame
    while one is not None:
        known = one.shape.properties
        if one.kind is not OBJECT or scan.text[one.start] not in "{｛" or not known:
            return False
        present = {*one.value, one.key}
        whole = present.issuperset(known)
        if not whole and not (scan.ended and present.issuperset(one.shape.required)):
            return False
        one = one.parent
    return True


def _is_list(value: Json) -> bool:
    """Whether the value is a list, or the text of one."""
    return isinstance(value, list) or (isinstance(value, str) and value[:1] == "[" and value[-1:] == "]")


def cut(scan: Scan, where: str) -> NoReturn:
    """The text was cut here."""
    raise Unreadable("truncated", len(scan.text), f"the text ends {where}")


def _is_misplaced(item: dict[str, Json], shape: Shape, known: KeysView[str]) -> bool:
    """Whether an undeclared field stands behind an object that may hold it, beside declared ones."""
    if item.keys() <= known or known.isdisjoint(item):
        return False
    roomy = False
    for key, child in item.items():
        if key not in known and roomy:
            return True
        roomy = roomy or (isinstance(child, dict) and not shape.member(key).closed)
    return False


_BRACKET_RULES = frozenset({"missing-closer", "extra-closer", "early-close", "missing-opener"})


def check_fields(scan: Scan, value: Json) -> None:
    """Refuse a value whose brackets were mended if a field stands where only a container around it declares it."""
    if scan.log.rules.isdisjoint(_BRACKET_RULES):
        return
    todo: list[tuple[Json, Shape, frozenset[str]]] = [(value, scan.shape, frozenset())]
    while todo:
        item, shape, outside = todo.pop()
        if isinstance(item, dict):
            known = shape.properties
            if known and any(key not in known and key in outside for key in item):
                raise Unreadable("ambiguous", len(scan.text), "a field stands in an object that does not declare it")
            if known and _is_misplaced(item, shape, known.keys()):
                raise Unreadable("ambiguous", len(scan.text), "a field that may belong to the object closed before it")
            outside = outside.union(known)
            todo += [
                (child, shape.member(key), outside) for key, child in item.items() if isinstance(child, (dict, list))
            ]
        elif isinstance(item, list):
            todo += [(child, shape.item, outside) for child in item if isinstance(child, (dict, list))]
