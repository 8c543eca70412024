"""What a client would make of a reply, and what is wrong with its form.

The checkers of this folder are judges: they are written from the protocols' documentation and from the types of the
official SDKs, share no code with the gateway, and never raise because of what they read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

End = Literal["done", "error", "cut"]
"""The reply says that it is over; it says that it failed; it says nothing and stops."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One breach of the form: a slug, the number of the event, and what was found."""

    slug: str
    at: int
    found: str = ""

    def __str__(self) -> str:
        return f"event {self.at}: {self.slug} {self.found}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call as a stock client hands it to a program: `arguments` is the text that the program parses."""

    id: str
    name: str
    arguments: str

    def value(self) -> Any:
        """The arguments as standard JSON; a `ValueError` if they are none."""
        return json.loads(self.arguments, parse_constant=_refuse)

    def is_object(self) -> bool:
        try:
            return isinstance(self.value(), dict)
        except ValueError:
            return False


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a reply holds."""

    faults: tuple[Fault, ...]
    calls: tuple[Call, ...] = ()
    text: str = ""
    finish: str | None = None
    end: End = "done"
    error: Any = None
    note: Any = None  # the extension member `argwright`

    def slugs(self) -> list[str]:
        return [fault.slug for fault in self.faults]


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")
