"""How far a repair is trusted, and how much work an input may cause.

Both are plain values handed down from the caller; there is no global setting.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar


class Certainty(IntEnum):
    """How sure a repair is: EXACT, no other reading; LIKELY, text and schema leave one; GUESS, more remain."""

    EXACT = 3
    LIKELY = 2
    GUESS = 1


@dataclass(frozen=True)
class Policy:
    """Which repairs a tool accepts.

    Args:
        certainty: the lowest certainty applied; `None` applies no repair at all.
        spelling: keys in another naming convention and enum values in another case or spacing are mended.
        split_glued: several different objects in one arguments text become several calls (`resolve_turn`).
        drop_undeclared: fields that a closed schema does not declare are dropped, as a GUESS on record.
    """

    certainty: Certainty | None = Certainty.LIKELY
    spelling: bool = True
    split_glued: bool = False
    drop_undeclared: bool = False

    STRICT: ClassVar[Policy]
    EXACT: ClassVar[Policy]
    STANDARD: ClassVar[Policy]
    LENIENT: ClassVar[Policy]

    def allows(self, certainty: Certainty) -> bool:
        """Whether a repair of this certainty is applied."""
        return self.certainty is not None and certainty >= self.certainty


Policy.STRICT = Policy(certainty=None, spelling=False)
Policy.EXACT = Policy(certainty=Certainty.EXACT)
Policy.STANDARD = Policy()
Policy.LENIENT = Policy(certainty=Certainty.GUESS)


@dataclass(frozen=True)
class Limits:
    """What one call may cost.

    Args:
        max_chars: length of the arguments text; the longest output a model writes today is well below 1 MB.
        max_depth: nesting; twice what any schema seen in the wild uses, and far from every stack limit.
        max_repairs: places where a reading was picked (an inner quote, a missing comma or colon, a backslash);
            uniform notation such as single quotes or raw newlines is not counted.
    """

    max_chars: int = 4_000_000
    max_depth: int = 512
    max_repairs: int = 200
