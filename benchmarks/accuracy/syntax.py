"""Damage to the notation: the text is no longer JSON, or no longer says the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Damaged, Operator, Subject, is_number, types
from benchmarks.accuracy.pieces import COMPACT, INDENTED, LAYOUTS, SPACED, Piece, change, join, places, write

_NAME = re.compile(r"[A-Za-z_]\w*")
_BARE = re.compile(r"[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*)*")
_WORDS = frozenset({"true", "false", "null", "none", "nan", "infinity", "undefined"})
_STRUCTURE_BEHIND = re.compile(r'"\s*[,:}\]]|"$')
_FORBIDDEN_ESCAPE = re.compile(r'\\[^"\\/bfnrtu]|\\u(?![0-9a-fA-F]{4})')


def _pieces(dice: Dice, subject: Subject, *layouts: str) -> list[Piece]:
    return write(subject.arguments, dice.one(layouts or LAYOUTS))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def valid(dice: Dice, subject: Subject) -> Damaged:
    return Damaged(join(write(subject.arguments, dice.one(LAYOUTS), ascii_only=dice.chance(0.2))))


def trailing_comma(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    ends = [index for index in places(pieces, "}", "]") if pieces[index - 1].kind not in "{["]
    if not ends:
        return None
    before = dice.one(ends) - 1
    return Damaged(join(change(pieces, before, pieces[before].text + ",")))


def doubled_comma(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    commas = [index for index in places(pieces, ",") if pieces[index].inside == "{"]
    return Damaged(join(change(pieces, dice.one(commas), ",,"))) if commas else None


def missing_comma(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED, INDENTED)
    commas = places(pieces, ",")
    return Damaged(join(change(pieces, dice.one(commas), ""))) if commas else None


def missing_colon(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED, INDENTED)
    colons = places(pieces, ":")
    return Damaged(join(change(pieces, dice.one(colons), ""))) if colons else None


def missing_quote(dice: Dice, subject: Subject) -> Damaged | None:
    """One quote of a key is lost; its other end is a declared name."""
    pieces = _pieces(dice, subject, SPACED, COMPACT)
    declared = subject.schema.get("properties", {})
    keys = [
        index
        for index in places(pieces, "key")
        if pieces[index].value in declared and _NAME.fullmatch(pieces[index].value)
    ]
    if not keys:
        return None
    index = dice.one(keys)
    text = pieces[index].text
    return Damaged(join(change(pieces, index, text[1:] if dice.chance(0.5) else text[:-1])))


def python_repr(_: Dice, subject: Subject) -> Damaged | None:
    text = repr(subject.arguments)
    return None if _is_json(text) else Damaged(text)


def python_words(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    words = places(pieces, "word")
    damaged = [replace(piece, text=repr(piece.value)) if piece.kind == "word" else piece for piece in pieces]
    return Damaged(join(damaged)) if words else None


def other_quotes(dice: Dice, subject: Subject) -> Damaged | None:
    """Strings between apostrophes or backticks; those that hold one stay as they are."""
    quote = dice.one("'''`")
    pieces = _pieces(dice, subject)
    damaged = [
        replace(piece, text=quote + piece.text[1:-1] + quote)
        if piece.kind in ("key", "text") and not set(piece.text) & {quote, "\\"}
        else piece
        for piece in pieces
    ]
    return Damaged(join(damaged)) if damaged != pieces else None


def triple_quotes(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED, COMPACT)
    texts = [
        index
        for index in places(pieces, "text")
        if len(pieces[index].value) > 1 and '"' not in pieces[index].value and "\\" not in pieces[index].value
    ]
    if not texts:
        return None
    index = dice.one(texts)
    return Damaged(join(change(pieces, index, '"""' + pieces[index].value + '"""')))


def curly_quotes(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED)
    if re.search("[“”]", join(pieces)):
        return None
    return Damaged(join(replace(p, text=f"“{p.text[1:-1]}”") if p.kind in ("key", "text") else p for p in pieces))


def full_width(dice: Dice, subject: Subject) -> Damaged | None:
    table = {":": "：", ",": "，"} | ({"{": "｛", "}": "｝"} if dice.chance(0.4) else {})
    pieces = _pieces(dice, subject, SPACED, COMPACT)
    return Damaged(join(replace(p, text=table.get(p.kind, p.text)) for p in pieces)) if subject.arguments else None


def arrow(dice: Dice, subject: Subject) -> Damaged | None:
    sign = dice.one((" =>", " =", " =>"))
    pieces = _pieces(dice, subject, SPACED)
    return Damaged(join(replace(p, text=sign) if p.kind == ":" else p for p in pieces)) if subject.arguments else None


def semicolon(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    damaged = [replace(p, text=";") if p.kind == "," and p.inside == "{" else p for p in pieces]
    return Damaged(join(damaged)) if damaged != pieces else None


def bare_keys(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    damaged = [replace(p, text=p.value) if p.kind == "key" and _NAME.fullmatch(p.value) else p for p in pieces]
    return Damaged(join(damaged)) if damaged != pieces else None


def bare_value(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED, COMPACT)
    texts = [
        index
        for index in places(pieces, "text")
        if _BARE.fullmatch(pieces[index].value) and pieces[index].value.lower() not in _WORDS
    ]
    if not texts:
        return None
    index = dice.one(texts)
    return Damaged(join(change(pieces, index, pieces[index].value)))


def comment(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, INDENTED)
    commas = places(pieces, ",")
    words = dice.one((" // the user asked for this", " # from the request", " /* kept, see above */"))
    return Damaged(join(change(pieces, dice.one(commas), "," + words))) if commas else None


def ascii_controls(dice: Dice, subject: Subject) -> Damaged | None:
    """Line breaks and tabs stand in the string as they are."""
    pieces = _pieces(dice, subject)
    raw = {"\\n": "\n", "\\t": "\t"}
    damaged = [
        replace(p, text=re.sub(r"\\\\|\\[nt]", lambda hit: raw.get(hit[0], hit[0]), p.text)) if p.kind == "text" else p
        for p in pieces
    ]
    return Damaged(join(damaged)) if damaged != pieces else None


def lone_backslashes(dice: Dice, subject: Subject) -> Damaged | None:
    """Nobody escaped the backslashes of a string; it shows, because one of them escapes what JSON does not know."""
    pieces = _pieces(dice, subject)
    texts = [index for index in places(pieces, "text") if _FORBIDDEN_ESCAPE.search(pieces[index].value)]
    texts = [index for index in texts if not re.search(r'[\n\t"]|\\["\'\\]|\\$', pieces[index].value)]
    if not texts:
        return None
    index = dice.one(texts)
    return Damaged(join(change(pieces, index, f'"{pieces[index].value}"')))


def escaped_apostrophe(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    damaged = [replace(p, text=p.text.replace("'", "\\'")) if p.kind == "text" else p for p in pieces]
    return Damaged(join(damaged)) if damaged != pieces else None


def inner_quotes(dice: Dice, subject: Subject) -> Damaged | None:
    """Quotes inside a string are not escaped; where JSON could go on behind one, two readings are possible."""
    pieces = _pieces(dice, subject)
    texts = [index for index in places(pieces, "text") if '"' in pieces[index].value]
    if not texts:
        return None
    index = dice.one(texts)
    inner = re.sub(r'\\\\|\\"', lambda hit: '"' if hit[0] == '\\"' else hit[0], pieces[index].text[1:-1])
    text = join(change(pieces, index, f'"{inner}"'))
    return None if _is_json(text) else Damaged(text, recoverable=not _STRUCTURE_BEHIND.search(inner))


def missing_closer(dice: Dice, subject: Subject) -> Damaged | None:
    """The last brackets are lost; that nothing else is lost shows only if all that is declared is there."""
    pieces = _pieces(dice, subject, SPACED, COMPACT)
    lost = 0
    while pieces[-1].kind == "}" and pieces[-2].kind != "{" and lost < 3:
        pieces.pop()
        lost += 1
        if dice.chance(0.5):
            break
    if not lost or pieces[-1].kind in ("number", "{"):
        return None
    value: Any = subject.arguments
    schema: Any = subject.schema
    complete = True
    for _ in range(lost):
        declared = schema.get("properties") or {}
        complete = complete and bool(declared) and declared.keys() <= value.keys()
        last = next(reversed(value))
        value, schema = value[last], declared.get(last, {})
    return Damaged(join(pieces), recoverable=complete)


def extra_closer(dice: Dice, subject: Subject) -> Damaged | None:
    return (
        Damaged(join(_pieces(dice, subject)) + dice.one(("}", "}}", "]", "\n}", "]}"))) if subject.arguments else None
    )


def missing_opener(dice: Dice, subject: Subject) -> Damaged | None:
    return Damaged(join(_pieces(dice, subject))[1:].lstrip()) if subject.arguments else None


def written_line_break(dice: Dice, subject: Subject) -> Damaged | None:
    """A backslash and an n between two tokens, where a line break was meant."""
    pieces = _pieces(dice, subject, SPACED)
    between = places(pieces, ",", "{")
    index = dice.one(between)
    return Damaged(join(change(pieces, index, pieces[index].text + "\\n"))) if subject.arguments else None


def number_forms(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    forms = [(index, form) for index in places(pieces, "number") for form in _forms(pieces[index].text)]
    if not forms:
        return None
    index, form = dice.one(forms)
    return Damaged(join(change(pieces, index, form)))


def _forms(text: str) -> list[str]:
    found = [] if text.startswith("-") else ["+" + text]
    if re.match(r"-?0\.\d", text):
        found.append(text.replace("0.", ".", 1))
    if re.fullmatch(r"-?\d+", text):
        found.append(text + ".")
    if re.fullmatch(r"\d{4,}", text):
        found.append(text[:-3] + "_" + text[-3:])
    return found


def no_number(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject)
    numbers = places(pieces, "number")
    word = dice.one(("NaN", "Infinity", "-Infinity"))
    return Damaged(join(change(pieces, dice.one(numbers), word)), recoverable=False) if numbers else None


def concatenation(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = _pieces(dice, subject, SPACED)
    texts = [
        index for index in places(pieces, "text") if len(pieces[index].value) >= 8 and "\\" not in pieces[index].text
    ]
    if not texts:
        return None
    index = dice.one(texts)
    text = pieces[index].text
    cut = 2 + dice.below(len(text) - 4)
    return Damaged(join(change(pieces, index, f'{text[:cut]}" + "{text[cut:]}')))


def undefined_member(dice: Dice, subject: Subject) -> Damaged | None:
    required = set(subject.schema.get("required") or ())
    absent = [
        name for name in subject.schema.get("properties", {}) if name not in required and name not in subject.arguments
    ]
    if not absent or not subject.arguments:
        return None
    pieces = _pieces(dice, subject, SPACED)
    member = f"{json.dumps(dice.one(absent), ensure_ascii=False)}: undefined, "
    return Damaged(join(change(pieces, 0, "{" + member)))


def repeated_key(dice: Dice, subject: Subject) -> Damaged | None:
    """A key stands twice: with equal values nothing is lost, with different ones nobody knows which is meant."""
    names = [name for name, value in subject.arguments.items() if isinstance(value, str) or is_number(value)]
    if not names:
        return None
    name = dice.one(names)
    value: Any = subject.arguments[name]
    same = dice.chance(0.4)
    if not same:
        value = value + 1 if is_number(value) else value + " x"
    member = f", {json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
    text = join(_pieces(dice, subject, SPACED))
    return Damaged(text[:-1] + member + "}", recoverable=same)


def misplaced_thousands(dice: Dice, subject: Subject) -> Damaged | None:
    """A bare number with separators, in an object whose next member makes the comma plain."""
    pieces = _pieces(dice, subject, SPACED)
    fits = [
        index
        for index in places(pieces, "number")
        if pieces[index].inside == "{"
        and re.fullmatch(r"\d{4,}", pieces[index].text)
        and not types(subject.schema) & {"array"}
    ]
    if not fits:
        return None
    index = dice.one(fits)
    return Damaged(join(change(pieces, index, f"{pieces[index].value:,}")))


OPERATORS = (
    Operator("valid", "valid", 18, valid),
    Operator("trailing_comma", "syntax", 2, trailing_comma),
    Operator("doubled_comma", "syntax", 1, doubled_comma),
    Operator("missing_comma", "syntax", 2, missing_comma),
    Operator("missing_colon", "syntax", 1, missing_colon),
    Operator("missing_quote", "syntax", 1, missing_quote),
    Operator("python_repr", "syntax", 4, python_repr),
    Operator("python_words", "syntax", 2, python_words),
    Operator("other_quotes", "syntax", 2, other_quotes),
    Operator("triple_quotes", "syntax", 1, triple_quotes),
    Operator("curly_quotes", "syntax", 1, curly_quotes),
    Operator("full_width", "syntax", 1, full_width),
    Operator("arrow", "syntax", 1, arrow),
    Operator("semicolon", "syntax", 1, semicolon),
    Operator("bare_keys", "syntax", 2, bare_keys),
    Operator("bare_value", "syntax", 1, bare_value),
    Operator("comment", "syntax", 1, comment),
    Operator("raw_controls", "syntax", 5, ascii_controls, needs="\n\t"),
    Operator("lone_backslashes", "syntax", 4, lone_backslashes, needs="\\"),
    Operator("escaped_apostrophe", "syntax", 1, escaped_apostrophe, needs="'"),
    Operator("inner_quotes", "syntax", 5, inner_quotes, needs='"'),
    Operator("missing_closer", "syntax", 5, missing_closer),
    Operator("extra_closer", "syntax", 3, extra_closer),
    Operator("missing_opener", "syntax", 1, missing_opener),
    Operator("written_line_break", "syntax", 2, written_line_break),
    Operator("number_forms", "syntax", 1, number_forms),
    Operator("thousands", "syntax", 1, misplaced_thousands),
    Operator("no_number", "syntax", 1, no_number),
    Operator("concatenation", "syntax", 1, concatenation),
    Operator("undefined_member", "syntax", 1, undefined_member),
    Operator("repeated_key", "syntax", 2, repeated_key),
)
