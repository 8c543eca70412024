"""The heads of tags and special tokens, in one spelling.

`<｜tool▁call▁begin｜>`, `<|tool_call_begin|>` and `<‖tool_call_begin‖>` have the same key
`<|tool_call_begin|>`; `<invoke name=` has the key `<invoke `. The key's last character says
what ended the head, so that `<function=` and `<function name=` are two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from argwright.dialects.context import Mark
from argwright.dialects.source import Source, Steps, word

MAX_HEAD = 64  # the longest marker in use has 40 characters

HEAD = re.compile(r"<[^\s<>=\"'{}()]*+")
_ALIKE = str.maketrans({"｜": "|", "‖": "|", "▁": "_"})
BARS = "|｜‖"


def mark_at(src: Source, pos: int) -> Steps[Mark | None]:
    """The opener or closer that begins at `pos` with `<`; `None` if its head is too long or is cut by the end."""
    end = yield from word(src, pos, HEAD, MAX_HEAD)
    if end is None or end == len(src.text):
        return None
    return Mark(pos, end + (src.text[end] in "=>"), head_of(src.text[pos : end + 1]))


@lru_cache(maxsize=1024)
def head_of(written: str) -> str:
    """The key of a head that is written like this, the character that ended it included."""
    key, sign = written[:-1].translate(_ALIKE).replace("\\_", "_").replace("||", "|"), written[-1]
    return key + (sign if sign in "=>" else " " if sign.isspace() else "")


def spellings(*keys: str) -> tuple[str, ...]:
    """All the ways in which special tokens of these keys are written."""
    found: list[str] = []
    for key in keys:
        for bar in ("|", "｜"):
            found.extend(key.replace("|", bar).replace("_", blank) for blank in ("_", "▁"))
    return tuple(dict.fromkeys(found))


def begun(signs: Iterable[str]) -> str:
    """A pattern of what begins one of these signs, and is cut by the end of the text; a branch for each character."""
    branches: list[str] = []
    for first, alike in groupby(sorted(filter(None, signs)), key=lambda sign: sign[0]):
        rest = [sign[1:] for sign in alike if sign[1:]]
        if rest:
            ends = filter(None, ("\\Z", begun(rest)))
            branches.append(f"{re.escape(first)}(?:{'|'.join(ends)})")
    return "|".join(branches)
