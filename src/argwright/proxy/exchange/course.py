"""What holds for one exchange, whatever is said in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from argwright.making import quick
from argwright.proxy.exchange.gate import Gate
from argwright.proxy.exchange.judging import Ids, is_valid
from argwright.proxy.exchange.ledger import Ledger
from argwright.proxy.exchange.protocol import Body, Protocol, Seen, Writer
from argwright.proxy.exchange.request import Asked
from argwright.proxy.exchange.stock import Stock
from argwright.proxy.settings import Mending


@quick
@dataclass(frozen=True, kw_only=True)
class Course:
    """What holds for one exchange.

    Args:
        output: writes the client's stream; it is used as `writer`, which knows of everything that went out.
        untold: what went out and it was not told of yet.
    """

    protocol: Protocol
    upstream: str
    asked: Asked
    mending: Mending
    output: Writer
    ledger: Ledger
    ids: Ids
    untold: list[tuple[str | None, Callable[[], Body]]] = field(default_factory=list)

    @property
    def writer(self) -> Writer:
        """Writes the client's stream."""
        for name, body in self.untold:
            self.output.passed(name, body())
        self.untold.clear()
        return self.output

    def opened(self, stock: Stock, seen: Seen, *, call: bool) -> None:
        """An item opened, if the event opens one: out of its place, all that are to come are numbered anew."""
        if seen.opens is None:
            return
        stock.opened(seen.opens, call=call)
        if not stock.placed:
            self.ledger.reformed = True
            self.writer.misplaced()

    @property
    def is_simple(self) -> bool:
        """Whether a reply without calls is the client's as it is: nothing is asked again, and nothing added up."""
        return self.ledger.attempts == 1 and self.mending.on_stall != "reask"

    def gate(self, *, raw: bool = True) -> Gate:
        """What the text of a reply goes through."""
        box = self.asked.box
        keep = partial(is_valid, box=box) if self.mending.on_invalid == "pass" else None
        return Gate(box if self.asked.scans else None, raw=raw, keep=keep)
