r"""What the backslashes of a string mean.

A backslash that JSON forbids (`\d`, `\U`) shows that nobody escaped this string:
then all its backslashes stand for themselves, those that look valid (`\b`) too. A
backslash before a quote always ends as the quote and shows nothing. `\\` beside a
forbidden one, or a backslash before a letter that no path or pattern has, leaves
two readings: refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from argwright.decode.scan import Scan, Unreadable
from argwright.decode.strict import SURROGATE, string_body

_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_CODE = re.compile(r"\\u[0-9a-fA-F]{4}")
_PATH = re.compile(r"[A-Za-z]:\\|\\\\?[\w.$?-]+\\|\.{1,2}\\|%\w+%\\")
_JSON = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
_QUOTES = "\"'`"
_PYTHON = {**_JSON, "a": "\a", "v": "\v", "0": "\0"}


def read(scan: Scan, start: int, end: int, inner: list[int], *, python: bool) -> str:
    """The value of the string body `text[start:end]`.

    Args:
        scan: the run.
        start: behind the opening quote.
        end: before the closing quote.
        inner: where quotes stand in it that nobody escaped.
        python: it stands in quotes that JSON does not have, so Python's escapes count.
    """
    body = scan.text[start:end]
    controls = [match.start() for match in _CONTROL.finditer(body)]
    if controls:
        first = start + controls[0]
        after = repr(scan.text[first])[1:-1]
        _note(scan, "raw-control", (first, start + controls[-1] + 1), after=after, count=len(controls), first=first + 1)
    value = body if "\\" not in body else _unescape(scan, body, start, inner, python=python)
    return paired(scan, value, (start, end))


def _note(scan: Scan, rule: str, span: tuple[int, int], *, after: str, count: int, first: int) -> None:
    """Record what was done in `count` places of one string; the first ends at `first`."""
    scan.log.note(rule, span, after, at=scan.frame, inside=True, count=count, first=first)


def _unescape(scan: Scan, body: str, start: int, inner: list[int], *, python: bool) -> str:
    if not python and not inner:
        plain = _plain(body)
        if plain is not None:
            return plain
    known = _PYTHON if python else _JSON
    hexes = python or scan.is_python()
    most = scan.limits.max_repairs
    escapes = _ESCAPE.finditer(body)
    proof = list(islice((match for match in escapes if not _is_known(match[1], known, hexes=hexes)), most + 1))
    if len(proof) > most:
        raise Unreadable(
            "too_many_repairs", start + proof[0].start(), f"more than {most} backslashes that nobody escaped"
        )
    if proof and all(match[1] == "u" for match in proof) and _CODE.search(body):
        raise Unreadable("ambiguous", start + proof[0].start(), "a code that is broken, among others that are whole")
    if proof:
        if all(len(match[1]) > 1 for match in proof) and not _PATH.match(body):
            raise Unreadable(
                "ambiguous", start + proof[0].start(), "an escape of other languages: the character or its text?"
            )
        return _literal(scan, body, start, proof)
    apostrophes = body.count("\\'") if not python else 0
    if apostrophes:
        first = start + body.index("\\'")
        last = start + body.rindex("\\'") + 2
        _note(scan, "escaped-apostrophe", (first, last), after="'", count=apostrophes, first=first + 2)
    return "".join(_pieces(body, known))


def _plain(body: str) -> str | None:
    """The value of a body with valid escapes only; `None` also where a quote stands in it that does not delimit it."""
    try:
        value, end = string_body(body + '"')
    except ValueError:
        return None
    return value if end == len(body) + 1 else None


def _is_known(escape: str, known: dict[str, str], *, hexes: bool) -> bool:
    if len(escape) > 1:
        return escape[0] == "u" or hexes
    return escape in known or escape in _QUOTES


def _pieces(body: str, known: dict[str, str]) -> Iterator[str]:
    """The text and the characters between, escapes resolved."""
    pos = 0
    for match in _ESCAPE.finditer(body):
        yield body[pos : match.start()]
        escape = match[1]
        if len(escape) > 1:
            code = int(escape[1:], 16)
            yield chr(code) if code <= 0x10FFFF else "\ufffd"  # noqa: PLR2004  # the last code point
        else:
            yield known.get(escape, escape)
        pos = match.end()
    yield body[pos:]


def _literal(scan: Scan, body: str, start: int, proof: list[re.Match[str]]) -> str:
    """The body, its backslashes taken as they stand."""
    path = _PATH.match(body) is not None
    foreign = [match for match in proof if not match[1].isascii() and match[1].isalpha()]
    if foreign and not path:
        raise Unreadable("ambiguous", start + foreign[0].start(), "a lone backslash before a letter: dropped or meant?")
    doubled = body.find("\\\\", 0 if not path else 2)
    if doubled >= 0:
        raise Unreadable("ambiguous", start + doubled, "some backslashes are escaped and some are not")
    marks = [match for match in _ESCAPE.finditer(body) if match[1] not in _QUOTES]
    span = (start + marks[0].start(), start + marks[-1].end())
    after = marks[0][0].replace("\\", "\\\\")
    _note(scan, "literal-backslash", span, after=after, count=len(marks), first=start + marks[0].end())
    return re.sub(r"\\([\"'`])", r"\1", body)


def paired(scan: Scan, value: str, span: tuple[int, int]) -> str:
    """The text, surrogate halves in it joined; one that stays alone becomes U+FFFD."""
    if value.isascii() or not SURROGATE.search(value):
        return value
    joined = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\ufffd" in joined and joined.count("\ufffd") > value.count("\ufffd"):
        scan.log.note("lone-surrogate", span, "\ufffd", at=scan.frame, inside=True)
    return joined
