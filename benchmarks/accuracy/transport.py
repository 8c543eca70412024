"""Damage on the way: repeats, cuts, and a piece that never came."""

from __future__ import annotations

import re

from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Damaged, Operator, Subject, is_number, put, slots
from benchmarks.accuracy.pieces import COMPACT, SPACED, join, places, write
from benchmarks.accuracy.wrapping import plain


def same_again(dice: Dice, subject: Subject) -> Damaged | None:
    if not subject.arguments:
        return None
    text = plain(dice, subject)
    return Damaged(dice.one(("", "\n", " ", "")).join([text] * dice.one((2, 2, 2, 3))))


def two_different(dice: Dice, subject: Subject) -> Damaged | None:
    """Two calls glued together: to pick one is to run the wrong one half of the time."""
    found = slots(subject, lambda value, schema: (isinstance(value, str) and "enum" not in schema) or is_number(value))
    if not found:
        return None
    slot = dice.one(found)
    other = put(subject.arguments, slot.path, slot.value + 1 if is_number(slot.value) else f"{slot.value} B")
    texts = [plain(dice, subject), join(write(other, dice.one((SPACED, COMPACT))))]
    return Damaged("".join(texts if dice.chance(0.5) else texts[::-1]), recoverable=False)


def cut_in_text(dice: Dice, subject: Subject) -> Damaged | None:
    pieces = write(subject.arguments, dice.one((SPACED, COMPACT)))
    texts = [index for index in places(pieces, "text") if len(pieces[index].text) >= 8]
    if not texts:
        return None
    index = dice.one(texts)
    kept = pieces[index].text[: 3 + dice.below(len(pieces[index].text) - 4)]
    return Damaged(join(pieces[:index]) + kept + ("... [truncated]" if dice.chance(0.1) else ""), recoverable=False)


def cut_elsewhere(dice: Dice, subject: Subject) -> Damaged | None:
    """In a key, a number or a word, or behind a comma, a colon or an opening bracket."""
    pieces = write(subject.arguments, dice.one((SPACED, COMPACT)))
    spots = places(pieces[1:-1], "key", "number", "word", ",", ":", "[", "{")
    if not spots:
        return None
    index = 1 + dice.one(spots)
    text = pieces[index].text
    if pieces[index].kind in ("key", "number", "word"):
        text = text[: 1 + dice.below(max(1, len(text) - 1))]
    lost = join(pieces[index:]).removeprefix(text)
    return Damaged(join(pieces[:index]) + text, recoverable=False) if re.search(r"[^\s}\]]", lost) else None


def lost_piece(dice: Dice, subject: Subject) -> Damaged | None:
    """The middle is missing; what is left may look like another fault, so it is reported apart."""
    text = plain(dice, subject)
    length = 3 + dice.below(8)
    if len(text) < length + 8:
        return None
    start = 2 + dice.below(len(text) - length - 3)
    lost = text[start : start + length]
    return Damaged(text[:start] + text[start + length :], recoverable=False) if re.search(r"\w", lost) else None


def nothing(dice: Dice, subject: Subject) -> Damaged | None:
    """Nothing arrives, which is right for a tool that needs nothing, if nothing was meant."""
    if subject.arguments and not subject.schema.get("required"):
        return None
    text = dice.one(("", "", " ", "null", "{"))
    return Damaged(text, recoverable=not subject.schema.get("required") and text != "{")


OPERATORS = (
    Operator("same_again", "transport", 4, same_again),
    Operator("two_different", "transport", 2, two_different),
    Operator("cut_in_text", "transport", 5, cut_in_text),
    Operator("cut_elsewhere", "transport", 3, cut_elsewhere),
    Operator("lost_piece", "transport", 2, lost_piece),
    Operator("nothing", "transport", 3, nothing),
)
