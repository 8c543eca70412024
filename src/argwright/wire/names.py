"""Names and ids that a provider takes: there and back.

Providers allow few characters and few of them. What does not fit is mapped by a pure
function: bad characters become `_`, what is too long is cut, and a short hash of the
original keeps two of them apart. The same input always gives the same output, so call
and result, declaration and answer agree without a table being kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_HASH = 8  # hex digits; a conversation has some hundred ids, so that two of them meet about once in 10^5 conversations
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Rule:
    """What a provider allows.

    Args:
        allowed: the characters, as the inside of a regular expression's brackets; `""` allows all.
        longest: the greatest length; 0 sets none.
        exact: the only length allowed; 0 sets none.
        first: the characters it may begin with, likewise; `""` allows what `allowed` does.
        cut: how long a name is after it was cut, where some routes take less than `longest`; 0: as `longest`.
    """

    allowed: str = ""
    longest: int = 0
    exact: int = 0
    first: str = ""
    cut: int = 0

    def fits(self, name: str) -> bool:
        """Whether the provider takes the name as it is."""
        if not name or (self.longest and len(name) > self.longest) or (self.exact and len(name) != self.exact):
            return False
        head = re.match(f"[{self.first}]", name) if self.first else True
        return bool(head) and (not self.allowed or re.fullmatch(f"[{self.allowed}]+", name) is not None)

    def apply(self, name: str) -> str:
        """The name itself if it fits, else one that does, the same for the same name."""
        if self.fits(name):
            return name
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass"))
        if self.exact:
            return _digits(int.from_bytes(digest.digest(), "big"), self.exact)
        clean = re.sub(f"[^{self.allowed}]+", "_", name) if self.allowed else name
        if not clean.strip("_"):
            clean = "tool"
        if self.first and not re.match(f"[{self.first}]", clean):
            clean = f"t_{clean}"
        longest = self.cut or self.longest
        room = longest - _HASH - 1 if longest else len(clean)
        return f"{clean[:room]}_{digest.hexdigest()[:_HASH]}"


def _digits(number: int, length: int) -> str:
    """The lowest digits of a number, letters and figures."""
    made = ""
    for _ in range(length):
        number, digit = divmod(number, len(_DIGITS))
        made += _DIGITS[digit]
    return made


NAME_64 = Rule(r"a-zA-Z0-9_-", longest=64)
"""What most providers allow as a tool's name, and some as an id."""

NAME_128 = Rule(r"a-zA-Z0-9_-", longest=128)
GEMINI_NAME = Rule(r"a-zA-Z0-9_.:-", longest=128, first="a-zA-Z_")
COHERE_NAME = Rule(r"a-zA-Z0-9_", longest=64, first="a-zA-Z_")
MCP_NAME = Rule(r"a-zA-Z0-9_./-", longest=128)
ANY = Rule()

TOOL_NAMES: tuple[Rule, ...] = (NAME_64, NAME_128, GEMINI_NAME, COHERE_NAME, MCP_NAME)
"""Every rule for tools' names that a format or service has."""


def back(name: str, declared: Iterable[str], rule: Rule) -> str | None:
    """The declared name that is written `name` on this wire; `None` if there is none."""
    names = tuple(declared)
    if name in names:
        return name
    return next((original for original in names if rule.apply(original) == name), None)


def originals(declared: Iterable[str]) -> dict[str, str]:
    """The declared name of each name under which a provider may know a tool.

    A declared name stands for itself always. A mapped one that two tools would share stands for none, as none of
    them was declared by it.
    """
    names = dict.fromkeys(declared)
    found: dict[str, str | None] = {}
    for rule in TOOL_NAMES:
        for name in names:
            mapped = rule.apply(name)
            found[mapped] = name if found.get(mapped, name) == name else None
    return {mapped: name for mapped, name in found.items() if name is not None and mapped not in names}
