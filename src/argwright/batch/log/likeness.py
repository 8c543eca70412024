"""When two names may mean the same.

A suggestion ends in somebody's configuration, and from there on values go where it says.
So likeness is asked of words, not of letters alone: `inactive` is five sixths of
`active`, `user_id` and `order_id` have half their letters in common, and either pair
means two things. What is asked of a name here can only take a suggestion away.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import SequenceMatcher

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_NEAR = 0.8  # of the letters of two words in common, for a slip of the pen
_SHORT = 3  # letters of the shortest word that is told from another by a slip

_TURNS = (
    "not no non never without except exclude excluded un anti pre post before after from to min max minimum maximum "
    "old new previous next first last partial partially half semi all any only start end source target"
)
_TURNING = frozenset(_TURNS.split())
"""Words that make another thing of what they stand with."""
_KINDS = tuple(
    frozenset(kind.split())
    for kind in (
        "path name file filename location",
        "text content contents body message description",
        "date time at day timestamp datetime",
        "url uri link href",
        "id ids identifier uuid key",
        "count number num amount quantity size limit",
        "list items values array",
    )
)
"""Words for the kind of a thing: of one thing, two words of one kind are most likely the same."""
_PLAIN = re.compile(r"v?\d+|v|version|tool|tools|function|functions|func|call|api|new|final")
"""What a tool's name is made longer with."""


def words(name: str) -> list[str]:
    """The words of a name, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]


def fields_alike(said: str, meant: str) -> bool:
    """Whether a field's name says by itself that it stands for another."""
    if _letters(said) == _letters(meant):
        return True
    one, _ = _unlike(said, meant)
    return len(one) < len(set(words(said))) and not fields_differ(said, meant)


def fields_differ(said: str, meant: str) -> bool:
    """Whether two names of fields say that they mean two things, whatever else speaks for it."""
    one, other = _unlike(said, meant)
    if len(one) == len(set(words(said))):
        return bool(one & _TURNING and other & _TURNING)
    if (one | other) & _TURNING:
        return True
    return bool(one) and bool(other) and not any(one & kind and other & kind for kind in _KINDS)


def values_alike(said: str, meant: str) -> bool:
    """Whether one word is another, spelt otherwise or with a word more."""
    if _letters(said) == _letters(meant):
        return True
    one, other = _unlike(said, meant)
    return not other and not one & _TURNING and not any(word.isdecimal() for word in one)


def tools_alike(said: str, meant: str) -> bool:
    """Whether a tool's name is another's, spelt otherwise, cut short, or with a number of a version."""
    if _letters(said) == _letters(meant):
        return True
    one, other = _unlike(said, meant)
    if not other:
        return all(map(_PLAIN.fullmatch, one))
    return bool(said) and not one and words(meant)[: len(words(said))] == words(said)


def _unlike(said: str, meant: str) -> tuple[set[str], set[str]]:
    """The words of each that the other has not."""
    one, other = set(words(said)), set(words(meant))
    return (
        {word for word in one if not _in(word, other)},
        {word for word in other if not _in(word, one)},
    )


def _in(word: str, others: Collection[str]) -> bool:
    return word in others or any(_near(word, other) for other in others)


def _near(one: str, other: str) -> bool:
    if one[0] != other[0] or min(len(one), len(other)) < _SHORT or one.isdecimal():
        return False
    return SequenceMatcher(None, one, other).ratio() >= _NEAR


def _letters(name: str) -> str:
    return "".join(words(name))
