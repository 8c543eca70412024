"""Objects and arrays: one loop over a stack of frames, so that depth costs no stack.

Each step reads one member or item, or what stands behind it: the plain ones at once
(`plain`), everything else piece by piece.
"""

from __future__ import annotations

from argwright.decode import brackets, gaps, plain, strings
from argwright.decode.blanks import END, peek, skip
from argwright.decode.brackets import OPENERS
from argwright.decode.follows import CLOSERS, COLON, COMMA, key_at, lost_quote
from argwright.decode.scalars import ABSENT, place, scalar
from argwright.decode.scan import ARRAY, OBJECT, Frame, Scan, Unreadable
from argwright.model import Json
from argwright.possessive import compiled

_COMMAS = compiled(r"[,;，；](?:[ \t\n\r]*+[,;，；])*+")
_SET = compiled(r"(?:\"[^\"\\]*+\"|'[^'\\]*+'|[^\s\"'{}\[\],:=(]++)\s*+[,}]")
_BARE_KEY = compiled(r"[\w$@][\w$@.\-]*+(?: [\w$@.\-]++)*+")
_ODD_KEY = compiled(r"[\\\x00-\x1f]")
_TORN_KEY = compiled(r"[\"'“][\s,:;=}\]]")  # behind a value: a quote and a sign have changed places
_VALUE_START = compiled(r"""["'“\[{(\-+.\d]|true\b|false\b|null\b|True\b|False\b|None\b""")


def container(scan: Scan, pos: int) -> tuple[int, Json]:
    """The object or array whose bracket stands at `pos`."""
    kind, closing = OPENERS[scan.text[pos]]
    return _read(scan, pos + 1, brackets.open_frame(scan, kind, closing, pos, scan.shape))


def members(scan: Scan, pos: int, closing: str, value: dict[str, Json]) -> tuple[int, Json]:
    """The members of an object from `pos` to its closer, added to those it has; no opening brace stands here."""
    frame = brackets.open_frame(scan, OBJECT, closing, pos, scan.shape)
    frame.value = value
    return _read(scan, pos, frame)


def resumed(scan: Scan, start: int, pos: int, value: dict[str, Json]) -> tuple[int, Json]:
    """The object whose brace stands at `start`, its members up to `pos` being known."""
    frame = brackets.open_frame(scan, OBJECT, "}", start, scan.shape)
    frame.value = value
    return _read(scan, pos, frame)


def _read(scan: Scan, pos: int, base: Frame) -> tuple[int, Json]:
    try:
        pos = _loop(scan, pos)
    except Unreadable as fault:
        if not scan.guess or fault.reason != "truncated":
            raise
        pos = len(scan.text)
        scan.log.note("cut-closed", (pos, pos), base.closer, at=base)
        while scan.frame is not None:
            brackets.close(scan, pos)
    return pos, base.value


def _loop(scan: Scan, pos: int) -> int:
    while scan.frame is not None:
        frame = scan.frame
        if frame.after:
            pos = _after(scan, pos, frame)
        elif frame.kind is OBJECT:
            pos = _member(scan, pos, frame)
        else:
            pos = _item(scan, pos, frame)
    return pos


def _member(scan: Scan, pos: int, frame: Frame) -> int:
    """One member, up to the end of its value or into its container; or the closer."""
    pos = plain.members(scan, pos, frame)
    if frame.after or scan.frame is not frame:
        return pos
    text = scan.text
    pos = _skip_commas(scan, skip(text, pos, scan.log, frame), frame)
    if pos >= len(text) or END.match(text, pos):
        return brackets.end(scan, pos, frame)
    if text[pos] in CLOSERS:
        return brackets.closing(scan, pos, frame)
    if text[pos] == "{" and not frame.value:
        return brackets.double(scan, pos, frame)
    if not frame.value and frame.closer == "}" and _may_be_set(frame) and _SET.match(text, pos):
        scan.log.note("python-container", (frame.start, frame.start + 1), "[", at=frame)
        frame.kind, frame.value = ARRAY, []
        return pos
    frame.naming = True
    pos, frame.key = _key(scan, pos, frame)
    frame.naming = False
    _check_key(frame, pos)
    pos = skip(text, pos, scan.log, frame)
    pos = _colon(scan, pos, frame)
    return _value(scan, skip(text, pos, scan.log, frame), frame)


def _check_key(frame: Frame, pos: int) -> None:
    """Refuse a key with a backslash or a line break in it that is none of those declared, however it is spelt."""
    known = frame.shape.properties
    if known and _ODD_KEY.search(frame.key) and "".join(frame.key.split()) not in known:
        raise Unreadable("ambiguous", pos, "a key that is not declared, with a backslash or a line break in it")


def _key(scan: Scan, pos: int, frame: Frame) -> tuple[int, str]:
    text = scan.text
    if strings.starts(text, pos):
        lost = lost_quote(scan, pos, frame)
        if lost and lost["opener"] and text[lost.end("name") : lost.end("name") + 1] not in ('"', "'", "”"):
            scan.lost = lost.end("name")
            scan.log.note("missing-quote", (scan.lost, scan.lost), '"', at=frame)
            return scan.lost, lost["name"]
        return strings.key(scan, pos)
    lost = lost_quote(scan, pos, frame)
    if lost and not lost["opener"]:
        scan.log.note("missing-quote", (pos, pos), '"', at=frame)
        return lost.end("name") + 1, lost["name"]
    if text[pos] in "uU" and text[pos + 1 : pos + 2] in ('"', "'"):
        scan.log.note("python-literal", (pos, pos + 1), "", at=frame)
        return strings.key(scan, pos + 1)
    match = _BARE_KEY.match(text, pos)
    if match is None:
        raise Unreadable("not_json", pos, "a key was expected")
    name = match[0]
    if " " in name and name not in frame.shape.properties:
        raise Unreadable("not_json", pos, "a key without quotes that is not declared")
    scan.log.note("bare-key", match.span(), f'"{name}"', at=frame)
    return match.end(), name


def _colon(scan: Scan, pos: int, frame: Frame) -> int:
    text = scan.text
    match = COLON.match(text, pos)
    if match:
        if match[0] != ":":
            scan.log.note("punctuation", match.span(), ":", at=frame)
        return match.end()
    if pos >= len(text) or END.match(text, pos):
        brackets.cut(scan, "after a key")
    known = frame.shape.properties
    if _VALUE_START.match(text, pos) and (frame.key in known or not known):
        if gaps.is_torn_at_colon(scan, pos):
            raise Unreadable("ambiguous", pos, "more than a colon is missing before this value")
        scan.log.note("missing-colon", (pos, pos), ":", at=frame, inside=True)
        return pos
    raise Unreadable("not_json", pos, "a colon was expected")


def _item(scan: Scan, pos: int, frame: Frame) -> int:
    """One item, up to its end or into its container; or the closer."""
    text = scan.text
    if frame.closer == "]":
        pos = plain.items(scan, pos, frame)
        if frame.after or scan.frame is not frame:
            return pos
    pos = skip(text, pos, scan.log, frame)
    if pos >= len(text) or END.match(text, pos):
        return brackets.end(scan, pos, frame)
    if text[pos] in CLOSERS:
        return brackets.closing(scan, pos, frame)
    if COMMA.match(text, pos):
        raise Unreadable("ambiguous", pos, "an item is missing between two commas")
    if (strings.starts(text, pos) or _is_bare_member(scan, pos, frame)) and (
        switched := _is_member(scan, pos, frame)
    ) is not None:
        return switched
    return _value(scan, pos, frame)


def _is_bare_member(scan: Scan, pos: int, frame: Frame) -> bool:
    """Whether a member of the object around the list begins here, its declared key without quotes."""
    parent = frame.parent
    if parent is None or parent.kind is not OBJECT or not parent.shape.properties:
        return False
    return _BARE_KEY.match(scan.text, pos) is not None and key_at(scan, pos, parent, declared=True)


def _is_member(scan: Scan, pos: int, frame: Frame) -> int | None:
    """A member where an item belongs: the array was not closed, or it was to be an object."""
    parent = frame.parent
    if not key_at(scan, pos, Frame(OBJECT, {}, frame.shape, "", None, None, 0), declared=False):
        return None
    if not frame.value and frame.shape.only("object"):
        scan.log.note("wrong-bracket", (frame.start, frame.start + 1), "{", at=frame)
        frame.kind, frame.value = OBJECT, {}
        return pos
    if frame.value and parent is not None and parent.kind is OBJECT and key_at(scan, pos, parent, declared=True):
        if gaps.is_torn_at_comma(scan, pos, parent):
            raise Unreadable("ambiguous", pos, "more than a closing bracket is missing before this member")
        brackets.insert(scan, pos, frame)
        brackets.close(scan, pos)
        parent.after = False
        return pos
    raise Unreadable("ambiguous", pos, "a member inside a list: a list of objects or an object?")


def _value(scan: Scan, pos: int, frame: Frame) -> int:
    text = scan.text
    if pos >= len(text) or END.match(text, pos):
        brackets.cut(scan, "before a value")
    char = text[pos]
    if char in OPENERS:
        whole = plain.value_at(scan, pos)
        if whole is not None:
            brackets.store(scan, frame, whole[1], pos)
            return whole[0]
        return plain.enter(scan, pos, place(scan))
    if char in CLOSERS or COMMA.match(text, pos):
        raise Unreadable("not_json", pos, "a value is missing")
    if char in "uU" and text[pos + 1 : pos + 2] in ('"', "'"):
        scan.log.note("python-literal", (pos, pos + 1), "", at=frame)
        pos, char = pos + 1, text[pos + 1]
    if strings.starts(text, pos):
        end, value = strings.string(scan, pos)
        if frame.kind is OBJECT and place(scan).only("array", "null") and _is_list(scan, end, frame):
            _missing_bracket(scan, pos, frame, value)
            return end
    else:
        end, value = scalar(scan, pos)
    if value is not ABSENT:
        brackets.store(scan, frame, value, pos)
    elif frame.kind is ARRAY and end < len(text):
        raise Unreadable("not_json", pos, "undefined inside a list")
    frame.after = True
    return end


def _is_list(scan: Scan, pos: int, frame: Frame) -> bool:
    """Whether what follows a string goes on as a list whose opening bracket is missing."""
    text = scan.text
    pos = peek(text, pos)
    if text[pos : pos + 1] == "]":
        return not any(one.closer == "]" for one in brackets.around(frame))
    if text[pos : pos + 1] != ",":
        return False
    after = peek(text, pos + 1)
    return text[after : after + 1] in ('"', "'") and not key_at(scan, after, frame, declared=False)


def _missing_bracket(scan: Scan, pos: int, frame: Frame, first: Json) -> None:
    if isinstance(first, str) and first.lstrip().startswith("["):
        raise Unreadable("ambiguous", pos, "a list whose bracket is missing, or the text of one and a bracket too many")
    scan.log.note("missing-opener", (pos, pos), "[", at=frame, inside=True)
    brackets.store(scan, brackets.open_frame(scan, ARRAY, "]", pos, place(scan)), first, pos)


def _after(scan: Scan, pos: int, frame: Frame) -> int:
    """What stands behind a value: a comma, the closer, or the next member without its comma."""
    behind = plain.after(scan, pos, frame)
    if behind is not None:
        return behind
    text = scan.text
    pos = skip(text, pos, scan.log, frame)
    if pos >= len(text) or END.match(text, pos):
        return brackets.end(scan, pos, frame)
    char = text[pos]
    if char in CLOSERS:
        return brackets.closing(scan, pos, frame)
    if char == ",":
        frame.after = False
        return _next(scan, pos + 1, pos, frame)
    if COMMA.match(text, pos):
        scan.log.note("punctuation", (pos, pos + 1), ",", at=frame)
        frame.after = False
        return _next(scan, pos + 1, pos, frame)
    object_goes_on = frame.kind is OBJECT and key_at(scan, pos, frame, declared=False)
    if object_goes_on or (frame.kind is ARRAY and char in "\"'{[-0123456789tfnTFN“„«「"):
        if gaps.is_torn_at_comma(scan, pos, frame):
            raise Unreadable("ambiguous", pos, "more than a comma is missing here")
        if _is_torn(scan, pos, frame):
            raise Unreadable("ambiguous", pos, "a comma is missing, and what follows is torn")
        scan.log.note("missing-comma", (pos, pos), ",", at=frame)
        frame.after = False
        return pos
    raise Unreadable("not_json", pos, "a comma or a closing bracket was expected")


def _is_torn(scan: Scan, pos: int, frame: Frame) -> bool:
    """Whether what follows a value without a comma has lost its beginning, or has the comma behind its quote."""
    if _TORN_KEY.match(scan.text, pos):
        return True
    if not scan.text[pos].isalnum() or scan.text[pos - 1].isspace():
        return False
    return not (frame.kind is OBJECT and key_at(scan, pos, frame, declared=True))


def _next(scan: Scan, pos: int, comma: int, frame: Frame) -> int:
    """Behind a comma; if nothing follows it, behind the closer."""
    at = skip(scan.text, pos, scan.log, frame)
    if scan.text[at : at + 1] in tuple(CLOSERS):
        rule = "trailing-comma" if not (frame.closer == ")" and frame.kind is ARRAY) else "python-container"
        scan.log.note(rule, (comma, comma + 1), "", at=frame)
        return brackets.closing(scan, at, frame)
    return at


def _skip_commas(scan: Scan, pos: int, frame: Frame) -> int:
    """Past commas that separate nothing in an object."""
    text = scan.text
    while (match := _COMMAS.match(text, pos)) is not None:
        count = len(match[0]) - sum(map(match[0].count, " \t\n\r"))
        scan.log.note("extra-comma", match.span(), "", at=frame, count=count)
        pos = skip(text, match.end(), scan.log, frame)
    return pos


def _may_be_set(frame: Frame) -> bool:
    if frame.parent is None and not frame.shape.only("array", "null"):
        return False
    return frame.shape.allows("array") and not frame.doubled
