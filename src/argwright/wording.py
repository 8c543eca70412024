"""How values, names and lists are quoted to a person or a model: short, on one line, always encodable.

A message is read by a model that copies what it sees and by logs that keep it, so
nothing is quoted at length, a container is named by its size and never printed, and
no half of a surrogate pair gets through. `likely` finds the declared word that was
probably meant; that is a suggestion in a message and never a mapping.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import Any

from argwright.shape import json_type

MAX_QUOTE = 60  # characters of one quoted value: a word or a short phrase, never a file
MAX_LISTED = 20  # entries of one quoted list
MAX_LIST = 300  # characters of them together
MAX_WORD = 80  # longer words are not compared: nobody misspells a paragraph
MAX_OPTIONS = 300  # words compared with one another, so that a huge enum costs no time
_ALIKE = 0.72  # a slip or two in a word of eight letters; below, the suggestion is noise
_BITS = 256  # larger integers are described, not printed

_HALF = re.compile("[\ud800-\udfff]")
_BREAKS = re.compile(r"[\W_]+")


def encodable(text: str) -> str:
    """The text with each half of a surrogate pair replaced by U+FFFD."""
    return text if text.isascii() else _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def shorten(text: str, limit: int = MAX_QUOTE) -> str:
    """The text, encodable, cut to the limit with an ellipsis at its end."""
    kept = encodable(text[: limit + 1])
    return kept if len(text) <= limit else kept[: limit - 1] + "…"


def shown(value: Any) -> str:
    """A value as it stands in a message: strings in quotes, scalars as JSON, containers by their size."""
    match value:
        case str():
            return repr(shorten(value))
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int() if value.bit_length() > _BITS:
            return f"an integer of about {value.bit_length() * 30103 // 100000 + 1} digits"
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"array of {_count(len(value), 'item')}"
        case dict():
            return f"object of {_count(len(value), 'field')}"
        case _:
            return f"a Python {type(value).__name__}"


def described(value: Any) -> str:
    """A value with its type: `string '5'`, `number 1.5`, `null`, `array of 2 items`."""
    text = shown(value)
    return f"{json_type(value)} {text}" if isinstance(value, (str, bool, int, float)) else text


def brief(value: Any) -> Any:
    """A value as JSON data for a report: short scalars as they are, everything else as text."""
    match value:
        case str():
            return shorten(value)
        case None | bool() | float():
            return value
        case int() if value.bit_length() <= _BITS:
            return value
        case _:
            return shown(value)


def listed(options: Collection[Any]) -> str:
    """Options as `['a', 'b']`, bounded; a container among them is given by its size."""
    texts = [shown(option) for option in islice(options, MAX_LISTED)]
    while len(texts) > 1 and sum(map(len, texts)) > MAX_LIST:
        texts.pop()
    more = [f"… {len(options) - len(texts)} more"] if len(options) > len(texts) else []
    return f"[{', '.join(texts + more)}]"


def likely(word: Any, options: Iterable[Any]) -> str | None:
    """The option that was probably meant: the same word in another spelling, or the most similar one."""
    if not isinstance(word, str) or not 0 < len(word) <= MAX_WORD:
        return None
    known = (option for option in options if isinstance(option, str) and 0 < len(option) <= MAX_WORD)
    return _most_alike(word, tuple(islice(known, MAX_OPTIONS)))


@lru_cache(maxsize=1024)  # a model writes the same wrong name again and again
def _most_alike(word: str, known: tuple[str, ...]) -> str | None:
    plain = _plain(word)
    same = [option for option in known if _plain(option) == plain]
    if same:
        return same[0]
    return _longer(plain, known) or _similar(plain, known)


def hint(word: str | None) -> str:
    """The tail of a message that suggests a word, or nothing."""
    return "" if word is None else f" (did you mean {shown(word)}?)"


def _plain(word: str) -> str:
    return _BREAKS.sub("", word.casefold()) or word


def _longer(plain: str, known: Sequence[str]) -> str | None:
    """The only option that the word abbreviates."""
    least = 3  # letters; shorter beginnings prove nothing
    found = [option for option in known if len(plain) >= least and _plain(option).startswith(plain)]
    return found[0] if len(found) == 1 else None


def _similar(plain: str, known: Sequence[str]) -> str | None:
    best, chosen = _ALIKE, None
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(plain)
    for option in known:
        matcher.set_seq1(_plain(option))
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and (ratio := matcher.ratio()) > best:
            best, chosen = ratio, option
    return chosen


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
