"""Strings, by their opening delimiter.

A string ends at the first quote of its kind that something can follow (`follows`);
the quotes before it belong to the text. Where that leaves a doubt the text is refused:
a declared key inside the string, two strings with an odd number of inner quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from argwright.decode import escapes
from argwright.decode.blanks import peek, skip
from argwright.decode.follows import COLON, COMMA, ends_string, key_at, white
from argwright.decode.scan import OBJECT, Frame, Scan, Unreadable
from argwright.possessive import compiled


@dataclass(frozen=True)
class _Style:
    """How strings of one delimiter are read: up to the next closing quote; the repair's name if it is not JSON's."""

    until: re.Pattern[str]
    rule: str | None
    python: bool = False


def _until(closers: str) -> re.Pattern[str]:
    return compiled(rf"[^\\{closers}]*+(?:\\.[^\\{closers}]*+)*+[{closers}]", re.DOTALL)


_SMART = "“”„‟＂«»"
_SINGLE_SMART = "‘’‚‛＇"
_STYLES = {
    '"': _Style(_until('"'), None),
    "'": _Style(_until("'"), "single-quotes", python=True),
    "`": _Style(_until("`"), "backtick-quotes", python=True),
    **dict.fromkeys(_SMART, _Style(_until("“”„‟＂»"), "smart-quotes")),
    **dict.fromkeys(_SINGLE_SMART, _Style(_until(_SINGLE_SMART), "smart-quotes")),
    "「": _Style(_until("」"), "smart-quotes"),
    "『": _Style(_until("』"), "smart-quotes"),
}
OPENERS = frozenset(_STYLES)

_PLAIN = compiled(r'"([^"\\\x00-\x1f]*+)"')
_TOKEN = compiled(r'<\|"\|?>|<escape>')
_TRIPLE = compiled(r"(\"\"\"(?!\")|'''(?!'))((?:[^\\]|\\.)*?)\1", re.DOTALL)
_COLON = " \t\r\n:："  # and blanks around it
_ADDED = compiled(r"\s*[+.%&]\s*[\"'“”`]")
_QUOTED = compiled(
    r"""["'“]([^"'“”\\]{1,128})["'”]\s*[:：]"""
    r"""|,\s*(?:["'“]([\w$@.\-]{1,128})|([\w$@.\-]{1,128})["'”])\s*[:：]"""  # one of its quotes lost
)


def starts(text: str, pos: int) -> bool:
    """Whether a string's delimiter stands here."""
    return text[pos : pos + 1] in OPENERS or _TOKEN.match(text, pos) is not None


def key(scan: Scan, pos: int) -> tuple[int, str]:
    """A key in quotes of any kind; it ends at the first one."""
    text = scan.text
    match = _PLAIN.match(text, pos)
    if match:
        return match.end(), escapes.paired(scan, match[1], match.span(1))
    return _one(scan, pos, whole=False)


def string(scan: Scan, pos: int) -> tuple[int, str]:
    """A value in quotes of any kind, and what is added to it by `+`."""
    text = scan.text
    match = _PLAIN.match(text, pos)
    if match and ends_string(scan, match.end(), inner=False):
        end, value = match.end(), escapes.paired(scan, match[1], match.span(1))
    else:
        end, value = _one(scan, pos, whole=True)
    while (
        (plus := peek(text, end)) < len(text) and text[plus] == "+" and text[peek(text, plus + 1) :][:1] in ('"', "'")
    ):
        follower = skip(text, plus + 1, scan.log, scan.frame)
        scan.log.note("concatenation", (end, follower), "", at=scan.frame, inside=True)
        end, more = _one(scan, follower, whole=True)
        value += more
        if scan.inner:
            raise Unreadable("ambiguous", plus, "a plus between strings, or inside one")
    return end, value


def _one(scan: Scan, pos: int, *, whole: bool) -> tuple[int, str]:
    text = scan.text
    token = _TOKEN.match(text, pos)
    if token:
        return _between_tokens(scan, token)
    triple = _TRIPLE.match(text, pos) if whole else None
    if triple and ends_string(scan, triple.end(), inner=True):
        scan.log.note("triple-quotes", triple.span(), '"', at=scan.frame)
        return triple.end(), escapes.read(scan, pos + 3, triple.end() - 3, [], python=True)
    if whole and text.startswith(('"""', "'''"), pos):
        raise Unreadable("ambiguous", pos, "three quotes that do not pair up")
    style = _STYLES[text[pos]]
    quote, inner = _closing(scan, pos + 1, style.until) if whole else (_next(scan, pos + 1, style.until), [])
    if quote < 0:
        return _unclosed(scan, pos, inner)
    _look_inside(scan, pos, quote, inner)
    if style.rule:
        scan.log.note(style.rule, (pos, quote + 1), '"', at=scan.frame)
    return quote + 1, escapes.read(scan, pos + 1, quote, inner, python=style.python)


def _next(scan: Scan, pos: int, until: re.Pattern[str]) -> int:
    """Where the next closing quote stands; -1 if there is none."""
    match = until.match(scan.text, pos)
    return match.end() - 1 if match else -1


def _closing(scan: Scan, pos: int, until: re.Pattern[str]) -> tuple[int, list[int]]:
    """Where the closing quote stands (-1 if nowhere), and the quotes before it that belong to the text."""
    inner: list[int] = []
    while (quote := _next(scan, pos, until)) >= 0:
        if ends_string(scan, quote + 1, inner=bool(inner)):
            return quote, inner
        inner.append(quote)
        if len(inner) > scan.limits.max_repairs:
            raise Unreadable("too_many_repairs", quote, "more quotes inside one string than can be told apart")
        pos = quote + 1
    return -1, inner


def _look_inside(scan: Scan, pos: int, quote: int, inner: list[int]) -> None:
    """Note the inner quotes of `text[pos + 1:quote]`, or refuse if the string could have ended elsewhere."""
    text, frame = scan.text, scan.frame
    apostrophes = [at for at in inner if text[at] in "'’" and text[at - 1].isalnum() and text[at + 1].isalnum()]
    doubtful = len(inner) - len(apostrophes)
    if doubtful and frame is not None:
        _check_place(scan, frame, (pos, quote), inner)
    if not inner:
        return
    if doubtful and (lone := _unpaired(text, pos, quote, inner)) is not None:
        raise Unreadable("ambiguous", lone, "a quote inside the text that may also be its end")
    span, after = (inner[0], inner[-1] + 1), "\\" + text[inner[0]]
    scan.log.note("inner-quote", span, after, at=frame, inside=True, count=len(inner), first=inner[0] + 1)
    if doubtful:
        scan.inner += 1
        scan.odd += doubtful % 2
        if scan.odd > 1:
            raise Unreadable("ambiguous", inner[0], "quotes inside two texts do not pair up")


def _check_place(scan: Scan, frame: Frame, span: tuple[int, int], inner: list[int]) -> None:
    """Refuse inner quotes where the next member or item of the container may have begun at one of them."""
    text, (pos, quote) = scan.text, span
    if frame.kind is not OBJECT:
        if (wide := next((at for at in inner[1::2] if text[at - 1].isspace()), None)) is not None:
            raise Unreadable("ambiguous", wide, "a quote inside the text, or the beginning of the next item")
        return
    known = frame.shape.properties
    if known and frame.key not in known:
        raise Unreadable("ambiguous", inner[0], "a quote inside the text of a field that is not declared")
    if scan.lost >= 0 and text[scan.lost : pos].strip(_COLON) == "":
        raise Unreadable("ambiguous", inner[0], "a quote is missing, and others are not escaped")
    if known and any(match[match.lastindex or 0] in known for match in _QUOTED.finditer(text, pos + 1, quote)):
        raise Unreadable("ambiguous", inner[0], "the text holds quotes and the name of a declared field")
    if _are_side_by_side(text, inner):
        raise Unreadable("ambiguous", inner[0], "two strings side by side")


def _are_side_by_side(text: str, inner: list[int]) -> bool:
    """Whether the first inner quote may end a string behind which another begins."""
    first = inner[0]
    if text[first + 1].isspace():
        return text[white(text, first + 1)] in "\"'"
    return inner[1:] == [first + 1] and not (text[first - 1].isspace() or text[first + 2].isspace())


def _unpaired(text: str, pos: int, quote: int, inner: list[int]) -> int | None:
    """An inner quote that cannot open a quotation: it stands inside a word, or something structural follows it.

    Quotes in a text come in pairs, but for inches and seconds. A lost piece of the text leaves one that does not.
    """
    for at in inner[::2]:
        before, after = text[at - 1], text[at + 1]
        if _is_cased(before) and _is_cased(after):
            return at
        follower = white(text, at + 1)
        if text[follower] in "}]" or COMMA.match(text, follower) or COLON.match(text, follower):
            return at
    if _ADDED.match(text, inner[0] + 1):
        return inner[0]
    if len(inner) % 2 and (text.find('\\"', pos, quote) >= 0 or not text[inner[-1] - 1].isdigit()):
        return inner[-1]
    return None


def _is_cased(char: str) -> bool:
    """Whether the character belongs to a word of a script that puts blanks around its words."""
    return char.isalnum() and (char.isascii() or char.lower() != char.upper())


def _unclosed(scan: Scan, pos: int, inner: list[int]) -> tuple[int, str]:
    """A string without its closing quote: mended if the next declared key shows where it ended, else cut."""
    text, frame = scan.text, scan.frame
    if inner and frame is not None and frame.kind is OBJECT and frame.shape.properties:
        body = text[pos + 1 : inner[0]].rstrip()
        if (
            body[:-1].strip()
            and body.endswith(",")
            and "\\" not in body
            and key_at(scan, inner[0], frame, declared=True)
        ):
            body = body[:-1].rstrip()
            end = pos + 1 + len(body)
            scan.log.note("missing-quote", (end, end), '"', at=frame, inside=True)
            return end, escapes.read(scan, pos + 1, end, [], python=text[pos] != '"')
    if inner and text.rstrip().endswith(("}", "]")):
        raise Unreadable("ambiguous", inner[0], "quotes inside a text, and its end is not clear")
    if not scan.guess:
        raise Unreadable("truncated", len(text), "the text ends inside a string")
    body = re.sub(r"\\(?:u[0-9a-fA-F]{0,3})?\Z", "", text[pos + 1 :])
    scan.log.note("cut-closed", (len(text), len(text)), '"', at=frame, inside=True)
    return len(text), escapes.read(scan, pos + 1, pos + 1 + len(body), inner, python=text[pos] != '"')


def _between_tokens(scan: Scan, token: re.Match[str]) -> tuple[int, str]:
    """A string between two quote tokens of a chat template: nothing in it is escaped."""
    text = scan.text
    end = text.find(token[0], token.end())
    if end < 0:
        if not scan.guess:
            raise Unreadable("truncated", len(text), "the text ends inside a string")
        end = len(text)
        scan.log.note("cut-closed", (end, end), '"', at=scan.frame, inside=True)
    scan.log.note("quote-token", (token.start(), min(end + len(token[0]), len(text))), '"', at=scan.frame)
    value = escapes.paired(scan, text[token.end() : end], (token.end(), end))
    return min(end + len(token[0]), len(text)), value
