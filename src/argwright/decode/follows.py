"""May a string end here? Looking ahead, without reading.

A quote ends a string if what follows can follow a string. Once a string is known to
hold a quote that nobody escaped (`inner`), only a follower that leaves no doubt
counts: a *declared* key after the comma, or closers that fit the open containers and
lead on. Every look is bounded by one key or by the depth, so reading stays linear.
"""

from __future__ import annotations

import re

from argwright.decode.blanks import END, WHITE, peek
from argwright.decode.scan import OBJECT, Frame, Scan
from argwright.possessive import compiled

COLON = compiled(r"=>|[:：=]")
COMMA = compiled(r"[,;，；]")
CLOSERS = "}])｝］"
_FULL_WIDTH = {"｝": "}", "］": "]"}

_QUOTED_KEY = compiled(
    r'"(?P<double>(?:[^"\\]|\\.){0,128}+)"'
    r"|'(?P<single>(?:[^'\\]|\\.){0,128}+)'"
    r"|`(?P<backtick>[^`\\\n]{0,128}+)`"
    r"|[“”„‟＂«»](?P<smart>[^“”„‟＂«»\n]{0,128}+)[“”„‟＂«»]"
    r"|‘(?P<curly>[^‘’\n]{0,128}+)’|「(?P<corner>[^「」\n]{0,128}+)」|『(?P<hollow>[^『』\n]{0,128}+)』"
)
_BARE_KEY = compiled(r"[\w$@][\w$@.\-]{0,127}+")
_LOST_QUOTE = compiled(r"""(?P<opener>["'“])?(?P<name>[\w$@.\-]{1,128}+)(?(opener)\s*[:：]|["'”]\s*[:：])""")
_VALUE_START = compiled(r"""["'“`\[{(\-+.\d]|true|false|null|True|False|None""")


def closer(char: str) -> str:
    """A closing bracket in its ASCII form."""
    return _FULL_WIDTH.get(char, char)


def key_at(scan: Scan, pos: int, frame: Frame, *, declared: bool) -> bool:
    """Whether a member begins here: a key and its colon; with `declared`, one that the schema names."""
    text, known = scan.text, frame.shape.properties
    match = _QUOTED_KEY.match(text, pos)
    if match:
        name = match[match.lastgroup or 0]
        after = peek(text, match.end())
        if COLON.match(text, after):
            return name in known if declared and known else True
        if declared or (name in known and _VALUE_START.match(text, after)):
            return not declared
        return bool(known) and lost_quote(scan, pos, frame) is not None
    match = _BARE_KEY.match(text, pos)
    if match and COLON.match(text, peek(text, match.end())):
        return match[0] in known if declared and known else True
    return lost_quote(scan, pos, frame) is not None


def lost_quote(scan: Scan, pos: int, frame: Frame) -> re.Match[str] | None:
    """A declared key with one of its quotes and its colon: `city":` or `"city:`."""
    match = _LOST_QUOTE.match(scan.text, pos)
    known = frame.shape.properties
    return match if match and (match["name"] in known or not known) else None


def white(text: str, pos: int) -> int:
    """Past JSON's own white space only: what looks like a comment may belong to the text."""
    return WHITE.match(text, pos).end()  # type: ignore[union-attr]  # matches the empty string too


def clean(text: str, pos: int) -> bool:
    """Whether nothing but blanks, closing tags, fences and special tokens is left."""
    while (pos := white(text, pos)) < len(text):
        match = END.match(text, pos)
        if match is None:
            return False
        pos = match.end()
    return True


def ends_string(scan: Scan, pos: int, *, inner: bool) -> bool:
    """Whether a string that is being read in `scan.frame` may end before `pos`."""
    text, frame = scan.text, scan.frame
    at = white(text, pos) if inner else peek(text, pos)
    if at >= len(text):
        return white(text, pos) >= len(text)
    if frame is None or END.match(text, at):
        return clean(text, at) if inner or frame is None else True
    char = text[at]
    if char in CLOSERS:
        return not inner or _closers_lead_on(scan, at)
    if COMMA.match(text, at):
        return _comma_leads_on(scan, at + 1, frame, inner=inner)
    if char == "+" and not inner:
        return text[peek(text, at + 1) :][:1] in ('"', "'")
    if frame.kind is OBJECT:
        return at > pos and key_at(scan, at, frame, declared=inner)
    return at > pos and char in "\"'{[“„«「" and not inner


def _comma_leads_on(scan: Scan, pos: int, frame: Frame, *, inner: bool) -> bool:
    text = scan.text
    at = peek(text, pos)
    while at < len(text) and COMMA.match(text, at):
        at = peek(text, at + 1)
    if at >= len(text) or END.match(text, at):
        return True
    char = text[at]
    if char in CLOSERS:
        return not inner or _closers_lead_on(scan, at)
    if frame.kind is not OBJECT:
        return not inner or char in "\"'“„«「"
    if key_at(scan, at, frame, declared=inner):
        return True
    if inner:
        return False
    return char in ".…" or (char in "\"'" and frame.shape.member(frame.key).only("array", "null"))


def _closers_lead_on(scan: Scan, pos: int) -> bool:
    """Whether the closers here fit the open containers, and what follows them goes on."""
    text, frame = scan.text, scan.frame
    while frame is not None and pos < len(text) and text[pos] in CLOSERS:
        if closer(text[pos]) != frame.closer:
            return False
        frame, pos = frame.parent, white(text, pos + 1)
    if frame is None:
        return clean(text, pos)
    if pos >= len(text) or END.match(text, pos):
        return True
    if not COMMA.match(text, pos):
        return False
    pos = white(text, pos + 1)
    if pos < len(text) and text[pos] in CLOSERS:
        return True
    return (
        key_at(scan, pos, frame, declared=True)
        if frame.kind is OBJECT
        else text[pos : pos + 1] in tuple("\"'{[(-0123456789tfnTFN")
    )
