"""What stands behind the object, and what text beside it may say.

Noise is passed over: closing tokens, closers that close nothing, a sentence. What may
belong into the object is not noise: text that goes on with a comma, a quote or a
digit, that names a declared field, that is another call. Then the end of the object is
not certain, and it is refused.
"""

from __future__ import annotations

import re

from argwright.decode import brackets, containers
from argwright.decode.blanks import END, peek, skip
from argwright.decode.follows import key_at
from argwright.decode.scan import OBJECT, Frame, Scan, Unreadable
from argwright.model import Json
from argwright.possessive import compiled

FENCE = compiled(r"(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)|(?P<object>[{｛])")
"""A fence with its language, or a brace."""

PLAUSIBLE = compiled(
    r"[{｛](?:\s|\\[nrt]|//[^\n]*|/\*.*?\*/|#[^\n]*)*+"
    r"(?:\Z|(?:,\s*+)?[\"'“]|[”„‟＂«「『‘’‚‛＇`{｛}｝]|[uU][\"']|<\||<escape>|\\\"|&quot;"
    r"|[\w$@][\w$@.\- ]{0,60}[\"']?\s*(?:[:：]|=>|=))",
    re.DOTALL,
)
"""A brace that an object can begin with, and not a placeholder in a sentence."""

TAGGED = compiled(
    r"<(?:\w+[:|])?(?:parameter|param|arg_key|arg_value|argument|invoke|function|tool)\b(?!>\s*[{`])|<[|｜]\w*ML"
    r"|<\|open\|>(?:call|argument)"
)
"""A tag that names a tool or a parameter: a call in a text dialect."""

_REST = compiled(r"\s*(?:[:,}\]]|[\w$@.-]*'\s*[:=,])")
_IN_MEMBER = compiled(r"[,{]\s*\"[^\"]*\"\s*[:=]\s*\Z")
_QUOTE = compiled(r"(?<!\\)\"(?P<member>\s*[:=,])?")
_MAX_OBJECTS = 16  # objects in one text that are compared; a stream that repeats itself sends two or three
_GOES_ON = compiled(r"[,:=，：\"'“”‘’\\]|[-+.]?\d|[;；]\s*+\S")
_FIELD = compiled(r"(?<![\w$@.-])([\w$@.-]{1,128}+)[\"'”\\]*+\s*+[:：=]\s*+(.?)")
_CALL = compiled(r"(?<![\w.])[A-Za-z_][\w.]*\([^()]*[='\"{]")
_QUOTED_END = compiled(r"[\"'”][\s}\]]*[}\]][\s}\]]*\Z")
_CLOSERS = compiled(r"[\s}\])]*\Z")
_LEADING_CLOSERS = compiled(r"[\s}\])]*+")
_QUOTED_CLOSER = compiled(r"\"\s*\}\s*\Z")
_OPEN_TEXT = compiled(r"(?:[\s(\[{=:,]|(?<!\\)\")\"[\s}\]]*\Z")


def read(scan: Scan, pos: int, value: Json) -> Json:
    """The value, once all that stands behind it leaves no doubt."""
    text = scan.text
    objects = 1
    while (pos := skip(text, pos, scan.log)) < len(text):
        if (match := END.match(text, pos)) is not None:
            scan.log.note("fence" if text[pos] in "`~" else "special-token", match.span(), "")
            pos = match.end()
            continue
        if scan.inner:
            raise Unreadable("ambiguous", pos, "the object holds unescaped quotes and its end is not clear")
        if (resumed := _early_close(scan, pos, value)) is not None:
            pos, value = resumed
        elif _are_closers(scan, pos, value):
            return value
        elif text[pos] in "{｛" and PLAUSIBLE.match(text, pos):
            objects += 1
            if objects > _MAX_OBJECTS:
                raise Unreadable("several_values", pos, "more objects than are compared")
            pos, value = _another(scan, pos, value)
        else:
            pos = _prose(scan, pos)
    return value


def names_field(scan: Scan, start: int, end: int) -> int | None:
    """Where a sentence gives a declared field a value: `n=5`, `city: Oslo`; a label before the object is none."""
    known = scan.shape.properties
    for match in _FIELD.finditer(scan.text, start, end):
        if match[1] in known and match[2] not in ("", "{", "[", "`"):
            return match.start()
    return None


def is_rest(text: str, start: int, end: int) -> bool:
    """Whether the text before an object is the end of another, whose beginning was lost: `ard": `, `"x", "card": `."""
    quotes = list(_QUOTE.finditer(text, start, end))
    inside = len(quotes) % 2 == 1 and any(quote["member"] for quote in quotes)
    in_member = _IN_MEMBER.search(text, max(start, end - 200), end)
    return inside or in_member is not None or _REST.match(text, start, end) is not None


def _early_close(scan: Scan, pos: int, value: Json) -> tuple[int, Json] | None:
    """More members behind the closing brace: the object was closed too early."""
    text = scan.text
    if text[pos] != "," or not isinstance(value, dict) or scan.inserted:
        return None
    known = scan.shape.properties
    if known and not value.keys() <= known.keys():
        return None  # what closed may be a member's own object, whose beginning was lost
    at = peek(text, pos + 1)
    top = Frame(OBJECT, value, scan.shape, "}", None, None, pos)
    if text[at : at + 1] not in ('"', "'") or not key_at(scan, at, top, declared=True):
        return None
    scan.log.note("early-close", (pos, pos + 1), ",")
    return containers.members(scan, at, "}", value)


def _are_closers(scan: Scan, pos: int, value: Json) -> bool:
    """Whether only closers follow that close nothing; a quote among them is one only behind a text that is whole."""
    text = scan.text
    if _QUOTED_CLOSER.match(text, pos):
        if _OPEN_TEXT.search(text, max(0, pos - 40), pos):
            raise Unreadable("ambiguous", pos, "the last text ends here, or at the quote behind it")
    elif not _CLOSERS.match(text, pos):
        return False
    if scan.inserted or brackets.is_mixed(value):
        raise Unreadable("ambiguous", pos, "brackets are mixed up")
    scan.log.note("extra-closer", (pos, len(text)), "")
    return True


def _another(scan: Scan, pos: int, value: Json) -> tuple[int, Json]:
    """A further object: the same again, or the real one behind an empty one."""
    end, other = containers.container(scan, pos)
    if _same(value, other):
        scan.log.note("repeated-object", (pos, end), "")
        return end, value
    if value == {}:
        scan.log.note("glued-prefix", (0, pos), "")
        return end, other
    raise Unreadable("several_values", pos, "a second object that differs from the first", (value, other))


def _same(one: Json, other: Json) -> bool:
    """JSON equality: the order of members does not count, the type of a number does."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(item, other[key]) for key, item in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _closes_more(text: str, pos: int, end: int) -> bool:
    """Whether words behind the object close brackets that they did not open: `}l}`."""
    pos = _LEADING_CLOSERS.match(text, pos, end).end()  # type: ignore[union-attr]  # matches the empty string too
    opened = text.count("{", pos, end) + text.count("[", pos, end)
    return text.count("}", pos, end) + text.count("]", pos, end) > opened


def _prose(scan: Scan, pos: int) -> int:
    """Past text that is no object, up to the next object or marker."""
    text = scan.text
    end = pos + 1
    while end < len(text):
        match = FENCE.search(text, end)
        end = match.start() if match else len(text)
        if match is None or not match["object"] or PLAUSIBLE.match(text, end):
            break
        end += 1
    if (
        _GOES_ON.match(text, pos, end)
        or _QUOTED_END.search(text, max(pos, end - 200), end)
        or ("bare-value" in scan.log.rules and _closes_more(text, pos, end))
    ):
        raise Unreadable("ambiguous", pos, "behind the object stands what may belong into it")
    if names_field(scan, pos, end) is not None:
        raise Unreadable("ambiguous", pos, "behind the object stands the name of a declared field")
    if TAGGED.search(text, pos, end) or _CALL.search(text, pos, end):
        raise Unreadable("several_values", pos, "behind the object stands another call")
    scan.log.note("extra-closer" if _CLOSERS.match(text, pos, end) else "prose", (pos, end), "")
    return end
