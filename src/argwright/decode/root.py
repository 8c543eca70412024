"""What stands around the arguments: fences, prose, reasoning, special tokens, the call written out.

`root` finds the one object among the noise and reads it. More than one object with
different members is refused (`several_values`); the text behind the object may not
look like the end of a string that was closed too early.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from argwright.decode import bare, behind, brackets, containers, plain, strings
from argwright.decode.behind import FENCE, PLAUSIBLE, TAGGED, names_field
from argwright.decode.blanks import END, INVISIBLE, peek, skip
from argwright.decode.follows import clean, key_at
from argwright.decode.scalars import ABSENT, scalar
from argwright.decode.scan import OBJECT, Frame, Log, Scan, Unreadable
from argwright.decode.strict import may_hold_surrogates, string_body
from argwright.model import Json
from argwright.possessive import compiled

_MAX_LAYERS = 4  # escapings of the whole text inside one another; three have been seen

_ANSWER = r"assistant(?:final|commentary[^{\[\n]{0,80}?)(?:json)?(?=\s*[{\[])"
_REASONING = tuple(
    (compiled(opener), compiled(closing))
    for opener, closing in (
        (
            r"(?i:<(?:\w+:)?(?:think|thinking|thought|reasoning|analysis)>)",
            r"(?i:</(?:\w+:)?(?:think|thinking|thought|reasoning|analysis)>)",
        ),
        (r"\[THINK\]", r"\[/THINK\]"),
        (r"◁think▷", r"◁/think▷"),
        (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
        (r"<\|channel\|>(?:analysis|thought)", r"<\|end\|>|<channel\|>|<\|start\|>"),
        (r"analysis(?=[^\W\d_a-z])", _ANSWER),
        (r"analysis(?=[^\w])", _ANSWER),
    )
)
"""Openers and closers; the last opener may be a word of plain prose."""

_REASONING_STARTS = ("<", "[", "◁", "a")
_LATE_THINK = compiled(r"</(?:\w+:)?(?:think|thinking)>", re.IGNORECASE)
_LABEL = compiled(r"(?:(?<![\w$@.-])([\w$@.-]{1,128}+)[\"'”]?\s*[:：=]|<([\w.-]{1,128}+)>)\s*\Z")
_LONGEST_LABEL = 140
_NAME = compiled(r"[\w$@.\- ]+")
_NOTHING = compiled(rf"[\s{INVISIBLE}]*+\Z")
_OPENING = compiled(r"<[A-Za-z_][\w-]{0,40}>|<\|[A-Za-z_]\w{0,40}>|<s>")
_GLUED = compiled(r"(?:(?:null|None|\{\s*+\}|\"\")\s*+)+(?=[{｛])")
_GLUED_STARTS = ("n", "N", "{", '"')
_DATA = frozenset({"", "json", "json5", "jsonc", "jsonl", "javascript", "js", "tool_code", "tool_call", "tool"})
_ESCAPED = compiled(r"[{\[]\s*(?:\\[nrt]\s*)*\\\"")
_HTML = compiled(r"[{\[]\s*&(?:quot|apos|#34|#39|#x22|#x27);")
_LITERAL = compiled(r"(?:true|false|null|True|False|None|NaN|-?Infinity|[-+]?[\d.][\w.+-]*)\s*\Z")
_CALL = compiled(
    r"(?P<list>\[\s*)?(?P<print>print\(\s*)?(?:(?:default_api|functions|tools)[.:])?(?P<name>[^\W\d][\w.\-]*)\s*\(\s*"
)
_BRACE_CALL = compiled(r"(?:call:|<function=)(?P<name>[^\W\d][\w.\-]*)\s*>?\s*(?=\{)")
_KEYWORD = compiled(r"[^\W\d]\w*\s*[=:]")
_ONE_STRING = compiled(r"[\"'“][^\"'“”\\]*+(?:\\.[^\"'“”\\]*+)*+[\"'”]", re.DOTALL)


def root(scan: Scan, tool: str | None, layer: int = 0) -> Json:
    """The value of the whole text; `tool` is the called tool's name, if known."""
    text = scan.text
    pos = _late_reasoning(scan, _lead(scan, 0))
    if pos >= len(text):
        reason = "empty" if _NOTHING.match(text) else "not_json"
        raise Unreadable(reason, pos, "nothing stands where the arguments belong")
    whole = _unescaped(scan, pos, layer)
    if whole is not None:
        return _again(scan, whole, tool, layer)
    called = _call(scan, pos, tool)
    if called is not None:
        end, value = called
    else:
        end, value = _first(scan, pos)
    value = behind.read(scan, end, value)
    brackets.check_fields(scan, value)
    return value


def _lead(scan: Scan, pos: int) -> int:
    """Past blanks, opening tokens, reasoning and an empty object glued before the arguments."""
    text, log = scan.text, scan.log
    while True:
        pos = skip(text, pos, log)
        end = _reasoning(scan, pos)
        if end is None and text[pos : pos + 1] in _GLUED_STARTS and (match := _GLUED.match(text, pos)) is not None:
            log.note("glued-prefix", match.span(), "")
            end = match.end()
        if end is None and (match := END.match(text, pos) or _OPENING.match(text, pos)) is not None:
            if text[pos] in "`~":
                return pos
            if TAGGED.match(text, pos):
                return pos
            if match[0][1:-1] in scan.shape.properties:
                raise Unreadable(
                    "ambiguous", pos, "a tag with the name of a declared field: its value, or the arguments"
                )
            log.note("special-token", match.span(), "")
            end = match.end()
        if end is None:
            return pos
        pos = end


def _reasoning(scan: Scan, pos: int) -> int | None:
    """Behind the reasoning that begins here."""
    text = scan.text
    for opener, closing in _REASONING if text[pos : pos + 1] in _REASONING_STARTS else ():
        match = opener.match(text, pos)
        if match:
            close = closing.search(text, match.end())
            if close:
                end = close.start() if close[0] == "<|start|>" else close.end()
                scan.log.note("reasoning", (pos, end), "")
                return end
            if opener is not _REASONING[-1][0]:
                raise Unreadable("truncated", len(text), "the text ends inside the reasoning")
    return None


def _late_reasoning(scan: Scan, pos: int) -> int:
    """Behind reasoning whose beginning stood in the prompt."""
    text = scan.text
    if pos < len(text) and text[pos] not in "{[\"'(" and (late := _LATE_THINK.search(text, pos)) is not None:
        scan.log.note("reasoning", (pos, late.end()), "")
        return _lead(scan, late.end())
    return pos


def _unescaped(scan: Scan, pos: int, layer: int) -> tuple[str, str, int] | None:
    """The text without one layer of escaping, if the whole of it was escaped; with the rule and where it began."""
    text = scan.text
    if layer >= _MAX_LAYERS or text[pos] not in "{[":
        return None
    if _HTML.match(text, pos) and not any(char in text for char in '"<>'):
        return html.unescape(text[pos:]), "html-escaped", pos
    if _ESCAPED.match(text, pos):
        body = text[pos:]
        if (len(body) - len(body.rstrip("\\"))) % 2:
            body = body[:-1]
        try:
            inner, end = string_body(body + '"')
        except ValueError:
            return None
        if end == len(body) + 1:
            return inner, "escaped-quotes", pos
    return None


def _again(scan: Scan, whole: tuple[str, str, int], tool: str | None, layer: int) -> Json:
    """Read what stands under one layer of escaping; its repairs are placed where the layer began."""
    inner, rule, pos = whole
    span = (pos, len(scan.text))
    scan.log.note(rule, span, inner)
    sub = Scan(inner, scan.shape, scan.limits, Log(inner, scan.limits), ended=scan.ended, guess=scan.guess)
    sub.log.choices = scan.log.choices
    sub.strict_left = 0 if scan.strict_left == 0 or may_hold_surrogates(inner) else len(inner)
    try:
        return root(sub, tool, layer + 1)
    except Unreadable as fault:
        at = len(scan.text) if fault.position >= len(inner) else pos
        raise Unreadable(fault.reason, at, fault.message, fault.readings) from None
    finally:
        for key, entry in sub.log.entries.items():
            entry.start, entry.end = span
            scan.log.entries[layer, *key] = entry


def _call(scan: Scan, pos: int, tool: str | None) -> tuple[int, Json] | None:
    """The arguments of one call written out: `name(key=value)`, `name({…})`, `call:name{…}`."""
    text = scan.text
    if text[pos] in "{`\"'":
        return None
    match = _BRACE_CALL.match(text, pos)
    if match:
        _check_name(match, tool)
        scan.log.note("call-notation", match.span(), "")
        return containers.container(scan, match.end())
    match = _CALL.match(text, pos)
    if match is None or match["name"] == "print":
        return None
    start = match.end()
    if text[start : start + 1] == "{":
        opening = containers.container
    elif text[start : start + 1] == ")" or _KEYWORD.match(text, start):
        opening = None
    else:
        return None
    _check_name(match, tool)
    if opening is not None:
        end, value = opening(scan, start)
        end = _expect(scan, end, ")")
    else:
        end, value = containers.members(scan, start, ")", {})
    for bracket in (")" if match["print"] else "") + ("]" if match["list"] else ""):
        end = _expect(scan, end, bracket)
    scan.log.note("call-notation", (pos, end), "")
    return end, value


def _check_name(match: re.Match[str], tool: str | None) -> None:
    if tool is not None and match["name"] != tool:
        raise Unreadable("not_json", match.start("name"), f"the text calls {match['name'][:60]!r} and not this tool")


def _expect(scan: Scan, pos: int, bracket: str) -> int:
    pos = skip(scan.text, pos, scan.log)
    if scan.text[pos : pos + 1] == ",":
        pos = skip(scan.text, pos + 1, scan.log)
    if pos >= len(scan.text):
        raise Unreadable("truncated", pos, f"the text ends before {bracket!r}")
    if scan.text[pos] != bracket:
        raise Unreadable("several_values", pos, "something stands behind the first value of the call")
    return pos + 1


def _first(scan: Scan, pos: int) -> tuple[int, Json]:
    """The first value of the text: at its very beginning, or the first object in it."""
    text = scan.text
    char = text[pos]
    if char in "{｛" and PLAUSIBLE.match(text, pos):
        return _object(scan, pos)
    if char in "[［" or (char in "({" and scan.shape.only("array", "null")):
        return containers.container(scan, pos)
    if char == "(" and text[peek(text, pos + 1) :][:1] == "{":
        end, value = containers.container(scan, peek(text, pos + 1))
        scan.log.note("parentheses", (pos, pos + 1), "")
        return _expect(scan, end, ")"), value
    fenced = text.startswith("```", pos)
    if not fenced and strings.starts(text, pos) and (found := _quoted(scan, pos)) is not None:
        return found
    if not fenced and _LITERAL.match(text, pos):
        end, value = scalar(scan, pos)
        return end, None if value is ABSENT else value
    start = _search(scan, pos)
    if start is None:
        raise Unreadable("not_json", pos, "no JSON object stands here")
    return _object(scan, start)


def _object(scan: Scan, pos: int) -> tuple[int, Json]:
    """The object at `pos`: at once, if only one thing is wrong with it throughout, else piece by piece."""
    whole = bare.read(scan, pos) or plain.but_for_last_comma(scan, pos) or plain.value_at(scan, pos)
    if whole is not None:
        return whole
    known = plain.strict_members(scan, pos)
    return containers.container(scan, pos) if known is None else containers.resumed(scan, pos, *known)


def _quoted(scan: Scan, pos: int) -> tuple[int, Json] | None:
    """A text that begins with a quote: members whose opening brace is missing, or one string."""
    text = scan.text
    known = scan.shape.properties
    top = Frame(OBJECT, {}, scan.shape, "}", None, None, pos)
    if text[pos] in "\"'“" and key_at(scan, pos, top, declared=True):
        scan.log.note("missing-opener", (pos, pos), "{")
        return containers.members(scan, pos, "}", {})
    if (whole := plain.but_for_opener(scan, pos)) is not None and _are_members(whole[1], known):
        scan.log.note("missing-opener", (pos, pos), "{")
        return whole
    if PLAUSIBLE.search(text, pos) and not PLAUSIBLE.match(text, peek(text, pos + 1)):
        end, _ = _try_string(scan, pos)
        if end is None:
            return None
    if known and scan.shape.only("string"):
        return None
    return strings.string(scan, pos)


def _are_members(found: Mapping[str, Json], known: Mapping[str, Any]) -> bool:
    """Whether one of the keys is declared and none holds a sign that has strayed into it."""
    return not known.keys().isdisjoint(found) and all(map(_NAME.fullmatch, found))


def _try_string(scan: Scan, pos: int) -> tuple[int | None, str]:
    """Where the string at `pos` ends if nothing but noise without objects follows its first closing quote."""
    text = scan.text
    match = _ONE_STRING.match(text, pos)
    return (match.end(), match[0]) if match and clean(text, match.end()) else (None, "")


def _search(scan: Scan, pos: int) -> int | None:
    """The next place where an object begins, outside of fences that hold code; what is passed over is noted."""
    text, start = scan.text, pos
    while (match := FENCE.search(text, pos)) is not None:
        if match["object"]:
            if PLAUSIBLE.match(text, match.start()):
                _check_lead(scan, start, match.start())
                if text[start : match.start()].strip():
                    scan.log.note("prose", (start, match.start()), "")
                return match.start()
            pos = match.end()
            continue
        _check_tag(scan, start, match.start())
        if text[start : match.start()].strip():
            scan.log.note("prose", (start, match.start()), "")
        if match["language"].lower() in _DATA:
            scan.log.note("fence", match.span(), "")
            pos = start = match.end()
            if text.startswith("[", at := peek(text, pos)):
                return at
            continue
        closing = text.find(match["fence"], match.end())
        if closing < 0:
            return None
        pos = closing + len(match["fence"])
        scan.log.note("prose", (match.start(), pos), "")
        start = pos
    return None


def _check_tag(scan: Scan, start: int, end: int) -> None:
    """Refuse text that is a call in a text dialect: a fence or an object behind its tag stands in one of its values."""
    tag = TAGGED.search(scan.text, start, end)
    if tag is not None:
        raise Unreadable("not_json", tag.start(), "a call in a text dialect, and no JSON object")


def _check_lead(scan: Scan, start: int, end: int) -> None:
    """Refuse text before the object that is a call, gives a declared field a value, or is an object's own rest."""
    _check_tag(scan, start, end)
    field = names_field(scan, start, end)
    if field is not None:
        raise Unreadable("ambiguous", field, "before the object stands a value for a declared field")
    label = _LABEL.search(scan.text, max(start, end - _LONGEST_LABEL), end)
    name = (label[1] or label[2]) if label else ""
    if label and name in scan.shape.properties and (label[2] or scan.shape.member(name).allows("object")):
        raise Unreadable("ambiguous", label.start(), "the object of a declared field, or the arguments")
    if behind.is_rest(scan.text, start, end):
        raise Unreadable("ambiguous", start, "the text begins in the middle of an object")
