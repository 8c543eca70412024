"""What holds for one exchange, whatever is said in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from argwright.making import quick
from argwright.proxy.exchange.gate import Gate
from argwright.proxy.exchange.judging import Ids, is_valid
from argwright.proxy.exchange.ledger import Ledger
from argwright.proxy.exchange.protocol import Protocol, Writer
from argwright.proxy.exchange.request import Asked
from argwright.proxy.settings import Mending


@quick
@dataclass(frozen=True, kw_only=True)
class Course:
    """What holds for one exchange."""

    protocol: Protocol
    upstream: str
    asked: Asked
    mending: Mending
    writer: Writer
    ledger: Ledger
    ids: Ids

    @property
    def is_simple(self) -> bool:
        """Whether a reply without calls is the client's as it is: nothing is asked again, and nothing added up."""
        return self.ledger.attempts == 1 and self.mending.on_stall != "reask"

    def gate(self, *, raw: bool = True) -> Gate:
        """What the text of a reply goes through."""
        box = self.asked.box
        keep = partial(is_valid, box=box) if self.mending.on_invalid == "pass" else None
        return Gate(box if self.asked.scans else None, raw=raw, keep=keep)
