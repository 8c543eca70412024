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


@dataclass(frozen=True)
class Rule:
    """What a provider allows.

    Args:
        allowed: the characters, as the inside of a regular expression's brackets; `""` allows all.
        longest: the greatest length; 0 sets none.
        exact: the only length allowed; 0 sets none.
        first: the characters it may begin with, likewise; `""` allows what `allowed` does.
    """

    allowed: str = ""
    longest: int = 0
    exact: int = 0
    first: str = ""

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
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        if self.exact:
            return digest[: self.exact]
        clean = re.sub(f"[^{self.allowed}]", "_", name) if self.allowed else name
        if self.first and not re.match(f"[{self.first}]", clean):
            clean = f"t_{clean}"
        room = self.longest - _HASH - 1 if self.longest else len(clean)
        return f"{clean[:room]}_{digest[:_HASH]}"


NAME_64 = Rule(r"a-zA-Z0-9_-", longest=64)
"""What most providers allow as a tool's name, and some as an id."""

ANY = Rule()


def back(name: str, declared: Iterable[str], rule: Rule) -> str | None:
    """The declared name that is written `name` on this wire; `None` if there is none."""
    names = tuple(declared)
    if name in names:
        return name
    return next((original for original in names if rule.apply(original) == name), None)
