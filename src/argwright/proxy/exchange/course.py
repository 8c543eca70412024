"""What holds for one exchange, whatever is said in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from argwright.proxy.exchange.gate import Gate
from argwright.proxy.exchange.judging import Ids, is_valid
from argwright.proxy.exchange.ledger import Ledger
from argwright.proxy.exchange.protocol import Protocol, Writer
from argwright.proxy.exchange.request import Asked
from argwright.proxy.settings import Mending


@dataclass(frozen=True, kw_only=True)
class Course:
    """What holds for one exchange."""

    protocol: Protocol
    asked: Asked
    mending: Mending
    writer: Writer
    ledger: Ledger
    ids: Ids

    def gate(self, *, raw: bool = True) -> Gate:
        """What the text of a reply goes through."""
        box = self.asked.box
        keep = partial(is_valid, box=box) if self.mending.on_invalid == "pass" else None
        return Gate(box if self.asked.scans else None, raw=raw, keep=keep)
